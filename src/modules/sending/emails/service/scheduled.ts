// Messages that leave later, until they do: rescheduling and cancelling. The job of a message is its only clock; rescheduling adds a job
// for the new time, and a job that comes too early, or finds nothing to do, does nothing.
import { badRequest, conflict, notFound } from '../../../../lib/errors'
import { after, day, instantAdvice, readInstant } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { enqueue } from '../../../../platform/jobs/enqueue'
import { because } from '../../../../platform/transports/reason'
import { recordProjectEvents } from '../../../audience/events'
import { failedEvent } from '../events'
import { emailKinds } from '../kinds'
import { cancelEmail, type EmailRow, findEmail, rescheduleEmail } from '../queries'

const furthestMs = 30 * day

/**
 * How far ahead a message may be scheduled: delivery, with two days for its attempts, has to end before the body is emptied for its age.
 */
export function furthestAhead({ bodyRetentionMs }: Pick<Context['config'], 'bodyRetentionMs'>): number {
  if (bodyRetentionMs === undefined) return furthestMs
  return Math.max(day, Math.min(furthestMs, bodyRetentionMs - 2 * day))
}

/** What is wrong with the given moment, or the moment itself; undefined for one in the past, which means now. */
export function readScheduledFor(ctx: Context, given: string): { fault: string } | { at: Date | undefined } {
  const at = readInstant(given)
  if (!at) return { fault: instantAdvice }
  const now = ctx.clock.now()
  if (at <= now) return { at: undefined }
  const most = furthestAhead(ctx.config)
  if (at > after(now, most)) return { fault: `must be at most ${Math.floor(most / day)} days ahead` }
  return { at }
}

/** A moment in the past sends it now. 400 if it can't be read as a moment, 409 if the message is not scheduled. */
export async function reschedule(
  ctx: Context,
  projectId: string,
  id: string,
  given: string | null,
): Promise<EmailRow> {
  const stored = await findEmail(ctx, projectId, id)
  const asked = given === null ? null : readInstant(given)
  if (stored && asked?.getTime() === stored.scheduledFor?.getTime() && asked !== undefined) return stored
  const read = given === null ? { fault: instantAdvice } : readScheduledFor(ctx, given)
  if ('fault' in read) throw badRequest(`scheduledFor ${read.fault}`)
  const at = read.at ?? ctx.clock.now()
  return await inTransaction(ctx, async tx => {
    if (!(await rescheduleEmail(tx, projectId, id, at))) throw await notWaiting(tx, projectId, id)
    await enqueue(tx, emailKinds.deliver, { emailId: id, projectId }, { runAt: at, projectId })
    return (await findEmail(tx, projectId, id))!
  })
}

/** 409 for a message that is not scheduled. */
export async function cancel(ctx: Context, projectId: string, id: string): Promise<EmailRow> {
  return await inTransaction(ctx, async tx => {
    const ended = await cancelEmail(tx, projectId, id)
    if (!ended) throw await notWaiting(tx, projectId, id)
    await recordProjectEvents(tx, [failedEvent(ended, because('cancelled'), tx.clock.now())])
    return (await findEmail(tx, projectId, id))!
  })
}

async function notWaiting(tx: Context, projectId: string, id: string) {
  const email = await findEmail(tx, projectId, id)
  if (!email) return notFound('E-mail', id)
  return conflict('This message does not wait for a time', {
    details: { status: email.status },
    suggestion: 'Only a message with scheduledFor can be moved or cancelled, until its time has come.',
  })
}
