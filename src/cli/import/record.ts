// What every source of contacts is turned into before it is applied: one person, in our terms, with the place it came from.
import type { SuppressionReason } from '../../modules/suppressions'

export interface PeerRecord {
  /** For people to find it again: `line 7`, `subscriber 12`. */
  place: string
  email: string
  /** Cells of a table; their types are not known yet. */
  texts: Record<string, string>
  /** Values that have a type already. */
  values: Record<string, unknown>
  /** What the source says about consent; undefined: nothing. True subscribes nobody who opted out here. */
  subscribed: boolean | undefined
  /** With `subscribed` false: the person said so, and was not just never asked. */
  optedOutAt?: Date | 'unknown'
  /** Why nothing may be sent to the address. */
  suppressed?: { reason: SuppressionReason; source: string }
  /** Names of the lists or tags that the person is on. */
  lists: string[]
  /** What the person said about lists or columns that are topics here. */
  topics?: SaidOfTopic[]
}

export interface SaidOfTopic {
  name: string
  subscribed: boolean
}

/** What could not be read at all. */
export interface RefusedRecord {
  place: string
  email: string
  refused: string
}

export type SourceRecord = PeerRecord | RefusedRecord

/** `note`: a sentence for the report about what the source can't tell. */
export interface ImportSource {
  /** All of it, from the beginning. */
  read(): AsyncIterable<SourceRecord>
  /** No address comes twice: a dry run need not read it all beforehand. */
  addressesAreUnique?: true
  note?: string
}

/** The source as a whole can't be imported; reported without a stack. */
export class SourceFault extends Error {}
