// Finding, creating and patching contacts by address, many at a time: the way in for sends, tracked events, imports and the API.
import { invalid } from '../../../lib/errors'
import { type Context, inTransaction } from '../../../platform/context'
import { violates } from '../../../platform/db/errors'
import { type ContactEntry, entryKey, type MergedEntry, mergeEntries, type ProjectEntry } from '../entries'
import { tooLarge } from '../patch'
import { type ContactRow, type UpsertResult, upsertRows } from '../queries'
import { recordFlips } from './flips'

export interface UpsertedContact {
  contact: ContactRow
  /** This entry created the contact; false for a later entry with the same address. */
  isNew: boolean
}

/**
 * Applies the entries and answers one contact for each, in their order. Entries with one address take effect one after the
 * other and are answered alike. A changed subscription state of an existing contact records its event.
 */
export async function upsertContacts(
  ctx: Context,
  projectId: string,
  entries: readonly ContactEntry[],
  options: { defaultSubscribed: boolean },
): Promise<UpsertedContact[]> {
  return upsertProjectContacts(
    ctx,
    entries.map(entry => ({ ...entry, ...options, projectId })),
  )
}

/** The same for entries of several projects, in one statement. */
export async function upsertProjectContacts(
  ctx: Context,
  entries: readonly ProjectEntry[],
): Promise<UpsertedContact[]> {
  if (entries.length === 0) return []
  return inTransaction(ctx, async tx => {
    const results = await applyAll(tx, mergeEntries(entries))
    await recordFlips(
      tx,
      [...results.values()].filter(result => result.flipped),
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
    const { isNew, flipped: _, ...contact } = results.get(key)!
    const isFirst = !answered.has(key)
    answered.add(key)
    return { contact, isNew: isNew && isFirst }
  })
}

/** A row is left over only when another transaction creates, moves or deletes that very contact in between. */
const mostRounds = 10

async function applyAll(
  ctx: Context,
  merged: ReadonlyMap<string, MergedEntry>,
): Promise<Map<string, UpsertResult>> {
  const results = new Map<string, UpsertResult>()
  const now = ctx.clock.now()
  for (let round = 1; results.size < merged.size; round++) {
    if (round > mostRounds) throw new Error('contacts changed faster than they could be written')
    const open = [...merged].filter(([key]) => !results.has(key)).map(([, entry]) => entry)
    for (const row of await applyOnce(ctx, open, now)) results.set(entryKey(row.projectId, row.email), row)
  }
  return results
}

async function applyOnce(ctx: Context, entries: readonly MergedEntry[], now: Date): Promise<UpsertResult[]> {
  const rows = entries.map(({ projectId, email, patch, subscribed, defaultSubscribed }) => ({
    id: ctx.random.uuid(now),
    projectId,
    email,
    set: patch.set,
    remove: patch.remove,
    subscribed,
    fallback: defaultSubscribed,
  }))
  try {
    return await upsertRows(ctx, rows, now)
  } catch (error) {
    throw violates(error, 'contacts_data_size') ? invalid([tooLarge()]) : error
  }
}
