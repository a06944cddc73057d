// Requests per second of POST /v1/track, compared with the floor: a bare postgres.js loop that writes the same rows (contact, event) into
// the same database, one transaction per request, at the same concurrency. Aim: above 1.0, because requests share commits.
import postgres from 'postgres'
import { cpuOfAll } from './support/cpu'
import { jsonPost, runLoad } from './support/load'
import { startProgram } from './support/program'

const connections = 32
const rounds = 5
const secondsOfRound = 2

/** A third of the events belong to new contacts, the others to some that have been seen. */
const emailOf = (n: number): string => `ada-${n % 3 === 0 ? n : n % 1_000}@example.com`
const dataOf = (n: number) => ({ plan: 'pro', order: n, note: 'A line about what happened' })

interface Floor {
  measure(): Promise<number>
  end(): Promise<void>
}

function openFloor(dataDir: string): Floor {
  const sql = postgres({
    host: `${dataDir}/postgres/s`,
    user: 'waxwing',
    database: 'waxwing',
    max: 16,
    onnotice: () => {},
  })
  const projectId = crypto.randomUUID()
  let written = 0
  return {
    async measure() {
      const before = written
      const endAt = performance.now() + secondsOfRound * 1000
      const worker = async (): Promise<void> => {
        while (performance.now() < endAt) await writeRows(sql, projectId, written++)
      }
      await Promise.all(Array.from({ length: connections }, worker))
      return written - before
    },
    end: () => sql.end(),
  }
}

async function writeRows(sql: postgres.Sql, projectId: string, n: number): Promise<void> {
  const now = new Date()
  const data = sql.json(dataOf(n))
  await sql.begin(async tx => {
    const [contact] = await tx`
      insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
      values (${Bun.randomUUIDv7()}, ${projectId}, ${emailOf(n)}, true, ${data}, ${now}, ${now})
      on conflict (project_id, email) do update set data = contacts.data || excluded.data, updated_at = ${now}
      returning id`
    await tx`insert into events (id, project_id, name, contact_id, data, created_at)
             values (${Bun.randomUUIDv7()}, ${projectId}, 'order_placed', ${contact!.id}, ${data}, ${now})`
  })
}

interface Measured {
  perSecond: number
  /** Processor time of everything that took part: the load, the program, the database. */
  cpuMicroseconds: number
}

async function measured(act: () => Promise<number>): Promise<Measured> {
  const [startedAt, cpuBefore] = [performance.now(), cpuOfAll() ?? Number.NaN]
  const requests = await act()
  const cpu = (cpuOfAll() ?? Number.NaN) - cpuBefore
  return {
    perSecond: requests / ((performance.now() - startedAt) / 1000),
    cpuMicroseconds: (cpu * 1000) / requests,
  }
}

const show = ({ perSecond, cpuMicroseconds }: Measured): string =>
  `${perSecond.toFixed(0)}/s at ${cpuMicroseconds.toFixed(0)} µs of processor time`

const median = (values: number[]): string =>
  values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!.toFixed(2)

export async function run(): Promise<void> {
  const program = await startProgram({ ROLE: 'api' })
  const floor = openFloor(program.dataDir)
  try {
    const { hostname, port, host } = new URL(program.url)
    let sent = 0
    const body = (n: number) => ({ email: emailOf(n), event: 'order_placed', data: dataOf(n) })
    const ours = async (): Promise<number> => {
      const { requests, failures } = await runLoad({
        host: hostname,
        port: Number(port),
        connections,
        seconds: secondsOfRound,
        request: () => jsonPost('/v1/track', host, program.publicKey, body(sent++)),
      })
      if (failures > 0) throw new Error(`${failures} requests failed`)
      return requests
    }
    await Promise.all([ours(), floor.measure()])
    // The two alternate, so that whatever else the machine does affects both.
    const [speed, thrift]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      const [least, us] = [await measured(floor.measure), await measured(ours)]
      speed.push(us.perSecond / least.perSecond)
      thrift.push(least.cpuMicroseconds / us.cpuMicroseconds)
      console.log(`floor ${show(least)}; POST /v1/track ${show(us)}`)
    }
    console.log(
      `ratio ${median(speed)} in requests a second, ${median(thrift)} in requests for a second of processor time`,
    )
  } finally {
    await floor.end()
    await program.stop()
  }
}

if (import.meta.main) await run()
