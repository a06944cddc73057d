// Starting campaigns, now or at a time, and the job that starts those whose time has come.
import { AppError, badRequest, invalid } from '../../../../../lib/errors'
import { parseDate, second, startOfNextMonth } from '../../../../../lib/time'
import { type Context, inTransaction } from '../../../../../platform/context'
import { isConnectionFault } from '../../../../../platform/db/errors'
import { enqueue } from '../../../../../platform/jobs/enqueue'
import {
  anyChange,
  type LiveRule,
  type ProjectActor,
  requireApproval,
  systemActor,
} from '../../../../accounts/projects'
import { requireVerifiedSender } from '../../../../sending/domains'
import { type Demand, requireAllowance } from '../../../../sending/emails'
import { holdNamedLayout, refuseOldVersion } from '../../../../sending/templates'
import { classOf } from '../../authoring/compose'
import { divideAudience, refuseTooFew } from '../../authoring/service/ab-tests'
import { countRecipientsOf } from '../../authoring/service/audience'
import { refuseBrokenCampaign } from '../../authoring/service/syntax'
import { keepJoinedBodies } from '../../authoring/service/variants'
import { campaignKinds } from '../../kinds'
import type { CountedCampaign, StartBody } from '../../model'
import {
  type CampaignRow,
  changeCampaign,
  type DueCampaign,
  lockCampaign,
  lockDueCampaign,
  selectCampaign,
} from '../../queries'
import { campaignNotFound, counted, noteCampaign, requireCampaign } from '../../service'
import { requireAllowed } from '../../state'
import { newestContact } from '../queries/expansion'
import { campaignFacts, returnUnapproved } from './approval'
import { whyNotStarted } from './recovery'

export interface StartedCampaign {
  campaign: CountedCampaign
  message: string
}

/** Anything that the platform's parser reads; omitted and null mean now. 400 for anything else, such as the empty text of a variable that was not set. */
export function readCampaignStart(given: string | number | null | undefined): Date | undefined {
  if (given === undefined || given === null) return undefined
  const date = typeof given === 'number' ? new Date(given) : parseDate(given)
  // Beyond these years the database and the interface spell dates differently.
  if (!date || Number.isNaN(date.getTime()) || date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999)
    throw badRequest('Invalid scheduledFor date format', {
      details: { scheduledFor: given },
      suggestion:
        'Write a date and time in ISO 8601, such as "2030-01-31T09:00:00Z"; leave it out to send now.',
    })
  return date
}

/** Undefined: now. 422 for both a moment and a delay. */
function readMoment(ctx: Context, { scheduledFor, delaySeconds }: StartBody): Date | undefined {
  const at = readCampaignStart(scheduledFor)
  if (!delaySeconds) return at
  if (!at) return new Date(ctx.clock.now().getTime() + delaySeconds * second)
  const message = 'Leave it out if you give "scheduledFor"'
  throw invalid([{ field: 'delaySeconds', message, code: 'custom' }])
}

/**
 * Sends at once, or schedules, or reschedules. The audience must have somebody in it, and the sender must be verified. 409 if the
 * campaign is no longer the version that was looked at.
 */
export async function sendCampaign(
  ctx: Context,
  { projectId, by }: ProjectActor,
  id: string,
  given: StartBody,
  rule: LiveRule = anyChange,
): Promise<StartedCampaign> {
  const scheduledFor = readMoment(ctx, given)
  const seen = await requireCampaign(ctx, projectId, id)
  requireAllowed('send', seen)
  refuseOldVersion(seen.version, given.expectedVersion)
  await refuseBrokenCampaign(ctx, seen)
  // Before the transaction, which keeps others of the project waiting.
  const totalRecipients = await countRecipientsOf(ctx, seen)
  return inTransaction(ctx, async tx => {
    await rule(tx, { isLive: async () => true, turnsOn: true })
    const row = await lockCampaign(tx, projectId, id)
    if (!row) throw campaignNotFound(id)
    requireAllowed('send', row)
    // What was checked is what is sent.
    refuseOldVersion(row.version, seen.version)
    await requireVerifiedSender(tx, projectId, row.fromEmail)
    if (totalRecipients === 0) throw badRequest('Campaign has no recipients')
    await refuseTooFew(tx, row, totalRecipients)
    // A delay is part of sending now.
    const at = given.delaySeconds ? null : (scheduledFor ?? null)
    await holdNamedLayout(tx, projectId, row.layoutId)
    await requireApproval(tx, projectId, id, {
      facts: () => campaignFacts(tx, row, at),
      count: async () => totalRecipients,
    })
    // What another month allows is known when it has come.
    if (!scheduledFor || scheduledFor < startOfNextMonth(tx.clock.now()))
      await requireAllowance(tx, demandOf(row, totalRecipients))
    if (!scheduledFor) await divideAudience(tx, row, totalRecipients)
    const started = scheduledFor
      ? await scheduleAt(tx, by, row, scheduledFor, totalRecipients)
      : await start(tx, by, row, { totalRecipients })
    const message = scheduledFor
      ? `Campaign scheduled for ${scheduledFor.toISOString()}`
      : 'Campaign is being sent'
    return { campaign: await counted(tx, started), message }
  })
}

/** What a campaign needs of the project's allowance. */
export function demandOf(
  { projectId, type }: Pick<CampaignRow, 'projectId' | 'type'>,
  count: number,
): Demand {
  return { projectId, sourceType: classOf(type).sourceType, count }
}

/** The row alone says when; the job finds it. A time in the past is handled right away. */
async function scheduleAt(
  tx: Context,
  by: string,
  row: CampaignRow,
  scheduledFor: Date,
  totalRecipients: number,
): Promise<CampaignRow> {
  const changes = { status: 'SCHEDULED' as const, scheduledFor, totalRecipients }
  const scheduled = await changeCampaign(tx, row, 'send', changes)
  const details = { scheduledFor: scheduledFor.toISOString(), totalRecipients }
  await noteCampaign(tx, by, 'campaign.scheduled', row, details)
  if (scheduledFor <= tx.clock.now()) await enqueue(tx, campaignKinds.startDue, {})
  return scheduled!
}

interface StartFacts {
  totalRecipients: number
  /** Starts it paused, for this reason. */
  pausedReason?: string
}

/** Draws the boundary and lets the expansion begin. */
async function start(
  tx: Context,
  by: string,
  row: CampaignRow,
  { totalRecipients, pausedReason }: StartFacts,
): Promise<CampaignRow> {
  const now = tx.clock.now()
  const boundary = (await newestContact(tx, row.projectId)) ?? null
  const started = await changeCampaign(tx, row, 'send', {
    status: 'SENDING',
    sentAt: now,
    measuredFrom: now,
    totalRecipients,
    boundary,
    joinedBody: await keepJoinedBodies(tx, row),
    ...(pausedReason ? { pausedAt: now, pausedReason } : {}),
  })
  await noteCampaign(tx, by, 'campaign.sent', row, { totalRecipients, pausedReason: pausedReason ?? null })
  const { projectId, id } = row
  await enqueue(
    tx,
    campaignKinds.expand,
    { projectId, campaignId: id },
    { projectId, uniqueKey: `expand:${id}` },
  )
  return started!
}

/**
 * Starts every campaign that is due, each in a transaction of its own. One that fails is paused with the reason, or left for the
 * next one where even that fails: it holds up no other.
 */
export async function startDueCampaigns(ctx: Context): Promise<number> {
  const passed: string[] = []
  for (let started = 0; ; started++) {
    const met: { due?: DueCampaign } = {}
    try {
      if (!(await startNext(ctx, passed, met))) return started
    } catch (error) {
      if (!met.due || isConnectionFault(error)) throw error
      passed.push(met.due.id)
      await startPaused(ctx, met.due, error)
    }
  }
}

/** False if none is due but those of `passed`. Says in `met` which one it is about, for whoever catches what it throws. */
async function startNext(
  ctx: Context,
  passed: readonly string[],
  met: { due?: DueCampaign },
): Promise<boolean> {
  return inTransaction(ctx, async tx => {
    met.due = await lockDueCampaign(tx, passed)
    if (!met.due) return false
    const row = (await selectCampaign(tx, met.due.projectId, met.due.id))!
    if (met.due.projectDisabled) await cancelDue(tx, row)
    else await startDue(tx, row)
    return true
  })
}

async function startPaused(ctx: Context, { id, projectId }: DueCampaign, cause: unknown): Promise<void> {
  ctx.log.error({ campaign: id, error: String(cause) }, 'a campaign that was due could not be started')
  const pausedReason = whyNotStarted(cause)
  try {
    await inTransaction(ctx, async tx => {
      const row = await lockCampaign(tx, projectId, id)
      if (row?.status !== 'SCHEDULED' || (await returnUnapproved(tx, row))) return
      await start(tx, systemActor, row, { totalRecipients: row.totalRecipients, pausedReason })
    })
  } catch (error) {
    if (isConnectionFault(error)) throw error
    ctx.log.error(
      { campaign: id, error: String(error) },
      'nor could it be paused; it is tried again in a moment',
    )
  }
}

async function cancelDue(tx: Context, row: CampaignRow): Promise<void> {
  await changeCampaign(tx, row, 'cancel', { status: 'CANCELLED', finishedAt: tx.clock.now() })
  await noteCampaign(tx, systemActor, 'campaign.cancelled', row, { reason: 'project is disabled' })
}

/** No one is there to see an error, so the campaign starts paused and says why. Without a valid approval it becomes a draft again. */
async function startDue(tx: Context, row: CampaignRow): Promise<void> {
  const senderFault = await faultOf(() => requireVerifiedSender(tx, row.projectId, row.fromEmail))
  let totalRecipients = row.totalRecipients
  const countFault = await faultOf(async () => {
    totalRecipients = await countRecipientsOf(tx, row)
  })
  if (await returnUnapproved(tx, row, countFault === undefined ? totalRecipients : undefined)) return
  const audienceFault = countFault ?? (await faultOf(() => divideAudience(tx, row, totalRecipients)))
  const limitFault = await faultOf(() => requireAllowance(tx, demandOf(row, totalRecipients)))
  const pausedReason = senderFault ?? audienceFault ?? limitFault
  await start(tx, systemActor, row, { totalRecipients, ...(pausedReason ? { pausedReason } : {}) })
}

/** What the client would be told; errors that are not meant for clients are thrown. */
async function faultOf(check: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await check()
    return undefined
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return error.message
    throw error
  }
}
