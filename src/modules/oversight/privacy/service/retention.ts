// What a project keeps no longer: rules that are shown, and take effect a day after they are made; and the daily run that follows them, set by set.
import { differing, isEmpty } from '../../../../lib/differing'
import { type AppError, conflict, invalid } from '../../../../lib/errors'
import { nilUuid } from '../../../../lib/ids'
import { after, day, hour } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { enqueueMany } from '../../../../platform/jobs/enqueue'
import { type ProjectActor, recordAudit } from '../../../accounts/projects'
import { deleteContacts } from '../../../audience/contacts'
import { countEventsBefore, cutOfEvents, deleteEventsBefore, dropEventMonths } from '../../../audience/events'
import { countEmailsBefore, emptyMessagesBefore } from '../../../sending/emails'
import { retentionKinds } from '../kinds'
import { cutOf, faultOf, isStricter } from '../model'
import type { Rules, Standing } from '../queries'
import {
  type DeletionCount,
  deleteRules,
  isMonthKept,
  lockRules,
  markMessages,
  putRules,
  selectInactive,
  selectRules,
  takeDue,
} from '../queries'

const nothing: Standing = {
  ...{ eventsDays: null, messagesDays: null, inactiveDays: null },
  ...{ effectiveAt: null, runAt: null },
}

export async function findRetention(ctx: Context, projectId: string): Promise<Standing> {
  return (await selectRules(ctx, projectId)) ?? nothing
}

/** How long a change can be taken back. */
const graceMs = day

/** 422 where rules contradict each other, 409 where the rules have changed since the caller read them. A rule that deletes more than before starts after a day. */
export async function changeRetention(
  ctx: Context,
  { projectId, by }: ProjectActor,
  rules: Rules,
  expected?: Rules,
): Promise<Standing> {
  refuse(rules)
  return await inTransaction(ctx, async tx => {
    await lockRules(tx, projectId)
    const before = await findRetention(tx, projectId)
    if (expected && !isEmpty(differing(expected, before))) throw changedMeanwhile(before)
    if (isEmpty(differing(rules, before))) return before
    const now = tx.clock.now()
    const effectiveAt = isStricter(before, rules) ? after(now, graceMs) : (before.effectiveAt ?? now)
    if (Object.values(rules).every(days => days === null)) await deleteRules(tx, projectId)
    else await putRules(tx, projectId, rules, effectiveAt)
    await recordAudit(tx, { projectId, actor: by, action: 'retention.changed', details: { ...rules } })
    return await findRetention(tx, projectId)
  })
}

function changedMeanwhile({ eventsDays, messagesDays, inactiveDays }: Standing): AppError {
  return conflict('The retention rules have changed since you read them', {
    details: { eventsDays, messagesDays, inactiveDays },
    suggestion: 'Read the rules again, and send them as `expected` with your change.',
  })
}

function refuse(rules: Rules): void {
  const fault = faultOf(rules)
  if (fault) throw invalid([fault])
}

/** Nobody reads more of a count. */
const mostCounted = 10_000
const contactsLookedAt = 50_000
const contactsAtOnce = 1_000

/** What would be deleted now by these rules. */
export async function previewRetention(
  ctx: Context,
  projectId: string,
  rules: Rules,
): Promise<Record<'events' | 'messages' | 'contacts', DeletionCount>> {
  refuse(rules)
  const now = ctx.clock.now()
  const [events, messages, contacts] = [rules.eventsDays, rules.messagesDays, rules.inactiveDays].map(days =>
    cutOf(days, now),
  )
  const since = (await selectRules(ctx, projectId))?.messagesTo ?? new Date(0)
  const bounded = (found: number): DeletionCount => ({
    count: Math.min(found, mostCounted),
    isMore: found > mostCounted,
  })
  return {
    events: bounded(
      events ? await countEventsBefore(ctx, projectId, await cutOfEvents(ctx, events), mostCounted + 1) : 0,
    ),
    messages: bounded(
      messages ? await countEmailsBefore(ctx, projectId, { since, before: messages }, mostCounted + 1) : 0,
    ),
    contacts: contacts ? await countInactive(ctx, projectId, contacts) : bounded(0),
  }
}

/** Looks at so many of the oldest contacts only: finding out is more than reading a row. */
async function countInactive(ctx: Context, projectId: string, before: Date): Promise<DeletionCount> {
  let [count, looked, behind] = [0, 0, nilUuid]
  const asked = { before, limit: contactsAtOnce, isHeld: false }
  while (count <= mostCounted && looked < contactsLookedAt) {
    const page = await selectInactive(ctx, projectId, { ...asked, behind })
    count += page.ids.length
    looked += page.looked
    if (page.looked < contactsAtOnce || page.last === null) return { count, isMore: false }
    behind = page.last
  }
  return { count: Math.min(count, mostCounted), isMore: true }
}

/** A run a day, whatever the hour of the schedule. */
const betweenRunsMs = day - hour

/** Where events are split by month, whole months go first, which leaves little for the projects' own runs. */
export async function startRetention(ctx: Context): Promise<void> {
  try {
    const dropped = await dropEventMonths(ctx, (from, to) => isMonthKept(ctx, from, to))
    if (dropped.length > 0)
      ctx.log.info({ months: dropped }, 'events that nobody keeps any more were dropped')
  } finally {
    await beginRuns(ctx)
  }
}

async function beginRuns(ctx: Context): Promise<void> {
  await inTransaction(ctx, async tx => {
    const due = await takeDue(tx, after(tx.clock.now(), -betweenRunsMs))
    const jobs = due.map(projectId => ({ args: {}, projectId, uniqueKey: projectId }))
    await enqueueMany(tx, retentionKinds.apply, jobs)
  })
}

/** By the rules as they are now: they may have been changed since the run was begun. */
export async function applyRetention(ctx: Context, projectId: string, signal: AbortSignal): Promise<void> {
  const rules = await selectRules(ctx, projectId)
  const now = ctx.clock.now()
  if (!rules || rules.effectiveAt > now) return
  const [events, messages, contacts] = [rules.eventsDays, rules.messagesDays, rules.inactiveDays].map(days =>
    cutOf(days, now),
  )
  // Contacts first: events tell who is inactive.
  if (contacts) await deleteInactive(ctx, projectId, contacts, signal)
  if (events) await deleteEventsBefore(ctx, projectId, await cutOfEvents(ctx, events), signal)
  if (messages) {
    const span = { since: rules.messagesTo ?? new Date(0), before: messages }
    await markMessages(ctx, projectId, await emptyMessagesBefore(ctx, projectId, span, signal))
  }
}

async function deleteInactive(
  ctx: Context,
  projectId: string,
  before: Date,
  signal: AbortSignal,
): Promise<void> {
  const asked = { before, limit: contactsAtOnce, isHeld: true }
  for (let behind = nilUuid; ; ) {
    signal.throwIfAborted()
    const page = await inTransaction(ctx, async tx => {
      const found = await selectInactive(tx, projectId, { ...asked, behind })
      await deleteContacts(tx, projectId, found.ids)
      return found
    })
    if (page.looked < contactsAtOnce || page.last === null) return
    behind = page.last
  }
}
