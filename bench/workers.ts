// What a second process with ROLE=worker adds: a campaign, unsigned, delivered by one and by two on one database. To a sink that answers at
// once the processor is the limit (aim: two are no slower than one), to one that takes its time for each
// message it is not (aim: 1.8 times as fast). `bun bench/workers.ts [messages] [pause] [rounds]` (12,000; 30 ms; 2).
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { resumeSending } from '../src/platform/instance/queries'
import { acceptCampaign } from './support/newsletter'
import { type Program, startProgram } from './support/program'
import { type Sink, startSink } from './support/smtp-sink'

const [messages = 12_000, pauseMs = 30, rounds = 2] = process.argv.slice(2).map(Number)
/** Of the messages, to the sink that takes its time. */
const slowShare = 0.4
/** Of the messages: until those have arrived, programs start and compile. */
const unmeasuredShare = 0.3
const plain = { signs: false, tracks: false }

/** Messages a second that arrive from so many workers, which find all of them accepted. */
async function measure(sink: Sink, count: number, workers: number): Promise<number> {
  const waiting = await acceptCampaign(count, plain)
  const programs: Program[] = []
  try {
    // It has the database, and accepts; nothing leaves by it.
    const api = await waiting.start(`smtp://127.0.0.1:${sink.port}`, { ROLE: 'api' })
    programs.push(api)
    const before = await sink.count()
    const started = Array.from({ length: workers }, (_, n) => startWorker(sink, waiting.dataDir, api, n))
    programs.push(...(await Promise.all(started)))
    await resume(waiting.dataDir)
    const first = await arrival(sink, before + count * unmeasuredShare)
    const last = await arrival(sink, before + count)
    return (last.count - first.count) / ((last.at - first.at) / 1_000)
  } finally {
    for (const program of programs.reverse()) await program.stop()
    waiting.remove()
  }
}

/** To them it is another server, so that they take it for a copy, and wait for somebody who says what it is. */
async function resume(dataDir: string): Promise<void> {
  const sql = postgres({ host: `${dataDir}/postgres/s`, user: 'waxwing', database: 'waxwing', max: 1 })
  if (!(await resumeSending({ sql }))) throw new Error('sending was not paused')
  await sql.end()
}

const secretOf = (dataDir: string, name: string): string => readFileSync(join(dataDir, name), 'utf8').trim()

/** On the database of the first program, as on any other server, and with its secrets. */
function startWorker(sink: Sink, dataDir: string, keys: Program, number: number): Promise<Program> {
  const own = join(dataDir, `worker-${number}`)
  mkdirSync(own)
  return startProgram(
    {
      ROLE: 'worker',
      DATA_DIR: own,
      DATABASE_URL: `postgres://waxwing@localhost/waxwing?host=${encodeURIComponent(`${dataDir}/postgres/s`)}`,
      SMTP_URL: `smtp://127.0.0.1:${sink.port}?pool=10`,
      DNS_SERVERS: '127.0.0.1:9',
      JWT_SECRET: secretOf(dataDir, 'jwt-secret'),
      ENCRYPTION_KEY: secretOf(dataDir, 'encryption-key'),
    },
    keys,
  )
}

async function arrival(sink: Sink, wanted: number): Promise<{ count: number; at: number }> {
  const limit = performance.now() + 300_000
  for (;;) {
    const count = await sink.count()
    if (count >= wanted) return { count, at: performance.now() }
    if (performance.now() > limit) throw new Error(`only ${count} of ${wanted} arrived`)
    await Bun.sleep(10)
  }
}

const mean = (all: readonly number[]): number => all.reduce((sum, each) => sum + each, 0) / all.length

async function compare(sink: Sink, count: number, name: string): Promise<void> {
  const rates: Record<1 | 2, number[]> = { 1: [], 2: [] }
  for (let round = 0; round < rounds; round++)
    for (const workers of [1, 2] as const) rates[workers].push(await measure(sink, count, workers))
  const [one, two] = [mean(rates[1]), mean(rates[2])]
  console.log(
    `${name}: ${one.toFixed(0)}/s by one worker, ${two.toFixed(0)}/s by two: ${(two / one).toFixed(2)}`,
  )
}

export async function run(): Promise<void> {
  const [quick, slow] = [await startSink(), await startSink('sink', pauseMs)]
  try {
    await compare(quick, messages, 'answered at once')
    await compare(slow, messages * slowShare, `answered after ${pauseMs} ms`)
  } finally {
    quick.stop()
    slow.stop()
  }
}

if (import.meta.main) await run()
