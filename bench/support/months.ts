// Fills a database whose events and messages are split by month with the same number of rows in each of the months up to now, by a few
// statements over generate_series, two months at a time.
import type postgres from 'postgres'
import { startOfMonth } from '../../src/lib/time'
import type { DatabaseClient } from '../../src/platform/db/client'
import { makeMonthsAhead } from '../../src/platform/db/partition/ahead'
import { withMonths } from '../../src/platform/db/partition/jobs'
import { addMonths, type Month, monthsUntil } from '../../src/platform/db/partition/months'
import { splitTable } from '../../src/platform/db/partition/split'
import { monthlyTables } from '../../src/platform/db/partition/tables'
import { silentLogger } from '../../src/platform/log'

export const project = '01900000-0000-7000-8000-0000000000cc'
const contacts = 20_000
/** One message for so many events, as a ledger has that is opened and clicked. */
export const eventsPerMessage = 10

/** The id of contact `n`, in SQL. */
const contactId = (n: string): string => `('01900000-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`
export const someContact = '01900000-0000-7000-8000-000000000400'

/** Splits the empty tables as if `count` months ago, and makes the months up to now and ahead. */
export async function splitLongAgo({ sql }: DatabaseClient, now: Date, count: number): Promise<Month[]> {
  const from = addMonths(startOfMonth(now), -count)
  await withMonths({ sql, log: silentLogger }, async session => {
    for (const table of monthlyTables) await splitTable(session, table, addMonths(from, -1), () => {})
    await makeMonthsAhead(session, now)
  })
  return monthsUntil(from, addMonths(startOfMonth(now), 1))
}

export async function insertProject({ sql }: DatabaseClient): Promise<void> {
  await sql`
    insert into projects (id, name, public_key_hash, secret_key_hash, public_key_sealed, secret_key_sealed, webhook_secret_sealed,
                          created_at, updated_at)
    values (${project}, 'Bench', 'public', 'secret', '', '', '', now(), now())`
  await sql.unsafe(`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select ${contactId('n')}, '${project}', 'c' || n || '@example.com', true, '{}', now(), now() from generate_series(1, ${contacts}) n`)
}

/** Faster to build afterwards than to maintain while the rows come in. */
const secondary = ['events_name', 'events_contact', 'emails_contact', 'emails_project_created']

/** Rows evenly over the part of each month that is over. */
export async function fillMonths(
  { sql }: DatabaseClient,
  months: readonly Month[],
  perMonth: number,
  now: Date,
): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes where indexname = any(${secondary}::text[])`
  if (indexes.length !== secondary.length) throw new Error('some indexes have other names')
  for (const { name } of indexes) await sql.unsafe(`drop index ${name}`)
  const waiting = [...months]
  const work = async (): Promise<void> => {
    for (let month = waiting.shift(); month; month = waiting.shift())
      await fillMonth(sql, month, perMonth, now)
  }
  await Promise.all([work(), work()])
  for (const { definition } of indexes) await sql.unsafe(definition.replace(' ON ONLY ', ' ON '))
  await countEvents(sql)
  for (const table of [
    'contacts',
    'event_totals',
    'event_name_totals',
    ...monthlyTables.map(({ name }) => name),
  ])
    await sql.unsafe(`vacuum analyze ${table}`)
  await sql.unsafe('checkpoint')
}

async function fillMonth(sql: postgres.Sql, { from, to }: Month, rows: number, now: Date): Promise<void> {
  const end = Math.min(to.getTime(), now.getTime()) - 1_000
  const at = (count: number): string =>
    `to_timestamp((${from.getTime()} + floor(n * ${(end - from.getTime()) / count}::float8)) / 1000)::timestamptz(3)`
  const owner = contactId(`1 + (n * 7919) % ${contacts}`)
  await sql.unsafe(`
    insert into events (id, project_id, name, contact_id, email_id, data, created_at)
    select uuid_v7(at, n), '${project}',
           case when n % 20 < 5 then 'email.sent' when n % 20 < 10 then 'email.delivery' when n % 20 < 13 then 'email.open'
                when n % 1000 = 14 then 'email.bounce' else 'event ' || n % 20 end,
           ${owner}, case when n % 20 < 13 then uuid_v7(at, n) end, case when n % 20 < 10 then '{"subject": "Subject", "from": "a@bench.example"}'::jsonb end, at
      from generate_series(1, ${rows}::bigint) n cross join lateral (select ${at(rows)} as at) as moment`)
  const messages = Math.ceil(rows / eventsPerMessage)
  await sql.unsafe(`
    with made as (
      insert into emails (id, project_id, contact_id, source_type, mail_class, to_email, from_email, subject, html, text, headers,
                          message_id, provider_id, status, sent_at, delivered_at, created_at, updated_at)
      select uuid_v7(at, n), '${project}', ${owner}, 'TRANSACTIONAL', 'transactional', 'c' || n || '@example.com', 'a@bench.example',
             'Subject ' || n % 100, '', '', '{}', n || '@bench.example', 'p-' || ${from.getTime()} || '-' || n, 'DELIVERED', at, at, at, at
        from generate_series(1, ${messages}::bigint) n cross join lateral (select ${at(messages)} as at) as moment
      returning id, created_at
    )
    insert into email_attempts (email_id, attempt, project_id, transport, outcome, response, started_at, finished_at)
    select id, 1, '${project}', 'smtp', 'accepted', '250 2.0.0 Ok: queued', created_at, created_at from made`)
}

async function countEvents(sql: postgres.Sql): Promise<void> {
  await sql`
    insert into event_totals (project_id, name, day, count)
    select project_id, name, (created_at at time zone 'UTC')::date, count(*) from events group by 1, 2, 3`
  await sql`
    insert into event_name_totals (project_id, name, count)
    select project_id, name, sum(count) from event_totals group by 1, 2`
}
