// Reports of other providers and mail servers: signed with the secret of this instance, taken once, applied in one transaction.
import { createHash } from 'node:crypto'
import { normaliseEmail } from '../../../../lib/address'
import { badRequest, forbidden } from '../../../../lib/errors'
import { after, day, parseDate } from '../../../../lib/time'
import type { ReturnedMail } from '../../../../mail/bounces'
import { mediaTypeOf } from '../../../../mail/mime/foreign'
import { bareMessageId } from '../../../../mail/mime/message-id'
import type { Context } from '../../../../platform/context'
import { readByThread, UnreadableMail } from '../../../../platform/foreign-mail'
import { emailIdOfReturnPath } from '../../../../platform/transports/return-path'
import { parseForeignJson } from '../foreign-json'
import { type StatusReport, toStatusReport } from '../mailed'
import { type ReportEntry, readReports } from '../model'
import { findByIds, findByProviderIds, findNewest, type MailName } from '../queries'
import type { DeliveryReport } from '../report'
import type { Receiver } from '../schema'
import { mayBeSigned, type SignedHeaders, verifiedId } from '../webhook-signature'
import { applyOrAskAgain } from './apply'
import { certain, type FoundMessage, findNamedMessages } from './named'
import { withReceipt } from './receipts'
import { isOfReporter, mayCount } from './reporter'
import { noteReturned, noteUnclear, type ReturnedOutcome } from './returned'

export interface ReportsAnswer {
  success: boolean
  duplicate?: true
  applied?: number
  unknown?: number[]
  invalid?: Array<{ field: string; message: string }>
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
  const { entries: given, faults } = readReports(value)
  const taken = given.flatMap((entry, at) => (entry ? [{ entry, at }] : []))
  const entries = taken.map(({ entry }) => entry)
  const answer = await take(ctx, 'webhook', id, async tx => {
    const mails = await findNamed(tx, entries)
    await noteUnclear(tx, mails)
    return entries.map((entry, at) => {
      const mail = certain(mails[at])
      return mail && toReport(entry, mail, tx.clock.now())
    })
  })
  return {
    ...answer,
    ...(answer.unknown && { unknown: answer.unknown.map(at => taken[at]!.at) }),
    ...(faults.length > 0 && { invalid: faults.map(({ field, message }) => ({ field, message })) }),
  }
}

/** Mail that came back to an address that another server hands on to us. */
export async function receiveMailedReport(ctx: Context, call: UnreadCall): Promise<ReportsAnswer> {
  const { id, body } = await requireSigned(ctx, call)
  const mailed = await readReport(body, 'dsn')
  if (!mailed) throw badRequest('The body is not a message')
  return receive(ctx, body, mailed, { addresses: addressesIn(body), takes: 'all', sender: 'dsn' }, id)
}

export interface Returned {
  /** That it came to. */
  addresses: readonly string[]
  /** At an address that everybody knows, reports of failures would be too easy to invent. */
  takes: 'all' | 'complaints'
  /** Who handed it over: mail of one sender waits for each other. */
  sender: string
}

/**
 * Mail that came back to us, at addresses that were found to be those. A report about a message whose return path it came to, or that it
 * names, is about that one, whatever else it says. Other mail is accepted, counted and logged: nobody waits for an answer.
 */
export async function receiveReturnedMail(
  ctx: Context,
  raw: Uint8Array,
  returned: Returned,
): Promise<ReportsAnswer> {
  const { addresses, takes, sender } = returned
  // Complaints have parts, and anyone may write to the public names: what has none is not looked into.
  const isReadable = takes === 'all' || mediaTypeOf(raw).startsWith('multipart/')
  const mailed = (isReadable ? await readReport(raw, sender) : undefined) ?? noReport
  // The same mail may come again when our answer was lost; to another address it is another report.
  const to = addresses.toSorted().join(' ').toLowerCase()
  const key = createHash('sha256').update(raw).update(`\n${to}`).digest('hex')
  return receive(ctx, raw, mailed, returned, key)
}

const noReport: ReturnedMail = { messageIds: [], returnPaths: [], reports: [], isAnswer: false }

async function receive(
  ctx: Context,
  raw: Uint8Array,
  mailed: ReturnedMail,
  { addresses, takes, sender }: Returned,
  key: string,
): Promise<ReportsAnswer> {
  const cameTo = addresses.flatMap(address => returnedTo(ctx, address) ?? [])
  const named = [...cameTo, ...mailed.returnPaths.flatMap(address => returnedTo(ctx, address) ?? [])]
  // Anybody can write a mail that looks like a bounce, but not to an address that one message alone has.
  const believed = mailed.reports.filter(({ form }) => form !== 'plain' || cameTo.length > 0)
  const reports = believed
    .flatMap(report => toStatusReport(report) ?? [])
    .filter(({ kind }) => takes === 'all' || kind === 'complained')
  const isComplaint = reports.some(({ kind }) => kind === 'complained')
  const isSigned = isComplaint && (await isOfReporter(ctx, raw))
  return take(ctx, 'dsn', key, async tx => {
    const [byPath] = await findByIds(tx, named.slice(0, 1))
    const mails: FoundMessage[] = byPath
      ? reports.map(() => byPath)
      : await findNamedMessages(
          tx,
          reports.map(({ recipients }) => ({ messageIds: mailed.messageIds, recipients })),
        )
    await noteReturned(tx, outcomeOf(mailed, mails), { addresses, named: mails.flatMap(idOf)[0] })
    const counts = (): boolean =>
      isSigned || (byPath !== undefined && mayCount(ctx, byPath.projectId, sender))
    return reports.map((report, at) => {
      const mail = certain(mails[at])
      return mail && mailedReport(report, mail, counts, tx.clock.now())
    })
  })
}

/** By a thread; a message that is beyond the bounds is no report. Undefined for what is no message. */
async function readReport(raw: Uint8Array, sender: string): Promise<ReturnedMail | undefined> {
  try {
    return (await readByThread('report', raw, sender)) as ReturnedMail | undefined
  } catch (error) {
    if (error instanceof UnreadableMail) return noReport
    throw error
  }
}

function idOf(found: FoundMessage): string[] {
  return certain(found) ? [certain(found)!.id] : []
}

/** What became of a mail that came back, by the messages that its reports are about. */
function outcomeOf(mailed: ReturnedMail, mails: readonly FoundMessage[]): ReturnedOutcome {
  if (mails.some(mail => certain(mail))) return 'applied'
  if (mails.length > 0) return mails.includes('several') ? 'notUnderstood' : 'unknownMessage'
  if (mailed.reports.some(({ said }) => said === 'delayed' || said === 'none')) return 'noNews'
  if (mailed.reports.length > 0) return 'notBelieved'
  return mailed.isAnswer ? 'answer' : 'notUnderstood'
}

const longestHeader = 65_536

/** Return paths in the header, whichever line the other side noted the address in: the signature says whether it is one. */
export function addressesIn(raw: Uint8Array): string[] {
  const text = Buffer.from(raw.subarray(0, longestHeader)).toString('latin1')
  const [header = ''] = text.split(/\r?\n\r?\n/, 1)
  return header.match(/b-[0-9a-f]{32}-[0-9a-f]{20}@[a-z0-9.-]{1,255}/gi) ?? []
}

/** The message whose return path this is. */
export function returnedTo({ config, vault }: Context, address: string): string | undefined {
  return config.bounceDomain && emailIdOfReturnPath(vault, config.bounceDomain, address)
}

/** Without a signed return path or a loop's signature, anybody who got one message could complain about it in the name of many. */
function mailedReport(
  { at, ...facts }: StatusReport,
  mail: MailName,
  counts: () => boolean,
  now: Date,
): DeliveryReport {
  const doubt =
    facts.kind === 'complained' && !facts.isOptOut && !counts() ? { isUnproved: true as const } : {}
  return { ...facts, ...doubt, at: at ?? now, emailId: mail.id, projectId: mail.projectId, source: 'dsn' }
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
  const done = await withReceipt(ctx, { receiver, key }, async tx => {
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
async function findNamed(
  tx: Context,
  entries: readonly ReportEntry[],
): Promise<Array<MailName | 'several' | undefined>> {
  const ids = entries.flatMap(({ emailId }) => (emailId ? [emailId.toLowerCase()] : []))
  const messageIds = entries.flatMap(({ messageId }) => (messageId ? [messageId] : []))
  const people = entries.flatMap(({ recipient, projectId, messageId }) =>
    recipient && projectId && !messageId
      ? [{ projectId: projectId.toLowerCase(), email: normaliseEmail(recipient) }]
      : [],
  )
  const [byId, own, provided, newest] = [
    new Map((await findByIds(tx, ids)).map(mail => [mail.id, mail])),
    await findNamedMessages(
      tx,
      entries.map(({ messageId, recipient }) => ({
        messageIds: messageId ? [messageId] : [],
        recipients: recipient ? [recipient] : [],
      })),
    ),
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
  return entries.map(({ emailId, messageId, recipient, projectId }, at) => {
    if (emailId) return byId.get(emailId.toLowerCase())
    if (messageId) return own[at] ?? provided.get(bareMessageId(messageId))
    return newest.get(`${projectId?.toLowerCase()} ${normaliseEmail(recipient ?? '')}`)
  })
}
