// Fills a project with the history of a year for the feed and the analytics: messages, what became of them, events, executions and
// campaigns, by a few statements over generate_series; with the totals as the product keeps them, the latest changes still appended.
import type postgres from 'postgres'
import { idMaker, momentOf } from './generate'

export interface History {
  projectId: string
  contacts: number
  emails: number
  /** Three in four are about messages. */
  events: number
  /** Names that clients track. */
  names: number
  executions: number
  now: Date
}

/** Recipients of a campaign; three in five messages are a campaign's. */
const campaignSize = 1_000
const workflows = 20

/** Faster to build afterwards than to maintain while the rows come in. */
const secondary = [
  'contacts_email_search',
  'emails_project_created',
  'emails_contact',
  'emails_campaign',
  'events_name',
  'events_contact',
  'workflow_executions_begun',
  'workflow_executions_ended',
]

const tables = [
  ...[
    'contacts',
    'emails',
    'email_days',
    'email_day_deltas',
    'events',
    'event_totals',
    'event_name_totals',
    'event_deltas',
  ],
  ...[
    'workflows',
    'workflow_snapshots',
    'workflow_executions',
    'workflow_timers',
    'workflow_active',
    'workflow_counts',
    'workflow_deltas',
    'campaigns',
    'campaign_counts',
    'campaign_deltas',
  ],
]

/** Fills all of the projects, then vacuums and analyses. The tables should be empty. */
export async function generateHistories(sql: postgres.Sql, histories: readonly History[]): Promise<void> {
  const session = await sql.reserve()
  try {
    await session.unsafe(`set synchronous_commit = off; set maintenance_work_mem = '512MB'`)
    await session.unsafe(idMaker)
    const indexes = await session<{ name: string; definition: string }[]>`
      select indexname as name, indexdef as definition from pg_indexes where indexname = any(${secondary}::text[])`
    if (indexes.length !== secondary.length) throw new Error('some indexes have other names')
    for (const { name } of indexes) await session.unsafe(`drop index ${name}`)
    for (const history of histories) await generateHistory(session, history)
    for (const { definition } of indexes) await session.unsafe(definition)
    for (const table of tables) await session.unsafe(`vacuum analyze ${table}`)
    await session.unsafe('drop function bench_id; reset all; checkpoint')
  } finally {
    session.release()
  }
}

async function generateHistory(session: postgres.Sql, history: History): Promise<void> {
  const { projectId, now } = history
  await session`
    insert into projects (id, name, public_key_hash, secret_key_hash, public_key_sealed, secret_key_sealed, webhook_secret_sealed,
                          created_at, updated_at)
    select id, 'Bench', id || 'public', id || 'secret', '', '', '', ${now}::timestamptz, ${now}::timestamptz
      from (select ${projectId}::uuid as id) one`
  await insertContacts(session, history)
  await insertCampaigns(session, history)
  await insertExecutions(session, history)
  await insertEmails(session, history)
  await insertEvents(session, history)
  await countEmails(session, projectId)
  await countEvents(session, projectId)
  await countCampaigns(session, projectId)
}

const contactId = (n: string, { contacts, now }: History): string =>
  `bench_id((${momentOf('c', contacts, now)})::timestamptz(3), c)`.replaceAll(/\bc\b/g, `(${n})`)

async function insertContacts(session: postgres.Sql, history: History): Promise<void> {
  const { projectId, contacts, now } = history
  await session.unsafe(`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select bench_id(at, n), '${projectId}', 'c' || n || '@example.com', true, '{"plan": "pro"}', at, at
      from generate_series(1, ${contacts}) n
     cross join lateral (select (${momentOf('n', contacts, now)})::timestamptz(3) as at) as moment`)
}

/** Every twentieth is scheduled for the days to come, every tenth a draft. */
async function insertCampaigns(session: postgres.Sql, { projectId, emails, now }: History): Promise<void> {
  const campaigns = Math.ceil(emails / campaignSize)
  await session.unsafe(`
    insert into campaigns (id, project_id, name, subject, body, from_email, type, status, audience_type, scheduled_for,
                           total_recipients, sent_at, finished_at, is_expanded, created_at, updated_at)
    select bench_id(at, n), '${projectId}', 'Campaign ' || n, 'Subject ' || n, repeat('<p>Dear reader</p>', 200), 'a@bench.example',
           'MARKETING', status, 'ALL',
           case when status = 'SCHEDULED' then '${now.toISOString()}'::timestamptz + n * interval '1 minute' end, ${campaignSize},
           case when status = 'SENT' then at end, case when status = 'SENT' then at end, status = 'SENT', at, at
      from generate_series(0, ${campaigns}) n
     cross join lateral (select (${momentOf('n', campaigns, now)})::timestamptz(3) as at,
                                case when n % 20 = 7 then 'SCHEDULED' when n % 10 = 3 then 'DRAFT' else 'SENT' end as status) as row`)
}

/** One in five is still waiting, half of these for a time in the days to come. */
async function insertExecutions(session: postgres.Sql, history: History): Promise<void> {
  const { projectId, executions, contacts, now } = history
  const [wait, mail] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002']
  const graph = {
    workflowName: 'Welcome',
    steps: [
      { id: wait, type: 'DELAY', name: 'Wait', config: { amount: 3, unit: 'days' }, templateId: null },
      { id: mail, type: 'SEND_EMAIL', name: 'Write', config: {}, templateId: mail },
    ],
    transitions: [
      {
        id: wait,
        fromStepId: wait,
        toStepId: mail,
        branch: null,
        waitOutcome: null,
        priority: 0,
        automatic: false,
      },
    ],
    templates: [{ id: mail, subject: 'Welcome', body: '<p>Dear reader</p>'.repeat(2_000) }],
  }
  await session.unsafe(`
    insert into workflows (id, project_id, name, enabled, trigger_type, event_name, allow_reentry, revision, created_at, updated_at)
    select bench_id('${now.toISOString()}', n), '${projectId}', 'Workflow ' || n, true, 'EVENT', 'event 1', true, 1, now(), now()
      from generate_series(1, ${workflows}) n`)
  await session`
    insert into workflow_snapshots (id, project_id, workflow_id, stamp, graph, created_at)
    select id, project_id, id, '1', ${JSON.stringify(graph)}::jsonb, created_at from workflows where project_id = ${projectId}::uuid`
  await session.unsafe(`
    insert into workflow_executions (id, project_id, workflow_id, snapshot_id, contact_id, status, current_step_id, is_inside, version,
                                     once, wake_at, started_at, completed_at, created_at, updated_at)
    select bench_id(at, n), '${projectId}', flow, flow, ${contactId(`1 + n % ${contacts}`, history)},
           case when waits then 'WAITING' else 'COMPLETED' end, '${wait}', true, 3, false,
           case when waits and n % 2 = 0 then '${now.toISOString()}'::timestamptz + n * interval '1 second' end, at,
           case when not waits then at + n % 5000 * interval '1 minute' end, at, at
      from generate_series(1, ${executions}) n
     cross join lateral (select (${momentOf('n', executions, now)})::timestamptz(3) as at, n > ${executions * 0.8} as waits,
                                bench_id('${now.toISOString()}', 1 + n / ${contacts} % ${workflows}) as flow) as row`)
  await session.unsafe(`
    insert into workflow_timers (project_id, wake_at, execution_id)
    select project_id, wake_at, id from workflow_executions where project_id = '${projectId}' and wake_at is not null`)
  await session.unsafe(`
    insert into workflow_active (project_id, workflow_id, status, started_at, execution_id)
    select project_id, workflow_id, status, started_at, id from workflow_executions
     where project_id = '${projectId}' and completed_at is null`)
  await session.unsafe(`
    insert into workflow_counts (project_id, workflow_id, status, executions)
    select project_id, workflow_id, status, count(*) from workflow_executions where project_id = '${projectId}' group by 1, 2, 3`)
}

const emailId = (n: string, { emails, now }: History): string =>
  `bench_id((${momentOf('m', emails, now)})::timestamptz(3), m)`.replaceAll(/\bm\b/g, `(${n})`)

async function insertEmails(session: postgres.Sql, history: History): Promise<void> {
  const { projectId, contacts, emails, executions, now } = history
  const campaigns = Math.ceil(emails / campaignSize)
  await session.unsafe(`
    insert into emails (id, project_id, contact_id, source_type, mail_class, campaign_id, workflow_execution_id, to_email, from_email,
                        from_name, subject, html, text, headers, message_id, status, sent_at, delivered_at, opened_at, clicked_at,
                        bounced_at, reason, reason_detail, opens, clicks, created_at, updated_at)
    select id, '${projectId}', ${contactId(`1 + n * 7919 % ${contacts}`, history)},
           case when n % 5 < 3 then 'CAMPAIGN' when n % 5 = 3 then 'WORKFLOW' else 'TRANSACTIONAL' end, 'marketing',
           case when n % 5 < 3 then bench_id((${momentOf(`(n / ${campaignSize})`, campaigns, now)})::timestamptz(3), n / ${campaignSize}) end,
           case when n % 5 = 3 then bench_id((${momentOf(`(1 + n % ${executions})`, executions, now)})::timestamptz(3), 1 + n % ${executions}) end,
           'c' || n || '@example.com', 'a@bench.example', 'Bench', 'Subject ' || n / ${campaignSize}, '', '', '{}', n || '@bench.example',
           case when n % 50 = 0 then 'BOUNCED' when n % 10 = 1 then 'CLICKED' when n % 10 < 5 then 'OPENED' else 'DELIVERED' end,
           at, at, case when n % 10 < 5 then at end, case when n % 10 = 1 then at end, case when n % 50 = 0 then at end,
           case when n % 50 = 0 then 'dead' end, case when n % 50 = 0 then '{"words": "550 no such user"}'::jsonb end, (n % 10 < 5)::int, (n % 10 = 1)::int, at, at
      from generate_series(1, ${emails}::bigint) n
     cross join lateral (select (${momentOf('n', emails, now)})::timestamptz(3) as at) as moment
     cross join lateral (select bench_id(at, n) as id) as named`)
}

/** The higher the number of a custom name, the less frequent it is; the last one happened ten times, all of them long ago. */
async function insertEvents(session: postgres.Sql, history: History): Promise<void> {
  const { projectId, contacts, emails, events, names, now } = history
  const mail = `1 + (n::float8 * ${emails / events})::bigint % ${emails}`
  await session.unsafe(`
    insert into events (id, project_id, name, contact_id, email_id, data, created_at)
    select bench_id(at, n), '${projectId}',
           case when n % 20 < 5 then 'email.sent' when n % 20 < 10 then 'email.delivery' when n % 20 < 13 then 'email.open'
                when n % 20 = 13 then 'email.click'
                when n % 20 = 14 then (array['contact.subscribed', 'contact.unsubscribed', 'email.bounce', 'segment.vip.entry'])[1 + n / 20 % 4]
                when n < 200 then 'event ${names}'
                else 'event ' || 1 + floor(${names - 1} * (n * 7919 % 100000 / 100000.0) ^ 3)::int end,
           ${contactId(`case when n % 1000 = 14 then 1 else 1 + n * 7919 % ${contacts} end`, history)},
           case when n % 20 < 14 then ${emailId(mail, history)} end,
           case when n % 20 < 14 then jsonb_build_object('subject', 'Subject', 'from', 'a@bench.example')
                when n % 3 = 0 then jsonb_build_object('amount', n % 1000) end, at
      from generate_series(1, ${events}::bigint) n
     cross join lateral (select (${momentOf('n', events, now)})::timestamptz(3) as at) as moment`)
}

/** Deltas that are not rolled up yet. */
const unfolded = 5_000

async function countEmails(session: postgres.Sql, projectId: string): Promise<void> {
  await session`
    insert into email_days (project_id, day, source_type, is_simulated, created, sent, delivered, opened, clicked, bounced, complained)
    select project_id, (created_at at time zone 'UTC')::date, source_type, false, count(*), count(sent_at), count(delivered_at),
           count(opened_at), count(clicked_at), count(bounced_at), count(complained_at)
      from emails where project_id = ${projectId}::uuid group by 1, 2, 3`
  await session`
    insert into email_day_deltas (project_id, hour, source_type, is_simulated, created)
    select project_id, date_trunc('hour', created_at), source_type, false, 1
      from emails where project_id = ${projectId}::uuid order by created_at desc limit ${unfolded}`
}

async function countEvents(session: postgres.Sql, projectId: string): Promise<void> {
  await session`
    insert into event_totals (project_id, name, day, count)
    select project_id, name, (created_at at time zone 'UTC')::date, count(*)
      from events where project_id = ${projectId}::uuid group by 1, 2, 3`
  await session`
    insert into event_name_totals (project_id, name, count)
    select project_id, name, sum(count) from event_totals where project_id = ${projectId}::uuid group by 1, 2`
  await session`
    insert into event_deltas (project_id, name, day, count)
    select project_id, name, (created_at at time zone 'UTC')::date, 1
      from (select * from events where project_id = ${projectId}::uuid order by id desc limit ${unfolded}) as newest`
}

async function countCampaigns(session: postgres.Sql, projectId: string): Promise<void> {
  await session`
    insert into campaign_counts (project_id, campaign_id, settled, sent, delivered, opened, clicked, bounced)
    select project_id, campaign_id, count(*), count(sent_at), count(delivered_at), count(opened_at), count(clicked_at), count(bounced_at)
      from emails where project_id = ${projectId}::uuid and campaign_id is not null group by 1, 2`
  await session`
    insert into campaign_deltas (project_id, campaign_id, opened)
    select project_id, id, 1 from campaigns where project_id = ${projectId}::uuid and status = 'SENT' limit ${unfolded}`
}
