// Notifications of Amazon SNS, checked in the order of trust: whether any is expected, the topic, the signature, the receipt, and only
// then the content.
import { AppError, badRequest, forbidden } from '../../../../lib/errors'
import type { Context } from '../../../../platform/context'
import { parseForeignJson } from '../foreign-json'
import { readInbound } from '../inbound'
import { findByIds, findByProviderIds } from '../queries'
import { type ProviderReport, readNotification } from '../ses-notification'
import { readSnsMessage, type SnsMessage, snsAddress } from '../sns-message'
import { applyOrAskAgain } from './apply'
import { receiveMail } from './inbound'
import { findNamedMessages } from './named'
import { unavailable, withReceipt } from './receipts'
import { noteUnclear } from './returned'
import { requireSignature } from './sns-signature'

export interface SnsAnswer {
  success: boolean
  duplicate?: true
  message?: string
}

/** `read` returns the body, which stays unread where no notification is expected. */
export async function receiveSns(ctx: Context, read: () => Promise<string>): Promise<SnsAnswer> {
  if (!expectsSns(ctx)) throw notAccepted()
  const message = readSnsMessage(await read())
  if (!message) throw badRequest('The body is not a message of SNS')
  requireTopic(ctx, message)
  await requireSignature(ctx, message)
  switch (message.Type) {
    case 'SubscriptionConfirmation':
      return confirm(ctx, message)
    case 'Notification':
      return takeNotification(ctx, message)
    default:
      return { success: false, message: `messages of the type ${message.Type} are not acted on` }
  }
}

/**
 * Every Amazon account can produce a valid signature, so topics have to be named. Only where a certificate is pinned and SES is not in
 * use is the holder of its key trusted whatever the topic.
 */
function expectsSns({ config }: Context): boolean {
  const { snsTopicArns: allowed, snsSigningCertificate: pinned, mailTransport } = config
  return allowed.length > 0 || (pinned !== undefined && mailTransport !== 'ses')
}

function requireTopic({ config }: Context, { TopicArn }: SnsMessage): void {
  const { snsTopicArns: allowed } = config
  if (allowed.length > 0 && !(TopicArn !== undefined && allowed.includes(TopicArn))) throw notAccepted()
}

function notAccepted(): AppError {
  return forbidden('FORBIDDEN', 'Notifications of this topic are not accepted', {
    suggestion: 'Name the ARN of the topic in SNS_TOPIC_ARN.',
  })
}

async function confirm(ctx: Context, { SubscribeURL, TopicArn }: SnsMessage): Promise<SnsAnswer> {
  const url = snsAddress(SubscribeURL)
  if (!url) throw badRequest('SubscribeURL must be an https address of SNS')
  const call = { url: url.href, method: 'GET', headers: {}, ownHeaders: {}, body: null } as const
  const answer = await ctx.webhooks.call(call)
  const isConfirmed = answer.outcome === 'answered' && answer.statusCode >= 200 && answer.statusCode < 300
  // Anything but a 2xx makes SNS ask again.
  if (!isConfirmed)
    throw new AppError(502, 'SERVICE_UNAVAILABLE', 'The subscription could not be confirmed', {
      cause: answer,
    })
  ctx.log.info({ topic: TopicArn }, 'subscribed to notifications of SNS')
  return { success: true, message: 'the subscription is confirmed' }
}

async function takeNotification(ctx: Context, message: SnsMessage): Promise<SnsAnswer> {
  // SES tries out a topic with this text.
  if (/^Successfully validated SNS topic/.test(message.Message)) return { success: true }
  const effect = await effectOf(ctx, parseForeignJson(message.Message))
  if (!effect) return { success: true }
  const done = await withReceipt(ctx, { receiver: 'sns', key: message.MessageId }, effect)
  return done.isDuplicate ? { success: true, duplicate: true } : { success: true }
}

type Effect = (tx: Context) => Promise<void>

/** The effect of a notification; undefined for none, 400 for one that can't be read. */
async function effectOf(ctx: Context, value: unknown): Promise<Effect | undefined> {
  const read = readNotification(value, ctx.clock.now())
  switch (read.type) {
    case 'faulty':
      throw badRequest(read.fault)
    case 'report':
      return tx => report(tx, read.report)
    case 'received': {
      const mail = await readInbound(value, ctx.clock.now())
      if (!mail) throw badRequest('The notification of received mail is not complete')
      return tx => receiveMail(tx, mail)
    }
    case 'other':
      return undefined
  }
}

/**
 * The report may arrive before the answer with the message's id, so an unknown one has to come again. One that carries our tag is
 * recognised by that at once, and if it matches no row it is about a mail of the platform or a test, which is not counted.
 */
async function report(
  tx: Context,
  { providerId, taggedId, messageId, ...facts }: ProviderReport,
): Promise<void> {
  const [known] = await findByProviderIds(tx, [providerId])
  const [tagged] = known || !taggedId ? [known] : await findByIds(tx, [taggedId])
  // Handed over by SMTP, it may be known by our own Message-ID alone.
  const [mail] =
    tagged || !messageId
      ? [tagged]
      : await findNamedMessages(tx, [{ messageIds: [messageId], recipients: facts.recipients }])
  if (mail === 'several') return await noteUnclear(tx, [mail])
  if (!mail && !taggedId) throw unavailable('The message of the notification is not known (yet)')
  if (mail) await applyOrAskAgain(tx, [{ ...facts, projectId: mail.projectId, emailId: mail.id }])
}
