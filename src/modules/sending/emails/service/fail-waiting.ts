// Ends waiting messages because their project may not send.
import { type Context, inTransaction } from '../../../../platform/context'
import { deleteLocked, lockQueued, type QueuedJob } from '../../../../platform/jobs/queries'
import { because } from '../../../../platform/transports/reason'
import { recordProjectEvents } from '../../../audience/events'
import { failedEvent } from '../events'
import { emailKinds } from '../kinds'
import { failPending, selectUnderway } from '../queries'

export interface Halted {
  /** How many jobs were looked at. */
  seen: number
  /** The last of them. */
  last: string | null
}

/** The last is what older releases queued. */
const kinds = [emailKinds.deliver.kind, emailKinds.deliverWorkflow.kind, emailKinds.deliverWorkflow.formerly!]

/**
 * Ends the project's waiting messages of the next `limit` delivery jobs, and removes those jobs: left alone, each would take a turn in a
 * sending pace that all projects may share, only to find nothing to send. A message that is on its way keeps its job, which settles it.
 */
export async function failWaiting(
  ctx: Context,
  projectId: string,
  after: string | null,
  limit: number,
): Promise<Halted> {
  return await inTransaction(ctx, async tx => {
    const jobs = await lockQueued(tx, { projectId, kinds, after, limit })
    if (jobs.length === 0) return { seen: 0, last: null }
    const ids = jobs.map(messageOf)
    const failed = await failPending(tx, ids, 'projectDisabled')
    const underway = new Set(await selectUnderway(tx, ids))
    await recordProjectEvents(
      tx,
      failed.map(email => failedEvent(email, because('projectDisabled'), tx.clock.now())),
    )
    await deleteLocked(
      tx,
      jobs.filter(job => !underway.has(messageOf(job))).map(job => job.id),
    )
    return { seen: jobs.length, last: jobs.at(-1)!.id }
  })
}

function messageOf({ args }: QueuedJob): string {
  return String(args['emailId'])
}
