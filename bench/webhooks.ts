// Webhooks per second to a receiver on this machine, compared with the floor: a bare loop that signs and posts the same bodies and records
// each try, with the new state of its delivery, in a transaction of the same database, as many at a time. Aim: at least 0.8, although the floor
// keeps its connections, and ours are made anew, to addresses that were just checked.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { signatureHeaders } from '../src/platform/webhook/signature'
import { cpuOfAll } from './support/cpu'
import { jsonPost, runLoad } from './support/load'
import { type Program, startProgram } from './support/program'
import { type Sink, startSink } from './support/smtp-sink'

const trackingSeconds = 4
const floorCalls = 3_000
/** What one process has under way at a time on two processors: a quarter of its slots. */
const atATime = 12

interface Measured {
  perSecond: number
  /** Processor time per call, without that of the receiver. */
  cpuMicroseconds: number
}

interface Endpoint {
  url: string
  secret: string
}

async function makeEndpoint(program: Program, sink: Sink): Promise<Endpoint> {
  const url = `http://127.0.0.1:${sink.port}/hook`
  const answer = await fetch(`${program.url}/webhook-endpoints`, {
    method: 'POST',
    headers: { authorization: `Bearer ${program.secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, eventTypes: ['order_placed'] }),
  })
  if (!answer.ok) throw new Error(await answer.text())
  const { secret } = (await answer.json()) as { secret: string }
  return { url, secret }
}

/** Events that the endpoint is to be told of; a program with ROLE=api writes the deliveries, and makes no call. */
async function trackEvents(program: Program): Promise<void> {
  const { hostname, port, host } = new URL(program.url)
  const { failures } = await runLoad({
    host: hostname,
    port: Number(port),
    connections: 32,
    seconds: trackingSeconds,
    request: n =>
      jsonPost('/v1/track', host, program.publicKey, {
        event: 'order_placed',
        email: `ada-${n % 500}@example.com`,
        data: { order: n, note: 'A line about what happened' },
      }),
  })
  if (failures > 0) throw new Error(`${failures} events were refused`)
}

interface Floor {
  measure(): Promise<Measured>
  end(): Promise<void>
}

/** `attempt`: a number that no try has yet. */
async function openFloor(
  dataDir: string,
  { url, secret }: Endpoint,
  sink: Sink,
  attempt: number,
): Promise<Floor> {
  const sql = postgres({ host: `${dataDir}/postgres/s`, user: 'waxwing', database: 'waxwing', max: atATime })
  const deliveries = await sql<Array<{ id: string; projectId: string; body: string }>>`
    select id, project_id as "projectId", body from webhook_deliveries limit ${floorCalls}`
  const callOne = async ({ id, projectId, body }: (typeof deliveries)[number]): Promise<void> => {
    const startedAt = new Date()
    const signed = signatureHeaders(secret, { id, sentAt: startedAt, body })
    const headers = { 'content-type': 'application/json', ...signed }
    const { status } = await fetch(url, { method: 'POST', headers, body })
    await sql.begin(async tx => {
      await tx`insert into webhook_tries (project_id, delivery_id, attempt, status_code, response, started_at, finished_at)
               values (${projectId}, ${id}, ${attempt}, ${status}, '', ${startedAt}, ${new Date()})`
      await tx`update webhook_deliveries set updated_at = ${new Date()} where project_id = ${projectId} and id = ${id}`
    })
  }
  return {
    async measure() {
      const [startedAt, cpuBefore] = [performance.now(), cpuWithout(sink, process.pid)]
      let next = 0
      const worker = async (): Promise<void> => {
        while (next < deliveries.length) await callOne(deliveries[next++]!)
      }
      await Promise.all(Array.from({ length: atATime }, worker))
      return measuredSince(deliveries.length, startedAt, cpuWithout(sink, process.pid) - cpuBefore)
    },
    end: () => sql.end(),
  }
}

const cpuWithout = (sink: Sink, root: number): number =>
  (cpuOfAll(root) ?? Number.NaN) - (cpuOfAll(sink.pid) ?? Number.NaN)

function measuredSince(calls: number, startedAt: number, cpuMs: number): Measured {
  return {
    perSecond: calls / ((performance.now() - startedAt) / 1000),
    cpuMicroseconds: (cpuMs * 1000) / calls,
  }
}

/** Waits for that many calls of the program, from the first one on. */
async function measureArrival(
  sink: Sink,
  program: Program,
  wanted: number,
  before: number,
): Promise<Measured> {
  const limit = performance.now() + 180_000
  let first: { at: number; cpu: number; calls: number } | undefined
  for (;;) {
    const calls = (await sink.count()) - before
    if (!first && calls > 0)
      first = { at: performance.now(), cpu: cpuOfAll(program.pid) ?? Number.NaN, calls }
    if (first && calls >= wanted)
      return measuredSince(calls - first.calls, first.at, (cpuOfAll(program.pid) ?? Number.NaN) - first.cpu)
    if (performance.now() > limit) throw new Error(`only ${calls} of ${wanted} calls arrived`)
    await Bun.sleep(20)
  }
}

function show(name: string, { perSecond, cpuMicroseconds }: Measured): void {
  console.log(
    `${name.padEnd(24)}${perSecond.toFixed(0)} calls/s, ${cpuMicroseconds.toFixed(0)} µs of processor time each`,
  )
}

export async function run(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'waxwing-bench-'))
  const sink = await startSink('http-sink')
  const environment = { DATA_DIR: dataDir, WEBHOOK_ALLOW_PRIVATE: 'true' }
  try {
    const accepting = await startProgram({ ...environment, ROLE: 'api' })
    const endpoint = await makeEndpoint(accepting, sink)
    await trackEvents(accepting)
    const before = await openFloor(dataDir, endpoint, sink, 101)
    const floorBefore = await before.measure()
    await before.end()
    await accepting.stop()
    const told = await sink.count()
    const sending = await startProgram(environment, accepting)
    const ours = await measureArrival(sink, sending, await waitingIn(dataDir), told)
    const after = await openFloor(dataDir, endpoint, sink, 102)
    const floorAfter = await after.measure()
    await after.end()
    await sending.stop()
    show('floor, before', floorBefore)
    show('webhooks of Waxwing', ours)
    show('floor, after', floorAfter)
    const ratio = (of: keyof Measured): number => (2 * ours[of]) / (floorBefore[of] + floorAfter[of])
    console.log(
      `ratio                   ${ratio('perSecond').toFixed(2)} in rate, ${(1 / ratio('cpuMicroseconds')).toFixed(2)} in processor time, PostgreSQL's with it`,
    )
  } finally {
    sink.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function waitingIn(dataDir: string): Promise<number> {
  const sql = postgres({ host: `${dataDir}/postgres/s`, user: 'waxwing', database: 'waxwing', max: 1 })
  const [row] = await sql<[{ count: number }]>`select count(*)::int as count from webhook_deliveries`
  await sql.end()
  return row.count
}

if (import.meta.main) await run()
