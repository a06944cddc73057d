// Planning a campaign for contacts in 24 time zones, at nine in the morning of each, spread over four hours, with quiet hours and a cap: time,
// and the memory of this process. Then the places that its messages book under the cap, a hundred contacts at a time, as sending does.
// Then the forecast of a second campaign, for contacts every third of whom the cap holds.
// Aim: a million contacts in less than a minute, with memory that does not grow with them. `bun bench/moments.ts 100000` sets their number.

import { forecastCampaign } from '../src/modules/features/campaigns/authoring/service/forecast'
import { createCampaign } from '../src/modules/features/campaigns/authoring/service/write'
import { expandCampaign } from '../src/modules/features/campaigns/sending/service/expand'
import { sendCampaign } from '../src/modules/features/campaigns/sending/service/send'
import type { Batch, Delivery } from '../src/modules/sending/delivery'
import { makeHold } from '../src/modules/sending/delivery/service/steps/hold'
import { addSandboxDomain } from '../src/modules/sending/domains/service'
import { openDatabase } from '../src/platform/db/client'
import { migrate } from '../src/platform/db/migrate'
import { migrations } from '../src/platform/db/migrations'
import { cpuOfAll } from './support/cpu'
import { benchServer, quietContext } from './support/server'

const zones = Array.from({ length: 24 }, (_, n) => `Etc/GMT${n <= 12 ? '+' : '-'}${n <= 12 ? n : n - 12}`)
const cap = { messages: 3, days: 7, whenHeld: 'LATER' as const }
const booked = 100_000
const batch = 100

export async function run(recipients = 1_000_000): Promise<void> {
  const server = await benchServer()
  try {
    await inDatabase(await server.createDatabase(), recipients)
  } finally {
    await server.stop()
  }
}

async function inDatabase(url: string, recipients: number): Promise<void> {
  const database = openDatabase(url, { max: 4 })
  try {
    await migrate(database.sql, migrations, new Date())
    const ctx = quietContext(database)
    const projectId = ctx.random.uuid(ctx.clock.now())
    await database.sql`
      insert into projects (id, name, public_key_hash, secret_key_hash, public_key_sealed, secret_key_sealed, webhook_secret_sealed,
                            time_zone_field, quiet_hours, mail_cap, created_at, updated_at)
      values (${projectId}, 'Bench', 'x', 'y', 'x', 'y', 'z', 'timezone',
              ${database.sql.json({ from: '21:00', to: '08:00', whenHeld: 'LATER' })}, ${database.sql.json(cap)}, now(), now())`
    await addSandboxDomain(ctx, { id: projectId, name: 'Bench' })
    await database.sql`
      insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
      select uuid_v7(now(), n), ${projectId}, 'ada-' || n || '@example.com', true,
             jsonb_build_object('name', 'Ada ' || n, 'timezone', (${zones}::text[])[1 + n % 24]), now(), now()
        from generate_series(1, ${recipients}::int) n`
    await database.sql`vacuum analyze contacts`
    await plan(ctx, projectId, recipients)
    await book(ctx, projectId, Math.min(booked, recipients))
    await forecast(ctx, projectId, recipients)
  } finally {
    await database.close()
  }
}

type BenchContext = ReturnType<typeof quietContext>

async function plan(ctx: BenchContext, projectId: string, recipients: number): Promise<void> {
  const { row } = await createCampaign(ctx, projectId, {
    ...{ name: 'News', subject: 'News', body: '<p>Hello {{name}}</p>', from: 'a@bench.example' },
    ...{ audienceType: 'ALL', timing: { localTime: '09:00', spreadHours: 4 } },
  })
  await sendCampaign(ctx, { projectId, role: 'OWNER', by: 'system' }, row.id, {})
  Bun.gc(true)
  const before = process.memoryUsage.rss()
  let most = before
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss())
  }, 50)
  const [started, cpuBefore] = [performance.now(), cpuOfAll() ?? Number.NaN]
  await expandCampaign(ctx, { projectId, campaignId: row.id }, { signal: new AbortController().signal })
  const seconds = (performance.now() - started) / 1000
  const cpu = ((cpuOfAll() ?? Number.NaN) - cpuBefore) / 1000
  clearInterval(watch)
  const [found] = await ctx.sql<{ rows: number; hours: number; late: number }[]>`
    select count(*) as rows, count(distinct date_trunc('hour', next_attempt_at)) as hours,
           count(*) filter (where next_attempt_at is null) as late
      from emails where campaign_id = ${row.id}`
  if (found?.rows !== recipients || found.late > 0) throw new Error(`planned: ${JSON.stringify(found)}`)
  const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(0)} MB`
  console.log(
    `planned ${recipients} contacts over ${found.hours} hours in ${seconds.toFixed(1)} s (${(recipients / seconds).toFixed(0)}/s), ${cpu.toFixed(1)} s of processor time; memory ${megabytes(before)} before, ${megabytes(most)} at most`,
  )
}

async function book(ctx: BenchContext, projectId: string, count: number): Promise<void> {
  const mails = await ctx.sql<{ id: string; contactId: string }[]>`
    select id, contact_id as "contactId" from emails where project_id = ${projectId} order by contact_id limit ${count}`
  const hold = makeHold(ctx)
  const rules = { quietHours: null, mailCap: cap, zone: 'UTC' }
  const started = performance.now()
  let held = 0
  for (let at = 0; at < mails.length; at += batch) {
    const page = mails
      .slice(at, at + batch)
      .map(async mail => await hold({ email: { ...mail, projectId }, rules } as Delivery, {} as Batch))
    held += (await Promise.all(page)).filter(decision => typeof decision !== 'function').length
  }
  const seconds = (performance.now() - started) / 1000
  if (held > 0) throw new Error(`${held} of ${count} were held`)
  console.log(`booked ${count} places in ${seconds.toFixed(1)} s (${(count / seconds).toFixed(0)}/s)`)
}

async function forecast(ctx: BenchContext, projectId: string, recipients: number): Promise<void> {
  await ctx.sql`delete from mail_bookings`
  await ctx.sql`
    insert into mail_bookings (project_id, contact_id, booked, latest_at)
    select project_id, id, (select jsonb_object_agg(gen_random_uuid(), (extract(epoch from now()) * 1000)::bigint - (n + length(email)) * 3_600_000)
                              from generate_series(1, case when hashtext(email) % 3 = 0 then 3 else 2 end) n), now()
      from contacts where project_id = ${projectId}`
  await ctx.sql`vacuum analyze mail_bookings`
  const { row } = await createCampaign(ctx, projectId, {
    ...{ name: 'More', subject: 'More', body: '<p>Hello</p>', from: 'a@bench.example', audienceType: 'ALL' },
    timing: { localTime: '09:00', spreadHours: 4 },
  })
  const started = performance.now()
  const { heldByCap, moments } = await forecastCampaign(ctx, projectId, row.id)
  const seconds = (performance.now() - started) / 1000
  const told = moments.reduce((sum, each) => sum + each.recipients, 0)
  if (told !== recipients || heldByCap === 0) throw new Error(`told ${told}, held ${heldByCap}`)
  console.log(
    `forecast for ${recipients}, of whom the cap holds ${heldByCap}, in ${seconds.toFixed(1)} s, ${moments.length} hours`,
  )
}

if (import.meta.main) await run(Number(process.argv[2] ?? 1_000_000))
