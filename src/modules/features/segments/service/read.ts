// Reading segments and who is in them.

import { type AppError, notFound } from '../../../../lib/errors'
import { isUuid } from '../../../../lib/ids'
import type { Context } from '../../../../platform/context'
import type { ContactRow } from '../../../audience/contacts'
import {
  countContacts,
  countMembers,
  lockSegment,
  type SegmentRow,
  selectContactPage,
  selectMemberPage,
  selectSegment,
  selectSegments,
} from '../queries'
import { conditionSql } from './audience'
import { inFilterTurn } from './turns'

/** All of them, newest first. */
export async function listSegments(ctx: Context, projectId: string): Promise<SegmentRow[]> {
  return selectSegments(ctx, projectId)
}

/** The segment, or 404, also for another project's. */
export async function getSegment(ctx: Context, projectId: string, id: string): Promise<SegmentRow> {
  const segment = await selectSegment(ctx, projectId, id)
  if (!segment) throw segmentNotFound(id)
  return segment
}

/** The segment, which the transaction now keeps from being deleted; 404, also for anything that is not an id. For whoever is about to store a reference to it. */
export async function holdSegment(tx: Context, projectId: string, id: string): Promise<SegmentRow> {
  const segment = isUuid(id) ? await lockSegment(tx, projectId, id, 'exists') : undefined
  if (!segment) throw segmentNotFound(id)
  return segment
}

export function segmentNotFound(id: string): AppError {
  return notFound('Segment', id)
}

/**
 * One page of who is in the segment at this moment. A deep page skips the rows before it, which costs at most what counting
 * the total costs, and that is asked for with every page.
 */
export async function listSegmentContacts(
  ctx: Context,
  projectId: string,
  id: string,
  page: { pageSize: number; offset: number },
): Promise<{ rows: ContactRow[]; total: number }> {
  const { condition } = await getSegment(ctx, projectId, id)
  if (!condition) {
    const [rows, total] = await Promise.all([
      selectMemberPage(ctx, projectId, id, page),
      countMembers(ctx, projectId, id),
    ])
    return { rows, total }
  }
  const where = await conditionSql(ctx, projectId, condition)
  const [rows, total] = await inFilterTurn(ctx, projectId, heavy =>
    Promise.all([selectContactPage(heavy, projectId, where, page), countContacts(heavy, projectId, where)]),
  )
  return { rows, total }
}
