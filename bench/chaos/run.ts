// Breaks everything around two instances that send mail, for as many minutes as given, and tells whether a message was lost:
// `bun run chaos [minutes] [--seed N] [--write]`; `--write` puts what was seen into docs/reliability.md. The seed is printed: it repeats
// the order and lengths of the faults.
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Sql } from 'postgres'
import { openDatabase } from '../../src/platform/db/client'
import { builtProgram, makeProject, runProgram, startProgram, verifyDomain } from '../../test/support/program'
import { until } from '../../test/support/until'
import { hasPostgres } from './database'
import { backupName, type Fault, faults } from './faults'
import { type Load, prepare, senderDomain, startLoad } from './load'
import { type Happened, report } from './report'
import { judge } from './verdict'
import { environmentOf, startWorld, type World } from './world'

const perSecond = 25
const calmMs = 3_000
const recoveryLimitMs = 180_000
/** A message that was deferred comes back when its plan says. */
const settleLimitMs = 1_800_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, write: { type: 'boolean' }, only: { type: 'string' } },
})
const minutes = Number(positionals[0] ?? 10)
const seed = Number(values.seed ?? Date.now() % 1_000_000)

if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error('usage: bun run chaos [minutes] [--seed N] [--only "part of a fault\'s name"] [--write]')
  process.exit(2)
}
if (!hasPostgres) {
  console.error('bun run chaos needs the programs of PostgreSQL 15 in /usr/lib/postgresql/15/bin')
  process.exit(2)
}
process.exit((await run()) ? 0 : 1)

async function run(): Promise<boolean> {
  await builtProgram()
  const beganAt = new Date()
  const world = await startWorld(seeded(seed))
  try {
    const { url } = world.instances[0]!.program
    const account = await makeProject(url)
    await verifyDomain(url, account, senderDomain, world.names)
    await prepare(url, account)
    console.log(`chaos for ${minutes} minutes, seed ${seed}`)
    const load = startLoad(world, account, perSecond)
    const happened = await breakThings(world, load, beganAt.getTime() + minutes * 60_000)
    await load.stop()
    const sql = openDatabase(world.database.urlAt(world.database.port), { max: 2 })
    try {
      await until('nothing is open any more', () => isSettled(sql.sql), settleLimitMs)
      const verdict = await judge(sql.sql, load, world.relay.taken)
      const restored = happened.some(({ fault }) => fault.includes('backup'))
        ? await restore(world, load)
        : []
      verdict.wrong.push(...restored, ...world.unexpected)
      const text = report({
        beganAt,
        minutes,
        seed,
        machine: `${cpus().length} × ${cpus()[0]!.model}, ${Math.round(totalmem() / 2 ** 30)} GB`,
        happened,
        statuses: load.statuses,
        verdict,
      })
      console.log(text)
      if (values.write) await Bun.write(join(import.meta.dir, '../../docs/reliability.md'), text)
      return verdict.wrong.length === 0
    } finally {
      await sql.close()
    }
  } finally {
    await world.stop()
  }
}

/** One fault after the other, all of them in an order of its own in each round. */
async function breakThings(world: World, load: Load, until: number): Promise<Happened[]> {
  const possible = faults.filter(
    ({ name, isPossible }) => name.includes(values.only ?? '') && (isPossible?.(world) ?? true),
  )
  const happened: Happened[] = []
  while (Date.now() < until)
    for (const fault of shuffled(possible, world.random)) {
      if (Date.now() >= until) break
      await Bun.sleep(calmMs * (0.5 + world.random()))
      happened.push(await endure(world, load, fault))
    }
  return happened
}

async function endure(world: World, load: Load, fault: Fault): Promise<Happened> {
  const beganAt = Date.now()
  await fault.happen(world)
  const overAt = Date.now()
  const recovered = await recover(world, load)
  const noted = { fault: fault.name, lastedMs: overAt - beganAt, recoveredMs: Date.now() - overAt }
  if (!recovered) world.unexpected.push(`not well ${recoveryLimitMs / 1_000} s after: ${fault.name}`)
  const took = `${(noted.lastedMs / 1_000).toFixed(1)} s, well after ${(noted.recoveredMs / 1_000).toFixed(1)} s`
  console.log(`${new Date().toISOString().slice(11, 19)} ${fault.name}: ${took}`)
  return noted
}

/** Until each instance accepts a message, and that has arrived. */
async function recover(world: World, load: Load): Promise<boolean> {
  const end = Date.now() + recoveryLimitMs
  const isWell = async (instance: number): Promise<boolean> => {
    while (Date.now() < end) {
      const key = await load.canary(instance)
      for (let waited = 0; key && waited < 5_000; waited += 20, await Bun.sleep(20))
        if (world.relay.taken.has(key)) return true
      if (!key) await Bun.sleep(100)
    }
    return false
  }
  const all = await Promise.all(world.instances.map((_, index) => isWell(index)))
  return all.every(Boolean)
}

async function isSettled(sql: Sql): Promise<boolean> {
  const [row] = await sql<{ open: number }[]>`
    select (select count(*)::int from emails where status in ('PENDING', 'SENDING'))
         + (select count(*)::int from campaigns where status in ('SENDING', 'SCHEDULED'))
         + (select count(*)::int from workflow_executions where status in ('RUNNING', 'WAITING')) as open`
  await Bun.sleep(500)
  return row!.open === 0
}

/** Puts the last backup into a database of its own: it has what was promised before it was begun, and sends nothing by itself. */
async function restore(world: World, load: Load): Promise<string[]> {
  const file = join(world.folder, backupName)
  const madeAt = new Date(JSON.parse((await Bun.file(file).slice(0, 65_536).text()).split('\n')[1]!).madeAt)
  const admin = openDatabase(world.database.urlAt(world.database.port), { max: 1 })
  await admin.sql.unsafe('create database restored')
  await admin.close()
  const url = world.database.urlAt(world.database.port, 'restored')
  const environment = environmentOf(world, 'restored', url)
  const { code, err } = await runProgram(['restore', file, '--verify'], { environment })
  if (code !== 0) return [`restore: ${err.slice(-300)}`]
  const client = openDatabase(url, { max: 1 })
  try {
    const rows = await client.sql<{ key: string }[]>`select to_email || ' ' || subject as key from emails`
    const there = new Set(rows.map(({ key }) => key))
    const before = [...load.promised].filter(([, { at, kind }]) => at < madeAt.getTime() && kind !== 'event')
    const missing = before.filter(([key]) => !there.has(key)).length
    const taken = copies(world)
    const program = await startProgram({ environment })
    await Bun.sleep(5_000)
    program.kill('SIGKILL')
    console.log(`restored: ${before.length} promised before the backup, ${missing} missing`)
    return [
      ...(missing > 0 ? [`${missing} promised before the backup are not in it`] : []),
      ...(copies(world) > taken ? ['a restored instance sent mail by itself'] : []),
    ]
  } finally {
    await client.close()
  }
}

function copies({ relay }: World): number {
  return [...relay.taken.values()].reduce((sum, each) => sum + each.length, 0)
}

/** Numbers from 0 to 1 (mulberry32), the same ones for the same seed. */
function seeded(from: number): () => number {
  let state = from >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

function shuffled<T>(all: readonly T[], random: () => number): T[] {
  return all
    .map(each => ({ each, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ each }) => each)
}
