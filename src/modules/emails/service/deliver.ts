// Delivers one message at a time as far as the caller sees, and in batches as far as the database sees: taking rows and writing
// outcomes are shared by all deliveries that run at the moment.

import { asciiAddress, domainOf } from '../../../lib/address'
import { collector, type Settled } from '../../../lib/collect'
import { sleep } from '../../../lib/time'
import { type Context, inTransaction } from '../../../platform/context'
import { isConnectionFault } from '../../../platform/db/errors'
import { Snooze } from '../../../platform/jobs/outcome'
import type { SendResult } from '../../../platform/mail/transport'
import { recordProjectEvents } from '../../events/service'
import { signMessage } from '../dkim'
import { deliveryEvents } from '../events'
import { listLinks } from '../links'
import { buildMime } from '../mime'
import { judge, type Verdict, withheld } from '../outcome'
import type { DueEmail, Settlement, Try } from '../queries'
import * as queries from '../queries'
import { mailOf } from '../stored'
import { type KeyRing, makeKeyRing } from './keys'
import { makePacer } from './pace'

export interface Delivery {
  /** Sends the message, or throws Snooze with the time of the next try. Returns quietly when the message is done already. */
  deliver(emailId: string, projectId: string): Promise<void>
}

/** One for each process: it owns the batches that its deliveries share. */
export function makeDelivery(ctx: Context): Delivery {
  const take = collector<string, DueEmail | undefined>(ids => takeBatch(ctx, ids), {
    maxItems: 100,
    slots: 1,
  })
  const settle = collector<Outcome, void>(outcomes => settleBatch(ctx, outcomes), { maxItems: 100, slots: 1 })
  const pace = makePacer(ctx)
  const keys = makeKeyRing(ctx)

  return {
    async deliver(emailId, projectId) {
      await pace(projectId)
      const email = await take(emailId)
      if (!email) return
      const outcome = await attempt(ctx, keys, email)
      await persistently(() => settle(outcome))
      const { nextAttemptAt } = outcome.settlement
      if (nextAttemptAt) throw new Snooze(nextAttemptAt)
    },
  }
}

/**
 * The message has left, so its outcome must not be lost to a database that is away for a moment: that would send it twice. Writing
 * an outcome again is harmless, because only the try that took the row may settle it.
 */
async function persistently(write: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await write()
    } catch (error) {
      if (tries >= 40 || !isConnectionFault(error)) throw error
      await sleep(500)
    }
  }
}

interface Outcome {
  email: DueEmail
  settlement: Settlement
}

async function takeBatch(ctx: Context, ids: string[]): Promise<Settled<DueEmail | undefined>[]> {
  const rows = new Map((await queries.takeForSending(ctx, ids)).map(row => [row.id, row]))
  return ids.map(id => ({ value: rows.get(id) }))
}

/** Sends, unless the message may not leave, and says what came of it. */
async function attempt(ctx: Context, keys: KeyRing, email: DueEmail): Promise<Outcome> {
  const startedAt = ctx.clock.now()
  const tried: Try[] = email.wasSending ? [lostTry(ctx, email, startedAt)] : []
  const refusal = whyWithheld(email)
  if (refusal) return { email, settlement: settlementOf(email, withheld(refusal), tried) }
  const result = await send(ctx, keys, email)
  const finishedAt = ctx.clock.now()
  ctx.metrics.deliveries.inc({ transport: ctx.mail.name, outcome: result.outcome })
  const verdict = judge(email, result, finishedAt, ctx.random.fraction())
  tried.push({ attempt: email.attempts, transport: ctx.mail.name, startedAt, finishedAt, result })
  return { email, settlement: settlementOf(email, verdict, tried, result) }
}

function whyWithheld(email: DueEmail): string | undefined {
  if (email.suppressed) return `address is suppressed (${email.suppressed})`
  if (email.projectDisabled) return 'project is disabled'
  return undefined
}

/** A try whose process died before it could say how it ended; the message may have arrived. */
function lostTry(ctx: Context, email: DueEmail, at: Date): Try {
  const response =
    'the process ended before an answer was recorded; the message is sent again with the same Message-ID'
  const result: SendResult = { outcome: 'deferred', response }
  return { attempt: email.attempts - 1, transport: ctx.mail.name, startedAt: at, finishedAt: at, result }
}

async function send(ctx: Context, keys: KeyRing, email: DueEmail): Promise<SendResult> {
  const attachments = email.attachmentSet ? await queries.findAttachments(ctx, email.attachmentSet) : []
  const links = listLinks(ctx.vault, ctx.config.baseUrl, email, email.id)
  const raw = await signed(ctx, keys, email, buildMime(mailOf(email, attachments, links)))
  return await ctx.mail.send({
    id: email.id,
    envelope: { from: asciiAddress(email.fromEmail), to: asciiAddress(email.toEmail) },
    raw,
  })
}

async function signed(ctx: Context, keys: KeyRing, email: DueEmail, raw: Uint8Array): Promise<Uint8Array> {
  if (!ctx.mail.signsItself) return raw
  const key = await keys(email.projectId, domainOf(email.fromEmail))
  return key ? await signMessage(raw, key) : raw
}

function settlementOf(email: DueEmail, verdict: Verdict, tried: Try[], result?: SendResult): Settlement {
  const { suppress, ...row } = verdict
  return {
    id: email.id,
    projectId: email.projectId,
    attempt: email.attempts,
    ...row,
    tried,
    ...(suppress ? { suppress: { email: email.toEmail, source: result?.response ?? '' } } : {}),
  }
}

/** Row, attempts, suppressions and events of many messages in one transaction. */
async function settleBatch(ctx: Context, outcomes: Outcome[]): Promise<Settled<void>[]> {
  await inTransaction(ctx, async tx => {
    const settlements = outcomes.map(outcome => outcome.settlement).sort((a, b) => (a.id < b.id ? -1 : 1))
    const [settled] = await Promise.all([
      queries.settleEmails(tx, settlements),
      queries.insertAttempts(tx, settlements),
    ])
    const changed = new Set(settled)
    const mine = outcomes.filter(outcome => changed.has(outcome.email.id))
    await Promise.all([
      queries.insertSuppressions(
        tx,
        mine.map(outcome => outcome.settlement),
      ),
      recordProjectEvents(tx, deliveryEvents(mine)),
    ])
  })
  return outcomes.map(() => ({ value: undefined }))
}
