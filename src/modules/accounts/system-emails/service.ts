// Platform mails: resets, verifications, invitations and notices of the instance itself. The message and its job are written in the
// caller's transaction; delivery follows the plan of other transactional mail, through the configured transport.

import { asciiAddress, domainOf } from '../../../lib/address'
import { inBatches } from '../../../lib/batches'
import { notFound } from '../../../lib/errors'
import { isUuid } from '../../../lib/ids'
import { after, day, hour } from '../../../lib/time'
import type { SigningKey } from '../../../mail/dkim/sign'
import { messageIdOf } from '../../../mail/mime/message-id'
import { type Context, inTransaction, newId } from '../../../platform/context'
import { callHook } from '../../../platform/hooks'
import { enqueue, hasten } from '../../../platform/jobs/enqueue'
import { Snooze } from '../../../platform/jobs/outcome'
import { handOver, type OutgoingMessage } from '../../../platform/transports/hand-over'
import { outcomeOfResult } from '../../../platform/transports/outcome'
import { senderKey } from './hooks'
import { systemEmailKinds } from './kinds'
import {
  type DueMail,
  deleteMailsBefore,
  deleteOutboxMailsBefore,
  deleteOutboxMailsTo,
  eraseMails,
  insertMail,
  insertOutboxMail,
  type OutboxReader,
  type OutboxRow,
  selectOutboxMails,
  selectWaitingJobs,
  settleMail,
  takeMail,
} from './queries'
import type { OutboxAudience, OutboxKind } from './schema'

export interface SystemMail {
  to: string
  subject: string
  /** Plain text; always present. */
  text: string
  /** The same for mail clients that show HTML. */
  html?: string
  /** In whose name it is sent; ours by default. */
  fromName?: string
  /** Who sees it while all mail stays in the outbox, and what in the place of a text that nobody but its recipient should hold. */
  shown?: SeenBy & Partial<Pick<OutboxContent, 'text' | 'html'>>
}

interface StoredContent {
  text: string
  html: string
  fromName?: string
  shown?: SystemMail['shown']
}

/** Content is sealed while it waits: a link in it may open an account. */
const purpose = 'system-mail'

const maxSubjectLength = 300

/** Like other transactional mail. */
const retryForMs = 24 * hour

/**
 * Sends a mail of the platform: nothing leaves unless the caller's transaction commits, and then it leaves at least once. Returns the
 * id of the message.
 */
export async function sendSystemMail(tx: Context, mail: SystemMail): Promise<string> {
  const id = newId(tx)
  const subject = mail.subject
    .replace(/\p{Cc}+/gu, ' ')
    .slice(0, maxSubjectLength)
    .toWellFormed()
  const { text, html = '', fromName, shown } = mail
  const content = JSON.stringify({ text, html, fromName, shown })
  await insertMail(tx, { id, toEmail: mail.to, subject, contentSealed: tx.vault.seal(purpose, content) })
  await enqueue(tx, systemEmailKinds.mail, { mailId: id })
  return id
}

/** Makes one attempt; throws Snooze with the time of the next one. Does nothing if the message has left already. */
export async function deliverSystemMail(ctx: Context, mailId: string, signal: AbortSignal): Promise<void> {
  const mail = await takeMail(ctx, mailId)
  if (!mail) return
  const from = asciiAddress(ctx.config.systemEmailFrom)
  const facts = { id: mail.id, kind: 'instance' as const, from, to: mail.toEmail }
  const { tries } = await handOver(ctx, facts, () => outgoingMail(ctx, mail), { signal })
  const last = tries.at(-1)
  // Withdrawn: another run sends it.
  if (!last) throw signal.reason
  const { result } = last
  const tried = { attempts: mail.attempts, since: mail.createdAt, retryForMs }
  const outcome = outcomeOfResult(result, tried, ctx.clock.now(), ctx.random.fraction())
  const status = outcome.nextAttemptAt ? 'PENDING' : outcome.sentAt ? 'SENT' : 'FAILED'
  const { response } = result
  await inTransaction(ctx, async tx => {
    await settleMail(tx, mailId, { status, response, sentAt: outcome.sentAt })
    if (status === 'SENT') await keepInOutbox(tx, outboxMailOf(tx, mail))
  })
  if (status === 'FAILED') ctx.log.error({ mail: mailId, response }, 'a platform mail could not be delivered')
  if (outcome.nextAttemptAt) throw new Snooze(outcome.nextAttemptAt)
}

/** The transport works again: up to `limit` messages that wait for another attempt are tried now. */
export async function hastenSystemMails(ctx: Context, limit: number): Promise<void> {
  const jobs = await selectWaitingJobs(ctx, limit)
  if (jobs.length > 0) await inTransaction(ctx, async tx => void (await hasten(tx, { ids: jobs })))
}

function contentOf(ctx: Context, { contentSealed }: DueMail): StoredContent {
  return JSON.parse(ctx.vault.open(purpose, contentSealed)) as StoredContent
}

function outboxMailOf(ctx: Context, mail: DueMail): OutboxMail {
  const { shown, fromName = 'Waxwing', ...content } = contentOf(ctx, mail)
  const { projectId, audience, kind, ...instead } = shown ?? {}
  return {
    ...{ id: mail.id, to: mail.toEmail, subject: mail.subject, from: ctx.config.systemEmailFrom, fromName },
    ...{ ...content, ...instead },
    ...(projectId && audience && kind ? { seenBy: { projectId, audience, kind } } : {}),
  }
}

/** The same bytes at every attempt, apart from the signature. */
async function outgoingMail(ctx: Context, mail: DueMail): Promise<OutgoingMessage> {
  const from = ctx.config.systemEmailFrom
  const { shown: _, ...content } = contentOf(ctx, mail)
  return {
    mail: {
      from,
      to: mail.toEmail,
      subject: mail.subject,
      fromName: 'Waxwing',
      ...content,
      // Keeps auto-responders from answering (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated' },
      attachments: [],
      messageId: messageIdOf(mail.id, from),
      date: mail.createdAt,
    },
    key: await findKey(ctx, domainOf(asciiAddress(from))),
  }
}

/** Signed where a project has proved that the sender's domain belongs to this instance. */
async function findKey(ctx: Context, domain: string): Promise<SigningKey | undefined> {
  return ctx.mail.signsItself ? (await callHook(ctx, senderKey, domain))[0] : undefined
}

/** Of somebody who is to be forgotten: what has left no longer says to whom. */
export async function eraseSystemEmails(tx: Context, email: string): Promise<void> {
  await eraseMails(tx, email)
  await deleteOutboxMailsTo(tx, email)
}

const retentionMs = 30 * day

/** As long as the links that live longest. */
const outboxRetentionMs = 7 * day
const batchSize = 1_000

/** Deletes old messages; returns how many. */
export async function pruneSystemMails(ctx: Context, signal?: AbortSignal): Promise<number> {
  const before = after(ctx.clock.now(), -retentionMs)
  return await inBatches(batchSize, limit => deleteMailsBefore(ctx, before, limit), signal)
}

/** The same for what is kept to be looked at in the outbox. */
export async function pruneOutbox(ctx: Context, signal?: AbortSignal): Promise<number> {
  const before = after(ctx.clock.now(), -outboxRetentionMs)
  return await inBatches(batchSize, limit => deleteOutboxMailsBefore(ctx, before, limit), signal)
}

/** Besides the operator, who sees what belongs to nobody else. */
export interface SeenBy {
  projectId: string
  audience: Exclude<OutboxAudience, 'operator'>
  kind: Exclude<OutboxKind, 'ACCOUNT'>
}

export interface OutboxContent {
  from: string
  fromName: string | null
  text: string
  html: string
}

export interface OutboxMail extends OutboxContent {
  id: string
  to: string
  subject: string
  /** Nobody but the operator sees it without one. */
  seenBy?: SeenBy
}

const outboxPurpose = 'outbox-mail'

/** Does nothing where mail leaves the machine. */
export async function keepInOutbox(ctx: Context, mail: OutboxMail): Promise<void> {
  if (ctx.config.mailTransport !== 'outbox') return
  const { id, to: toEmail, subject, seenBy, from, fromName, text, html } = mail
  const { projectId = null, kind = 'ACCOUNT', audience = 'operator' } = seenBy ?? {}
  const contentSealed = ctx.vault.seal(outboxPurpose, JSON.stringify({ from, fromName, text, html }))
  await insertOutboxMail(ctx, { id, projectId, kind, audience, toEmail, subject, contentSealed })
}

export type ShownMail = Omit<OutboxRow, 'contentSealed'> & OutboxContent

const shownAtOnce = 100

/** The newest of what the reader may see. */
export async function listOutbox(ctx: Context, reader: OutboxReader): Promise<ShownMail[]> {
  const rows = await selectOutboxMails(ctx, reader, { id: null, limit: shownAtOnce })
  return rows.map(row => opened(ctx, row))
}

/** 404 alike for what is not there and for what somebody else may see. */
export async function getOutboxMail(ctx: Context, reader: OutboxReader, id: string): Promise<ShownMail> {
  const [row] = isUuid(id) ? await selectOutboxMails(ctx, reader, { id, limit: 1 }) : []
  if (!row) throw notFound('Email', id)
  return opened(ctx, row)
}

function opened(ctx: Context, { contentSealed, ...row }: OutboxRow): ShownMail {
  return { ...row, ...(JSON.parse(ctx.vault.open(outboxPurpose, contentSealed)) as OutboxContent) }
}
