// Receivers that refuse the mail of a campaign.
import { sql } from 'drizzle-orm'
import { check, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { listed, time } from '../../../../platform/db/columns'

export const receiverStates = ['watched', 'paused', 'leftOut'] as const
export type ReceiverState = (typeof receiverStates)[number]

/**
 * How a receiver answers the messages of a campaign, from its first refusal for the sender's sake on; the row goes when it refuses nothing any
 * more and nothing waits for it. A receiver is a large provider by its name, else the domain of the address.
 */
export const campaignReceivers = pgTable(
  'campaign_receivers',
  {
    projectId: uuid('project_id').notNull(),
    campaignId: uuid('campaign_id').notNull(),
    receiver: text('receiver').notNull(),
    state: text('state').$type<ReceiverState>().notNull().default('watched'),
    /** Its newest answers, the last one at the end: `r` for a refusal of the sender, `a` for any other. */
    answers: text('answers').notNull().default(''),
    /** What it said last when it refused. */
    words: text('words').notNull(),
    since: time('since').notNull(),
    /** When one message tries whether it takes mail again, and how often that was done. */
    probeAt: time('probe_at'),
    probes: integer('probes').notNull().default(0),
    /** Messages that wait because of it. */
    held: integer('held').notNull().default(0),
  },
  row => [
    primaryKey({ name: 'campaign_receivers_pkey', columns: [row.projectId, row.campaignId, row.receiver] }),
    check('campaign_receivers_receiver', sql`char_length(receiver) between 1 and 253`),
    check('campaign_receivers_state', sql`state in ${listed(receiverStates)}`),
    check('campaign_receivers_answers', sql`char_length(answers) <= 20`),
    check('campaign_receivers_probe', sql`(state = 'paused') = (probe_at is not null)`),
  ],
)
