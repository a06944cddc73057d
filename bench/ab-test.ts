// An A/B test of three variants on a fifth of the contacts: recording them, the decision, which queues the slices of the others, and planning
// those anew at nine in the morning of their 24 time zones, as each slice does when its turn comes. `bun bench/ab-test.ts 100000` sets their number.
// Aim: a million contacts in less than a minute each, and a decision in a few seconds, whoever waits for it.

import { createCampaign } from '../src/modules/features/campaigns/authoring/service/write'
import { selectOpenSlices, selectSlice } from '../src/modules/features/campaigns/sending/queries/slices'
import { chooseWinner, planOthers } from '../src/modules/features/campaigns/sending/service/ab-decision'
import { expandCampaign } from '../src/modules/features/campaigns/sending/service/expand'
import { sendCampaign } from '../src/modules/features/campaigns/sending/service/send'
import { addSandboxDomain } from '../src/modules/sending/domains/service'
import { openDatabase } from '../src/platform/db/client'
import { migrate } from '../src/platform/db/migrate'
import { migrations } from '../src/platform/db/migrations'
import { benchServer, quietContext } from './support/server'

const zones = Array.from({ length: 24 }, (_, n) => `Etc/GMT${n <= 12 ? '+' : '-'}${n <= 12 ? n : n - 12}`)

export async function run(recipients = 1_000_000): Promise<void> {
  const server = await benchServer()
  const database = openDatabase(await server.createDatabase(), { max: 4 })
  try {
    await migrate(database.sql, migrations, new Date())
    await measure(quietContext(database), recipients)
  } finally {
    await database.close()
    await server.stop()
  }
}

async function measure(ctx: ReturnType<typeof quietContext>, recipients: number): Promise<void> {
  const projectId = ctx.random.uuid(ctx.clock.now())
  await ctx.sql`
    insert into projects (id, name, public_key_hash, secret_key_hash, public_key_sealed, secret_key_sealed, webhook_secret_sealed,
                          time_zone_field, created_at, updated_at)
    values (${projectId}, 'Bench', 'x', 'y', 'x', 'y', 'z', 'timezone', now(), now())`
  await addSandboxDomain(ctx, { id: projectId, name: 'Bench' })
  await ctx.sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select uuid_v7(now(), n), ${projectId}, 'ada-' || n || '@example.com', true,
           jsonb_build_object('timezone', (${zones}::text[])[1 + n % 24]), now(), now()
      from generate_series(1, ${recipients}::int) n`
  await ctx.sql`vacuum analyze contacts`
  const { row } = await createCampaign(ctx, projectId, {
    ...{ name: 'News', subject: 'News', body: '<p>Hello</p>', from: 'a@bench.example', audienceType: 'ALL' },
    timing: { localTime: '09:00' },
    abTest: { variants: [{ subject: 'B' }, { fromName: 'C' }], share: 20, afterHours: 4 },
  })
  const [campaignId, by] = [row.id, { projectId, role: 'OWNER', by: 'system' } as const]
  await sendCampaign(ctx, by, campaignId, {})
  const run = { signal: new AbortController().signal }
  await timed(`recorded ${recipients}`, recipients, () => expandCampaign(ctx, { projectId, campaignId }, run))
  await timed('decided', undefined, () => chooseWinner(ctx, by, campaignId, 'B'))
  const slices = await selectOpenSlices(ctx, projectId, campaignId)
  await timed(`planned the others in ${slices.length} slices`, recipients, async () => {
    for (const { id } of slices) await planOthers(ctx, (await selectSlice(ctx, id))!)
  })
  const found = await ctx.sql<{ subject: string; fromName: string; recipients: number }[]>`
    select subject, coalesce(from_name, '') as "fromName", count(*) as recipients
      from emails where campaign_id = ${campaignId} group by 1, 2 order by 1, 2`
  for (const { subject, fromName, recipients: count } of found)
    console.log(`  ${subject} of ${fromName}: ${count} (${((count / recipients) * 100).toFixed(2)} %)`)
}

async function timed(what: string, count: number | undefined, work: () => Promise<unknown>): Promise<void> {
  const started = performance.now()
  await work()
  const seconds = (performance.now() - started) / 1000
  const rate = count === undefined ? '' : ` (${(count / seconds).toFixed(0)}/s)`
  console.log(`${what} in ${seconds.toFixed(2)} s${rate}`)
}

if (import.meta.main) await run(Number(process.argv[2] ?? 1_000_000))
