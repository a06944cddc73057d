// What every source of contacts is turned into before it is applied: one person, in our terms, with the place it came from.

import type { SuppressionReason } from '../../modules/audience/suppressions'
import type { ContentType } from '../../modules/sending/emails'
import type { SourceList } from './lists'

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
  /** Only what the person said no to is taken; a contact that is created by it was never asked. */
  isOnlyNo?: true
  /** With `subscribed` false: the person said so, and was not just never asked. */
  optedOutAt?: Date | 'unknown'
  /** When the person said yes or no, and what the source recorded of it, for the ledger of consent. */
  consent?: { at?: Date | undefined; evidence?: string | undefined }
  /** With `subscribed` false: a break until then, of somebody who is subscribed otherwise. */
  snoozedUntil?: Date
  /** Why nothing may be sent to the address. */
  suppressed?: { reason: SuppressionReason; source: string }
  /** Names of the lists or tags that the person is on. */
  lists: string[]
  /** What the other program put into the links of this person's mail. */
  oldToken?: string
  /** Why something that the source says of the person is left out. */
  without?: string[]
  /** What the person said about lists or columns that are topics here. */
  topics?: SaidOfTopic[]
}

export interface SaidOfTopic {
  name: string
  subscribed: boolean
  /** When the person said so, and what the source recorded of it. */
  at?: Date | undefined
  evidence?: string | undefined
}

/** What could not be read at all. */
export interface RefusedRecord {
  place: string
  email: string
  refused: string
}

export type SourceRecord = PeerRecord | RefusedRecord

interface Message {
  subject: string
  body: string
  from: string
  fromName?: string | null
  replyTo?: string | null
  description?: string | null
}

interface Item<K extends string> {
  kind: K
  /** For people to find it again: `template 3`. */
  place: string
  /** By which other items of the source refer to it. */
  key: string
  name: string
  /** Why it can't be taken. */
  faults: string[]
  /** What it is taken without. */
  notes?: string[]
}

/** Whom a campaign goes to; `lists` are topics here. */
type GivenAudience = { lists: string[] } | { segment: string } | { condition: unknown } | { everybody: true }

/** What a source has besides contacts. What others refer to comes before them. */
export type ContentItem =
  | (Item<'layout'> & { body: string })
  | (Item<'segment'> & { segment: { description?: string; condition: unknown; trackMembership?: boolean } })
  | (Item<'template'> & { message: Message; type: ContentType })
  | (Item<'campaign'> & {
      message: Message
      type: ContentType
      audience: GivenAudience
      /** The key of its layout. */
      layout?: string | undefined
    })
  | (Item<'workflow'> & {
      eventName: string
      description: string | null
      allowReentry: boolean
      /** Where it does not start with an event. */
      trigger?: { triggerType: string; triggerConfig: unknown }
      /** Steps and transitions, as an API of this kind answers. */
      graph: Readonly<Record<string, unknown>>
    })
  | { kind: 'nothing'; place: string; reason: string }

export type ContentKind = Exclude<ContentItem['kind'], 'nothing'>

/** What is known of a source before its first record. */
export interface Outlook {
  /** Sentences for the report, about what the source does not tell. */
  notes: string[]
  /** Undefined where they are not known before the records. */
  lists?: SourceList[]
}

export interface ImportSource {
  outlook?(): Promise<Outlook>
  /** All of it, from the beginning. */
  read(): AsyncIterable<SourceRecord>
  /** No address occurs twice: a dry run need not read everything beforehand. */
  addressesAreUnique?: true
  content?(): AsyncIterable<ContentItem>
  /** Where tracked links in its mail led. */
  links?(): AsyncIterable<{ id: string; url: string }>
}

/** The source as a whole can't be imported; reported without a stack. */
export class SourceFault extends Error {}
