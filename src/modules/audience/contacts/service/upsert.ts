// Finding, creating and patching contacts by address, many at a time: the way in for sends, tracked events, imports and the API.
import { invalid } from '../../../../lib/errors'
import { type Context, inTransaction, Overtaken } from '../../../../platform/context'
import { type ContactEntry, entryKey, type MergedEntry, mergeEntries, type ProjectEntry } from '../entries'
import { type ContactData, parsePatch } from '../patch'
import { type ContactRow, type ImportedRows, type UpsertResult, upsertRows } from '../queries'
import type { ConsentOrigin } from '../schema'
import { breachOfData } from './breach'
import { recordSubscriptionChanges } from './subscription-events'

export interface UpsertedContact {
  contact: ContactRow
  /** This entry created the contact; false for a later entry with the same address. */
  isNew: boolean
  /** This entry wrote something. */
  isWritten: boolean
}

/** What is recorded about entries that change a subscription. */
export interface Recording {
  /** Why it changed, as events say it. */
  reason?: string
  /** New contacts that are subscribed have the event too, which is otherwise for those that change. */
  greetsNew?: boolean
  /** The entries are rows of this import. */
  imported?: ImportedRows
}

/**
 * Applies the entries and returns one contact for each, in their order. Entries with one address take effect one after
 * another and get the same answer. A changed subscription state of an existing contact records its event.
 */
export async function upsertContacts(
  ctx: Context,
  projectId: string,
  entries: readonly ContactEntry[],
  { defaultSubscribed, ...recording }: { defaultSubscribed: boolean } & Recording,
): Promise<UpsertedContact[]> {
  return upsertProjectContacts(
    ctx,
    entries.map(entry => ({ defaultSubscribed, ...entry, projectId })),
    recording,
  )
}

/** The same for entries of several projects, in one statement. */
export async function upsertProjectContacts(
  ctx: Context,
  entries: readonly ProjectEntry[],
  { reason, greetsNew = false, imported }: Recording = {},
): Promise<UpsertedContact[]> {
  if (entries.length === 0) return []
  return inTransaction(ctx, async tx => {
    const results = await applyAll(tx, mergeEntries(entries), imported)
    await recordSubscriptionChanges(
      tx,
      [...results.values()].filter(
        ({ hasChanged, isNew, subscribed }) => hasChanged || (greetsNew && isNew && subscribed),
      ),
      reason === undefined ? {} : { data: { reason } },
    )
    return answer(entries, results)
  })
}

function answer(
  entries: readonly ProjectEntry[],
  results: ReadonlyMap<string, UpsertResult>,
): UpsertedContact[] {
  const answered = new Set<string>()
  return entries.map(entry => {
    const key = entryKey(entry.projectId, entry.email)
    const { isNew, isWritten, hasChanged: _, ...contact } = results.get(key)!
    const isFirst = !answered.has(key)
    answered.add(key)
    return { contact, isNew: isNew && isFirst, isWritten }
  })
}

/** A change of a contact that the caller has read: data as a request gives it, and the new state where it changes. */
export interface ContactPatch {
  projectId: string
  contactId: string
  /** Its address when it was read. */
  email: string
  data: ContactData
  subscribed?: boolean
  /** Of the event that the change may cause. */
  hops: number
  /** For the ledger of consent. */
  origin?: ConsentOrigin
}

/**
 * Changes existing contacts, many in one statement, and returns them in the order given; those of one contact take effect together.
 * Throws 422 for faulty data, and Overtaken where a contact has another address by now, or is gone.
 */
export async function patchContacts(ctx: Context, patches: readonly ContactPatch[]): Promise<ContactRow[]> {
  const hops = new Map<string, number>()
  const entries = patches.map(({ data, hops: own, ...entry }) => {
    hops.set(entry.contactId, Math.max(own, hops.get(entry.contactId) ?? 0))
    const patch = parsePatch(data)
    if (Array.isArray(patch)) throw invalid(patch)
    return { ...entry, patch, defaultSubscribed: false }
  })
  return inTransaction(ctx, async tx => {
    const rows = await applyOnce(tx, [...mergeEntries(entries).values()], { creates: false })
    const byId = new Map(rows.map(row => [row.id, row]))
    if (patches.some(({ contactId }) => !byId.has(contactId)))
      throw new Overtaken('a contact is no longer what was read')
    await recordSubscriptionChanges(
      tx,
      rows.filter(row => row.hasChanged),
      ({ id }) => ({ hops: hops.get(id) }),
    )
    return patches.map(({ contactId }) => {
      const { isNew: _, hasChanged: __, isWritten: ___, ...contact } = byId.get(contactId)!
      return contact
    })
  })
}

/** A row is left over only when another transaction creates, moves or deletes that very contact in between. */
const maxRounds = 10

async function applyAll(
  tx: Context,
  merged: ReadonlyMap<string, MergedEntry>,
  imported?: ImportedRows,
): Promise<Map<string, UpsertResult>> {
  const entries = [...merged.values()]
  for (let round = 1; round <= maxRounds; round++) {
    const rows = await applyOnce(tx, entries, { imported })
    if (rows.length === entries.length)
      return new Map(rows.map(row => [entryKey(row.projectId, row.email), row]))
    // Waiting for the row that is left over while holding the others could make two batches wait for each other for ever. A single
    // entry holds nothing yet.
    if (entries.length > 1) throw new Overtaken('a contact appeared or vanished meanwhile')
  }
  throw new Error('contacts changed faster than they could be written')
}

async function applyOnce(
  ctx: Context,
  entries: readonly MergedEntry[],
  { creates = true, imported }: { creates?: boolean; imported?: ImportedRows | undefined } = {},
): Promise<UpsertResult[]> {
  const now = ctx.clock.now()
  const origins = [...new Map(entries.map(({ origin }) => [nameOf(origin), origin])).entries()]
  const places = new Map(origins.map(([name], place) => [name, place]))
  const rows = entries.map(
    ({
      newId,
      projectId,
      email,
      patch,
      subscribed,
      optedOutAt,
      defaultSubscribed,
      keepsOptOuts,
      keepsSnoozes,
      origin,
    }) => ({
      id: creates ? (newId ?? ctx.random.uuid(now)) : null,
      projectId,
      email,
      set: patch.set,
      remove: patch.remove,
      subscribed,
      optedOutAt,
      fallback: defaultSubscribed,
      keepsOptOuts,
      keepsSnoozes,
      origin: places.get(nameOf(origin))!,
    }),
  )
  try {
    return await upsertRows(
      ctx,
      rows,
      origins.map(([, origin], position) => ({ ...origin, position })),
      now,
      imported,
    )
  } catch (error) {
    throw breachOfData(error) ?? error
  }
}

/** Most requests that share a statement come from the same key. */
function nameOf({ source, actor, wording, client, at, evidence }: ConsentOrigin): string {
  return JSON.stringify([source, actor, wording, client, at, evidence])
}
