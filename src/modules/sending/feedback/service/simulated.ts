// Complaints of simulated recipients: a report like any other, once the message counts as delivered.
import type { Context } from '../../../../platform/context'
import { enqueueMany } from '../../../../platform/jobs/enqueue'
import { type EmailSettlement, simulatesComplaint } from '../../emails'
import { feedbackKinds } from '../kinds'
import { applyReports } from './apply'

/** To be called in the transaction that settles the messages. */
export async function complainOfSimulated(
  tx: Context,
  settled: readonly Pick<EmailSettlement, 'email' | 'outcome'>[],
): Promise<void> {
  const due = settled.filter(({ email, outcome }) => outcome.deliveredAt && simulatesComplaint(email.toEmail))
  const jobs = due.map(({ email: { id, projectId } }) => ({ args: { emailId: id, projectId }, projectId }))
  await enqueueMany(tx, feedbackKinds.simulateComplaint, jobs)
}

/** The report of one complaint. */
export async function reportComplaint(
  ctx: Context,
  { emailId, projectId }: { emailId: string; projectId: string },
): Promise<void> {
  const detail = 'simulated: the recipient called it spam'
  const report = { projectId, emailId, at: ctx.clock.now(), source: 'own' } as const
  await applyReports(ctx, [{ ...report, kind: 'complained', detail }])
}
