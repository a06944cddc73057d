// How long a campaign takes to nine recipient domains while a tenth, with as many recipients, takes one message a second, compared with the
// same campaign to the nine alone. `bun bench/receivers.ts [recipients]` (50,000, of which the slow one has a tenth). Aim: within 1.1.
import { cpuOfAll } from './support/cpu'
import { acceptCampaign } from './support/newsletter'
import { type Sink, startSink } from './support/smtp-sink'

const [recipients = 50_000] = process.argv.slice(2).map(Number)
const others = Array.from({ length: 9 }, (_, n) => `d${n}.example`)
const wanted = Math.round(recipients * 0.9)
/** Either first once, so that neither has the warmer machine. */
const runs = [false, true, true, false]
const variant = { signs: false, tracks: false }

interface Measured {
  seconds: number
  /** Of the program, PostgreSQL's with it. */
  cpuSeconds: number
  /** Messages to the slow domain meanwhile. */
  slow: number
}

/** From the first message until the last one to the nine domains. */
async function measure(sink: Sink, withSlow: boolean): Promise<Measured> {
  const campaign = withSlow
    ? acceptCampaign(recipients, variant, { domains: [...others, 'slow.example'] })
    : acceptCampaign(wanted, variant, { domains: others })
  const waiting = await campaign
  try {
    const before = await sink.tally()
    const environment = { RECIPIENT_RATES: 'slow.example=1' }
    const program = await waiting.start(`smtp://127.0.0.1:${sink.port}?pool=10`, environment)
    const measured = await measureArrival(sink, before, program.pid)
    await program.stop()
    return measured
  } finally {
    waiting.remove()
  }
}

async function measureArrival(
  sink: Sink,
  before: { messages: number; slow: number },
  pid: number,
): Promise<Measured> {
  const limit = performance.now() + 600_000
  let first: { at: number; cpu: number } | undefined
  for (;;) {
    const tally = await sink.tally()
    const slow = tally.slow - before.slow
    const arrived = tally.messages - before.messages - slow
    const now = { at: performance.now(), cpu: cpuOfAll(pid) ?? Number.NaN }
    if (arrived > 0) first ??= now
    if (first && arrived >= wanted)
      return { seconds: (now.at - first.at) / 1000, cpuSeconds: (now.cpu - first.cpu) / 1000, slow }
    if (now.at > limit) throw new Error(`only ${arrived} of ${wanted} arrived`)
    await Bun.sleep(20)
  }
}

function show(name: string, all: Measured[]): void {
  const times = all.map(({ seconds }) => seconds.toFixed(1)).join(' and ')
  const cpu = all.map(({ cpuSeconds }) => cpuSeconds.toFixed(1)).join(' and ')
  console.log(
    `${name.padEnd(22)}${times} s; ${cpu} s of processor time; ${all.map(({ slow }) => slow).join(' and ')} to the slow one`,
  )
}

const sum = (all: Measured[], of: keyof Measured): number => all.reduce((total, one) => total + one[of], 0)

export async function run(): Promise<void> {
  const sink = await startSink()
  try {
    const [alone, beside]: [Measured[], Measured[]] = [[], []]
    for (const withSlow of runs) (withSlow ? beside : alone).push(await measure(sink, withSlow))
    console.log(`${wanted} messages to nine domains`)
    show('  alone', alone)
    show('  beside a slow one', beside)
    const ratio = (of: keyof Measured): string => (sum(beside, of) / sum(alone, of)).toFixed(2)
    console.log(`  ratio               ${ratio('seconds')} in time, ${ratio('cpuSeconds')} in processor time`)
  } finally {
    sink.stop()
  }
}

if (import.meta.main) await run()
