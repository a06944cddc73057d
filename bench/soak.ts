// Whether tenants hold each other up: ten of them on the real program, of which two do everything that is costly or hostile, all at once,
// alternating with calm. Prints how long the other eight wait for their answers in calm and in storm, whether each of their messages
// arrived, the memory of the program over time, and the longest time for which its event loop was blocked. The way `ordinary` is no hostility
// but a control: what neighbours feel of a campaign and of as many calls as are allowed. `bun bench/soak.ts [seconds of
// storm] [seconds of a turn] [ways]`; with ways (`mails+bodies,filter`) each of them is a storm in turn.
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNameServer } from '../test/support/name-server'
import { freePort, type Keys, makeProject, verifyDomain } from '../test/support/program'
import { until } from '../test/support/until'
import { inDatabase } from './support/beside'
import { cpuOf, cpuOfAll, cpuOfMainThread } from './support/cpu'
import { proportionalMegabytes } from './support/memory'
import { type Program, startProgram } from './support/program'
import { startRecordingSink } from './support/recording-sink'
import type { HostileTask } from './support/soak-hostile'
import { routes, Slice, startTenants, type Tenant } from './support/soak-tenants'
import { judgeSoak, type LoopSecond, longestHeld, type Turn } from './support/soak-verdict'

const tenants = 10
const hostile = 2
const contactsOfHostile = 100_000
const [stormSeconds = 600, turnSeconds = 60] = process.argv.slice(2, 4).map(Number)
const ways = process.argv[4]?.split(',') ?? []
const calmSeconds = Math.min(turnSeconds, 30)
/** So that what one part leaves behind is not measured with the next. */
const pauseMs = 3_000

const folder = mkdtempSync(join(tmpdir(), 'waxwing-soak-'))
// The database server runs as another user when root starts it.
chmodSync(folder, 0o755)
mkdirSync(join(folder, 'data'))
const loopFile = join(folder, 'loop')
const bounceDomain = 'bounce.tenant-mail.com'
const [inboundPort, submissionPort] = [await freePort(), await freePort()]
const [sink, dns] = await Promise.all([startRecordingSink(), startNameServer()])
const hanging = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  fetch: () => new Promise<Response>(() => {}),
})
const program = await startProgram(
  {
    DATA_DIR: join(folder, 'data'),
    SMTP_URL: sink.url,
    DNS_SERVERS: dns.address,
    RATE_LIMIT_PER_MINUTE: '1000',
    // The webhook endpoints that hang are on this machine.
    WEBHOOK_ALLOW_PRIVATE: 'true',
    LOG_LEVEL: 'error',
    BOUNCE_DOMAIN: bounceDomain,
    SMTP_INBOUND_LISTEN: `127.0.0.1:${inboundPort}`,
    SMTP_LISTEN: `127.0.0.1:${submissionPort}`,
    SMTP_PLAIN_ON_LOOPBACK: 'true',
    BUN_OPTIONS: `--preload=${join(import.meta.dir, 'support/watch-loop.ts')}`,
    WATCH_LOOP_FILE: loopFile,
  },
  { secretKey: '', publicKey: '' },
)
try {
  const all = await makeTenants(program)
  await fill(program, all)
  const wrong = await soak(program, all.slice(hostile), all.slice(0, hostile))
  for (const each of wrong) console.log(`WRONG: ${each}`)
  process.exitCode = wrong.length === 0 ? 0 : 1
} finally {
  await program.stop()
  sink.stop()
  dns.stop()
  void hanging.stop(true)
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

async function soak(on: Program, quiet: readonly Tenant[], loud: Tenant[]): Promise<string[]> {
  const storm = startStorm(on.url, loud, await returnPathOf(on.url, loud[0]!))
  const turns: Turn[] = []
  const begin = new Slice()
  const load = startTenants(on.url, quiet, begin)
  await Bun.sleep(2 * pauseMs)
  const part = async (kind: Turn['kind'], seconds: number): Promise<void> => {
    const slice = new Slice()
    const before = processors(on.pid, storm.pid)
    const turn: Turn = { kind, slice, from: Date.now(), until: 0, megabytes: 0, load: 0, used: [] }
    load.measure(slice)
    await Bun.sleep(seconds * 1_000)
    load.measure(begin)
    turn.until = Date.now()
    turn.megabytes = proportionalMegabytes([on.pid])
    const spent = turn.until - turn.from
    turn.used = processors(on.pid, storm.pid).map((ms, part) => (ms - before[part]!) / spent)
    turn.load = loadavg()[0]!
    turns.push(turn)
    tell(turn)
  }
  const storms = Array.from(
    { length: Math.max(ways.length, Math.ceil(stormSeconds / turnSeconds)) },
    (_, n) => ways[n % ways.length] ?? '',
  )
  for (const way of storms) {
    await part('calm', calmSeconds)
    await storm.turn('on', way.replaceAll('+', ' '))
    await Bun.sleep(pauseMs)
    if (way) console.log(`  ${way} alone:`)
    await part('storm', turnSeconds)
    await storm.turn('off')
    await Bun.sleep(5 * pauseMs)
  }
  await part('calm', calmSeconds)
  await load.stop()
  console.log('what was answered to the hostile tenants:', await storm.end())
  await until('their messages have left', async () => (await open(on, quiet)) === 0, 300_000).catch(
    console.log,
  )
  const { recorded } = await sink.dump()
  return judgeSoak({
    turns,
    accepted: load.accepted,
    arrived: recorded.map(({ to }) => to),
    loop: loopTurns(),
  })
}

/** Milliseconds so far: event loop, other threads, database, and whoever storms. */
function processors(pid: number, storms: number): number[] {
  const [loop, own, all] = [cpuOfMainThread(pid), cpuOf(pid), cpuOfAll(pid) ?? 0]
  return [loop, own - loop, all - own, cpuOf(storms)]
}

function tell(turn: Turn): void {
  const { kind, slice, megabytes, load, used } = turn
  const parts = routes.map(route => {
    const times = slice.times[route].toSorted((a, b) => a - b)
    const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(0)
    return `${route} p50 ${at(0.5)} p99 ${at(0.99)} ms of ${times.length}`
  })
  const shares = ['event loop', 'threads', 'database', 'whoever storms']
    .map((name, part) => `${name} ${used[part]!.toFixed(2)}`)
    .join(', ')
  const faults = slice.faults.size > 0 ? `, ${JSON.stringify(Object.fromEntries(slice.faults))}` : ''
  const { clock, worked } = longestHeld([turn], loopTurns())
  const held = `event loop held ${clock} ms, ${worked} of them its own work`
  console.log(
    `  ${kind}: ${parts.join(', ')}, ${megabytes.toFixed(0)} MB, processors: ${shares}, ${held}, load of the machine ${load.toFixed(1)}${faults}`,
  )
}

/** What the watcher in the program has written. */
function loopTurns(): LoopSecond[] {
  const lines = readFileSync(loopFile, 'utf8').trim().split('\n')
  return lines.map(line => {
    const [at = 0, clock = 0, worked = 0] = line.split(' ').map(Number)
    return { at, clock, worked }
  })
}

function startStorm(url: string, loud: Tenant[], returnPath: string) {
  const doors = { inboundPort, submissionPort, returnPath, postmaster: `postmaster@${bounceDomain}` }
  const task: HostileTask = { url, tenants: loud, hangingUrl: `http://127.0.0.1:${hanging.port}/`, doors }
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'support/soak-hostile.ts')], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader()
  const say = async (line: string): Promise<string> => {
    child.stdin.write(`${line}\n`)
    child.stdin.flush()
    return (await lines.read()).value ?? ''
  }
  const ready = say(JSON.stringify(task))
  return {
    pid: child.pid,
    async turn(word: 'on' | 'off', way = ''): Promise<void> {
      await ready
      await say(`${word} ${way}`)
    },
    async end(): Promise<string> {
      const counts = await say('count')
      child.kill()
      return counts
    },
  }
}

/** As whoever got a message has it. */
async function returnPathOf(url: string, { secretKey, domain }: Tenant): Promise<string> {
  const to = 'stranger@example.net'
  await fetch(`${url}/v1/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${secretKey}` },
    body: JSON.stringify({ from: `a@${domain}`, to, subject: 'Hello', body: '<p>Hello</p>' }),
  })
  let from: string | undefined
  await until('the message has arrived', async () => {
    from = (await sink.dump()).recorded.find(each => each.to === to)?.from
    return from !== undefined
  })
  return from!
}

async function makeTenants(on: Program): Promise<Tenant[]> {
  const first = await makeProject(on.url)
  const made: Tenant[] = []
  for (let n = 0; n < tenants; n++) {
    const keys = n === 0 ? first : await anotherProject(on.url, first, n)
    const domain = `tenant-${n}-mail.com`
    await verifyDomain(on.url, keys, domain, dns)
    made.push({ ...keys, domain })
  }
  return made
}

async function anotherProject(url: string, { cookie }: Keys, n: number): Promise<Keys> {
  const answer = await fetch(`${url}/users/@me/projects`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify({ name: `Tenant ${n}` }),
  })
  if (!answer.ok) throw new Error(`project ${n}: ${await answer.text()}`)
  const project = (await answer.json()) as { id: string; secret: string; public: string }
  return { projectId: project.id, secretKey: project.secret, publicKey: project.public, cookie }
}

/** The hostile tenants have much to search in. */
async function fill(on: Program, all: readonly Tenant[]): Promise<void> {
  await inDatabase(on.dataDir, async sql => {
    for (const [n, { projectId }] of all.entries()) {
      const count = n < hostile ? contactsOfHostile : 2_000
      await sql`
        insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
        select uuid_v7(now(), n), ${projectId}, 'c-' || n || '@example.com', true,
               jsonb_build_object('plan', 'pro', 'note1', repeat(md5(n::text), 4), 'note2', repeat(md5(n::text), 4)), now(), now()
          from generate_series(1, ${count}::int) n`
      await sql`insert into contact_deltas (project_id, contacts, subscribed) values (${projectId}, ${count}, ${count})`
    }
    await sql.unsafe('vacuum analyze contacts')
  })
}

async function open(on: Program, quiet: readonly Tenant[]): Promise<number> {
  return await inDatabase(on.dataDir, async sql => {
    const [row] = await sql<{ count: number }[]>`
      select count(*)::int as count from emails
       where status in ('PENDING', 'SENDING') and project_id = any(${quiet.map(({ projectId }) => projectId)}::uuid[])`
    return row!.count
  })
}
