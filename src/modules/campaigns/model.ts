// Requests and answers of the campaign routes, and the row as clients see it.
import { type Static, Type } from '@sinclair/typebox'
import { offsetListOf, pageQuery, sortQuery } from '../../lib/page'
import { type Counts, percent } from './counts'
import type { Progress } from './progress'
import type { CampaignRow, RecipientRow } from './queries'

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const nullable = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]))
const contentType = Type.Union([
  Type.Literal('TRANSACTIONAL'),
  Type.Literal('MARKETING'),
  Type.Literal('HEADLESS'),
])
const audienceType = Type.Union([Type.Literal('ALL'), Type.Literal('SEGMENT'), Type.Literal('FILTERED')])
const tree = Type.Optional(Type.Unknown({ description: 'A filter tree; for FILTERED' }))
const segmentId = Type.Optional(Type.Union([Type.String({ format: 'uuid' }), Type.Null()]))

export const idParams = Type.Object({ id: Type.String({ format: 'uuid' }) })

export const longestName = 200

export const createBody = Type.Object({
  name: text(longestName),
  description: nullable(1_000),
  subject: text(998),
  body: text(2_000_000),
  from: text(320),
  fromName: nullable(100),
  replyTo: nullable(320),
  type: Type.Optional(contentType),
  audienceType,
  segmentId,
  audienceCondition: tree,
})

export type CreateBody = Static<typeof createBody>

/** Absent members keep their value, null clears those that may be empty. */
export const updateBody = Type.Object({
  name: Type.Optional(text(longestName)),
  description: nullable(1_000),
  subject: Type.Optional(text(998)),
  body: Type.Optional(text(2_000_000)),
  from: Type.Optional(text(320)),
  fromName: nullable(100),
  replyTo: nullable(320),
  type: Type.Optional(contentType),
  audienceType: Type.Optional(audienceType),
  segmentId,
  audienceCondition: tree,
})

export type UpdateBody = Static<typeof updateBody>

export const startMembers = Type.Object({
  scheduledFor: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Number(), Type.Null()])),
})

/** Any date that the platform's parser reads; nothing means now. */
export const sendBody = Type.Optional(Type.Union([startMembers, Type.Null()]))

export const testBody = Type.Object({ email: text(320) })

/** Nothing at all shows it to somebody without data. */
export const previewBody = Type.Optional(
  Type.Union([
    Type.Object({
      contactId: Type.Optional(
        Type.String({ format: 'uuid', description: 'Render with the data of this contact' }),
      ),
      data: Type.Optional(
        Type.Record(Type.String({ maxLength: 500 }), Type.Unknown(), { description: 'Example data' }),
      ),
    }),
    Type.Null(),
  ]),
)

export const listQuery = Type.Object({
  ...pageQuery,
  ...sortQuery,
  status: Type.Optional(Type.String({ maxLength: 100 })),
  search: Type.Optional(Type.String({ maxLength: 500, description: 'Part of name, subject or sender' })),
})

export type ListQuery = Static<typeof listQuery>

export const recipientsQuery = Type.Object({
  ...pageQuery,
  status: Type.Optional(Type.String({ maxLength: 100, description: 'Status of the message' })),
})

export type RecipientsQuery = Static<typeof recipientsQuery>

const orNull = Type.Union([Type.String(), Type.Null()])
const numberOrNull = Type.Union([Type.Number(), Type.Null()])

export const campaignAnswer = Type.Object({
  id: Type.String(),
  name: Type.String(),
  description: orNull,
  subject: Type.String(),
  body: Type.String(),
  from: Type.String(),
  fromName: orNull,
  replyTo: orNull,
  type: contentType,
  status: Type.String({ description: 'DRAFT, SCHEDULED, SENDING, SENT or CANCELLED' }),
  audienceType,
  audienceCondition: Type.Unknown(),
  segmentId: orNull,
  scheduledFor: orNull,
  totalRecipients: Type.Integer(),
  sentCount: Type.Integer(),
  deliveredCount: Type.Integer(),
  openedCount: Type.Integer(),
  clickedCount: Type.Integer(),
  bouncedCount: Type.Integer(),
  projectId: Type.String(),
  sentAt: orNull,
  finishedAt: orNull,
  pausedAt: orNull,
  pausedReason: orNull,
  probeAt: orNull,
  createdAt: Type.String(),
  updatedAt: Type.String(),
})

export const campaignList = offsetListOf(campaignAnswer)

export const wrappedCampaign = Type.Object({ success: Type.Literal(true), data: campaignAnswer })

export const sendAnswer = Type.Object({
  success: Type.Literal(true),
  data: campaignAnswer,
  message: Type.String(),
})

export const testAnswer = Type.Object({ success: Type.Literal(true), message: Type.String() })

export const statsAnswer = Type.Object({
  totalRecipients: Type.Integer(),
  sentCount: Type.Integer(),
  deliveredCount: Type.Integer(),
  openedCount: Type.Integer(),
  clickedCount: Type.Integer(),
  machineOpenedCount: Type.Integer({ description: 'Messages that programs opened; no part of openedCount' }),
  machineClickedCount: Type.Integer({
    description: 'Messages whose links programs followed; no part of clickedCount',
  }),
  bouncedCount: Type.Integer(),
  complainedCount: Type.Integer(),
  unsubscribedCount: Type.Integer(),
  failedCount: Type.Integer(),
  skippedCount: Type.Integer(),
  deliveryRate: Type.Number({ description: 'Percent of what was sent, like all rates' }),
  openRate: Type.Number(),
  clickRate: Type.Number(),
  bounceRate: Type.Number(),
  complaintRate: Type.Number(),
  unsubscribeRate: Type.Number(),
  status: Type.String(),
  pausedAt: orNull,
  pausedReason: orNull,
  probeAt: orNull,
  progress: Type.Object({
    processed: Type.Integer(),
    remaining: Type.Integer(),
    ratePerSecond: numberOrNull,
    secondsLeft: numberOrNull,
  }),
})

export const previewAnswer = Type.Object({
  subject: Type.String(),
  html: Type.String(),
  text: Type.String(),
  warnings: Type.Array(
    Type.Object({
      code: Type.String(),
      message: Type.String(),
      variable: Type.Optional(Type.String()),
    }),
  ),
  audience: Type.Object({
    matching: Type.Integer({ description: 'Contacts in the audience' }),
    recipients: Type.Integer({ description: 'Those of them who would get it' }),
  }),
})

const recipient = Type.Object({
  contactId: Type.String(),
  email: Type.String(),
  emailId: Type.String(),
  status: Type.String(),
  attempts: Type.Integer(),
  lastError: orNull,
  sentAt: orNull,
  deliveredAt: orNull,
  openedAt: orNull,
  clickedAt: orNull,
  bouncedAt: orNull,
})

export const recipientList = offsetListOf(recipient)

export const retryAnswer = Type.Object({
  requeued: Type.Integer(),
  skipped: Type.Integer({ description: 'FAILED and SKIPPED recipients that were left alone' }),
})

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

export interface CountedCampaign {
  row: CampaignRow
  counts: Counts
}

export function toCampaign({ row, counts }: CountedCampaign): Static<typeof campaignAnswer> {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    subject: row.subject,
    body: row.body,
    from: row.fromEmail,
    fromName: row.fromName,
    replyTo: row.replyTo,
    type: row.type,
    status: row.status,
    audienceType: row.audienceType,
    audienceCondition: row.audienceCondition ?? null,
    segmentId: row.segmentId,
    scheduledFor: iso(row.scheduledFor),
    totalRecipients: row.totalRecipients,
    sentCount: counts.sent,
    deliveredCount: counts.delivered,
    openedCount: counts.opened,
    clickedCount: counts.clicked,
    bouncedCount: counts.bounced,
    projectId: row.projectId,
    sentAt: iso(row.sentAt),
    finishedAt: iso(row.finishedAt),
    pausedAt: iso(row.pausedAt),
    pausedReason: row.pausedReason,
    probeAt: iso(row.probeAt),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function toStats({ row, counts }: CountedCampaign, progress: Progress): Static<typeof statsAnswer> {
  const rate = (part: number): number => percent(part, counts.sent)
  return {
    totalRecipients: row.totalRecipients,
    sentCount: counts.sent,
    deliveredCount: counts.delivered,
    openedCount: counts.opened,
    clickedCount: counts.clicked,
    machineOpenedCount: counts.machineOpened,
    machineClickedCount: counts.machineClicked,
    bouncedCount: counts.bounced,
    complainedCount: counts.complained,
    unsubscribedCount: counts.unsubscribed,
    failedCount: counts.failed,
    skippedCount: counts.skipped,
    deliveryRate: rate(counts.delivered),
    openRate: rate(counts.opened),
    clickRate: rate(counts.clicked),
    bounceRate: rate(counts.bounced),
    complaintRate: rate(counts.complained),
    unsubscribeRate: rate(counts.unsubscribed),
    status: row.status,
    pausedAt: iso(row.pausedAt),
    pausedReason: row.pausedReason,
    probeAt: iso(row.probeAt),
    progress,
  }
}

export function toRecipient(row: RecipientRow): Static<typeof recipient> {
  return {
    contactId: row.contactId,
    email: row.toEmail,
    emailId: row.id,
    status: row.status,
    attempts: row.attempts,
    lastError: row.error,
    sentAt: iso(row.sentAt),
    deliveredAt: iso(row.deliveredAt),
    openedAt: iso(row.openedAt),
    clickedAt: iso(row.clickedAt),
    bouncedAt: iso(row.bouncedAt),
  }
}
