// Waxwing as it is started by anybody, with the database server inside it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import postgres from 'postgres'
import { acceptCampaign, sender, type Variant } from '../support/newsletter'
import { type Program, programCommand, startProgram } from '../support/program'
import type { Sink } from '../support/smtp-sink'
import { letterWith, personAt, pollMs, warmUpMessages } from './content'
import { type Mark, markLedger, readLedger, type Written } from './ledger'
import { type Arrival, measureArrival, type Processes, postmasterOf } from './measure'

const open = (dataDir: string): postgres.Sql =>
  postgres({ host: `${dataDir}/postgres/s`, user: 'waxwing', database: 'waxwing', max: 1 })

export async function processesOf({ pid, dataDir }: Program): Promise<Processes> {
  const sql = open(dataDir)
  const database = await postmasterOf(sql)
  await sql.end()
  return { program: pid, database }
}

/** A campaign that was accepted before; the program starts, and sends it. What it writes is that of all its messages. */
export async function sendCampaign(
  sink: Sink,
  wanted: number,
  variant: Variant,
): Promise<Arrival & { written: Written }> {
  const recipients = warmUpMessages + wanted
  const waiting = await acceptCampaign(recipients, variant, { body: letterWith('{{name}}', '{{plan}}') })
  const sql = open(waiting.dataDir)
  let program: Program | undefined
  let mark: Mark | undefined
  try {
    const arrival = await measureArrival(sink, { wanted, warmUp: warmUpMessages }, async () => {
      program = await waiting.start(`smtp://127.0.0.1:${sink.port}?pool=10`)
      mark = await markLedger(sql)
      return await processesOf(program)
    })
    return { ...arrival, written: await readLedger(sql, mark!, recipients) }
  } finally {
    await sql.end()
    await program?.stop()
    waiting.remove()
  }
}

/** Started with a domain that was verified, so that what it accepts is signed and leaves for the sink; calls `use`, and ends it. */
export async function withSender<T>(sink: Sink, use: (program: Program) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'waxwing-bench-'))
  try {
    const first = await startProgram({ ROLE: 'api', DATA_DIR: dataDir })
    const sql = open(dataDir)
    await sql`update domains set sandbox = false`
    await sql.end()
    await first.stop()
    const environment = {
      DATA_DIR: dataDir,
      SMTP_URL: `smtp://127.0.0.1:${sink.port}?pool=10`,
      // The domain does not exist: whoever could be asked about it would say so, and it would lose its standing.
      DNS_SERVERS: '127.0.0.1:9',
    }
    const program = await startProgram(environment, first)
    try {
      return await use(program)
    } finally {
      await program.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

export const from = sender.address

function peopleOf(rows: number): string {
  const lines = Array.from({ length: rows }, (_, number) => Object.values(personAt(number)).join())
  return ['email,name,plan,age,city', ...lines, ''].join('\n')
}

/** Rows a second of a file that was given to the API, until its job has ended. */
export async function importByApi({ url, secretKey }: Program, rows: number): Promise<number> {
  const headers = { authorization: `Bearer ${secretKey}` }
  const form = new FormData()
  form.set('file', new File([peopleOf(rows)], 'people.csv', { type: 'text/csv' }))
  const begunAt = performance.now()
  const answer = await fetch(`${url}/contacts/import`, { method: 'POST', headers, body: form })
  if (!answer.ok) throw new Error(await answer.text())
  const { jobId } = (await answer.json()) as { jobId: string }
  for (;;) {
    const job = (await (await fetch(`${url}/contacts/import/${jobId}`, { headers })).json()) as {
      state: string
      result?: { createdCount: number }
    }
    if (job.state === 'failed') throw new Error(JSON.stringify(job))
    if (job.state === 'completed') {
      if (job.result?.createdCount !== rows) throw new Error(JSON.stringify(job))
      return rows / ((performance.now() - begunAt) / 1_000)
    }
    await Bun.sleep(pollMs)
  }
}

/** Rows a second of `waxwing import csv` beside the running program, its start included. */
export async function importByCommand({ dataDir }: Program, rows: number): Promise<number> {
  const file = join(dataDir, 'people.csv')
  writeFileSync(file, peopleOf(rows))
  const begunAt = performance.now()
  const command = [...programCommand(), 'import', 'csv', file, '--yes']
  const child = Bun.spawnSync(command, { env: { PATH: process.env.PATH, DATA_DIR: dataDir } })
  if (child.exitCode !== 0) throw new Error(child.stderr.toString())
  return rows / ((performance.now() - begunAt) / 1_000)
}
