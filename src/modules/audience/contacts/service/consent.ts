// The ledger of consent of one contact: how its subscription changed, and by whose word.
import { cursorInteger, decodeCursor } from '../../../../lib/cursor'
import { notFound } from '../../../../lib/errors'
import type { Context } from '../../../../platform/context'
import {
  type ConsentChange,
  countConsent,
  insertTopicChanges,
  insertTopicChangesOfMany,
  type LockedContact,
  lockForTopics,
  lockVersion,
  type PlacedOrigin,
  pageOfConsent,
  type TopicChange,
  type TopicChangeOf,
} from '../queries'
import type { ConsentOrigin } from '../schema'
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

/** Locks the contact (404 where it is gone) and returns how changes of its topics are entered, in the same transaction. */
export async function enterTopicChanges(
  tx: Context,
  projectId: string,
  contactId: string,
): Promise<(changes: readonly TopicChange[], origin: PlacedOrigin) => Promise<void>> {
  const version = await lockVersion(tx, projectId, contactId)
  if (version === undefined) throw notFound('Contact', contactId, 'CONTACT_NOT_FOUND')
  return async (changes, origin) => {
    if (changes.length > 0) await insertTopicChanges(tx, { projectId, contactId, version }, changes, origin)
  }
}

/** Locks those of the contacts that are there; returns them, and how changes of their topics are entered in the same transaction. */
export async function enterTopicChangesOfMany(
  tx: Context,
  projectId: string,
  contactIds: readonly string[],
  importId?: string,
): Promise<{
  locked: LockedContact[]
  enter(changes: readonly TopicChangeOf[], origin: ConsentOrigin): Promise<void>
}> {
  return {
    locked: await lockForTopics(tx, projectId, contactIds, importId),
    async enter(changes, origin) {
      if (changes.length > 0) await insertTopicChangesOfMany(tx, projectId, changes, origin)
    },
  }
}
