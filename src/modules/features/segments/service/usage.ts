// Which segments use a custom field, an event name or a topic, for those who ask before they delete one.

import { fieldReferenceName } from '../../../../filters/references'
import type { Context } from '../../../../platform/context'
import { type SegmentName, selectReached, selectSegmentsNaming } from '../queries'

/** `field` with or without the prefix `data.`; standard fields by their names. */
export async function segmentsUsingField(
  ctx: Context,
  projectId: string,
  field: string,
): Promise<SegmentName[]> {
  return selectSegmentsNaming(ctx, projectId, 'field', fieldReferenceName(field))
}

/** The same as one part of what uses a field at all. */
export async function fieldsInSegments(
  ctx: Context,
  { projectId, field }: { projectId: string; field: string },
): Promise<{ segments: SegmentName[] }> {
  return { segments: await segmentsUsingField(ctx, projectId, field) }
}

/** The same for an event name. */
export async function eventsInSegments(
  ctx: Context,
  { projectId, name }: { projectId: string; name: string },
): Promise<{ segments: SegmentName[] }> {
  return { segments: await segmentsUsingEvent(ctx, projectId, name) }
}

export async function segmentsUsingEvent(
  ctx: Context,
  projectId: string,
  name: string,
): Promise<SegmentName[]> {
  return selectSegmentsNaming(ctx, projectId, 'event', name)
}

/** Keeps a topic from being deleted while a segment names it. */
export async function topicInSegments(
  tx: Context,
  { projectId, topicId }: { projectId: string; topicId: string },
): Promise<boolean> {
  return (await selectSegmentsNaming(tx, projectId, 'topic', topicId)).length > 0
}

/** The conditions of these segments and of all that they name, however far, in one order: what an audience by them depends on. */
export async function reachedSegments(
  ctx: Context,
  projectId: string,
  ids: readonly string[],
): Promise<Array<{ id: string; condition: unknown }>> {
  if (ids.length === 0) return []
  const rows = await selectReached(ctx, projectId, ids)
  return rows.map(({ id, condition }) => ({ id, condition })).sort((a, b) => (a.id < b.id ? -1 : 1))
}
