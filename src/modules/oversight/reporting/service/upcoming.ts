// What is going to happen without anybody doing anything: scheduled campaigns and emails, and executions that wait for a known time, with the messages that they lead
// to.
import { after, day } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import type { Upcoming } from '../answer-model'
import {
  type Outline,
  selectOutlines,
  selectScheduled,
  selectScheduledEmails,
  selectWaiting,
  type WaitingExecution,
} from '../queries'
import { mailsAhead } from '../upcoming'

/** Soonest first. What is due and has not been picked up yet is among them. */
export async function listUpcoming(
  ctx: Context,
  projectId: string,
  { limit, daysAhead }: { limit: number; daysAhead: number },
): Promise<Upcoming[]> {
  const until = after(ctx.clock.now(), daysAhead * day)
  const [campaigns, emails, executions] = await Promise.all([
    selectScheduled(ctx, projectId, until, limit),
    selectScheduledEmails(ctx, projectId, until, limit),
    selectWaiting(ctx, projectId, until, limit),
  ])
  const outlines = await outlinesOf(ctx, projectId, executions)
  const all: Upcoming[] = [
    ...campaigns.map(campaign => ({ kind: 'campaign' as const, campaign })),
    ...emails.map(email => ({ kind: 'email' as const, email })),
    ...executions.map(execution => withAhead(execution, outlines.get(execution.snapshotId))),
  ]
  return all.sort((a, b) => timeOf(a) - timeOf(b)).slice(0, limit)
}

async function outlinesOf(
  ctx: Context,
  projectId: string,
  executions: readonly WaitingExecution[],
): Promise<Map<string, Outline>> {
  const ids = [...new Set(executions.map(execution => execution.snapshotId))]
  const found = ids.length > 0 ? await selectOutlines(ctx, projectId, ids) : []
  return new Map(found.map(outline => [outline.id, outline]))
}

function withAhead(execution: WaitingExecution, outline: Outline | undefined): Upcoming {
  const { currentStepId } = execution
  const ahead =
    outline && currentStepId ? mailsAhead(outline, currentStepId) : { mails: [], isConditional: false }
  return { kind: 'execution', execution, outline, ahead }
}

function timeOf(upcoming: Upcoming): number {
  switch (upcoming.kind) {
    case 'campaign':
      return upcoming.campaign.at.getTime()
    case 'email':
      return upcoming.email.at.getTime()
    case 'execution':
      return upcoming.execution.at.getTime()
  }
}
