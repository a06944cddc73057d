// What receivers answer to the messages of campaigns: one that refuses a campaign for the sender's sake gets nothing more of it for now. Runs
// in the transactions that store the answers, so that several processes count as one.

import { conflict, notFound } from '../../../../../lib/errors'
import { after } from '../../../../../lib/time'
import { type Context, inTransaction } from '../../../../../platform/context'
import { enqueue } from '../../../../../platform/jobs/enqueue'
import { sentenceOf } from '../../../../../platform/transports/reason'
import { type ProjectActor, systemActor } from '../../../../accounts/projects'
import {
  type EmailSettlement,
  heldReceiverOf,
  receiverNameFor,
  releaseHeldEmails,
  releaseHeldPage,
} from '../../../../sending/emails'
import type { ReducedMail } from '../../../../sending/feedback'
import { campaignKinds } from '../../kinds'
import type { CountedCampaign } from '../../model'
import { lockCampaign } from '../../queries'
import { campaignNotFound, counted, noteCampaign } from '../../service'
import {
  deleteReceivers,
  type LockedReceiver,
  lockReceivers,
  type ReceiverChange,
  type ReceiverName,
  resetReceiver,
  skipReceiver,
  updateReceivers,
  watchReceivers,
} from '../queries/receivers'
import { selectOpenSlices } from '../queries/slices'
import {
  joinAnswers,
  type ReceiverAnswer,
  refusalsIn,
  refusesCampaign,
  waitBeforeProbe,
  withReportedRefusals,
} from '../receiver-rules'
import { enqueueSlices, recordPause, withoutRecipient } from './control'

/** What one message says about a receiver. */
interface Learned extends ReceiverName {
  emailId: string
  answer?: ReceiverAnswer
  /** A refusal that was reported after the message had counted as taken. */
  isReported?: true
  /** A message that tried was taken. */
  isOpen?: boolean
  /** How many more messages wait because of it. */
  held: number
  words: string
}

const maxWords = 500

/** Of messages that were just settled. */
export async function learnFromSettled(tx: Context, settlements: readonly EmailSettlement[]): Promise<void> {
  await learn(
    tx,
    settlements.flatMap(settlement => learnedFrom(tx, settlement)),
  )
}

/** Of messages that were reported as refused, after they had left. */
export async function learnFromReports(tx: Context, reduced: readonly ReducedMail[]): Promise<void> {
  await learn(
    tx,
    reduced.flatMap(({ mail: { projectId, campaignId, toEmail, id }, refusedFor }): Learned[] => {
      if (!campaignId || !refusedFor) return []
      const names = { projectId, campaignId, receiver: receiverNameFor(tx, toEmail), emailId: id }
      return [{ ...names, isReported: true, held: 0, words: wordsOf(refusedFor, toEmail) }]
    }),
  )
}

function learnedFrom(tx: Context, settlement: EmailSettlement): Learned[] {
  const { email, outcome, tries, receiver, wasHeldFor } = settlement
  const { projectId, campaignId, toEmail, id: emailId } = email
  if (!campaignId) return []
  const isRefused = outcome.reason === 'refused'
  const words = wordsOf(sentenceOf(outcome) ?? '', toEmail)
  const heldNow = heldReceiverOf(outcome)
  const of = (name: string) => ({ projectId, campaignId, receiver: name, emailId, words })
  const learned: Learned[] = []
  const name = receiver?.name ?? (isRefused ? receiverNameFor(tx, toEmail) : undefined)
  if (name !== undefined) {
    const hasAnswered = tries.length > 0 && outcome.status !== 'PENDING'
    learned.push({
      ...of(name),
      ...(hasAnswered ? { answer: isRefused ? 'refused' : 'other' } : {}),
      isOpen: receiver?.isProbe === true && outcome.sentAt !== null,
      held: heldNow === name ? 1 : 0,
    })
  }
  return wasHeldFor ? [...learned, { ...of(wasHeldFor), held: -1 }] : learned
}

function wordsOf(response: string, address: string): string {
  return withoutRecipient(response, address).slice(0, maxWords)
}

async function learn(tx: Context, learned: readonly Learned[]): Promise<void> {
  if (learned.length === 0) return
  const groups = Map.groupBy(learned, nameOf)
  // A message may be held before the refusals that it is held for are stored.
  const first = [...groups.values()].flatMap(
    group => group.find(one => one.answer === 'refused' || one.isReported || one.held > 0) ?? [],
  )
  if (first.length > 0) await watchReceivers(tx, first)
  const rows = await lockReceivers(
    tx,
    [...groups.values()].map(group => group[0]!),
  )
  const before = new Map(rows.map(row => [nameOf(row), row]))
  const changes = rows.map(row => changeOf(tx, row, groups.get(nameOf(row))!))
  const [over, kept] = [changes.filter(isOver), changes.filter(change => !isOver(change))]
  if (kept.length > 0) await updateReceivers(tx, kept)
  if (over.length > 0) await deleteReceivers(tx, over)
  for (const change of changes) await tellOf(tx, before.get(nameOf(change))!, change)
  // Held by what was known a moment ago: nothing would let them go.
  const still = new Set(kept.filter(({ state }) => state === 'paused').map(nameOf))
  const late = learned.filter(one => one.held > 0 && !still.has(nameOf(one)))
  if (late.length > 0) await releaseHeldEmails(tx, late)
}

function nameOf({ projectId, campaignId, receiver }: ReceiverName): string {
  return `${projectId} ${campaignId} ${receiver}`
}

interface Change extends ReceiverChange {
  /** A message that tried was taken. */
  isOpen: boolean
}

function changeOf(tx: Context, row: LockedReceiver, learned: readonly Learned[]): Change {
  const { projectId, campaignId, receiver } = row
  const reported = learned.filter(({ isReported }) => isReported).length
  const answers = joinAnswers(
    withReportedRefusals(row.answers, reported),
    learned.flatMap(({ answer }) => answer ?? []),
  )
  const isPaused = row.state === 'watched' && row.isSending && refusesCampaign(answers)
  const last = learned.findLast(({ answer, isReported }) => answer === 'refused' || isReported)
  const isOpen = row.state === 'paused' && learned.some(one => one.isOpen === true)
  return {
    ...{ projectId, campaignId, receiver, isOpen },
    answers: isOpen ? '' : answers,
    state: isOpen ? 'watched' : isPaused ? 'paused' : row.state,
    words: last?.words ?? row.words,
    held: Math.max(0, row.held + learned.reduce((sum, { held }) => sum + held, 0)),
    pausedUntil: isPaused ? after(tx.clock.now(), waitBeforeProbe(0)) : null,
  }
}

/** It takes mail again, or its refusals are long ago, and nothing waits because of it: what waits is counted until it has left. */
function isOver({ state, answers, held }: Change): boolean {
  return state === 'watched' && refusalsIn(answers) === 0 && held === 0
}

/** Pauses and their ends are in the audit log, and a pause is an event; what waited goes on by a job. */
async function tellOf(tx: Context, row: LockedReceiver, change: Change): Promise<void> {
  const { projectId, campaignId: id, receiver, campaignName: name } = row
  const { pausedUntil, isOpen, words, answers, held: heldCount } = change
  if (pausedUntil) {
    await noteCampaign(
      tx,
      systemActor,
      'campaign.paused',
      { projectId, id, name },
      { receiver, reason: words },
    )
    await recordPause(
      tx,
      { projectId, id, name },
      {
        response: words,
        nextTryAt: pausedUntil,
        provider: { receiver, heldCount, refusedCount: refusalsIn(answers), answerCount: answers.length },
      },
    )
    tx.log.warn({ campaign: id, receiver, reason: words }, 'a campaign was paused for a mailbox provider')
  }
  if (isOpen) {
    await noteCampaign(tx, systemActor, 'campaign.resumed', { projectId, id, name }, { receiver })
    await letGo(tx, row)
  }
}

/** In the transaction that ends the pause. */
export async function letGo(tx: Context, { projectId, campaignId, receiver }: ReceiverName): Promise<void> {
  await enqueue(tx, campaignKinds.release, { campaignId, receiver }, { projectId })
}

/** What waited because of the receiver is due at once; safe to repeat. */
export async function releaseReceiver(ctx: Context, name: ReceiverName, signal: AbortSignal): Promise<void> {
  let page: string | undefined
  do {
    signal.throwIfAborted()
    page = await releaseHeldPage(ctx, name, page)
  } while (page !== undefined)
  const { projectId, campaignId } = name
  await inTransaction(ctx, async tx => enqueueSlices(tx, await selectOpenSlices(tx, projectId, campaignId)))
}

/** Messages that wait for the receiver are sent at once. */
export async function resumeReceiver(
  ctx: Context,
  actor: ProjectActor,
  id: string,
  receiver: string,
): Promise<CountedCampaign> {
  return await decide(ctx, actor, { id, receiver }, resetReceiver, 'campaign.resumed')
}

/** They become SKIPPED instead. */
export async function leaveOutReceiver(
  ctx: Context,
  actor: ProjectActor,
  id: string,
  receiver: string,
): Promise<CountedCampaign> {
  return await decide(ctx, actor, { id, receiver }, skipReceiver, 'campaign.receiverLeftOut')
}

async function decide(
  ctx: Context,
  { projectId, by }: ProjectActor,
  { id, receiver }: { id: string; receiver: string },
  change: (tx: Context, name: ReceiverName) => Promise<boolean>,
  action: 'campaign.resumed' | 'campaign.receiverLeftOut',
): Promise<CountedCampaign> {
  return await inTransaction(ctx, async tx => {
    const row = await lockCampaign(tx, projectId, id)
    if (!row) throw campaignNotFound(id)
    if (row.status !== 'SENDING')
      throw conflict("This campaign is not sending, so its mailbox providers can't be resumed or skipped", {
        details: { status: row.status },
      })
    const name = { projectId, campaignId: id, receiver }
    if (!(await change(tx, name))) throw notFound('Paused receiver', receiver)
    await letGo(tx, name)
    await noteCampaign(tx, by, action, row, { receiver })
    return counted(tx, row)
  })
}
