// Waxwing beside listmonk and Notifuse in one run on one machine: a campaign, single messages, an import, and doing nothing. Medians of several
// rounds that alternate. `LISTMONK=/path/to/listmonk NOTIFUSE=/path/to/notifuse bun run bench compare [--messages N] [--rounds N] [--write]`; one
// of the two is enough. `--write` puts what was seen into docs/benchmarks.md, which says where they come from. WAXWING names an
// executable of ours; without it one is built.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildBinary } from '../scripts/build'
import { hostTarget } from '../scripts/pack-postgres'
import { receiptWith, warmUpMessages, warmUpSeconds } from './compare/content'
import { type Listmonk, startListmonk } from './compare/listmonk'
import { measureArrival, measureIdle, type Processes } from './compare/measure'
import { type Notifuse, receipt, startNotifuse, workspace } from './compare/notifuse'
import { type Figures, type Half, type Peer, report } from './compare/report'
import { from, importByApi, importByCommand, processesOf, sendCampaign, withSender } from './compare/waxwing'
import { jsonPost, runLoad } from './support/load'
import { type Program, startProgram } from './support/program'
import { type Sink, startSink } from './support/smtp-sink'

const connections = 32

interface Size {
  messages: number
  /** Those who get them, and those who get one before it counts. */
  people: number
  rounds: number
  seconds: number
}

/** Single messages that were accepted in `seconds`, and how fast they left. */
async function sendSingly(
  sink: Sink | undefined,
  { seconds }: Size,
  url: string,
  request: (host: string, n: number) => string,
) {
  const { hostname, port, host } = new URL(url)
  const load = { host: hostname, port: Number(port), connections, request: (n: number) => request(host, n) }
  const before = (await sink?.count()) ?? 0
  const warm = await runLoad({ ...load, seconds: warmUpSeconds })
  const begunAt = performance.now()
  const accepted = await runLoad({ ...load, seconds })
  if (accepted.failures > 0) throw new Error(`${accepted.failures} of ${accepted.requests} failed`)
  while (sink && (await sink.count()) - before < warm.requests + accepted.requests) {
    if (performance.now() - begunAt > 300_000) throw new Error('not all of them arrived')
    await Bun.sleep(20)
  }
  const left = accepted.requests / ((performance.now() - begunAt) / 1_000)
  return { accepted: accepted.perSecond, p99: accepted.p99, left: sink ? left : undefined }
}

const sendRequest =
  ({ secretKey }: Program) =>
  (host: string, n: number): string => {
    const body = receiptWith('{{name}}', '{{order}}')
    const data = { name: 'Ada', order: n }
    const message = { to: `ada-${n}@example.com`, from, subject: 'Your order {{order}}', body, data }
    return jsonPost('/v1/send', host, secretKey, message)
  }

const txRequest =
  ({ authorization }: Listmonk, template: number) =>
  (host: string, n: number): string => {
    const recipient = { subscriber_mode: 'external', subscriber_emails: [`ada-${n}@example.com`] }
    const message = {
      ...recipient,
      template_id: template,
      data: { name: 'Ada', order: n },
      content_type: 'html',
    }
    return jsonPost('/api/tx', host, '', message).replace('Bearer ', authorization)
  }

const notificationRequest =
  ({ key }: Notifuse) =>
  (host: string, n: number): string => {
    const contact = { email: `ada-${n}@example.com` }
    const notification = { id: receipt, contact, channels: ['email'], data: { name: 'Ada', order: n } }
    return jsonPost('/api/transactional.send', host, key, { workspace_id: workspace, notification })
  }

async function measureOurs(sink: Sink, size: Size, figures: Half): Promise<void> {
  const { written, ...plain } = await sendCampaign(sink, size.messages, { signs: false, tracks: false })
  const shipped = await sendCampaign(sink, size.messages, { signs: true, tracks: true })
  figures.campaigns.plain.push(plain)
  figures.campaigns.shipped.push(shipped)
  figures.written = written
  const apart = await startProgram({ ROLE: 'api' })
  figures.single.alone.push(await sendSingly(undefined, size, apart.url, sendRequest(apart)))
  await apart.stop()
  await withSender(sink, async program => {
    figures.single.sent.push(await sendSingly(sink, size, program.url, sendRequest(program)))
  })
  await withSender(sink, async program => {
    figures.imports.api.push(await importByApi(program, size.people))
  })
  await withSender(sink, async program => {
    figures.imports.command.push(await importByCommand(program, size.people))
  })
}

async function measureListmonk(file: string, sink: Sink, size: Size, figures: Peer): Promise<void> {
  const listmonk = await startListmonk(file, sink.port)
  try {
    figures.version = listmonk.version
    const { perSecond, list } = await listmonk.importPeople(size.people)
    figures.imports.api.push(perSecond)
    const counted = { wanted: size.messages, warmUp: warmUpMessages }
    const campaign = await measureArrival(sink, counted, async () => {
      await listmonk.startCampaign(list)
      return listmonk
    })
    figures.campaigns.plain.push(campaign)
    const template = await listmonk.makeReceipt()
    figures.single.sent.push(await sendSingly(sink, size, listmonk.url, txRequest(listmonk, template)))
  } finally {
    await listmonk.stop()
  }
}

/** At most 50 leave in a second: more readers would take a quarter of an hour a round, and show no more. */
const maxBroadcast = 1_000

async function measureNotifuse(file: string, sink: Sink, size: Size, figures: Peer): Promise<void> {
  const notifuse = await startNotifuse(file, sink.port)
  try {
    figures.version = notifuse.version
    const readers = Math.min(size.messages, maxBroadcast)
    figures.imports.api.push(await notifuse.importPeople('everybody', size.people))
    await notifuse.importPeople('some', readers)
    const broadcast = await measureArrival(sink, { wanted: readers, warmUp: 0 }, async () => {
      await notifuse.startBroadcast('some')
      return notifuse
    })
    figures.campaigns.plain.push(broadcast)
    figures.single.sent.push(await sendSingly(sink, size, notifuse.url, notificationRequest(notifuse)))
  } finally {
    await notifuse.stop()
  }
}

/** All of them at the same time: they do nothing, and what each uses is counted by itself. */
async function measureIdling(sink: Sink, figures: Figures, peers: readonly PeerName[]): Promise<void> {
  const ours = await startProgram()
  const others: Array<Processes & { stop(): Promise<void> }> = []
  try {
    for (const name of peers) others.push(await startPeer[name](process.env[name]!, sink.port))
    const [own, ...rest] = await Promise.all(
      [await processesOf(ours), ...others].map(processes => measureIdle(processes)),
    )
    figures.ours.idle.push(own!)
    for (const [at, idle] of rest.entries()) figures[peers[at]!]!.idle.push(idle)
  } finally {
    for (const program of [...others, ours]) await program.stop()
  }
}

const none = (): Half => ({
  campaigns: { plain: [], shipped: [] },
  single: { alone: [], sent: [] },
  imports: { api: [], command: [] },
  idle: [],
})

const startPeer = { LISTMONK: startListmonk, NOTIFUSE: startNotifuse }
type PeerName = keyof typeof startPeer
const measureBy = { LISTMONK: measureListmonk, NOTIFUSE: measureNotifuse }

async function builtProgram(): Promise<string> {
  const outfile = join(import.meta.dir, '../dist/waxwing')
  const target = hostTarget()
  if (!target) throw new Error('there is no executable for this machine')
  await buildBinary({ target, release: true, outfile })
  return outfile
}

export async function run(): Promise<void> {
  const { values } = parseArgs({
    options: {
      messages: { type: 'string', default: '50000' },
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '8' },
      write: { type: 'boolean' },
    },
  })
  // listmonk comes just before Waxwing: it is what ours is compared with most, and the speed of a machine drifts.
  const peers = (['NOTIFUSE', 'LISTMONK'] as const).filter(name => {
    if (!process.env[name]) console.error(`${name} names no program, so there is nothing beside it`)
    return process.env[name]
  })
  if (peers.length === 0) {
    console.log(
      'listmonk publishes its program with each release; Notifuse is built from its tag: go build ./cmd/api',
    )
    return
  }
  process.env['WAXWING'] ||= await builtProgram()
  const messages = Number(values.messages)
  const size = {
    messages,
    people: warmUpMessages + messages,
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
  }
  const figures: Figures = { ours: none() }
  for (const name of peers) figures[name] = { ...none(), version: '' }
  const sink = await startSink()
  try {
    for (let round = 1; round <= size.rounds; round++) {
      for (const name of peers) {
        console.error(`round ${round} of ${size.rounds}: ${name}`)
        await measureBy[name](process.env[name]!, sink, size, figures[name]!)
      }
      console.error(`round ${round} of ${size.rounds}: Waxwing`)
      await measureOurs(sink, size, figures.ours)
      console.error(`round ${round} of ${size.rounds}: doing nothing`)
      await measureIdling(sink, figures, peers)
    }
  } finally {
    sink.stop()
  }
  const text = report(figures, size)
  console.log(text)
  if (values.write) await Bun.write(join(import.meta.dir, '../docs/benchmarks.md'), text)
}

if (import.meta.main) await run()
