// The campaign that is measured: a personalised newsletter of 10 kB, accepted by the real program and not sent yet.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { type Program, startProgram } from './program'

const paragraph =
  '<p>Some words that stand for a newsletter, and a <a href="https://example.com/">link</a>.</p>\n'
const greeting = '<h1>Hello {{name}}</h1><p>Your plan is {{plan ?? "free"}}.</p>'
const newsletter = `<html><body>${greeting}${paragraph.repeat(55)}<p>Bye, {{name}}</p>${paragraph.repeat(50)}</body></html>`

export interface Variant {
  signs: boolean
  /** Links lead through the program, which makes a message about twice as long. */
  tracks: boolean
}

/** What a recipient named `anybody` gets. */
export interface Rendered {
  subject: string
  html: string
  text: string
}

export const anybody = 'Ada Anybody'
export const sender = { name: 'Bench', address: 'a@bench.example' }

export interface Waiting {
  dataDir: string
  /** As a preview shows it, without tracking. */
  rendered: Rendered
  /** Starts the program that sends it. */
  start(smtpUrl: string, environment?: Record<string, string>): Promise<Program>
  remove(): void
}

export interface Wanted {
  /** Of the recipients, who are in turn at one of them. */
  domains?: readonly string[]
  /** Instead of the newsletter. */
  body?: string
}

/** A campaign to that many contacts, in a database of its own. */
export async function acceptCampaign(
  recipients: number,
  { signs, tracks }: Variant,
  { domains = ['example.com'], body = newsletter }: Wanted = {},
): Promise<Waiting> {
  const dataDir = mkdtempSync(join(tmpdir(), 'waxwing-bench-'))
  const remove = (): void => rmSync(dataDir, { recursive: true, force: true })
  try {
    const accepting = await startProgram({ ROLE: 'api', DATA_DIR: dataDir })
    const sql = postgres({ host: `${dataDir}/postgres/s`, user: 'waxwing', database: 'waxwing', max: 1 })
    await sql`
      insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
      select uuid_v7(now(), n), p.id, 'ada-' || n || '@' || (${domains as string[]}::text[])[1 + n % ${domains.length}::int], true,
             jsonb_build_object('name', 'Ada ' || n, 'plan', 'pro'), now(), now()
        from projects p, generate_series(1, ${recipients}::int) n`
    await sql`update projects set tracking = ${tracks ? 'ENABLED' : 'DISABLED'}`
    const rendered = await startSending(accepting, body)
    // The sandbox domain counts in outbox mode only. Without a domain the campaign, accepted already, leaves unsigned.
    if (signs) await sql`update domains set sandbox = false`
    else await sql`delete from domains`
    await sql.end()
    await accepting.stop()
    // The domain does not exist: whoever could be asked about it would say so at the next check, and the rest would leave unsigned.
    const nobody = { DNS_SERVERS: '127.0.0.1:9' }
    const start = (url: string, environment: Record<string, string> = {}) =>
      startProgram({ ...nobody, ...environment, DATA_DIR: dataDir, SMTP_URL: url }, accepting)
    return { dataDir, rendered, start, remove }
  } catch (error) {
    remove()
    throw error
  }
}

/** A program with ROLE=api only records that the campaign is to be sent. */
async function startSending({ url, secretKey }: Program, body: string): Promise<Rendered> {
  const post = async <T>(path: string, content: unknown): Promise<T> => {
    const answer = await fetch(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(content),
    })
    if (!answer.ok) throw new Error(await answer.text())
    return (await answer.json()) as T
  }
  const draft = { name: 'News', subject: 'News {{name}}', body, from: sender.address, audienceType: 'ALL' }
  const { data } = await post<{ data: { id: string } }>('/campaigns', draft)
  const example = { data: { name: anybody, plan: 'pro' } }
  const rendered = await post<Rendered>(`/campaigns/${data.id}/preview`, example)
  await post(`/campaigns/${data.id}/send`, {})
  return rendered
}
