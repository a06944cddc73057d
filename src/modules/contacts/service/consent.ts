// The ledger of consent of one contact: how its subscription changed, and by whose word.
import { cursorInteger, decodeCursor } from '../../../lib/cursor'
import type { Context } from '../../../platform/context'
import { type ConsentChange, countConsent, pageOfConsent } from '../queries'
import { getContact } from './single'

export interface ConsentPage {
  rows: ConsentChange[]
  total: number
}

/** Newest first, and one row more than `limit` where there is one. `total` is counted on the first page only. */
export async function listConsent(
  ctx: Context,
  projectId: string,
  contactId: string,
  query: { limit: number; cursor?: string },
): Promise<ConsentPage> {
  const { id } = await getContact(ctx, projectId, contactId)
  const cursor = decodeCursor(query.cursor)
  const before = cursor ? cursorInteger(cursor) : null
  const rows = await pageOfConsent(ctx, projectId, id, { before, limit: query.limit + 1 })
  return { rows, total: cursor ? 0 : await countConsent(ctx, projectId, id) }
}
