// Which segments one contact is in at the moment.
import type { SQL } from 'drizzle-orm'
import type { Context } from '../../../../platform/context'
import { getContact } from '../../../audience/contacts'
import { type SegmentRow, selectSegments, selectSegmentsOfMember, testContact } from '../queries'
import { conditionSql } from './audience'

/** Conditions per statement. */
const batchSize = 50
/** The newest of a project; nobody has more, and each takes a test. */
const maxTested = 500

/** By name. 404 for an unknown contact. */
export async function segmentsOfContact(
  ctx: Context,
  projectId: string,
  contactId: string,
): Promise<SegmentRow[]> {
  const { id } = await getContact(ctx, projectId, contactId)
  const [all, lists] = await Promise.all([
    selectSegments(ctx, projectId),
    selectSegmentsOfMember(ctx, projectId, id),
  ])
  const onList = new Set(lists)
  const found = all.filter(segment => segment.type === 'STATIC' && onList.has(segment.id))
  const dynamic = all.filter(segment => segment.condition).slice(0, maxTested)
  for (let from = 0; from < dynamic.length; from += batchSize)
    found.push(...(await matching(ctx, projectId, id, dynamic.slice(from, from + batchSize))))
  return found.sort((a, b) => a.name.localeCompare(b.name))
}

async function matching(
  ctx: Context,
  projectId: string,
  contactId: string,
  segments: readonly SegmentRow[],
): Promise<SegmentRow[]> {
  const conditions: SQL[] = []
  for (const { condition } of segments)
    if (condition) conditions.push(await conditionSql(ctx, projectId, condition))
  const matches = await testContact(ctx, projectId, contactId, conditions)
  return segments.filter((_, index) => matches[index])
}
