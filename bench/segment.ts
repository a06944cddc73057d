// Counting a segment of three custom fields and one event, compared with the best of several statements written by hand for that very
// question. Then the first page, a deep one, and computing members. `bun bench/segment.ts [contacts] [events]`. Aim: 0.9.
import { countContacts, selectContactPage } from '../src/modules/features/segments/queries'
import { computeSegment, conditionSql, createSegment } from '../src/modules/features/segments/service'
import type { Context } from '../src/platform/context'
import { type DatabaseClient, openDatabase } from '../src/platform/db/client'
import { migrate } from '../src/platform/db/migrate'
import { migrations } from '../src/platform/db/migrations'
import { benchServer, quietContext } from './support/server'

const contacts = Number(process.argv[2] ?? 200_000)
const events = Number(process.argv[3] ?? 1_000_000)
const rounds = 7
const project = '01900000-0000-7000-8000-000000000001'
const neighbour = '01900000-0000-7000-8000-000000000002'

const condition = {
  logic: 'AND' as const,
  groups: [
    {
      filters: [
        { field: 'data.plan', operator: 'equals' as const, value: 'pro' },
        { field: 'data.age', operator: 'greaterThan' as const, value: 30 },
        { field: 'data.country', operator: 'notEquals' as const, value: 'de' },
        { field: 'event.purchase', operator: 'triggeredWithin' as const, value: 30, unit: 'days' as const },
      ],
    },
  ],
}

/** Every contact has seven fields of mixed types; events of five names are spread over random contacts and the last hundred days. */
async function fill(database: DatabaseClient, now: Date): Promise<void> {
  for (const [owner, share] of [
    [project, 1],
    [neighbour, 0.2],
  ] as const) {
    await database.sql`
      insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
      select (lpad(to_hex(1700000000000 + n), 12, '0') || '70008' || substr(md5(n::text), 1, 15))::uuid, ${owner}::uuid,
             'user' || n || '@example.com', n % 5 <> 0,
             jsonb_build_object('plan', (array['free', 'pro', 'team'])[1 + n % 3], 'age', n % 90, 'vip', n % 7 = 0,
               'country', (array['de', 'fr', 'us', 'nl', 'se'])[1 + n % 5], 'name', 'Name ' || n, 'score', n % 1000,
               'signedUpAt', to_char(timestamp '2025-01-01' + n % 500 * interval '1 day', 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"')),
             ${now}, ${now}
        from generate_series(1, ${Math.floor(contacts * share)}::int) n`
    await database.sql`
      insert into events (id, project_id, name, contact_id, created_at)
      select (lpad(to_hex(1700000000000 + n), 12, '0') || '70018' || substr(md5(n::text), 1, 15))::uuid, ${owner}::uuid,
             (array['visit', 'purchase', 'login', 'open', 'click'])[1 + n % 5],
             (lpad(to_hex(1700000000000 + c), 12, '0') || '70008' || substr(md5(c::text), 1, 15))::uuid,
             ${now}::timestamptz - random() * interval '100 days'
        from generate_series(1, ${Math.floor(events * share)}::int) n
       cross join lateral (select 1 + floor(random() * ${Math.floor(contacts * share)}::int + n * 0)::int as c) as pick`
  }
  await database.sql.unsafe('vacuum analyze contacts')
  await database.sql.unsafe('vacuum analyze events')
}

/** What somebody who knows the tables and the types would write; values are inlined, as by hand. */
function byHand(since: string): Record<string, string> {
  const bought = `select from events e where e.project_id = '${project}' and e.contact_id = c.id and e.name = 'purchase'
                   and e.created_at >= '${since}'`
  const text = `c.data ->> 'plan' = 'pro' and (c.data ->> 'age')::numeric > 30 and c.data ->> 'country' <> 'de'`
  const integer = text.replace('numeric', 'int')
  return {
    'text casts, exists': `${text} and exists (${bought})`,
    'text casts to int, exists': `${integer} and exists (${bought})`,
    'containment, exists': `c.data @> '{"plan": "pro"}' and (c.data ->> 'age')::int > 30 and not c.data @> '{"country": "de"}'
                            and exists (${bought})`,
    'text casts, in': `${integer} and c.id in (select contact_id from events where project_id = '${project}'
                       and name = 'purchase' and created_at >= '${since}')`,
  }
}

async function timed(work: () => Promise<number>): Promise<{ ms: number; found: number }> {
  const begun = performance.now()
  const found = await work()
  return { ms: performance.now() - begun, found }
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}

/** Runs each variant in turn, several times, so that all of them face the same machine. */
async function race(routes: Map<string, () => Promise<number>>): Promise<Map<string, number>> {
  const times = new Map<string, number[]>([...routes.keys()].map(name => [name, []]))
  const counts = new Set<number>()
  for (let round = 0; round <= rounds; round++) {
    for (const [name, work] of routes) {
      const { ms, found } = await timed(work)
      counts.add(found)
      // The first round warms the caches.
      if (round > 0) times.get(name)!.push(ms)
    }
  }
  if (counts.size !== 1) throw new Error(`the ways disagree: ${[...counts].join(', ')} contacts`)
  console.log(`${[...counts][0]} of ${contacts} contacts match, ${events} events`)
  return new Map([...times].map(([name, all]) => [name, median(all)]))
}

async function compareCounts(ctx: Context, database: DatabaseClient): Promise<void> {
  const since = new Date(ctx.clock.now().getTime() - 30 * 86_400_000).toISOString()
  const statements = Object.entries(byHand(since)).map(([name, where]): [string, () => Promise<number>] => [
    name,
    async () => {
      const [row] = await database.sql.unsafe(
        `select count(*) as found from contacts c where c.project_id = '${project}' and ${where}`,
      )
      return row!['found'] as number
    },
  ])
  const ours = async () => countContacts(ctx, project, await conditionSql(ctx, project, condition))
  const medians = await race(new Map([['waxwing', ours], ...statements]))
  for (const [name, ms] of medians) console.log(`  ${name.padEnd(28)} ${ms.toFixed(1)} ms`)
  const best = Math.min(...[...medians].filter(([name]) => name !== 'waxwing').map(([, ms]) => ms))
  console.log(`ratio to the best by hand: ${(best / medians.get('waxwing')!).toFixed(2)}`)
}

async function measurePages(ctx: Context): Promise<void> {
  const where = await conditionSql(ctx, project, condition)
  const total = await countContacts(ctx, project, where)
  for (const [name, offset] of [
    ['first page', 0],
    ['last page', Math.max(0, total - 20)],
  ] as const) {
    const { ms } = await timed(
      async () => (await selectContactPage(ctx, project, where, { pageSize: 20, offset })).length,
    )
    console.log(`  ${name.padEnd(28)} ${ms.toFixed(1)} ms`)
  }
}

async function measureCompute(ctx: Context): Promise<void> {
  const { id } = await createSegment(ctx, project, { name: 'Buyers', condition, trackMembership: true })
  for (const name of ['compute, everybody enters', 'compute, nothing changed']) {
    const { ms, found } = await timed(async () => (await computeSegment(ctx, project, id)).added)
    console.log(`  ${name.padEnd(28)} ${ms.toFixed(0)} ms, ${found} entries`)
  }
}

const server = await benchServer()
const database = openDatabase(await server.createDatabase(), { max: 4 })
try {
  const now = new Date()
  await migrate(database.sql, migrations, now)
  await fill(database, now)
  const ctx: Context = { ...quietContext(database), clock: { now: () => now } }
  await compareCounts(ctx, database)
  await measurePages(ctx)
  await measureCompute(ctx)
} finally {
  await database.close()
  await server.stop()
}
