// Recipients of a campaign that are recorded per second (rows, slices, cursor, jobs, counts), compared with a bare INSERT ... SELECT of
// the same rows. Aim: 0.6. `bun bench/expansion.ts 1000000` sets their number.
import { createCampaign } from '../src/modules/features/campaigns/authoring/service/write'
import { expandCampaign } from '../src/modules/features/campaigns/sending/service/expand'
import { sendCampaign } from '../src/modules/features/campaigns/sending/service/send'
import { addSandboxDomain } from '../src/modules/sending/domains/service'
import { openDatabase } from '../src/platform/db/client'
import { migrate } from '../src/platform/db/migrate'
import { migrations } from '../src/platform/db/migrations'
import { cpuOfAll } from './support/cpu'
import { benchServer, quietContext } from './support/server'

const rounds = 3

interface Measured {
  perSecond: number
  /** Processor time per thousand recipients, including the built-in PostgreSQL's. */
  cpuMs: number
}

/** The two alternate, and the best run of each counts, so that whatever else the machine does affects neither. */
async function measure(recipients: number): Promise<{ bare: Measured; ours: Measured }> {
  const server = await benchServer()
  try {
    const [bare, ours]: [Measured[], Measured[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      bare.push(await inDatabase(await server.createDatabase(), recipients, bareInsert))
      ours.push(await inDatabase(await server.createDatabase(), recipients, expansion))
    }
    return { bare: best(bare), ours: best(ours) }
  } finally {
    await server.stop()
  }
}

function best(all: Measured[]): Measured {
  return {
    perSecond: Math.max(...all.map(each => each.perSecond)),
    cpuMs: Math.min(...all.map(each => each.cpuMs)),
  }
}

type Work = (ctx: ReturnType<typeof quietContext>, projectId: string) => Promise<() => Promise<unknown>>

/** How fast `work`, once it is prepared, records recipients in a fresh database. */
async function inDatabase(url: string, recipients: number, work: Work): Promise<Measured> {
  const database = openDatabase(url, { max: 4 })
  try {
    await migrate(database.sql, migrations, new Date())
    const ctx = quietContext(database)
    const projectId = ctx.random.uuid(ctx.clock.now())
    await database.sql`
      insert into projects (id, name, public_key_hash, secret_key_hash, public_key_sealed, secret_key_sealed,
                            webhook_secret_sealed, created_at, updated_at)
      values (${projectId}, 'Bench', 'x', 'y', 'x', 'y', 'z', now(), now())`
    await addSandboxDomain(ctx, { id: projectId, name: 'Bench' })
    await database.sql`
      insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
      select uuid_v7(now(), n), ${projectId}, 'ada-' || n || '@example.com', true,
             jsonb_build_object('name', 'Ada ' || n), now(), now() from generate_series(1, ${recipients}::int) n`
    await database.sql`insert into contact_deltas (project_id, contacts, subscribed) values (${projectId}, ${recipients}, ${recipients})`
    await database.sql`vacuum analyze contacts`
    const run = await work(ctx, projectId)
    const [startedAt, cpuBefore] = [performance.now(), cpuOfAll() ?? Number.NaN]
    await run()
    const perSecond = recipients / ((performance.now() - startedAt) / 1000)
    const cpuMs = ((cpuOfAll() ?? Number.NaN) - cpuBefore) / (recipients / 1000)
    const [row] = await database.sql<{ rows: number }[]>`select count(*) as rows from emails`
    if (Number(row?.rows) !== recipients) throw new Error(`${row?.rows} of ${recipients} were written down`)
    return { perSecond, cpuMs }
  } finally {
    await database.close()
  }
}

/** The same rows with the same indexes in one statement, without pages, cursor and jobs. */
async function bareInsert(ctx: ReturnType<typeof quietContext>, projectId: string) {
  const campaignId = ctx.random.uuid(ctx.clock.now())
  return () => ctx.sql`
    insert into emails (id, project_id, contact_id, source_type, mail_class, campaign_id, to_email, from_email, from_name,
                        subject, html, text, headers, message_id, status, created_at, updated_at)
    select i, ${projectId}, c, 'CAMPAIGN', 'marketing', ${campaignId}, email, 'a@bench.example', 'Bench', 'News', '', '', '{}',
           i || '@bench.example', 'PENDING', now(), now()
      from (select uuid_v7(now(), row_number() over (order by id)) as i, id as c, email from contacts
             where project_id = ${projectId} and subscribed order by id) as found`
}

async function expansion(ctx: ReturnType<typeof quietContext>, projectId: string) {
  const from = 'a@bench.example'
  const draft = {
    name: 'News',
    subject: 'News',
    body: '<p>Hello {{name}}</p>',
    from,
    audienceType: 'ALL' as const,
  }
  const { row } = await createCampaign(ctx, projectId, draft)
  await sendCampaign(ctx, { projectId, role: 'OWNER', by: 'system' }, row.id, {})
  const running = { signal: new AbortController().signal }
  return () => expandCampaign(ctx, { projectId, campaignId: row.id }, running)
}

export async function run(recipients = 200_000): Promise<void> {
  const { bare, ours } = await measure(recipients)
  show(`bare INSERT ... SELECT of ${recipients}`, bare)
  show('written down by Waxwing', ours)
  const rate = (ours.perSecond / bare.perSecond).toFixed(2)
  console.log(`ratio: ${rate} in rate, ${(bare.cpuMs / ours.cpuMs).toFixed(2)} in processor time`)
}

function show(name: string, { perSecond, cpuMs }: Measured): void {
  console.log(
    `${name.padEnd(36)} ${perSecond.toFixed(0)} recipients/s, ${cpuMs.toFixed(1)} ms of processor time for a thousand`,
  )
}

if (import.meta.main) await run(Number(process.argv[2] ?? 200_000))
