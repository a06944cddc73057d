// What a campaign withstands: it is sent to a sink while the program is killed with its database three times, the database is restarted,
// and the sink refuses everything for a minute, all while transactional mail is sent alongside. Every subscribed contact must get the
// message, at most twice where it was in flight at a kill, and the records must agree with the sink. `bun bench/endurance.ts 100000 60`
// sets the number of contacts and the seconds of refusal.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { startNameServer } from '../test/support/name-server'
import {
  type Keys,
  makeFolder,
  makeProject,
  type Program,
  sendMail,
  serverPid,
  serversOf,
  startProgram,
  verifyDomain,
} from '../test/support/program'
import { until } from '../test/support/until'
import { inDatabase } from './support/beside'
import { type Fault, judge, type LostTry, type Transactional } from './support/endurance-verdict'
import { forgetPeak, peakMegabytes, proportionalMegabytes } from './support/memory'
import { startRecordingSink } from './support/recording-sink'

const sender = 'hello@acme-mail.com'
const minute = 60_000
const paragraph =
  '<p>Some words that stand for a newsletter, and a <a href="https://example.com/">link</a>.</p>\n'
const greeting = '<h1>Hello {{name}}</h1><p>Your plan is {{plan ?? "free"}}.</p>'
const body = `<html><body>${greeting}${paragraph.repeat(55)}<p>Bye, {{name}}</p>${paragraph.repeat(50)}</body></html>`

export interface Options {
  contacts: number
  refusalMs: number
  /** Transactional messages per second alongside the campaign. */
  transactionalPerSecond?: number
}

/** Returns what was wrong; an empty list is a pass. */
export async function endure({
  contacts,
  refusalMs,
  transactionalPerSecond = 10,
}: Options): Promise<string[]> {
  const folder = makeFolder()
  const dataDir = join(folder, 'data')
  const [sink, dns] = await Promise.all([startRecordingSink(), startNameServer()])
  const environment = {
    DATA_DIR: dataDir,
    PORT: '0',
    SMTP_URL: sink.url,
    RATE_LIMIT_PER_MINUTE: '0',
    DNS_SERVERS: dns.address,
    LOG_LEVEL: 'error',
  }
  let program: Program = await startProgram({ environment })
  const memory = { program: 0, database: 0 }
  const faults: Fault[] = []
  const look = (): void => {
    memory.program = Math.max(memory.program, peakMegabytes(program.pid))
    memory.database = Math.max(memory.database, proportionalMegabytes(serversOf(dataDir)))
  }
  const watching = setInterval(look, 500)

  /** Notes when a fault began and when the instance had recovered. */
  const fault = async (kind: Fault['kind'], work: () => Promise<void>): Promise<void> => {
    const noted: Fault = { kind, from: Date.now(), until: Number.POSITIVE_INFINITY }
    faults.push(noted)
    await work()
    noted.until = Date.now()
    console.log(`  ${await sink.count()} at the sink: ${kind} took ${noted.until - noted.from} ms`)
  }
  const kill = (): Promise<void> =>
    fault('kill', async () => {
      look()
      program.kill('SIGKILL')
      for (const pid of serversOf(dataDir)) process.kill(pid, 'SIGKILL')
      await program.exited
      program = await startProgram({ environment })
    })
  const restartDatabase = (): Promise<void> =>
    fault('restart', async () => {
      const before = serverPid(dataDir)
      process.kill(before, 'SIGINT')
      await until('another server runs', () => serverNow(dataDir) !== before && serverNow(dataDir) > 0)
      await until('the instance is well', async () =>
        fetch(`${program.url}/health`).then(
          answer => answer.ok,
          () => false,
        ),
      )
    })
  const refuse = (): Promise<void> =>
    fault('refusal', async () => {
      await sink.refuse()
      await Bun.sleep(refusalMs)
      await sink.accept()
    })

  try {
    const keys = await makeProject(program.url)
    await verifyDomain(program.url, keys, 'acme-mail.com', dns)
    await makeContacts(dataDir, keys.projectId, contacts)
    const beside = sendBeside(keys, () => program.url, transactionalPerSecond)
    await Bun.sleep(1_000)
    forgetPeak(program.pid)
    memory.program = 0
    const beganAt = Date.now()
    const campaignId = await startCampaign(program.url, keys)
    const plan: Array<[share: number, work: () => Promise<void>]> = [
      [0.15, kill],
      [0.35, kill],
      [0.5, restartDatabase],
      [0.6, refuse],
      [0.8, kill],
    ]
    for (const [share, work] of plan) {
      await until(
        `${share * 100} % have arrived`,
        async () => (await sink.count()) >= share * contacts,
        15 * minute,
      )
      await work()
    }
    const stats = await sent(program.url, keys, campaignId)
    console.log(`  ${contacts} contacts in ${((Date.now() - beganAt) / 1000).toFixed(0)} s, faults and all`)
    const transactional = await beside.stop()
    await until('nothing is left open', async () => (await openMessages(dataDir)) === 0, 5 * minute)
    look()
    const arrived = await sink.dump()
    const lost = await lostTries(dataDir, campaignId)
    return judge({ contacts, arrived, transactional, faults, stats, lost, memory, dns: dns.published })
  } finally {
    clearInterval(watching)
    program.kill('SIGKILL')
    for (const pid of serversOf(dataDir)) process.kill(pid, 'SIGKILL')
    await program.exited
    sink.stop()
    dns.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The process id of the database server; 0 while there is none. */
function serverNow(dataDir: string): number {
  try {
    return serverPid(dataDir)
  } catch {
    return 0
  }
}

/** Makes the subscribed contacts that the campaign is for, and another twentieth who have opted out. */
async function makeContacts(dataDir: string, projectId: string, contacts: number): Promise<void> {
  const out = Math.ceil(contacts / 20)
  await inDatabase(dataDir, async sql => {
    await sql`
      insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
      select uuid_v7(now(), n), ${projectId}, case when n <= ${contacts}::int then 'ada-' else 'out-' end || n || '@example.com',
             n <= ${contacts}::int, jsonb_build_object('name', 'Ada ' || n, 'plan', 'pro'), now(), now()
        from generate_series(1, ${contacts + out}::int) n`
    await sql`
      insert into contact_deltas (project_id, contacts, subscribed) values (${projectId}, ${contacts + out}, ${contacts})`
  })
}

async function startCampaign(url: string, keys: Keys): Promise<string> {
  const draft = { name: 'News', subject: 'News {{name}}', body, from: sender, audienceType: 'ALL' }
  const { data } = (await call(url, keys, 'POST', '/campaigns', draft)) as { data: { id: string } }
  await call(url, keys, 'POST', `/campaigns/${data.id}/send`, {})
  return data.id
}

async function call(
  url: string,
  keys: Keys,
  method: string,
  path: string,
  content?: unknown,
): Promise<unknown> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${keys.secretKey}`, 'content-type': 'application/json' },
    ...(content === undefined ? {} : { body: JSON.stringify(content) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
  return await answer.json()
}

/** Sends one message at each tick of the clock, whether the previous one was answered or not. */
function sendBeside(keys: Keys, url: () => string, perSecond: number) {
  const sent: Transactional[] = []
  const underway = new Set<Promise<void>>()
  let count = 0
  const send = async (): Promise<void> => {
    const to = `t-${++count}@example.org`
    const accepted = await sendMail(url(), keys, {
      from: sender,
      to,
      subject: 'Code',
      body: `<p>${count}</p>`,
    })
      .then(answer => answer.json().then(() => answer.ok))
      .catch(() => false)
    if (accepted) sent.push({ to, at: Date.now() })
  }
  const timer = setInterval(() => {
    const one = send().finally(() => underway.delete(one))
    underway.add(one)
  }, 1000 / perSecond)
  return {
    async stop(): Promise<Transactional[]> {
      clearInterval(timer)
      await Promise.all(underway)
      return sent
    },
  }
}

/** Waits until the campaign is SENT; returns its counts. */
async function sent(url: string, keys: Keys, id: string): Promise<Record<string, number>> {
  let stats: Record<string, number> & { status?: string } = {}
  const isSent = async (): Promise<boolean> => {
    stats = (await call(url, keys, 'GET', `/campaigns/${id}/stats`)) as typeof stats
    return String(stats.status) === 'SENT'
  }
  await until('the campaign is SENT', isSent, 20 * minute)
  return stats
}

/** Messages of both kinds that are still open: refused transactional mail comes back when its own plan says. */
async function openMessages(dataDir: string): Promise<number> {
  return await inDatabase(dataDir, async sql => {
    const [row] = await sql<{ count: number }[]>`
      select count(*) as count from emails where status in ('PENDING', 'SENDING')`
    return row!.count
  })
}

/** The attempts whose process died before it had recorded an answer: what was in flight at the kills. */
async function lostTries(dataDir: string, campaignId: string): Promise<LostTry[]> {
  return await inDatabase(dataDir, async sql => {
    const rows = await sql<{ to: string; at: Date }[]>`
      select e.to_email as to, a.started_at as at from email_attempts a join emails e on e.id = a.email_id
       where e.campaign_id = ${campaignId} and a.response like 'the process ended before%'`
    return rows.map(({ to, at }) => ({ to, at: at.getTime() }))
  })
}

if (import.meta.main) {
  const [contacts = 100_000, seconds = 60] = process.argv.slice(2).map(Number)
  const wrong = await endure({ contacts, refusalMs: seconds * 1_000 })
  for (const each of wrong) console.log(`WRONG: ${each}`)
  process.exit(wrong.length === 0 ? 0 : 1)
}
