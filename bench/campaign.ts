// Messages per second of a campaign (a personalised newsletter of 10 kB, to a local SMTP sink, with every recipient recorded), compared
// with a bare pooled nodemailer that composes, signs and sends the same messages and records nothing; with and without DKIM. The two
// alternate, and the processor time per message is measured too, because others may use the machine. Aim: 1.5. And how fast it is with
// opens and clicks measured.
import { generateKeyPairSync } from 'node:crypto'
import { createTransport } from 'nodemailer'
import { cpuOfAll } from './support/cpu'
import { acceptCampaign, anybody, type Rendered, sender, type Variant } from './support/newsletter'
import { type Sink, startSink } from './support/smtp-sink'

const messages = 12_000
const floorMessages = 4_000
const rounds = 2

interface Measured {
  perSecond: number
  /** Processor time per message, without that of the sink. */
  cpuMs: number
  bytes: number
}

/** Waits for that many messages from the process `pid` and its children, and measures from the first one on. */
async function measureArrival(sink: Sink, wanted: number, pid: () => number | undefined): Promise<Measured> {
  const limit = performance.now() + 180_000
  const before = await sink.tally()
  const own = pid() === process.pid ? sink.pid : undefined
  const look = async () => {
    const tally = await sink.tally()
    const root = pid()
    const cpu = root === undefined ? Number.NaN : cpuOf(root) - (own === undefined ? 0 : cpuOf(own))
    return { ...tally, at: performance.now(), cpu }
  }
  let first: Awaited<ReturnType<typeof look>> | undefined
  for (;;) {
    const { messages: count } = await sink.tally()
    if (!first && count > before.messages && pid() !== undefined) first = await look()
    if (first && count >= before.messages + wanted) {
      const last = await look()
      const arrived = last.messages - first.messages
      return {
        perSecond: arrived / ((last.at - first.at) / 1000),
        cpuMs: (last.cpu - first.cpu) / arrived,
        bytes: (last.bytes - first.bytes) / arrived,
      }
    }
    if (performance.now() > limit) throw new Error(`only ${count - before.messages} of ${wanted} arrived`)
    await Bun.sleep(20)
  }
}

function cpuOf(pid: number): number {
  return cpuOfAll(pid) ?? Number.NaN
}

async function measureFloor(sink: Sink, signs: boolean, rendered: Rendered): Promise<Measured> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const transport = createTransport({
    host: '127.0.0.1',
    port: sink.port,
    ignoreTLS: true,
    pool: true,
    maxConnections: 10,
    maxMessages: Number.POSITIVE_INFINITY,
    ...(signs ? { dkim: { domainName: 'bench.example', keySelector: 'wx1', privateKey: key } } : {}),
  })
  const arrival = measureArrival(sink, floorMessages, () => process.pid)
  const all = Array.from({ length: floorMessages }, (_, n) => {
    const fill = (text: string): string => text.replaceAll(anybody, `Ada ${n}`)
    return transport.sendMail({
      from: sender,
      to: `ada-${n}@example.com`,
      subject: fill(rendered.subject),
      html: fill(rendered.html),
      text: fill(rendered.text),
      list: { unsubscribe: { url: `https://bench.example/unsubscribe/${n}` } },
    })
  })
  const measured = await arrival
  await Promise.all(all)
  transport.close()
  return measured
}

/** Starts the program to send a campaign that is already waiting, and times what arrives. */
async function measureOurs(sink: Sink, variant: Variant): Promise<Measured> {
  const waiting = await acceptCampaign(messages, variant)
  try {
    let pid: number | undefined
    const arrival = measureArrival(sink, messages, () => pid)
    const program = await waiting.start(`smtp://127.0.0.1:${sink.port}?pool=10`)
    pid = program.pid
    const measured = await arrival
    await program.stop()
    return measured
  } finally {
    waiting.remove()
  }
}

function mean(all: Measured[], of: keyof Measured): number {
  return all.reduce((sum, each) => sum + each[of], 0) / all.length
}

function show(name: string, all: Measured[]): void {
  const rates = all.map(each => each.perSecond.toFixed(0)).join(', ')
  const [cpu, bytes] = [mean(all, 'cpuMs').toFixed(2), (mean(all, 'bytes') / 1000).toFixed(1)]
  console.log(`  ${name.padEnd(24)} ${rates} messages/s; ${cpu} ms of processor time and ${bytes} kB each`)
}

/** Messages that differ by more would not be comparable. */
const maxDifference = 0.15

async function compare(sink: Sink, signs: boolean, rendered: Rendered): Promise<void> {
  const floor = [await measureFloor(sink, signs, rendered)]
  const ours: Measured[] = []
  for (let round = 0; round < rounds; round++) {
    ours.push(await measureOurs(sink, { signs, tracks: false }))
    floor.push(await measureFloor(sink, signs, rendered))
  }
  const tracked = [await measureOurs(sink, { signs, tracks: true })]
  console.log(signs ? 'DKIM-signed' : 'not signed')
  show('bare nodemailer', floor)
  show('sent by Waxwing', ours)
  show('with links tracked', tracked)
  console.log(
    `  ratio                    ${(mean(ours, 'perSecond') / mean(floor, 'perSecond')).toFixed(2)} in rate, ` +
      `${(mean(floor, 'cpuMs') / mean(ours, 'cpuMs')).toFixed(2)} in processor time, PostgreSQL's with it`,
  )
  const size = mean(ours, 'bytes') / mean(floor, 'bytes')
  if (Math.abs(size - 1) > maxDifference)
    throw new Error(`not the same messages: ours have ${size.toFixed(2)} times the bytes`)
}

export async function run(): Promise<void> {
  const sample = await acceptCampaign(1, { signs: false, tracks: false })
  sample.remove()
  const sink = await startSink()
  try {
    for (const signs of [true, false]) await compare(sink, signs, sample.rendered)
  } finally {
    sink.stop()
  }
}

if (import.meta.main) await run()
