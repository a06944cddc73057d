// How many an audience reaches, and why the others of it get nothing. Who is counted as reached is who a campaign that starts now records and
// does not skip; what else takes their places under the cap before it is sent can't be known.
import type { Context } from '../../../../../platform/context'
import { inFilterTurn } from '../../../segments'
import type { AudienceBody } from '../../model'
import { selectMomentRules } from '../../sending/queries/moments'
import type { Audience } from '../queries/audience'
import { countReach, type ReachCount, type SkipReason, skipReasons } from '../queries/reach'
import { audienceParts, checkAudience, isForSubscribed, requireComparableAudience } from './audience'

export interface Reach {
  /** In the audience, and allowed by its topic. */
  matching: number
  /** Those of them who are subscribed, or all of a transactional campaign: it records them as recipients. */
  recipients: number
  /** Recipients that it is sent to. */
  reached: number
  /** Of those: the cap puts them off. */
  delayed: number
  /** All others of the audience, by the first reason that applies; those outside of the topic among them. */
  skipped: Record<SkipReason, number>
}

export async function reachOf(ctx: Context, audience: Audience): Promise<Reach> {
  const { projectId, type } = audience
  const { query, topic } = await audienceParts(ctx, audience)
  const rules = isForSubscribed(type) ? await selectMomentRules(ctx, projectId) : undefined
  const cap = rules?.mailCap ?? null
  const counted = await inFilterTurn(ctx, projectId, heavy =>
    countReach(heavy, { audience: query, topic, cap }),
  )
  return summed(counted, cap?.whenHeld === 'LATER')
}

function summed(counted: readonly ReachCount[], isDeferred: boolean): Reach {
  const sum = (wanted: (row: ReachCount) => boolean): number =>
    counted.filter(wanted).reduce((all, { contacts }) => all + contacts, 0)
  const capped = sum(({ reason }) => reason === 'cap')
  const ready = sum(({ reason }) => reason === null)
  const skipped = Object.fromEntries(
    skipReasons.map(each => [each, each === 'cap' && isDeferred ? 0 : sum(({ reason }) => reason === each)]),
  ) as Record<SkipReason, number>
  return {
    matching: sum(({ inTopic }) => inTopic),
    recipients: ready + capped + skipped.suppressed,
    reached: isDeferred ? ready + capped : ready,
    delayed: isDeferred ? capped : 0,
    skipped,
  }
}

/** Of an audience that is not stored. */
export async function reachOfUnstored(
  ctx: Context,
  projectId: string,
  {
    type = 'MARKETING',
    audienceType,
    segmentId = null,
    audienceCondition = null,
    topicId = null,
  }: AudienceBody,
): Promise<Reach> {
  const audience = checkAudience({ projectId, type, audienceType, segmentId, audienceCondition, topicId })
  await requireComparableAudience(ctx, audience)
  return await reachOf(ctx, audience)
}
