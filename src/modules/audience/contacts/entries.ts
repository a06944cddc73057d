// Several entries of one batch may be about the same contact. They are merged in the order given, because one statement can't
// touch a row twice, and each entry still gets its own answer. Pure.
import { normaliseEmail } from '../../../lib/address'
import { byProgram } from './consent'
import { type DataPatch, emptyPatch, mergePatches } from './patch'
import type { ConsentOrigin } from './schema'

/** What a request wants of the contact with this address. */
export interface ContactEntry {
  email: string
  patch?: DataPatch
  /** Given: the contact's new state. Left out: an existing contact keeps its state. */
  subscribed?: boolean | undefined
  /** With `subscribed` false: when the contact opted out, even if it was never subscribed here. */
  optedOutAt?: Date | undefined
  /** With `subscribed` false, of a file: until when the contact takes a break. */
  snoozedUntil?: Date | undefined
  /** With `subscribed` false: a contact that is taking a break already keeps to it. */
  keepsSnoozes?: boolean
  /** Who opted out or is taking a break is not subscribed by it. */
  keepsOptOuts?: boolean
  /** The state of a contact that is created by it, where it says none; that of the way in unless given. */
  defaultSubscribed?: boolean
  /** Where it comes from, for the ledger of consent. */
  origin?: ConsentOrigin
}

export interface ProjectEntry extends ContactEntry {
  projectId: string
  /** The state of a contact that is created without an explicit one. */
  defaultSubscribed: boolean
  /** The id of a contact that is created; one is made up unless given. */
  newId?: string
}

export interface MergedEntry {
  newId: string | undefined
  projectId: string
  email: string
  patch: DataPatch
  subscribed: boolean | null
  optedOutAt: Date | undefined
  defaultSubscribed: boolean
  keepsOptOuts: boolean
  keepsSnoozes: boolean
  origin: ConsentOrigin
}

/** What names a contact across projects. */
export function entryKey(projectId: string, email: string): string {
  return `${projectId} ${normaliseEmail(email)}`
}

/** One entry per contact, by key. */
export function mergeEntries(entries: readonly ProjectEntry[]): Map<string, MergedEntry> {
  const merged = new Map<string, MergedEntry>()
  for (const entry of entries) {
    const key = entryKey(entry.projectId, entry.email)
    const before = merged.get(key)
    const patch = entry.patch ?? emptyPatch
    merged.set(key, {
      newId: before?.newId ?? entry.newId,
      projectId: entry.projectId,
      email: normaliseEmail(entry.email),
      patch: before ? mergePatches(before.patch, patch) : patch,
      subscribed: entry.subscribed ?? before?.subscribed ?? null,
      optedOutAt: entry.subscribed === undefined ? before?.optedOutAt : entry.optedOutAt,
      keepsSnoozes: entry.keepsSnoozes === true && before?.keepsSnoozes !== false,
      defaultSubscribed: before?.defaultSubscribed ?? entry.defaultSubscribed,
      ...decidedBy(before, entry),
    })
  }
  return merged
}

/** Whose word about the subscription counts: the first that says something, unless a later one may do more. */
function decidedBy(
  before: MergedEntry | undefined,
  { subscribed, keepsOptOuts = false, origin = byProgram }: ProjectEntry,
): Pick<MergedEntry, 'keepsOptOuts' | 'origin'> {
  const mayMore = before?.keepsOptOuts === true && !keepsOptOuts
  const counts = !before || (subscribed !== undefined && (before.subscribed === null || mayMore))
  return counts ? { keepsOptOuts, origin } : { keepsOptOuts: before.keepsOptOuts, origin: before.origin }
}
