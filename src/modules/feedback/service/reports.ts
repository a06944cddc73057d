// Reports of other providers and mail servers: signed with the secret of this instance, taken once, applied in one transaction.
import { createHash } from 'node:crypto'
import { normaliseEmail } from '../../../lib/address'
import { badRequest, forbidden } from '../../../lib/errors'
import { after, day, parseDate } from '../../../lib/time'
import { bareMessageId, emailIdOf } from '../../../mime/message-id'
import type { Context } from '../../../platform/context'
import { emailIdOfReturnPath } from '../../../platform/mail/return-path'
import { readMailedReport, type StatusReport } from '../delivery-status'
import { parseForeignJson } from '../foreign-json'
import { type ReportEntry, readReports } from '../model'
import { findByIds, findByProviderIds, findNewest, type MailName } from '../queries'
import type { DeliveryReport } from '../report'
import type { Receiver } from '../schema'
import { mayBeSigned, type SignedHeaders, verifiedId } from '../webhook-signature'
import { applyOrAskAgain } from './apply'
import { once } from './receipts'

export interface ReportsAnswer {
  success: boolean
  duplicate?: true
  applied?: number
  unknown?: number[]
}

/** A call whose body is read only when the rest of it may be genuine. */
export interface UnreadCall {
  headers: SignedHeaders
  read(): Promise<Uint8Array>
}

/** Reports in JSON. */
export async function receiveReports(ctx: Context, call: UnreadCall): Promise<ReportsAnswer> {
  const { id, body } = await requireSigned(ctx, call)
  const value = parseForeignJson(new TextDecoder().decode(body))
  if (value === undefined) throw badRequest('The body is not JSON')
  const entries = readReports(value)
  return take(ctx, 'webhook', id, async tx => {
    const mails = await findNamed(tx, entries)
    return entries.map((entry, at) => mails[at] && toReport(entry, mails[at], tx.clock.now()))
  })
}

/** A report that came as mail. Anything else, or one about mail that is not ours, is accepted and ignored. */
export async function receiveMailedReport(ctx: Context, call: UnreadCall): Promise<ReportsAnswer> {
  const { id, body } = await requireSigned(ctx, call)
  const mailed = await readMailedReport(body)
  if (!mailed) throw badRequest('The body is not a message')
  return take(ctx, 'dsn', id, async tx => {
    const [mail] = await findOwn(tx, mailed.messageIds)
    return mailed.reports.map(report => mail && mailedReport(report, mail, tx.clock.now()))
  })
}

export interface Returned {
  /** That it came to. */
  addresses: readonly string[]
  /** At an address that everybody knows, reports of failures would be too easy to invent. */
  takes: 'all' | 'complaints'
}

/**
 * Mail that came back to us, at addresses that were found to be those. A report about a message whose return path it came to, or that it
 * names, is about that one, whatever else it says. Other mail is accepted and forgotten: nobody waits for an answer.
 */
export async function receiveReturnedMail(
  ctx: Context,
  raw: Uint8Array,
  { addresses, takes }: Returned,
): Promise<ReportsAnswer> {
  const mailed = await readMailedReport(raw)
  const reports = mailed?.reports.filter(({ kind }) => takes === 'all' || kind === 'complained') ?? []
  if (!mailed || reports.length === 0) return { success: true, applied: 0, unknown: [] }
  const named = [...addresses, ...(mailed.returnPaths ?? [])].flatMap(
    address => returnedTo(ctx, address) ?? [],
  )
  // The same mail may come again when our answer was lost.
  const key = createHash('sha256').update(raw).digest('hex')
  return take(ctx, 'dsn', key, async tx => {
    const [byPath] = await findByIds(tx, named.slice(0, 1))
    const mail = byPath ?? (await findOwn(tx, mailed.messageIds))[0]
    return reports.map(report => mail && mailedReport(report, mail, tx.clock.now()))
  })
}

/** The message whose return path this is. */
export function returnedTo({ config, vault }: Context, address: string): string | undefined {
  return config.bounceDomain && emailIdOfReturnPath(vault, config.bounceDomain, address)
}

function mailedReport({ at, ...facts }: StatusReport, mail: MailName, now: Date): DeliveryReport {
  return { ...facts, at: at ?? now, emailId: mail.id, projectId: mail.projectId, source: 'dsn' }
}

async function requireSigned(
  { config, clock }: Context,
  { headers, read }: UnreadCall,
): Promise<{ id: string; body: Uint8Array }> {
  const secret = config.feedbackWebhookSecret
  if (secret === undefined)
    throw forbidden('FORBIDDEN', 'This receiver is off: FEEDBACK_WEBHOOK_SECRET is not set')
  const wrong = forbidden('FORBIDDEN', 'The signature is not valid, or the call is too old')
  if (!mayBeSigned(headers, clock.now())) throw wrong
  const body = await read()
  const id = verifiedId(secret, { ...headers, body }, clock.now())
  if (id === undefined) throw wrong
  return { id, body }
}

async function take(
  ctx: Context,
  receiver: Receiver,
  key: string,
  read: (tx: Context) => Promise<Array<DeliveryReport | undefined>>,
): Promise<ReportsAnswer> {
  const done = await once(ctx, { receiver, key }, async tx => {
    const reports = await read(tx)
    const known = reports.filter(report => report !== undefined)
    await applyOrAskAgain(tx, known)
    const unknown = reports.flatMap((report, at) => (report === undefined ? [at] : []))
    return { applied: known.length, unknown }
  })
  return done.isDuplicate ? { success: true, duplicate: true } : { success: true, ...done.result }
}

function toReport(entry: ReportEntry, mail: MailName, now: Date): DeliveryReport {
  const { type, at, reason, link, machine } = entry
  return {
    ...{ projectId: mail.projectId, emailId: mail.id, kind: type, source: 'webhook' },
    at: parseDate(at ?? '') ?? now,
    ...(reason === undefined ? {} : { detail: reason }),
    ...(link === undefined ? {} : { link }),
    ...(machine === undefined ? {} : { machine }),
  }
}

/** A report that names only the recipient means the last message to that address, which has to be a recent one. */
const recipientSpan = 30 * day

/** Finds the message of each entry; each kind of name is looked up in one statement. */
async function findNamed(tx: Context, entries: readonly ReportEntry[]): Promise<Array<MailName | undefined>> {
  const ids = entries.flatMap(({ emailId }) => (emailId ? [emailId.toLowerCase()] : []))
  const messageIds = entries.flatMap(({ messageId }) => (messageId ? [messageId] : []))
  const people = entries.flatMap(({ recipient, projectId }) =>
    recipient && projectId ? [{ projectId: projectId.toLowerCase(), email: normaliseEmail(recipient) }] : [],
  )
  const [byId, own, provided, newest] = [
    new Map((await findByIds(tx, ids)).map(mail => [mail.id, mail])),
    new Map((await findOwn(tx, messageIds)).map(mail => [mail.messageId, mail])),
    new Map(
      (await findByProviderIds(tx, messageIds.map(bareMessageId))).map(mail => [mail.providerId, mail]),
    ),
    new Map(
      (await findNewest(tx, people, after(tx.clock.now(), -recipientSpan))).map(mail => [
        `${mail.projectId} ${mail.email}`,
        mail,
      ]),
    ),
  ]
  return entries.map(({ emailId, messageId, recipient, projectId }) => {
    if (emailId) return byId.get(emailId.toLowerCase())
    if (messageId) return own.get(bareMessageId(messageId)) ?? provided.get(bareMessageId(messageId))
    return newest.get(`${projectId?.toLowerCase()} ${normaliseEmail(recipient ?? '')}`)
  })
}

/** Finds messages by our own Message-IDs, in the order of the ids; a Message-ID must match completely. */
export async function findOwn(tx: Context, messageIds: readonly string[]) {
  const asked = new Set(messageIds.map(bareMessageId))
  const ids = messageIds.flatMap(messageId => emailIdOf(messageId) ?? [])
  const order = new Map(ids.map((id, at) => [id, at]))
  const mails = (await findByIds(tx, ids)).filter(mail => asked.has(mail.messageId))
  return mails.sort((a, b) => order.get(a.id)! - order.get(b.id)!)
}
