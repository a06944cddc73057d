// The contacts that requests name, made or changed in the transaction that the requests share.
import type { Context } from '../../../../platform/context'
import { type UpsertedContact, upsertProjectContacts } from '../../../audience/contacts'

type Upsert = Parameters<typeof upsertProjectContacts>[1][number]

/**
 * One result for each, in order. If two want opposite subscription states of one contact, all of them are written one after another: merged, the
 * first change would vanish as if it had never been asked for.
 */
export async function upsertInOrder(tx: Context, upserts: readonly Upsert[]): Promise<UpsertedContact[]> {
  if (!contradict(upserts)) return await upsertProjectContacts(tx, upserts)
  const results: UpsertedContact[] = []
  for (const each of upserts) results.push(...(await upsertProjectContacts(tx, [each])))
  return results
}

function contradict(upserts: readonly Upsert[]): boolean {
  const wishes = new Map<string, boolean>()
  return upserts.some(({ projectId, email, subscribed }) => {
    if (subscribed === undefined) return false
    const key = `${projectId} ${email}`
    const earlier = wishes.get(key) ?? subscribed
    wishes.set(key, subscribed)
    return earlier !== subscribed
  })
}
