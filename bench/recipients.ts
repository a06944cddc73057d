// The recipients of a campaign to a million, by page number and by cursor: how long the database works on each answer (aim: below 50 ms without
// a filter or by cursor; who fits a filter is counted for a page by number). `bun bench/recipients.ts 100000` sets how many.
import { encodeCursor } from '../src/lib/cursor'
import { createCampaign } from '../src/modules/features/campaigns/authoring/service/write'
import { listRecipients } from '../src/modules/features/campaigns/results/service/recipients'
import { expandCampaign } from '../src/modules/features/campaigns/sending/service/expand'
import { sendCampaign } from '../src/modules/features/campaigns/sending/service/send'
import { addSandboxDomain } from '../src/modules/sending/domains/service'
import type { Context } from '../src/platform/context'
import { openDatabase } from '../src/platform/db/client'
import { migrate } from '../src/platform/db/migrate'
import { migrations } from '../src/platform/db/migrations'
import { openPlanReader } from './support/plans'
import { askAll, type Question } from './support/questions'
import { benchServer, quietContext } from './support/server'

const aim = { ms: 50, large: [] }
const pageSize = 100

interface Filled {
  projectId: string
  campaignId: string
  /** Of the contacts, in their order. */
  contactIds: string[]
}

/** One in a hundred failed, half of the others opened it, and everybody has had another message besides. */
async function fill(ctx: Context, count: number): Promise<Filled> {
  const projectId = ctx.random.uuid(ctx.clock.now())
  await ctx.sql`
    insert into projects (id, name, public_key_hash, secret_key_hash, public_key_sealed, secret_key_sealed, webhook_secret_sealed,
                          created_at, updated_at)
    values (${projectId}, 'Bench', 'x', 'y', 'x', 'y', 'z', now(), now())`
  await addSandboxDomain(ctx, { id: projectId, name: 'Bench' })
  await ctx.sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select uuid_v7(now(), n), ${projectId}, 'ada-' || n || '@example.com', true, '{}', now(), now()
      from generate_series(1, ${count}::int) n`
  await ctx.sql`vacuum analyze contacts`
  const { row } = await createCampaign(ctx, projectId, {
    ...{ name: 'News', subject: 'News', body: '<p>Hello</p>', from: 'a@bench.example', audienceType: 'ALL' },
  })
  await sendCampaign(ctx, { projectId, role: 'OWNER', by: 'system' }, row.id, {})
  await expandCampaign(ctx, { projectId, campaignId: row.id }, { signal: new AbortController().signal })
  await ctx.sql`
    with numbered as (select id, row_number() over (order by contact_id) as n from emails)
    update emails e
       set status = case when n % 100 = 0 then 'FAILED' when n % 2 = 0 then 'OPENED' else 'DELIVERED' end,
           reason = case when n % 100 = 0 then 'unknown' end, sent_at = case when n % 100 > 0 then now() end,
           delivered_at = case when n % 100 > 0 then now() end, opened_at = case when n % 100 > 0 and n % 2 = 0 then now() end
      from numbered where numbered.id = e.id`
  await ctx.sql`
    insert into emails (id, project_id, contact_id, source_type, mail_class, to_email, from_email, subject, html, text, headers, message_id,
                        status, created_at, updated_at)
    select uuid_v7(now(), row_number() over ()), project_id, contact_id, 'TRANSACTIONAL', 'transactional', to_email, from_email, subject, '', '',
           '{}', md5(id::text), 'PENDING', created_at, updated_at
      from emails`
  await ctx.sql`vacuum analyze emails`
  const contacts = await ctx.sql<
    { id: string }[]
  >`select contact_id as id from emails where campaign_id = ${row.id}::uuid order by contact_id`
  return { projectId, campaignId: row.id, contactIds: contacts.map(({ id }) => id) }
}

function questions({ projectId, campaignId, contactIds }: Filled): Question[] {
  const all = contactIds.length
  const list = (status?: 'FAILED' | 'DELIVERED') => {
    const total = status === 'FAILED' ? all / 100 : status ? all / 2 : all
    const filter = status ? { status } : {}
    const ask = (query: { page?: number; cursor?: string }) => async (ctx: Context) => {
      const found = await listRecipients(ctx, projectId, campaignId, { ...filter, ...query, pageSize })
      if (found.rows.length !== pageSize || found.total !== total) throw new Error('recipients are missing')
    }
    const pages = total / pageSize
    /** Behind that many pages; whoever fits is spread evenly. */
    const behind = (skipped: number): string =>
      encodeCursor({ value: total, id: contactIds[(all / pages) * skipped - 1]! })
    const name = status ?? 'all'
    return [
      [`${name}, first page`, ask({})],
      [`${name}, page in the middle`, ask({ page: Math.floor(pages / 2) })],
      [`${name}, last page`, ask({ page: pages })],
      [`${name}, by cursor in the middle`, ask({ cursor: behind(Math.floor(pages / 2)) })],
      [`${name}, by cursor, last page`, ask({ cursor: behind(pages - 1) })],
    ] satisfies Question[]
  }
  return [...list(), ...list('DELIVERED'), ...list('FAILED')]
}

export async function run(count = 1_000_000): Promise<void> {
  const server = await benchServer()
  try {
    const url = await server.createDatabase()
    const database = openDatabase(url, { max: 4 })
    await migrate(database.sql, migrations, new Date())
    const filled = await fill(quietContext(database), count)
    const reader = await openPlanReader(database, url)
    await askAll(reader, async () => questions(filled), aim).finally(() => reader.close())
    await database.close()
  } finally {
    await server.stop()
  }
}

if (import.meta.main) await run(Number(process.argv.slice(2).find(each => /^\d+$/.test(each)) ?? 1_000_000))
