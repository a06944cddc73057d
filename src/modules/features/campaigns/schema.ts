// Campaigns: what is sent to whom, how far it has got, and its counts. Recipients are e-mail rows, one for each contact; slices are
// stretches of them that a job sends. The check constraints state what each status implies.
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  doublePrecision,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, id, json, listed, time, updatedAt } from '../../../platform/db/columns'
import { projects } from '../../accounts/projects/schema'
import { contentTypes } from '../../sending/emails/schema'
import type { EditorDocument, TemplateType } from '../../sending/templates/schema'
import type { JudgedVariant } from './authoring/ab-test'
import type { Timing } from './authoring/timing'

export const campaignStatuses = ['DRAFT', 'SCHEDULED', 'SENDING', 'SENT', 'CANCELLED'] as const
export type CampaignStatus = (typeof campaignStatuses)[number]

export const audienceTypes = ['ALL', 'SEGMENT', 'FILTERED'] as const
export type AudienceType = (typeof audienceTypes)[number]

/** What an A/B test compares; what the others get if none wins (A, or nothing until a person chooses); and who decided. */
export const abMetrics = ['CLICKS', 'OPENS'] as const
export const abFallbacks = ['A', 'WAIT'] as const
export const abDeciders = ['TEST', 'FALLBACK', 'PERSON'] as const
export type AbMetric = (typeof abMetrics)[number]

export const campaigns = pgTable(
  'campaigns',
  {
    id: id(),
    projectId: uuid('project_id')
      .notNull()
      .references(() => projects.id, { onDelete: 'cascade' }),
    name: text('name').notNull(),
    description: text('description'),
    subject: text('subject').notNull(),
    /** As its author wrote it, without its layout. Kept once: the rows of its recipients carry no body. */
    body: text('body').notNull(),
    /** What goes around the body. Stays when the layout is deleted after the start. */
    layoutId: uuid('layout_id'),
    /** Body and layout as they were when sending began; null where there is no layout, and before. */
    joinedBody: text('joined_body'),
    /** What an editor made the body from; null if somebody else wrote it. */
    editor: json<EditorDocument>('editor'),
    fromEmail: text('from_email').notNull(),
    fromName: text('from_name'),
    replyTo: text('reply_to'),
    type: text('type').$type<TemplateType>().notNull(),
    status: text('status').$type<CampaignStatus>().notNull(),
    audienceType: text('audience_type').$type<AudienceType>().notNull(),
    audienceCondition: json<unknown>('audience_condition'),
    segmentId: uuid('segment_id'),
    /** Goes to those only whom the topic allows; one-click leaves it. */
    topicId: uuid('topic_id'),
    /** Shown in the archive of its topic, where that is public and the campaign was sent. */
    inArchive: boolean('in_archive').notNull().default(false),
    scheduledFor: time('scheduled_for'),
    /** When each recipient gets it once sending has begun; null: as soon as possible. */
    timing: json<Timing>('timing'),
    /** An estimate until the recipients are recorded, and from then on their number. */
    totalRecipients: integer('total_recipients').notNull().default(0),
    sentAt: time('sent_at'),
    /** Set when the status became SENT or CANCELLED. */
    finishedAt: time('finished_at'),
    pausedAt: time('paused_at'),
    /** Why it was paused automatically; null if a person did it. */
    pausedReason: text('paused_reason'),
    /** When one recipient is tried, to see whether the transport works again; null if a person has to resume. */
    probeAt: time('probe_at'),
    /** Such attempts since it was paused. */
    probes: integer('probes').notNull().default(0),
    /** The newest contact at the start: whoever signs up later is left out. */
    boundary: uuid('boundary'),
    /** The last contact that was looked at; moves in the transaction that records the recipients. */
    expandedTo: uuid('expanded_to'),
    isExpanded: boolean('is_expanded').notNull().default(false),
    /** When sending began or was resumed, and how many were settled by then: the base of its rate. */
    measuredFrom: time('measured_from'),
    measuredBase: integer('measured_base').notNull().default(0),
    /** Counts the changes of the draft, so that nobody overwrites changes they have not seen. */
    version: integer('version').notNull().default(1),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  table => [
    index('campaigns_project_created').on(
      table.projectId,
      table.createdAt.desc().nullsFirst(),
      table.id.desc().nullsFirst(),
    ),
    index('campaigns_due').on(table.scheduledFor).where(sql`status = 'SCHEDULED'`),
    index('campaigns_upcoming').on(table.projectId, table.scheduledFor).where(sql`status = 'SCHEDULED'`),
    index('campaigns_probe').on(table.probeAt).where(sql`probe_at is not null`),
    index('campaigns_segment').on(table.projectId, table.segmentId).where(sql`segment_id is not null`),
    check('campaigns_status', sql`status in ${listed(campaignStatuses)}`),
    check('campaigns_type', sql`type in ${listed(contentTypes)}`),
    check('campaigns_audience_type', sql`audience_type in ${listed(audienceTypes)}`),
    check(
      'campaigns_segment_is_named',
      sql`audience_type <> 'SEGMENT' or segment_id is not null or status in ('DRAFT', 'SENT', 'CANCELLED')`,
    ),
    check('campaigns_condition_is_there', sql`audience_type <> 'FILTERED' or audience_condition is not null`),
    check('campaigns_scheduled_has_time', sql`status <> 'SCHEDULED' or scheduled_for is not null`),
    check(
      'campaigns_started_has_time',
      sql`case status when 'DRAFT' then sent_at is null when 'SCHEDULED' then sent_at is null
            when 'CANCELLED' then true else sent_at is not null end`,
    ),
    check('campaigns_finished_has_time', sql`(status in ('SENT', 'CANCELLED')) = (finished_at is not null)`),
    check('campaigns_sent_is_expanded', sql`status <> 'SENT' or is_expanded`),
    check('campaigns_paused_is_sending', sql`paused_at is null or status = 'SENDING'`),
    check('campaigns_reason_is_paused', sql`paused_reason is null or paused_at is not null`),
    check('campaigns_probe_is_paused', sql`probe_at is null or paused_at is not null`),
    check('campaigns_total', sql`total_recipients >= 0`),
  ],
)

/** Recipients whose contact ids are in `(after, up_to]`. Work on a slice is one job at a time, so nothing else guards its rows. */
export const campaignSlices = pgTable(
  'campaign_slices',
  {
    id: id(),
    projectId: uuid('project_id').notNull(),
    campaignId: uuid('campaign_id')
      .notNull()
      .references(() => campaigns.id, { onDelete: 'cascade' }),
    after: uuid('after').notNull(),
    upTo: uuid('up_to').notNull(),
    /** Recipients recorded in it. */
    recipients: integer('recipients').notNull(),
    /** Set while none of its recipients is open. */
    doneAt: time('done_at'),
    /** In an A/B test: everybody on whom a variant is tried has had a first attempt, or is held. */
    isTested: boolean('is_tested').notNull().default(false),
    /** After an A/B test: the others have been given their moments, counted from the decision, and the words of the winner. */
    isPlanned: boolean('is_planned').notNull().default(false),
  },
  slice => [
    uniqueIndex('campaign_slices_place').on(slice.campaignId, slice.after),
    index('campaign_slices_open').on(slice.campaignId, slice.id).where(sql`done_at is null`),
    check('campaign_slices_order', sql`after < up_to`),
  ],
)

/** The A/B test of a campaign: its plan and its outcome. */
export const campaignAbTests = pgTable(
  'campaign_ab_tests',
  {
    campaignId: uuid('campaign_id')
      .primaryKey()
      .references(() => campaigns.id, { onDelete: 'cascade' }),
    projectId: uuid('project_id').notNull(),
    /** How many there are, A included. */
    variants: smallint('variants').notNull(),
    /** In percent, like the confidence. */
    share: smallint('share').notNull(),
    /** Below which place each variant ends (`AbSplit`): by the share alone until sending begins, which counts a small audience. */
    ends: doublePrecision('ends').array().notNull().default(sql`'{}'`),
    metric: text('metric').$type<AbMetric>().notNull(),
    /** Counted from when the whole share has been tried. */
    afterHours: smallint('after_hours').notNull(),
    confidence: doublePrecision('confidence').notNull(),
    otherwise: text('otherwise').$type<(typeof abFallbacks)[number]>().notNull(),
    /** When it is to be judged; null before that is known, and afterwards. */
    dueAt: time('due_at'),
    /** When its figures were looked at, and what they were, A first. */
    judgedAt: time('judged_at'),
    figures: json<JudgedVariant[]>('figures'),
    /** The number of the variant that the others get. Written once. */
    winner: smallint('winner'),
    decidedAt: time('decided_at'),
    decidedBy: text('decided_by').$type<(typeof abDeciders)[number]>(),
  },
  test => [
    index('campaign_ab_tests_due').on(test.dueAt).where(sql`due_at is not null`),
    check('campaign_ab_tests_split', sql`variants between 2 and 5 and share between 1 and 100`),
    check('campaign_ab_tests_metric', sql`metric in ${listed(abMetrics)}`),
    check('campaign_ab_tests_otherwise', sql`otherwise in ${listed(abFallbacks)}`),
    check('campaign_ab_tests_decided_by', sql`decided_by in ${listed(abDeciders)}`),
    check(
      'campaign_ab_tests_outcome',
      sql`case when winner is null then decided_at is null and decided_by is null
            else winner between 0 and variants - 1 and decided_at is not null and decided_by is not null and judged_at is not null end
          and (judged_at is null) = (figures is null)`,
    ),
  ],
)

/** The variants of a test. What one leaves null is the campaign's own, so A has nothing but its id. */
export const campaignVariants = pgTable(
  'campaign_variants',
  {
    /** Its counts are kept under this id, as those of campaigns are under theirs. */
    id: id(),
    projectId: uuid('project_id').notNull(),
    campaignId: uuid('campaign_id')
      .notNull()
      .references(() => campaignAbTests.campaignId, { onDelete: 'cascade' }),
    number: smallint('number').notNull(),
    subject: text('subject'),
    fromName: text('from_name'),
    body: text('body'),
    /** In the layout of the campaign, as it was when sending began. */
    joinedBody: text('joined_body'),
    editor: json<EditorDocument>('editor'),
  },
  variant => [uniqueIndex('campaign_variants_number').on(variant.campaignId, variant.number)],
)

const tally = (name: string) => bigint(name, { mode: 'number' }).notNull().default(0)
const step = (name: string) => integer(name).notNull().default(0)

/** What became of a campaign's recipients, as far as the deltas have been rolled up. */
export const campaignCounts = pgTable(
  'campaign_counts',
  {
    projectId: uuid('project_id').notNull(),
    campaignId: uuid('campaign_id').notNull(),
    /** Recipients that are no longer open, in whatever way. */
    settled: tally('settled'),
    sent: tally('sent'),
    delivered: tally('delivered'),
    opened: tally('opened'),
    clicked: tally('clicked'),
    /** Recipients whose message a program opened, or followed a link of; a person may have done so too. */
    machineOpened: tally('machine_opened'),
    machineClicked: tally('machine_clicked'),
    bounced: tally('bounced'),
    complained: tally('complained'),
    unsubscribed: tally('unsubscribed'),
    failed: tally('failed'),
    skipped: tally('skipped'),
    /** Recipients who wait because of quiet hours, a cap or the campaign's own hours; they are open. */
    held: tally('held'),
    /** Of the skipped ones: those whom quiet hours or a cap skipped. */
    capped: tally('capped'),
  },
  counts => [primaryKey({ name: 'campaign_counts_pkey', columns: [counts.projectId, counts.campaignId] })],
)

/**
 * Changes of those counts, appended in the transaction that changes the rows, so that deliveries don't queue behind one another for a
 * counter. `campaign.rollUp` rolls them up, and a read adds what is not rolled up yet: exact at any moment.
 */
export const campaignDeltas = pgTable(
  'campaign_deltas',
  {
    projectId: uuid('project_id').notNull(),
    campaignId: uuid('campaign_id').notNull(),
    settled: step('settled'),
    sent: step('sent'),
    delivered: step('delivered'),
    opened: step('opened'),
    clicked: step('clicked'),
    machineOpened: step('machine_opened'),
    machineClicked: step('machine_clicked'),
    bounced: step('bounced'),
    complained: step('complained'),
    unsubscribed: step('unsubscribed'),
    failed: step('failed'),
    skipped: step('skipped'),
    held: step('held'),
    capped: step('capped'),
  },
  delta => [index('campaign_deltas_campaign').on(delta.projectId, delta.campaignId)],
)

/** Which contact followed which link of a campaign: a row for each pair, however often. People only, as far as one can tell. */
export const campaignClicks = pgTable(
  'campaign_clicks',
  {
    projectId: uuid('project_id').notNull(),
    campaignId: uuid('campaign_id').notNull(),
    /** MD5 of the link: an index has no room for long ones. */
    linkHash: uuid('link_hash').notNull(),
    contactId: uuid('contact_id').notNull(),
    link: text('link').notNull(),
    /** Of our own links and of a provider's, which see the same clicks: the greater number counts. */
    ownClicks: step('own_clicks'),
    providerClicks: step('provider_clicks'),
    firstAt: time('first_at').notNull(),
  },
  click => [
    primaryKey({
      name: 'campaign_clicks_pkey',
      columns: [click.projectId, click.campaignId, click.linkHash, click.contactId],
    }),
  ],
)
