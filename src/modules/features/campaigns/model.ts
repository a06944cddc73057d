// Requests of the campaign routes, and a campaign as clients see it.
import { type Static, Type } from '@sinclair/typebox'
import { answeredTree, givenTreeOrNull } from '../../../filters/schema'
import {
  answeredAddress,
  answeredId,
  answeredInstant,
  nullableAddress,
  nullableId,
  nullableInstant,
} from '../../../lib/answered'
import { addressText, describedAs, filterWord, oneOfWords, queryText } from '../../../lib/described'
import { anyKey } from '../../../lib/free-form'
import { lenientSortQuery, namedSortKeys, offsetListOf, pageQuery } from '../../../lib/paging'
import { contentTypes } from '../../sending/emails'
import {
  answeredEditor,
  answeredLayoutId,
  answeredVersion,
  expectedVersion,
  givenEditor,
  layoutId,
} from '../../sending/templates'
import { answeredAbTest, givenAbTest, toAbTest, variantName } from './authoring/ab-test-model'
import type { StoredAbTest } from './authoring/queries/ab-tests'
import { answeredTiming, givenTiming } from './authoring/timing-model'
import type { ListedCampaign } from './queries'
import type { CampaignCounts } from './results/counts'
import { audienceTypes, campaignStatuses } from './schema'
import { answeredReceivers, toReceivers } from './sending/model'
import type { CampaignReceiver } from './sending/queries/receivers'

const text = (maxLength: number) => Type.String({ minLength: 1, maxLength })
const nullable = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]))
const replyTo = Type.Optional(Type.Union([addressText(), Type.Null()]))
const contentType = oneOfWords(contentTypes)
const audienceType = oneOfWords(audienceTypes)
const segmentId = Type.Optional(Type.Union([Type.String({ format: 'uuid' }), Type.Null()]))
const topicId = Type.Optional(
  Type.Union([Type.String({ format: 'uuid' }), Type.Null()], {
    description: 'It goes to those only whom the topic allows, and one-click leaves the topic',
  }),
)

export const idParams = Type.Object({ id: Type.String({ format: 'uuid' }) })

export const maxCampaignNameLength = 200

export const createBody = Type.Object({
  name: text(maxCampaignNameLength),
  description: nullable(1_000),
  subject: text(998),
  body: text(2_000_000),
  editor: givenEditor,
  layoutId: Type.Optional(layoutId),
  from: addressText({ minLength: 1 }),
  fromName: nullable(100),
  replyTo,
  type: Type.Optional(contentType),
  audienceType,
  segmentId,
  topicId,
  audienceCondition: givenTreeOrNull,
  timing: givenTiming,
  abTest: givenAbTest,
})

export type CreateBody = Static<typeof createBody>

/** Absent members keep their value, null clears those that may be empty. */
export const updateBody = Type.Object({
  name: Type.Optional(text(maxCampaignNameLength)),
  description: nullable(1_000),
  subject: Type.Optional(text(998)),
  body: Type.Optional(text(2_000_000)),
  editor: givenEditor,
  layoutId: Type.Optional(layoutId),
  expectedVersion,
  from: Type.Optional(addressText({ minLength: 1 })),
  fromName: nullable(100),
  replyTo,
  type: Type.Optional(contentType),
  audienceType: Type.Optional(audienceType),
  segmentId,
  topicId,
  audienceCondition: givenTreeOrNull,
  timing: givenTiming,
  abTest: givenAbTest,
})

export type UpdateBody = Static<typeof updateBody>

export const startMembers = Type.Object({
  scheduledFor: Type.Optional(Type.Union([Type.String({ maxLength: 100 }), Type.Number(), Type.Null()])),
  delaySeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 600,
      description:
        'Instead of `scheduledFor`: send after so many seconds, and until then POST /campaigns/:id/unschedule takes it back',
      'x-waxwing-addition': true,
    }),
  ),
  expectedVersion,
})

export type StartBody = Static<typeof startMembers>

/** Any date that the platform's parser reads; none means now. */
export const sendBody = Type.Optional(Type.Union([startMembers, Type.Null()]))

export const archiveBody = Type.Object({
  inArchive: Type.Boolean({
    description: 'Whether the public archive of its topic shows it, once it was sent',
  }),
})

/** Without any of these, it is shown as for somebody without data. */
export const previewBody = Type.Optional(
  Type.Union([
    Type.Object({
      contactId: Type.Optional(
        Type.String({ format: 'uuid', description: 'Render with the data of this contact' }),
      ),
      data: Type.Optional(Type.Record(anyKey, Type.Unknown(), { description: 'Example data' })),
      variant: Type.Optional(variantName),
    }),
    Type.Null(),
  ]),
)

export const listQuery = Type.Object({
  ...pageQuery,
  ...lenientSortQuery(namedSortKeys),
  status: Type.Optional(
    filterWord(campaignStatuses, 'Only campaigns with this status; other values are 400'),
  ),
  search: Type.Optional(queryText(500, 'Part of name, subject or sender')),
})

export type ListQuery = Static<typeof listQuery>

/** An audience that is not stored, to be counted. */
export const audienceBody = Type.Object({
  type: Type.Optional(contentType),
  audienceType,
  segmentId,
  topicId,
  audienceCondition: givenTreeOrNull,
})

export type AudienceBody = Static<typeof audienceBody>

export const campaignStatus = { title: 'CampaignStatus', type: 'string', enum: campaignStatuses }
const orNull = Type.Union([Type.String(), Type.Null()])

export const campaignAnswer = Type.Object(
  {
    id: answeredId(),
    name: Type.String(),
    description: orNull,
    subject: Type.String(),
    body: Type.String(),
    editor: answeredEditor,
    layoutId: answeredLayoutId,
    version: answeredVersion,
    from: answeredAddress(),
    fromName: orNull,
    replyTo: nullableAddress(),
    type: contentType,
    status: describedAs(Type.String(), campaignStatus),
    audienceType,
    audienceCondition: describedAs(Type.Unknown(), answeredTree),
    segmentId: nullableId(),
    topicId: nullableId(),
    inArchive: Type.Boolean({ description: 'Shown in the public archive of its topic once it is sent' }),
    timing: answeredTiming,
    abTest: answeredAbTest,
    scheduledFor: nullableInstant(),
    totalRecipients: Type.Integer(),
    sentCount: Type.Integer(),
    deliveredCount: Type.Integer(),
    openedCount: Type.Integer(),
    clickedCount: Type.Integer(),
    bouncedCount: Type.Integer(),
    projectId: answeredId(),
    sentAt: nullableInstant(),
    finishedAt: nullableInstant(),
    pausedAt: nullableInstant(),
    pausedReason: orNull,
    receivers: answeredReceivers,
    createdAt: answeredInstant(),
    updatedAt: answeredInstant(),
  },
  { title: 'Campaign' },
)

export const campaignList = offsetListOf(campaignAnswer)

export const wrappedCampaign = Type.Object({ success: Type.Literal(true), data: campaignAnswer })

export const sendAnswer = Type.Object({
  success: Type.Literal(true),
  data: campaignAnswer,
  message: Type.String(),
})

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

export interface CountedCampaign {
  row: ListedCampaign
  counts: CampaignCounts
  /** Lists leave it out. */
  abTest?: StoredAbTest | null
  receivers?: readonly CampaignReceiver[]
}

export function toCampaign({
  row,
  counts,
  abTest,
  receivers,
}: CountedCampaign): Static<typeof campaignAnswer> {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    subject: row.subject,
    body: row.body,
    ...(row.editor === undefined ? {} : { editor: row.editor }),
    layoutId: row.layoutId,
    version: row.version,
    from: row.fromEmail,
    fromName: row.fromName,
    replyTo: row.replyTo,
    type: row.type,
    status: row.status,
    audienceType: row.audienceType,
    audienceCondition: row.audienceCondition ?? null,
    segmentId: row.segmentId,
    topicId: row.topicId,
    inArchive: row.inArchive,
    timing: row.timing,
    ...(abTest === undefined ? {} : { abTest: abTest && toAbTest(abTest) }),
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
    ...(receivers === undefined ? {} : { receivers: toReceivers(receivers) }),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}
