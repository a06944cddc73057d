// What is reported about a campaign: counts and progress, its recipients, how it looks to one of them.
import { type Static, Type } from '@sinclair/typebox'
import { answeredId, answeredInstant, nullableInstant } from '../../../../lib/answered'
import { describedAs, oneOfWords } from '../../../../lib/described'
import { seekableListOf } from '../../../../lib/paging'
import { sentenceOf } from '../../../../platform/transports/reason'
import { emailReason, emailReasonDetail, emailStatuses } from '../../../sending/emails'
import { warning } from '../../../sending/templates'
import type { VariantName } from '../authoring/ab-test'
import { variantName } from '../authoring/ab-test-model'
import { forecastUnknowns } from '../authoring/forecast-hours'
import { type CountedCampaign, campaignStatus } from '../model'
import { percent } from './counts'
import type { CampaignProgress } from './progress'
import type { Hour } from './queries/clicks'
import type { RecipientRow } from './queries/recipients'
import { usualRates } from './usual-model'

const orNull = Type.Union([Type.String(), Type.Null()])
const numberOrNull = Type.Union([Type.Number(), Type.Null()])

export const statsAnswer = Type.Object(
  {
    totalRecipients: Type.Integer(),
    sentCount: Type.Integer(),
    deliveredCount: Type.Integer(),
    openedCount: Type.Integer(),
    clickedCount: Type.Integer(),
    machineOpenedCount: Type.Integer({
      description: 'Messages that programs opened; not part of openedCount',
    }),
    machineClickedCount: Type.Integer({
      description: 'Messages whose links programs followed; not part of clickedCount',
    }),
    bouncedCount: Type.Integer(),
    complainedCount: Type.Integer(),
    unsubscribedCount: Type.Integer(),
    failedCount: Type.Integer(),
    skippedCount: Type.Integer(),
    heldCount: Type.Integer({
      description: "Recipients who wait because of quiet hours, a cap or the campaign's hours",
    }),
    skippedByRuleCount: Type.Integer({
      description: 'Of skippedCount: recipients whom quiet hours or a cap skipped',
    }),
    deliveryRate: Type.Number({ description: 'Percent of what was sent, like all rates' }),
    openRate: Type.Number(),
    clickRate: Type.Number(),
    bounceRate: Type.Number(),
    complaintRate: Type.Number(),
    unsubscribeRate: Type.Number(),
    status: describedAs(Type.String(), campaignStatus),
    pausedAt: nullableInstant(),
    pausedReason: orNull,
    progress: Type.Object({
      processed: Type.Integer(),
      remaining: Type.Integer(),
      ratePerSecond: numberOrNull,
      secondsLeft: numberOrNull,
    }),
    usual: usualRates,
  },
  { title: 'CampaignStats' },
)

const audienceCounts = {
  matching: Type.Integer({ description: 'Contacts in the audience' }),
  recipients: Type.Integer({
    description: 'Contacts of these who are subscribed; for a transactional campaign, all of these',
  }),
}

const skipped = (description: string) => Type.Integer({ description })

export const audienceAnswer = Type.Object(
  {
    ...audienceCounts,
    reached: Type.Integer({ description: 'Recipients who get it if it is sent now' }),
    delayed: Type.Integer({
      description: 'Recipients of these who get it later, because of the frequency cap',
    }),
    skipped: Type.Object(
      {
        unsubscribed: skipped('Unsubscribed'),
        snoozed: skipped('Unsubscribed until a date'),
        neverSubscribed: skipped('Not subscribed, and never unsubscribed'),
        topic: skipped('Subscribed, but not to the topic of the campaign'),
        suppressed: skipped('Their address is suppressed, or was erased'),
        cap: skipped('Over the frequency cap of a project that skips them'),
      },
      { description: 'All other contacts of the audience, each by the first reason that applies' },
    ),
  },
  { title: 'CampaignAudience' },
)

export const forecastAnswer = Type.Object(
  {
    domain: Type.String({ description: 'That it is sent from' }),
    transports: Type.Array(Type.String(), {
      description: 'The transports in a warm-up that bound it, because it can take no other; none otherwise',
    }),
    recipients: Type.Integer({ description: 'Who has still to be written to' }),
    lastDate: Type.Union([Type.String(), Type.Null()], {
      description: 'The last of the days; null where everything leaves at once',
    }),
    days: Type.Array(
      Type.Object({
        date: Type.String({ description: 'In UTC: YYYY-MM-DD' }),
        messages: Type.Integer(),
      }),
      {
        description:
          'On which it leaves, while the domain, or each transport that it can take, is in a warm-up; none without one',
      },
    ),
    moments: Type.Array(
      Type.Object({
        at: answeredInstant({ description: 'When the hour begins' }),
        recipients: Type.Integer(),
      }),
      {
        description:
          'Who is due in which hour, by their time zones and the cap; none where everybody is at once',
      },
    ),
    withoutTimeZone: Type.Integer({
      description: 'Recipients whose time zone is not known: for them, that of the project holds',
    }),
    heldByCap: Type.Integer({
      description:
        'Before it begins: recipients who have had so much marketing mail that the cap holds theirs; they are among `moments`, in the hour in which it lets them have it',
    }),
    skippedByCap: Type.Integer({
      description:
        'Before it begins: those whom the cap skips, as the project says; they are in no hour and on no day',
    }),
    unknown: Type.Array(oneOfWords(forecastUnknowns), {
      description:
        'What the forecast can not know: OTHER_PROJECTS, what they send by the same transports; RECIPIENT_TRANSPORTS, whom transports for certain domains take; OTHER_MAIL, what else leaves first and counts for the cap',
    }),
  },
  { title: 'CampaignForecast' },
)

export const linksAnswer = Type.Object(
  {
    links: Type.Array(
      Type.Object({
        link: Type.String(),
        people: Type.Integer({ description: 'Recipients who followed it' }),
        clicks: Type.Integer({ description: 'By people, as far as one can tell' }),
      }),
      { description: 'The 200 that most recipients followed' },
    ),
  },
  { title: 'CampaignLinks' },
)

export const timelineAnswer = Type.Object(
  {
    hours: Type.Array(
      Type.Object({
        at: answeredInstant({ description: 'When the hour began' }),
        opened: Type.Integer({ description: 'Messages that people opened for the first time in this hour' }),
        clicked: Type.Integer({ description: 'Messages that people followed a link of for the first time' }),
      }),
      { description: 'Hours in which something happened, of the first 30 days' },
    ),
  },
  { title: 'CampaignTimeline' },
)

export const previewAnswer = Type.Object(
  {
    subject: Type.String(),
    html: Type.String(),
    text: Type.String(),
    warnings: Type.Array(warning),
    audience: Type.Object(audienceCounts),
  },
  { title: 'CampaignPreview' },
)

const recipient = Type.Object(
  {
    contactId: answeredId(),
    email: Type.String({ description: 'Email address, or `erased` if the data of this person was erased' }),
    name: Type.Union([Type.String(), Type.Null()], {
      description:
        'From the current custom fields `firstName` and `lastName`, or `name`; null if there are none',
    }),
    emailId: answeredId(),
    status: describedAs(Type.String(), { title: 'EmailStatus', type: 'string', enum: emailStatuses }),
    attempts: Type.Integer(),
    lastError: orNull,
    reason: emailReason,
    reasonDetail: emailReasonDetail,
    sentAt: nullableInstant(),
    deliveredAt: nullableInstant(),
    openedAt: nullableInstant(),
    clickedAt: nullableInstant(),
    bouncedAt: nullableInstant(),
    variant: Type.Optional(
      Type.Union([variantName, Type.Null()], {
        description: 'In an A/B test, the variant they get; null while they wait for the winner',
      }),
    ),
  },
  { title: 'CampaignRecipient' },
)

export const recipientList = seekableListOf(recipient)

export const retryAnswer = Type.Object({
  requeued: Type.Integer(),
  skipped: Type.Integer({ description: 'FAILED and SKIPPED recipients that were left alone' }),
})

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

export function toStats(
  { row, counts }: CountedCampaign,
  progress: CampaignProgress,
): Omit<Static<typeof statsAnswer>, 'usual'> {
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
    heldCount: counts.held,
    skippedByRuleCount: counts.capped,
    deliveryRate: rate(counts.delivered),
    openRate: rate(counts.opened),
    clickRate: rate(counts.clicked),
    bounceRate: rate(counts.bounced),
    complaintRate: rate(counts.complained),
    unsubscribeRate: rate(counts.unsubscribed),
    status: row.status,
    pausedAt: iso(row.pausedAt),
    pausedReason: row.pausedReason,
    progress,
  }
}

export function toHour({ at, ...counts }: Hour) {
  return { at: at.toISOString(), ...counts }
}

interface AboutRecipients {
  nameOf: (contactId: string) => string | null
  /** Where the campaign has an A/B test. */
  variantOf: ((contactId: string) => VariantName | null) | undefined
}

export function toCampaignRecipient(
  row: RecipientRow,
  { nameOf, variantOf }: AboutRecipients,
): Static<typeof recipient> {
  return {
    contactId: row.contactId,
    email: row.toEmail,
    name: nameOf(row.contactId),
    emailId: row.id,
    status: row.status,
    attempts: row.attempts,
    lastError: sentenceOf(row),
    reason: row.reason,
    reasonDetail: row.reasonDetail,
    sentAt: iso(row.sentAt),
    deliveredAt: iso(row.deliveredAt),
    openedAt: iso(row.openedAt),
    clickedAt: iso(row.clickedAt),
    bouncedAt: iso(row.bouncedAt),
    ...(variantOf ? { variant: variantOf(row.contactId) } : {}),
  }
}

export function toForecast({
  moments,
  ...forecast
}: Omit<Static<typeof forecastAnswer>, 'lastDate' | 'moments'> & {
  moments: ReadonlyArray<{ at: Date; recipients: number }>
}): Static<typeof forecastAnswer> {
  return {
    ...forecast,
    lastDate: forecast.days.at(-1)?.date ?? null,
    moments: moments.map(({ at, recipients }) => ({ at: at.toISOString(), recipients })),
  }
}
