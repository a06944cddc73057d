// An import of a CSV file by the product's job and runner, and for comparison a bare COPY that writes the same rows into the same tables.
import { contactJobs } from '../../src/modules/audience/contacts/jobs'
import { getImport, startImport } from '../../src/modules/audience/contacts/service'
import { type DatabaseClient, openDatabase } from '../../src/platform/db/client'
import { handlerTable } from '../../src/platform/jobs/kind'
import { startRunner } from '../../src/platform/jobs/runner'
import { makeJobSignal } from '../../src/platform/jobs/wake'
import { quietContext } from './server'

const rows = 50_000

interface Person {
  email: string
  subscribed: boolean
  data: Record<string, string | number | boolean>
}

/** `word` distinguishes the people of one run from those of the others. */
function people(word: string): Person[] {
  return Array.from({ length: rows }, (_, n) => ({
    email: `${word}.${(n * 7919) % rows}@import.example.com`,
    subscribed: n % 5 !== 0,
    data: {
      firstName: `Name ${n % 997}`,
      plan: n % 3 === 0 ? 'pro' : 'free',
      age: n % 90,
      vip: n % 7 === 0,
      city: `City ${n % 50}`,
    },
  }))
}

function csvOf(all: readonly Person[]): Uint8Array {
  const head = ['email', 'subscribed', ...Object.keys(all[0]!.data)].join()
  const lines = all.map(({ email, subscribed, data }) => [email, subscribed, ...Object.values(data)].join())
  return new TextEncoder().encode([head, ...lines, ''].join('\n'))
}

async function timeCopy({ sql }: DatabaseClient, projectId: string, word: string): Promise<number> {
  const now = new Date()
  const lines = people(word).map(({ email, subscribed, data }) =>
    [
      Bun.randomUUIDv7('hex', now),
      projectId,
      email,
      subscribed,
      JSON.stringify(data),
      now.toISOString(),
      now.toISOString(),
    ].join('\t'),
  )
  const text = `${lines.join('\n')}\n`
  const fields = JSON.stringify(
    Object.fromEntries(Object.keys(people(word)[0]!.data).map(name => [name, rows])),
  )
  const begun = performance.now()
  await sql.begin(async tx => {
    const contacts =
      await tx`copy contacts (id, project_id, email, subscribed, data, created_at, updated_at) from stdin`.writable()
    await finished(contacts, text)
    const deltas =
      await tx`copy contact_deltas (project_id, contacts, subscribed, fields) from stdin`.writable()
    await finished(deltas, `${[projectId, rows, rows * 0.8, fields].join('\t')}\n`)
  })
  return performance.now() - begun
}

function finished(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.on('error', reject)
    stream.on('finish', resolve)
    stream.end(text)
  })
}

/** From the moment the file is in the database to the end of its job. */
async function timeImport(database: DatabaseClient, projectId: string, word: string): Promise<number> {
  const signal = makeJobSignal({ ...quietContext(database), sql: database.sql })
  const ctx = { ...quietContext(database), jobWaker: signal }
  const handlers = handlerTable(contactJobs)
  const file = { name: 'people.csv', type: 'text/csv', bytes: csvOf(people(word)) }
  const runner = await startRunner(ctx, { handlers, concurrency: 4, signal })
  try {
    const id = await startImport(ctx, projectId, file)
    const begun = performance.now()
    for (;;) {
      const { job } = await getImport(ctx, projectId, id)
      if (job.finishedAt && job.created !== rows)
        throw new Error(`imported ${job.created} rows: ${job.failedReason}`)
      if (job.finishedAt) return performance.now() - begun
      await Bun.sleep(20)
    }
  } finally {
    await runner.stop(5_000)
    await signal.close()
  }
}

const rounds = 3

/** Alternating, because the next run pays for what the previous one leaves to do (checkpoints, pending entries of the search index). */
export async function measureImport(url: string, projectId: string): Promise<void> {
  const database = openDatabase(url, { max: 10 })
  const [copies, imports]: [number[], number[]] = [[], []]
  try {
    // The first rows after a checkpoint cost more: whole pages are written to the WAL.
    await timeCopy(database, projectId, 'warm')
    for (let round = 0; round < rounds; round++) {
      copies.push(await timeCopy(database, projectId, `copy${round}`))
      imports.push(await timeImport(database, projectId, `ours${round}`))
    }
  } finally {
    await database.close()
  }
  console.log(`COPY of ${rows} rows         ${ratesOf(copies)} rows/s`)
  console.log(`import of ${rows} rows       ${ratesOf(imports)} rows/s`)
  console.log(`ratio                        ${(sum(copies) / sum(imports)).toFixed(2)}`)
}

function ratesOf(times: readonly number[]): string {
  return times.map(ms => ((rows / ms) * 1000).toFixed(0)).join(', ')
}

function sum(times: readonly number[]): number {
  return times.reduce((total, ms) => total + ms, 0)
}
