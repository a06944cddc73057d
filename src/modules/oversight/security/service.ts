// Suspending a project and resuming it. The project's row stops at once everything that sends, because all of that checks it; what is
// still in the queues is ended by a job.

import { notFound } from '../../../lib/errors'
import { after, day, hour } from '../../../lib/time'
import { type Context, inTransaction, newId } from '../../../platform/context'
import { callHook } from '../../../platform/hooks'
import { enqueue } from '../../../platform/jobs/enqueue'
import {
  type DisabledReason,
  disableProject,
  enableProject,
  isDisabled,
  notifyMembers,
  quotedName,
  recordAudit,
  systemActor,
} from '../../accounts/projects'
import { failWaiting, type Halted, selectReputation } from '../../sending/emails'
import { projectSuspended } from './hooks'
import { securityKinds } from './kinds'
import { type SecurityAnswer, toSecurityAnswer } from './model'
import {
  type AssessedProject,
  insertSuspension,
  liftSuspensions,
  pageOfProjects,
  selectAssessed,
  selectLongRun,
  selectSuspensions,
} from './queries'
import { assessReputation, type Measures } from './rules'

export interface Suspension {
  projectId: string
  reason: DisabledReason
  /** Sentences that explain it to the members. */
  findings: string[]
  /** As in the audit log. */
  actor: string
}

/** True for the call that did it: one history entry and one mail to each member, however many callers there are. */
export async function suspendProject(ctx: Context, suspension: Suspension): Promise<boolean> {
  const { projectId, reason, findings, actor } = suspension
  return await inTransaction(ctx, async tx => {
    const name = await disableProject(tx, projectId, reason)
    if (name === undefined) return false
    await insertSuspension(tx, { id: newId(tx), projectId, reason, findings, at: tx.clock.now() })
    await recordAudit(tx, {
      projectId,
      actor,
      action: 'project.suspended',
      subject: name,
      details: { reason },
    })
    await notifyMembers(tx, projectId, suspensionEmail({ name, reason, findings }))
    await enqueue(tx, securityKinds.stopSending, { projectId }, { projectId })
    tx.afterCommit(() => {
      ctx.log.error({ project: projectId, reason, findings }, 'a project was suspended')
      ctx.metrics.suspensions.inc({ reason })
    })
    return true
  })
}

/**
 * True for the call that did it. What was ended meanwhile stays ended; the figures start anew. With `only`, a project that is suspended
 * for another reason stays so.
 */
export async function reinstateProject(
  ctx: Context,
  projectId: string,
  actor: string,
  only?: DisabledReason,
): Promise<boolean> {
  return await inTransaction(ctx, async tx => {
    const name = await enableProject(tx, projectId, only)
    if (name === undefined) return false
    await liftSuspensions(tx, projectId)
    await recordAudit(tx, { projectId, actor, action: 'project.reinstated', subject: name })
    tx.afterCommit(() => ctx.log.warn({ project: projectId }, 'a project may send again'))
    return true
  })
}

/** Safe to repeat: a project that is disabled is left as it is. */
export async function reviewProject(ctx: Context, projectId: string): Promise<void> {
  const project = await selectAssessed(ctx, projectId)
  if (!project || project.disabled) return
  const { violations, warnings } = assessReputation(await measure(ctx, project))
  if (violations.length > 0 && ctx.config.autoProjectDisable) {
    await suspendProject(ctx, {
      projectId,
      reason: 'EMAIL_REPUTATION',
      findings: violations,
      actor: systemActor,
    })
  } else if (violations.length + warnings.length > 0) {
    ctx.log.warn({ project: projectId, violations, warnings }, 'the reputation of a project is at risk')
  }
}

const haltPageSize = 2_000

/** Stops if the project was resumed meanwhile. Safe to repeat. */
export async function stopSuspendedProject(
  ctx: Context,
  projectId: string,
  signal: AbortSignal,
): Promise<void> {
  if (!(await isDisabled(ctx, projectId))) return
  await callHook(ctx, projectSuspended, { projectId, signal })
  for (let after: string | null = null; await isDisabled(ctx, projectId); ) {
    signal.throwIfAborted()
    const { seen, last }: Halted = await failWaiting(ctx, projectId, after, haltPageSize)
    if (seen < haltPageSize) return
    after = last
  }
}

const newFor = 30 * day

/** From counts by the hour and the day, however many messages there are. */
export async function measure(ctx: Context, project: AssessedProject): Promise<Measures> {
  const now = ctx.clock.now()
  const { id, createdAt, liftedAt } = project
  // What happened before somebody lifted a suspension no longer counts: otherwise the next bounce would bring it back.
  const from = (ms: number): Date => latest(startOfHour(after(now, -ms)), liftedAt)
  const [twentyFourHour, sevenDay, allTime] = await Promise.all([
    selectReputation(ctx, id, from(day)),
    selectReputation(ctx, id, from(7 * day)),
    selectLongRun(ctx, id, liftedAt?.toISOString().slice(0, 10) ?? null),
  ])
  return { twentyFourHour, sevenDay, allTime, isNewProject: after(createdAt, newFor) > now }
}

/** Counts are kept by the hour; the span is never shorter than asked for. */
function startOfHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / hour) * hour)
}

function latest(one: Date, other: Date | null): Date {
  return other && other > one ? other : one
}

export async function getSecurity(ctx: Context, projectId: string): Promise<SecurityAnswer> {
  const project = await selectAssessed(ctx, projectId)
  if (!project) throw notFound('Project', projectId)
  const [measures, suspensions] = await Promise.all([
    measure(ctx, project),
    selectSuspensions(ctx, projectId),
  ])
  const disablesAutomatically = ctx.config.autoProjectDisable
  return toSecurityAnswer({ project, measures, suspensions, disablesAutomatically })
}

export async function projectExists(ctx: Context, projectId: string): Promise<boolean> {
  return (await selectAssessed(ctx, projectId)) !== undefined
}

const pageSize = 500

/** All projects of the instance, oldest first, read page by page. */
export async function* listProjectStates(ctx: Context): AsyncGenerator<AssessedProject> {
  for (let after: string | undefined; ; ) {
    const page = await pageOfProjects(ctx, after, pageSize)
    yield* page
    if (page.length < pageSize) return
    after = page.at(-1)!.id
  }
}

const causes: Record<DisabledReason, string> = {
  EMAIL_REPUTATION: 'too many of its messages bounced or were reported as spam',
  PAYMENT_FAILED: 'a payment failed',
  PHISHING_DETECTED: 'its messages look like phishing',
  MANUAL: 'the operator of this instance decided so',
}

export function suspensionEmail({
  name,
  reason,
  findings,
}: {
  name: string
  reason: DisabledReason
  findings: readonly string[]
}): { subject: string; text: string } {
  return {
    subject: `The project ${quotedName(name)} was suspended`,
    text: [
      `The project ${quotedName(name)} was suspended because ${causes[reason]}.`,
      ...(findings.length > 0 ? [findings.map(finding => `- ${finding}`).join('\n')] : []),
      'It sends no mail from now on. Messages that were waiting are not sent, and running campaigns have ended. Its data can still be read.',
      'The operator of this instance can enable it again once the cause is dealt with.',
    ].join('\n\n'),
  }
}
