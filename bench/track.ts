// Requests a second of POST /v1/track, beside the floor: a bare postgres.js loop that writes the same rows (contact, event) into
// the same database, one transaction a request, at the same concurrency. Aim: above 1.0, because requests share commits.
import postgres from 'postgres'
import { jsonPost, type LoadResult, runLoad } from './support/load'
import { startProgram } from './support/program'

const connections = 32
const rounds = 5
const secondsOfRound = 2

/** A third of the events belong to contacts that are new, the others to some that have been seen. */
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
      const [before, startedAt] = [written, performance.now()]
      const worker = async (): Promise<void> => {
        while (performance.now() < startedAt + secondsOfRound * 1000)
          await writeRows(sql, projectId, written++)
      }
      await Promise.all(Array.from({ length: connections }, worker))
      return (written - before) / ((performance.now() - startedAt) / 1000)
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

export async function run(): Promise<void> {
  const program = await startProgram({ ROLE: 'api' })
  const floor = openFloor(program.dataDir)
  try {
    const { hostname, port, host } = new URL(program.url)
    let sent = 0
    const body = (n: number) => ({ email: emailOf(n), event: 'order_placed', data: dataOf(n) })
    const measureOurs = (): Promise<LoadResult> =>
      runLoad({
        host: hostname,
        port: Number(port),
        connections,
        seconds: secondsOfRound,
        request: () => jsonPost('/v1/track', host, program.publicKey, body(sent++)),
      })
    await Promise.all([measureOurs(), floor.measure()])
    // In turns, so that what else the machine does falls on both.
    const ratios: number[] = []
    for (let round = 0; round < rounds; round++) {
      const floorPerSecond = await floor.measure()
      const { perSecond, p50, p99, failures } = await measureOurs()
      ratios.push(perSecond / floorPerSecond)
      console.log(
        `floor ${floorPerSecond.toFixed(0)} requests/s; POST /v1/track ${perSecond.toFixed(0)} requests/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${failures} failures; ratio ${(perSecond / floorPerSecond).toFixed(2)}`,
      )
    }
    console.log(`median ratio ${ratios.sort((a, b) => a - b)[Math.floor(rounds / 2)]!.toFixed(2)}`)
  } finally {
    await floor.end()
    await program.stop()
  }
}

if (import.meta.main) await run()
