// Who a campaign is meant for: from its audience to a condition on contacts. All but TRANSACTIONAL campaigns go to
// subscribed contacts only.
import { and, type SQL } from 'drizzle-orm'
import { namedSegments, namedTopics, type Predicate } from '../../../../../filters/predicate'
import { type FilterCondition, readFilter } from '../../../../../filters/read'
import { badRequest, invalid } from '../../../../../lib/errors'
import type { Context } from '../../../../../platform/context'
import { holdTopics } from '../../../../audience/topics'
import {
  conditionSql,
  getSegment,
  holdSegment,
  predicateSql,
  requireComparable,
  segmentSql,
} from '../../../segments'
import type { CampaignRow } from '../../queries'
import { type Audience, type AudienceQuery, countAudience } from '../queries/audience'

/** 400 for a companion that is missing, 422 for a faulty tree. Returns the audience with what belongs to its type only. */
export function checkAudience(audience: Audience): Audience {
  const { audienceType, segmentId, audienceCondition, topicId, type } = audience
  if (topicId && !isForSubscribed(type))
    throw badRequest('A TRANSACTIONAL campaign goes to everybody: it has no topic')
  switch (audienceType) {
    case 'ALL':
      return { ...audience, segmentId: null, audienceCondition: null }
    case 'SEGMENT':
      if (!segmentId) throw missingSegment()
      return { ...audience, audienceCondition: null }
    case 'FILTERED':
      if (audienceCondition === null || audienceCondition === undefined)
        throw badRequest('Audience condition is required for FILTERED audience type')
      return { ...audience, segmentId: null, audienceCondition: readTree(audienceCondition) }
  }
}

function missingSegment() {
  return badRequest('Segment ID is required for SEGMENT audience type')
}

function readTree(input: unknown): FilterCondition {
  const reading = readFilter(input, 'audienceCondition')
  if ('faults' in reading) throw invalid(reading.faults)
  return reading.condition
}

/** Keeps the segments and topics that the audience names from being deleted before the caller's transaction has stored it; 404. */
export async function holdAudience(tx: Context, audience: Audience): Promise<void> {
  for (const id of segmentsOfAudience(audience)) await holdSegment(tx, audience.projectId, id)
  await holdTopics(tx, audience.projectId, topicsNamed(audience))
}

/** 400 for a condition that compares a date with a text that is none. Of one that is stored it is not asked: its field may have become a date since. */
export async function requireComparableAudience(ctx: Context, audience: Audience): Promise<void> {
  const { projectId, audienceCondition } = audience
  const reading = audienceCondition ? readFilter(audienceCondition) : undefined
  if (reading && !('faults' in reading)) await requireComparable(ctx, projectId, reading.predicate)
}

/** The segments that the audience names itself. */
export function segmentsOfAudience(audience: Audience): string[] {
  const { segmentId } = audience
  return [...new Set([...(segmentId ? [segmentId] : []), ...namedInTree(audience, namedSegments)])].sort()
}

function topicsNamed(audience: Audience): string[] {
  return [...(audience.topicId ? [audience.topicId] : []), ...namedInTree(audience, namedTopics)]
}

function namedInTree({ audienceCondition }: Audience, named: (predicate: Predicate) => string[]): string[] {
  const reading = audienceCondition ? readFilter(audienceCondition) : undefined
  return reading && !('faults' in reading) ? named(reading.predicate) : []
}

/** The audience as a query; 404 for a segment or topic that is not there. */
export async function audienceQuery(ctx: Context, audience: Audience): Promise<AudienceQuery> {
  const { query, topic } = await audienceParts(ctx, audience)
  return { ...query, condition: and(query.condition, topic) }
}

/** The same, with the topic's condition apart. */
export async function audienceParts(
  ctx: Context,
  audience: Audience,
): Promise<{ query: AudienceQuery; topic: SQL | undefined }> {
  const { projectId, type, topicId } = audience
  const condition = await conditionOf(ctx, audience)
  const inTopic: Predicate | null = topicId
    ? { kind: 'topic', topicId: topicId.toLowerCase(), is: true }
    : null
  const topic = inTopic ? await predicateSql(ctx, projectId, inTopic) : undefined
  return { query: { projectId, subscribedOnly: isForSubscribed(type), condition }, topic }
}

export function isForSubscribed(type: CampaignRow['type']): boolean {
  return type !== 'TRANSACTIONAL'
}

async function conditionOf(ctx: Context, audience: Audience): Promise<SQL | undefined> {
  const { projectId, audienceType, segmentId, audienceCondition } = audience
  switch (audienceType) {
    case 'ALL':
      return undefined
    case 'SEGMENT':
      // A copy of a campaign with a deleted segment has none.
      if (!segmentId) throw missingSegment()
      return segmentSql(ctx, projectId, await getSegment(ctx, projectId, segmentId))
    case 'FILTERED':
      // Read and found good when it was stored.
      return conditionSql(ctx, projectId, audienceCondition as FilterCondition)
  }
}

/** How many would get it now. */
export async function countRecipientsOf(ctx: Context, audience: Audience): Promise<number> {
  return countAudience(ctx, await audienceQuery(ctx, audience))
}
