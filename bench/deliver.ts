// Messages per second from the ledger to a local SMTP sink (taken, composed, DKIM-signed, sent, settled with attempts and events),
// compared with the floor: a bare pooled nodemailer that composes, signs and sends the same messages and records nothing. Aim: 1.0.
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import postgres from 'postgres'
import { startProgram } from './support/program'
import { type Sink, startSink } from './support/smtp-sink'

const messages = 6_000
const html = `<html><body><h1>News</h1>${'<p>Some words that stand for a newsletter, and a <a href="https://example.com/">link</a>.</p>'.repeat(90)}</body></html>`

/** Waits until the sink has that many more messages; returns how many arrived per second. */
async function rateUntil(sink: Sink, before: number, wanted: number): Promise<number> {
  const startedAt = performance.now()
  while ((await sink.count()) < before + wanted) {
    if (performance.now() - startedAt > 120_000)
      throw new Error(`only ${(await sink.count()) - before} of ${wanted} arrived`)
    await Bun.sleep(10)
  }
  return wanted / ((performance.now() - startedAt) / 1000)
}

async function measureFloor(sink: Sink): Promise<number> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const transport = createTransport({
    host: '127.0.0.1',
    port: sink.port,
    ignoreTLS: true,
    pool: true,
    maxConnections: 10,
    maxMessages: Number.POSITIVE_INFINITY,
    dkim: {
      domainName: 'bench.example',
      keySelector: 'wx1',
      privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
  })
  const text = html.replace(/<[^>]+>/g, '')
  const before = await sink.count()
  const all = Array.from({ length: messages / 3 }, (_, n) =>
    transport.sendMail({
      from: 'a@bench.example',
      to: `ada-${n}@example.com`,
      subject: `News ${n}`,
      html,
      text,
    }),
  )
  const rate = await rateUntil(sink, before, messages / 3)
  await Promise.all(all)
  transport.close()
  return rate
}

/** Accepts the messages without sending any, then starts a worker and times it. */
async function measureOurs(sink: Sink): Promise<number> {
  const dataDir = mkdtempSync(join(tmpdir(), 'waxwing-bench-'))
  try {
    const accepting = await startProgram({ ROLE: 'api', DATA_DIR: dataDir })
    await acceptAll(accepting.url, accepting.secretKey)
    await verifyDomain(dataDir)
    await accepting.stop()
    const before = await sink.count()
    const smtp = `smtp://127.0.0.1:${sink.port}?pool=10`
    const sending = await startProgram({ DATA_DIR: dataDir, SMTP_URL: smtp }, accepting)
    const rate = await rateUntil(sink, before, messages)
    await sending.stop()
    return rate
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

async function acceptAll(url: string, key: string): Promise<void> {
  for (let start = 0; start < messages; start += 500) {
    const to = Array.from({ length: 500 }, (_, n) => `ada-${start + n}@example.com`)
    const answer = await fetch(`${url}/v1/send`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ from: 'a@bench.example', to, subject: 'News {{email}}', body: html }),
    })
    if (!answer.ok) throw new Error(await answer.text())
  }
}

/** The sandbox domain counts in outbox mode only; this turns it into one that was verified by DNS. */
async function verifyDomain(dataDir: string): Promise<void> {
  const sql = postgres({ host: `${dataDir}/postgres/s`, user: 'waxwing', database: 'waxwing', max: 1 })
  await sql`update domains set sandbox = false`
  await sql.end()
}

export async function run(): Promise<void> {
  const sink = await startSink()
  try {
    const floorBefore = await measureFloor(sink)
    const ours = await measureOurs(sink)
    const floorAfter = await measureFloor(sink)
    const floor = (floorBefore + floorAfter) / 2
    console.log(`floor (bare nodemailer)  ${floorBefore.toFixed(0)} and ${floorAfter.toFixed(0)} messages/s`)
    console.log(`delivered by Waxwing     ${ours.toFixed(0)} messages/s`)
    console.log(`ratio                    ${(ours / floor).toFixed(2)}`)
  } finally {
    sink.stop()
  }
}

if (import.meta.main) await run()
