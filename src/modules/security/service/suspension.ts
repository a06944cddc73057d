// Suspending a project and resuming it. The project's row stops at once everything that sends, because all of that checks it; what is
// still in the queues is ended by a job.

import { type Context, inTransaction, newId } from '../../../platform/context'
import { enqueue } from '../../../platform/jobs/enqueue'
import { sendSystemMail } from '../../letters'
import {
  type DisabledReason,
  disableProject,
  enableProject,
  recordAudit,
  selectMemberAddresses,
} from '../../projects'
import { securityKinds } from '../kinds'
import { suspensionLetter } from '../letter'
import { insertSuspension, liftSuspensions } from '../queries'

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
    const letter = suspensionLetter({ name, reason, findings })
    const shown = { projectId, audience: 'members', kind: 'NOTICE' } as const
    for (const to of await selectMemberAddresses(tx, projectId))
      await sendSystemMail(tx, { to, ...letter, shown })
    await enqueue(tx, securityKinds.halt, { projectId }, { projectId })
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
