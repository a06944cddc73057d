// How long POST /v1/send takes alone and while a campaign of another project is being sent, signed: 200 requests a second whatever the answers
// take, and over 32 connections as fast as they are answered. Its own messages are signed and delivered meanwhile. Aim: the 99th percentile
// at 200 a second at most twice as long. `bun bench/send-beside.ts [recipients] [seconds]` (100,000; 10).
import postgres from 'postgres'
import { jsonPost, type LoadResult, runLoad } from './support/load'
import { acceptCampaign, sender } from './support/newsletter'
import type { Program } from './support/program'
import { type Sink, startSink } from './support/smtp-sink'

const [recipients = 100_000, seconds = 10] = process.argv.slice(2).map(Number)
const perSecond = 200
const connections = 32
const domain = 'other.example'

interface Caller {
  url: string
  key: string
}

const message = (n: number) => ({
  from: `a@${domain}`,
  to: `bo-${n}@example.com`,
  subject: 'Your order {{order}}',
  body: '<p>Thank you, {{name}}. Your order {{order}} is on its way.</p>'.repeat(10),
  data: { name: 'Bo', order: n },
})

let sent = 0

/** At moments that are set in advance: a request that is late because others are slow counts from when it was due. */
async function steadily({ url, key }: Caller): Promise<LoadResult> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const times: number[] = []
  let failures = 0
  const begun = performance.now()
  const one = async (due: number): Promise<void> => {
    const body = JSON.stringify(message(sent++))
    const answer = await fetch(`${url}/v1/send`, { method: 'POST', headers, body })
    await answer.arrayBuffer()
    if (answer.ok) times.push(performance.now() - due)
    else failures++
  }
  const all: Promise<void>[] = []
  for (let n = 0; n < seconds * perSecond; n++) {
    const due = begun + (n * 1_000) / perSecond
    const wait = due - performance.now()
    if (wait > 0) await Bun.sleep(wait)
    all.push(one(due))
  }
  await Promise.all(all)
  const sorted = times.sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  return { requests: times.length, failures, perSecond, p50: at(0.5), p99: at(0.99) }
}

function asFast({ url, key }: Caller): Promise<LoadResult> {
  const { hostname, port, host } = new URL(url)
  const request = (): string => jsonPost('/v1/send', host, key, message(sent++))
  return runLoad({ host: hostname, port: Number(port), connections, seconds, request })
}

/** A second project, with a verified domain and a key of its own. */
async function makeCaller({ url, dataDir }: Program): Promise<Caller> {
  const post = (path: string, body: object, cookie = '') =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify(body),
    })
  const signedIn = await post('/auth/login', { email: 'bench@example.com', password: 'a long password' })
  const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!
  const made = await post('/users/@me/projects', { name: 'Other' }, cookie)
  const { id, secret } = (await made.json()) as { id: string; secret: string }
  const sql = postgres({ host: `${dataDir}/postgres/s`, user: 'waxwing', database: 'waxwing', max: 1 })
  await sql`delete from domains where project_id = ${id}`
  await sql`
    insert into domains
    select (jsonb_populate_record(d, jsonb_build_object('id', gen_random_uuid(), 'project_id', ${id}::text, 'domain', ${domain}::text))).*
      from domains d limit 1`
  await sql.end()
  return { url, key: secret }
}

async function tellCampaign({ url, secretKey }: Program, what: 'pause' | 'resume'): Promise<void> {
  const headers = { authorization: `Bearer ${secretKey}` }
  const { data } = (await (await fetch(`${url}/campaigns`, { headers })).json()) as { data: { id: string }[] }
  const answer = await fetch(`${url}/campaigns/${data[0]!.id}/${what}`, { method: 'POST', headers })
  if (!answer.ok) throw new Error(await answer.text())
}

function show(name: string, { perSecond: rate, p50, p99, failures }: LoadResult): void {
  console.log(
    `${name}: ${rate.toFixed(0)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${failures} failures`,
  )
}

async function compare(sink: Sink, program: Program): Promise<void> {
  await tellCampaign(program, 'pause')
  const caller = await makeCaller(program)
  await asFast(caller)
  // What is left of it leaves.
  await Bun.sleep(seconds * 1_000)
  const [calm, fastCalm] = [await steadily(caller), await asFast(caller)]
  await Bun.sleep(seconds * 1_000)
  await tellCampaign(program, 'resume')
  await Bun.sleep(3_000)
  const before = await sink.count()
  const begun = performance.now()
  const [busy, fastBusy] = [await steadily(caller), await asFast(caller)]
  const left = ((await sink.count()) - before) / ((performance.now() - begun) / 1_000)
  show(`${perSecond} a second, alone`, calm)
  show(`${perSecond} a second, beside a campaign`, busy)
  show(`over ${connections} connections, alone`, fastCalm)
  show(`over ${connections} connections, beside a campaign`, fastBusy)
  console.log(`p99 ratio ${(busy.p99 / calm.p99).toFixed(2)}, ${(fastBusy.p99 / fastCalm.p99).toFixed(2)}`)
  console.log(
    `${left.toFixed(0)} messages a second left beside both, theirs and the campaign's from ${sender.address}`,
  )
}

export async function run(): Promise<void> {
  const sink = await startSink()
  const waiting = await acceptCampaign(recipients, { signs: true, tracks: true })
  try {
    const program = await waiting.start(`smtp://127.0.0.1:${sink.port}?pool=10`)
    await compare(sink, program).finally(program.stop)
  } finally {
    waiting.remove()
    sink.stop()
  }
}

if (import.meta.main) await run()
