// What Amazon SES reports through SNS: which report a notification stands for. Types that are not listed hold nothing that we keep. Pure.
import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { normaliseEmail } from '../../../lib/address'
import { isUuid } from '../../../lib/ids'
import { parseDate } from '../../../lib/time'
import { meaningOfFeedback, meaningOfWords } from '../../../mail/bounces'
import { emailTag } from '../../../platform/transports/ses-outcome'
import type { BounceType, DeliveryReport } from './report'

/** A notification about the message with that provider's id; `taggedId` is our own, where the mail carried it. */
export type ProviderReport = Omit<DeliveryReport, 'projectId' | 'emailId'> & {
  providerId: string
  taggedId?: string
  /** The Message-ID that the mail carried when it was handed over. */
  messageId?: string
}

const text = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const optional = <T extends TSchema>(schema: T) => Type.Optional(Type.Union([schema, Type.Null()]))
const recipients = Type.Optional(
  Type.Array(Type.Object({ emailAddress: text, diagnosticCode: text, status: text })),
)

const notification = Type.Object({
  eventType: text,
  notificationType: text,
  mail: optional(
    Type.Object({
      messageId: text,
      timestamp: text,
      tags: Type.Optional(Type.Unknown()),
      commonHeaders: optional(Type.Object({ messageId: text })),
    }),
  ),
  delivery: optional(
    Type.Object({
      timestamp: text,
      smtpResponse: text,
      recipients: Type.Optional(Type.Array(Type.String())),
    }),
  ),
  open: optional(Type.Object({ timestamp: text })),
  click: optional(Type.Object({ timestamp: text, link: text })),
  bounce: optional(
    Type.Object({ timestamp: text, bounceType: text, bounceSubType: text, bouncedRecipients: recipients }),
  ),
  complaint: optional(
    Type.Object({
      timestamp: text,
      complaintFeedbackType: text,
      complaintSubType: text,
      complainedRecipients: recipients,
    }),
  ),
})

type SesNotification = Static<typeof notification>

export type ReadNotification =
  | { type: 'report'; report: ProviderReport }
  /** Inbound mail; read by a file of its own. */
  | { type: 'received' }
  /** Of no interest: Send, Reject, DeliveryDelay and what may be added. */
  | { type: 'other' }
  | { type: 'faulty'; fault: string }

/** `now` stands in where a notification carries no readable time. */
export function readNotification(value: unknown, now: Date): ReadNotification {
  if (!Value.Check(notification, value))
    return { type: 'faulty', fault: 'The notification is not one of SES' }
  const kind = value.eventType ?? value.notificationType ?? ''
  if (kind === 'Received') return { type: 'received' }
  const read = Object.hasOwn(readers, kind) ? readers[kind] : undefined
  if (!read) return { type: 'other' }
  const providerId = value.mail?.messageId
  if (!providerId || providerId.length > maxIdLength)
    return { type: 'faulty', fault: 'The notification names no message (mail.messageId)' }
  const given = read(value)
  if (!given) return { type: 'other' }
  const { timestamp, ...facts } = given
  const at = parseDate(timestamp ?? '') ?? parseDate(value.mail?.timestamp ?? '') ?? now
  const taggedId = readTag(value.mail?.tags)
  const messageId = value.mail?.commonHeaders?.messageId
  const names = { providerId, ...(taggedId ? { taggedId } : {}), ...(messageId ? { messageId } : {}) }
  return { type: 'report', report: { ...names, at, source: 'provider', ...facts } }
}

/** Undefined for mail that another program sent through the account. */
function readTag(tags: unknown): string | undefined {
  const values: unknown = (tags as Record<string, unknown> | null | undefined)?.[emailTag]
  const id: unknown = Array.isArray(values) ? values[0] : undefined
  return typeof id === 'string' && isUuid(id) ? id : undefined
}

type Facts = Pick<
  DeliveryReport,
  'kind' | 'link' | 'detail' | 'bounceType' | 'recipients' | 'blame' | 'failure' | 'code' | 'isOptOut'
> & {
  timestamp: string | null | undefined
}

const readers: Record<string, (notification: SesNotification) => Facts | undefined> = {
  Delivery: ({ delivery }) => ({
    kind: 'delivered',
    timestamp: delivery?.timestamp,
    ...about(delivery?.recipients),
  }),
  Open: ({ open }) => ({ kind: 'opened', timestamp: open?.timestamp }),
  Click: ({ click }) => ({
    kind: 'clicked',
    timestamp: click?.timestamp,
    ...(click?.link ? { link: click.link } : {}),
  }),
  Bounce: ({ bounce }) => readBounce(bounce),
  Complaint: ({ complaint }) => readComplaint(complaint),
}

const maxIdLength = 500
const maxRecipients = 100

/** Some systems put the name before the address. */
function about(addresses: ReadonlyArray<string | null | undefined> = []): Pick<DeliveryReport, 'recipients'> {
  const named = addresses.slice(0, maxRecipients).flatMap(address => (address ? [address] : []))
  return named.length > 0 ? { recipients: named.map(normaliseEmail) } : {}
}

/** Many carry no type; those are complaints. */
function readComplaint(complaint: SesNotification['complaint']): Facts | undefined {
  const type = complaint?.complaintFeedbackType
  const said = type ? meaningOfFeedback(type) : 'complaint'
  if (said !== 'complaint' && said !== 'optOut') return undefined
  return {
    kind: 'complained',
    timestamp: complaint?.timestamp,
    detail: words('complaint', type ?? complaint?.complaintSubType),
    ...about(complaint?.complainedRecipients?.map(({ emailAddress }) => emailAddress)),
    ...(said === 'optOut' ? { isOptOut: true as const } : {}),
  }
}

/** Refused for its size or its content, whatever SES calls permanent or transient. */
const aboutMessage = new Set(['MessageTooLarge', 'ContentRejected', 'AttachmentRejected'])

/** What is neither permanent nor transient counts as a bounce: to go on writing would be worse for the sender. */
function readBounce(bounce: SesNotification['bounce']): Facts {
  const first = bounce?.bouncedRecipients?.[0]
  const timestamp = bounce?.timestamp
  const detail = first?.diagnosticCode || words(bounce?.bounceType, bounce?.bounceSubType, first?.status)
  const common = {
    timestamp,
    detail,
    ...about(bounce?.bouncedRecipients?.map(({ emailAddress }) => emailAddress)),
  }
  const judged = first?.diagnosticCode
    ? meaningOfWords(first.status ?? undefined, first.diagnosticCode)
    : undefined
  const code = first?.status ? { code: first.status } : {}
  if (judged === 'refused' || aboutMessage.has(bounce?.bounceSubType ?? ''))
    return { kind: 'bounced', blame: 'other', failure: 'refused', ...code, ...common }
  if (bounce?.bounceType === 'Transient') return { kind: 'softBounced', ...code, ...common }
  const bounceType: BounceType = bounce?.bounceType === 'Permanent' ? 'Permanent' : 'Undetermined'
  return { kind: 'bounced', bounceType, ...common }
}

function words(...parts: Array<string | null | undefined>): string {
  return parts.filter(Boolean).join(' ')
}
