// Messages a second of a campaign (a personal newsletter of 10 kB, DKIM-signed, to a local SMTP sink, with books kept of every
// recipient), beside a bare pooled nodemailer that composes and sends the same and keeps none; with and without DKIM. And recipients
// a second written down, beside a bare INSERT ... SELECT. `bun bench/campaign.ts 1000000` sets the number of recipients written down.
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import postgres from 'postgres'
import { createCampaign, expandCampaign, sendCampaign } from '../src/modules/campaigns/service'
import { addSandboxDomain } from '../src/modules/domains/service'
import { openDatabase } from '../src/platform/db/client'
import { migrate } from '../src/platform/db/migrate'
import { migrations } from '../src/platform/db/migrations'
import { startProgram } from './support/program'
import { benchServer, quietContext } from './support/server'
import { type Sink, startSink } from './support/smtp-sink'

const messages = 8_000
const paragraph =
  '<p>Some words that stand for a newsletter, and a <a href="https://example.com/">link</a>.</p>\n'
const greeting = '<h1>Hello {{name}}</h1><p>Your plan is {{plan ?? "free"}}.</p>'
const body = `<html><body>${greeting}${paragraph.repeat(55)}<p>Bye, {{name}}</p>${paragraph.repeat(50)}</body></html>`

/** Waits for so many messages more, and answers how many came a second from the first one on. */
async function rateOf(sink: Sink, before: number, wanted: number): Promise<number> {
  const limit = performance.now() + 120_000
  let first: { at: number; count: number } | undefined
  for (;;) {
    const count = (await sink.count()) - before
    const at = performance.now()
    if (!first && count > 0) first = { at, count }
    if (first && count >= wanted) return (count - first.count) / ((at - first.at) / 1000)
    if (at > limit) throw new Error(`only ${count} of ${wanted} arrived`)
    await Bun.sleep(10)
  }
}

async function measureFloor(sink: Sink, signs: boolean): Promise<number> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const transport = createTransport({
    host: '127.0.0.1',
    port: sink.port,
    ignoreTLS: true,
    pool: true,
    maxConnections: 10,
    maxMessages: Number.POSITIVE_INFINITY,
    ...(signs ? { dkim: { domainName: 'bench.example', keySelector: 'wx1', privateKey: key } } : {}),
  })
  const count = messages / 4
  const before = await sink.count()
  const all = Array.from({ length: count }, (_, n) => {
    const html = body.replaceAll('{{name}}', `Ada ${n}`).replace('{{plan ?? "free"}}', 'pro')
    const text = html.replace(/<[^>]+>/g, '')
    const list = { unsubscribe: { url: `https://bench.example/unsubscribe/${n}` } }
    return transport.sendMail({
      from: 'News <a@bench.example>',
      to: `ada-${n}@example.com`,
      subject: `News ${n}`,
      html,
      text,
      list,
    })
  })
  const rate = await rateOf(sink, before, count)
  await Promise.all(all)
  transport.close()
  return rate
}

/** Accepts a campaign without sending it, then starts the program that does, and times what arrives. */
async function measureOurs(sink: Sink, signs: boolean): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'waxwing-bench-'))
  try {
    const accepting = await startProgram({ ROLE: 'api', DATA_DIR: dataDir })
    const sql = postgres({ host: `${dataDir}/postgres/s`, user: 'waxwing', database: 'waxwing', max: 1 })
    await sql`
      insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
      select uuid_v7(now(), n), p.id, 'ada-' || n || '@example.com', true,
             jsonb_build_object('name', 'Ada ' || n, 'plan', 'pro'), now(), now()
        from projects p, generate_series(1, ${messages}::int) n`
    await acceptCampaign(accepting.url, accepting.secretKey)
    // The sandbox domain counts in outbox mode only. Without a domain the campaign, accepted already, leaves unsigned.
    if (signs) await sql`update domains set sandbox = false`
    else await sql`delete from domains`
    await sql.end()
    await accepting.stop()
    const before = await sink.count()
    const smtp = `smtp://127.0.0.1:${sink.port}?pool=10`
    const starting = startProgram({ DATA_DIR: dataDir, SMTP_URL: smtp }, accepting)
    const rate = await rateOf(sink, before, messages)
    await (await starting).stop()
    return rate
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function acceptCampaign(url: string, key: string): Promise<void> {
  const post = async (path: string, content: unknown): Promise<{ data: { id: string } }> => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(content),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as { data: { id: string } }
  }
  const draft = { name: 'News', subject: 'News {{name}}', body, from: 'a@bench.example', audienceType: 'ALL' }
  const { data } = await post('/campaigns', draft)
  await post(`/campaigns/${data.id}/send`, {})
}

export async function measureExpansion(recipients: number): Promise<{ bare: number; ours: number }> {
  const server = await benchServer()
  try {
    let [bare, ours] = [0, 0]
    // In turns, and the best of each: what else the machine does at the moment is no part of either.
    for (let round = 0; round < 3; round++) {
      bare = Math.max(bare, await inDatabase(await server.createDatabase(), recipients, bareInsert))
      ours = Math.max(ours, await inDatabase(await server.createDatabase(), recipients, expansion))
    }
    return { bare, ours }
  } finally {
    await server.stop()
  }
}

type Work = (ctx: ReturnType<typeof quietContext>, projectId: string) => Promise<() => Promise<unknown>>

/** Recipients a second that `work`, once it is prepared, writes down in a fresh database. */
async function inDatabase(url: string, recipients: number, work: Work): Promise<number> {
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
    const startedAt = performance.now()
    await run()
    const rate = recipients / ((performance.now() - startedAt) / 1000)
    const [row] = await database.sql<{ rows: number }[]>`select count(*) as rows from emails`
    if (Number(row?.rows) !== recipients) throw new Error(`${row?.rows} of ${recipients} were written down`)
    return rate
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
  const draft = { name: 'News', subject: 'News', body, from, audienceType: 'ALL' as const }
  const { row } = await createCampaign(ctx, projectId, draft)
  await sendCampaign(ctx, { projectId, role: 'OWNER', by: 'system' }, row.id, null)
  const running = { signal: new AbortController().signal }
  return () => expandCampaign(ctx, { projectId, campaignId: row.id }, running)
}

export async function run(recipients = 200_000): Promise<void> {
  const { bare, ours } = await measureExpansion(recipients)
  console.log(`bare INSERT ... SELECT   ${bare.toFixed(0)} recipients/s of ${recipients}`)
  console.log(`written down by Waxwing  ${ours.toFixed(0)} recipients/s`)
  console.log(`ratio                    ${(ours / bare).toFixed(2)}`)
  const sink = await startSink()
  try {
    for (const signs of [true, false]) {
      const floorBefore = await measureFloor(sink, signs)
      const sent = await measureOurs(sink, signs)
      const floorAfter = await measureFloor(sink, signs)
      console.log(
        signs ? 'DKIM-signed' : 'not signed',
        `\n  bare nodemailer        ${floorBefore.toFixed(0)} and ${floorAfter.toFixed(0)} messages/s`,
        `\n  sent by Waxwing        ${sent.toFixed(0)} messages/s`,
        `\n  ratio                  ${((sent * 2) / (floorBefore + floorAfter)).toFixed(2)}`,
      )
    }
  } finally {
    sink.stop()
  }
}

if (import.meta.main) await run(Number(process.argv[2] ?? 200_000))
