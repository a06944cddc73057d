// Fills a project with contacts and events by a few statements over generate_series, with the field registry and the totals as the
// product keeps them: mostly rolled up, the latest changes still appended.
import type postgres from 'postgres'

export interface Size {
  projectId: string
  contacts: number
  events: number
  /** Everything happened in the year before this moment. */
  now: Date
}

/** Twenty custom fields of all types; only every second contact has the last five. */
const customFields: Record<string, string> = {
  ...Object.fromEntries(
    ['firstName', 'lastName', 'city', 'company', 'note'].map(name => [name, `'${name} ' || n % 997`]),
  ),
  plan: `(array['free', 'pro', 'team'])[1 + n % 3]`,
  country: `(array['de', 'fr', 'us', 'nl', 'se'])[1 + n % 5]`,
  ...Object.fromEntries(
    ['age', 'score', 'orders', 'spent'].map((name, at) => [name, `n % ${90 + 911 * at}`]),
  ),
  ...Object.fromEntries(['vip', 'trial', 'verified'].map((name, at) => [name, `n % ${at + 2} = 0`])),
  signedUpAt: `to_char(timestamp '2025-01-01' + n % 500 * interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"')`,
}
const sparseFields: Record<string, string> = {
  referrer: `'https://example.com/' || n % 50`,
  balance: 'n % 10000 / 100.0',
  isAgent: 'n % 11 = 0',
  renewsOn: `to_char(date '2026-01-01' + n % 365, 'YYYY-MM-DD')`,
  tier: 'n % 4',
}

/** Indexes of these tables that are faster to build afterwards than to maintain while the rows come in. */
const secondary = [
  'contacts_project_email',
  'contacts_email_search',
  'contacts_snoozed',
  'contacts_snoozed_project',
  'events_name',
  'events_contact',
]

/** Fills all of the projects, then vacuums and analyses. The tables should be empty. */
export async function generateProjects(sql: postgres.Sql, sizes: readonly Size[]): Promise<void> {
  const session = await sql.reserve()
  try {
    await session.unsafe(`set synchronous_commit = off; set maintenance_work_mem = '512MB'`)
    await session.unsafe(idMaker)
    const indexes = await dropIndexes(session)
    for (const size of sizes) await generateProject(session, size)
    for (const index of indexes) await session.unsafe(index)
    for (const table of tables) await session.unsafe(`vacuum analyze ${table}`)
    await session.unsafe('drop function bench_id; reset all; checkpoint')
  } finally {
    session.release()
  }
}

const tables = [
  'contacts',
  'contact_fields',
  'contact_totals',
  'contact_field_totals',
  'contact_deltas',
  'events',
  'event_totals',
  'event_name_totals',
  'event_deltas',
]

/** A UUID v7 that can be recomputed from a moment and a number: events find their contacts without a join. */
export const idMaker = `
  create function bench_id(at timestamptz, n bigint) returns uuid language sql stable parallel safe as $$
    select (lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || '7' || lpad(to_hex(n & 4095), 3, '0')
            || '8' || substr(md5(n::text), 1, 15))::uuid
  $$`

async function dropIndexes(session: postgres.Sql): Promise<string[]> {
  const found = await session<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes where indexname = any(${secondary}::text[])`
  if (found.length !== secondary.length)
    throw new Error('the indexes of contacts and events have other names')
  for (const { name } of found) await session.unsafe(`drop index ${name}`)
  return found.map(({ definition }) => definition)
}

async function generateProject(session: postgres.Sql, size: Size): Promise<void> {
  await insertContacts(session, size)
  await insertEvents(session, size)
  await countContacts(session, size)
  await countEvents(session, size)
}

/** The moment of row `n` of `count`: evenly over the year, in whole milliseconds as the columns keep them. */
export function momentOf(n: string, count: number, now: Date): string {
  const year = 365 * 86_400_000
  return `to_timestamp(${now.getTime() - year} / 1000.0 + floor(${n} * ${year / count}::float8) / 1000.0)`
}

function object(fields: Record<string, string>): string {
  return `jsonb_build_object(${Object.entries(fields).map(([name, value]) => `'${name}', ${value}`)})`
}

async function insertContacts(session: postgres.Sql, { projectId, contacts, now }: Size): Promise<void> {
  const at = momentOf('n', contacts, now)
  await session.unsafe(`
    insert into contacts (id, project_id, email, subscribed, snoozed_until, data, created_at, updated_at)
    select bench_id(at, n), '${projectId}',
           (array['ada', 'grace', 'linus', 'barbara', 'edsger', 'alan', 'margaret', 'donald'])[1 + n % 8] || '.'
             || substr(md5(n::text), 20, 6) || n || '@' || (array['mail', 'post', 'corp', 'home'])[1 + n % 4] || '.example.com',
           n % 5 <> 0, case when n % 50 = 0 then timestamptz '2100-01-01' end,
           ${object(customFields)} || case when n % 2 = 0 then ${object(sparseFields)} else '{}' end, at, at
      from generate_series(1, ${contacts}) n cross join lateral (select ${at}::timestamptz(3) as at) as moment`)
}

/** Fifty names, some far more frequent than others; every hundredth event is the first contact's. */
async function insertEvents(session: postgres.Sql, size: Size): Promise<void> {
  const { projectId, contacts, events, now } = size
  await session.unsafe(`
    insert into events (id, project_id, name, contact_id, data, created_at)
    select bench_id(at, n), '${projectId}', 'event ' || 1 + floor(50 * (n * 7919 % 1000 / 1000.0) ^ 2)::int,
           bench_id((${momentOf('c', contacts, now)})::timestamptz(3), c),
           case when n % 3 = 0 then jsonb_build_object('amount', n % 1000, 'source', 'web') end, at
      from generate_series(1, ${events}::bigint) n
     cross join lateral (select case when n % 100 = 0 then 1 else 1 + n * 7919 % ${contacts} end as c,
                                ${momentOf('n', events, now)}::timestamptz(3) as at) as row`)
}

/** Contacts whose counts are not rolled up yet, each appended by a statement of its own. */
const unfolded = 500

async function countContacts(session: postgres.Sql, { projectId, now }: Size): Promise<void> {
  const names = Object.keys({ ...customFields, ...sparseFields })
  await session`
    insert into contact_fields (project_id, name, type, created_at)
    select ${projectId}::uuid, key, case when key in ('signedUpAt', 'renewsOn') then 'date' else jsonb_typeof(value) end,
           ${now}::timestamptz
      from (select data from contacts where project_id = ${projectId}::uuid order by id offset 1 limit 1) as full_one
     cross join lateral jsonb_each(data)`
  await session`
    insert into contact_field_totals (project_id, name, contacts)
    select ${projectId}::uuid, f.name, count(*) filter (where c.data ? f.name) - ${unfolded}::int
      from contacts c cross join unnest(${names}::text[]) as f(name)
     where c.project_id = ${projectId}::uuid group by f.name`
  await session`
    insert into contact_totals (project_id, contacts, subscribed)
    select ${projectId}::uuid, count(*) - ${unfolded}::int, count(*) filter (where subscribed) - ${unfolded}::int
      from contacts where project_id = ${projectId}::uuid`
  await session`
    insert into contact_deltas (project_id, contacts, subscribed, fields)
    select ${projectId}::uuid, 1, 1, (select jsonb_object_agg(name, 1) from unnest(${names}::text[]) as name)
      from generate_series(1, ${unfolded}::int)`
}

/** The deltas of the last minutes are separate: one for each of the newest events. */
async function countEvents(session: postgres.Sql, { projectId }: Size): Promise<void> {
  await session`
    insert into event_deltas (project_id, name, day, count)
    select project_id, name, (created_at at time zone 'UTC')::date, 1
      from (select * from events where project_id = ${projectId}::uuid order by id desc limit 5000) as newest`
  await session`
    insert into event_totals (project_id, name, day, count)
    select project_id, name, day, sum(count)
      from (select project_id, name, (created_at at time zone 'UTC')::date as day, 1 as count
              from events where project_id = ${projectId}::uuid
             union all
            select project_id, name, day, -count from event_deltas where project_id = ${projectId}::uuid) as parts
     group by 1, 2, 3 having sum(count) > 0`
  await session`
    insert into event_name_totals (project_id, name, count)
    select project_id, name, sum(count) from event_totals where project_id = ${projectId}::uuid group by 1, 2`
}
