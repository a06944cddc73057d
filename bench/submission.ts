// Messages per second by SMTP, compared with the same messages by POST /v1/send to the same program (as short as possible, and with the name and
// the text part that a message by SMTP has), and with a Postfix on the same disk that takes them into its queue, where one is installed. Aim:
// at least 0.8 of the first. All of them answer when the message is on disk.
import { postfixMissing, type QueueingPostfix, startQueueingPostfix } from '../test/support/relays'
import { cpuOfAll } from './support/cpu'
import { jsonPost, runLoad } from './support/load'
import { type Program, startProgram } from './support/program'

const connections = 32
/** Many short turns: what else the machine does then falls on all of them alike. */
const seconds = 0.5
const rounds = 30
/** Of each, before anything is measured: by then the engine has compiled most of what they need, and a server runs for months. */
const warmUpMessages = 15_000
const html = `<html><body><h1>Your order</h1>${'<p>Thank you, Ada. It is on its way.</p>'.repeat(12)}</body></html>`

const text = 'Thank you, Ada. It is on its way.'

/** A message as a program would write it, with a text part of its own. */
function message(n: number): string {
  return [
    'From: Bench <a@bench.example>',
    `To: ada-${n}@example.com`,
    `Subject: Your order ${n}`,
    `Message-ID: <order-${n}-${Date.now()}@bench.example>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary=b',
    '',
    ...['--b', 'Content-Type: text/plain; charset=utf-8', '', text],
    ...['--b', 'Content-Type: text/html; charset=utf-8', '', html, '--b--', '.', ''],
  ].join('\r\n')
}

interface Server {
  port: number
  /** Messages that it has accepted so far. */
  taken?: number
  /** Undefined where nobody has to sign in. */
  key?: string
  sessions?: Session[]
}

/** A connection that stays open, as those of mail servers and of pools do, so signing in is no part of what is measured. */
interface Session {
  submit(n: number): Promise<void>
  end(): void
}

/** As lean as the load by HTTP: measuring takes little of the two cores that it shares with what is measured. */
async function openSession({ port, key }: Server): Promise<Session> {
  let said = ''
  let wanted = 1
  let answered: (text: string) => void = () => {}
  const replies = (count: number): Promise<string> =>
    new Promise(resolve => {
      wanted = count
      answered = resolve
    })
  const greeted = replies(1)
  const socket = await Bun.connect({
    hostname: '127.0.0.1',
    port,
    socket: {
      data(_, chunk) {
        said += chunk.toString('latin1')
        if ((said.match(/^\d{3} .*\r\n/gm)?.length ?? 0) < wanted) return
        const text = said
        said = ''
        answered(text)
      },
    },
  })
  const ask = async (text: string, end: RegExp, count = 1): Promise<void> => {
    const coming = replies(count)
    socket.write(text)
    const answer = await coming
    if (!end.test(answer)) throw new Error(answer)
  }
  await greeted
  await ask('EHLO bench\r\n', /^250 /m)
  if (key) await ask(`AUTH PLAIN ${Buffer.from(`\0x\0${key}`).toString('base64')}\r\n`, /^235 /)
  return {
    async submit(n) {
      const envelope = `MAIL FROM:<a@bench.example>\r\nRCPT TO:<ada-${n}@example.com>\r\nDATA\r\n`
      await ask(envelope, /^354 .*\r\n$/m, 3)
      await ask(message(n), /^250 /)
    },
    end: () => void socket.end('QUIT\r\n'),
  }
}

/** Numbers are not used twice: ours would take a message for one that it has. */
let count = 0
const next = (): number => count++

interface Measured {
  perSecond: number
  /** Processor time per message of whoever takes it, PostgreSQL's with ours. */
  cpuMicroseconds: number
  /** Of this process, which writes the messages; the two share what the machine has. */
  clientMicroseconds: number
}

async function measured(pid: number, take: () => Promise<number>): Promise<Measured> {
  const [startedAt, cpuBefore, clientBefore] = [
    performance.now(),
    cpuOfAll(pid) ?? Number.NaN,
    process.cpuUsage(),
  ]
  const taken = await take()
  const cpu = (cpuOfAll(pid) ?? Number.NaN) - cpuBefore
  const client = process.cpuUsage(clientBefore)
  return {
    perSecond: taken / ((performance.now() - startedAt) / 1000),
    cpuMicroseconds: (cpu * 1000) / taken,
    clientMicroseconds: (client.user + client.system) / taken,
  }
}

async function submit(server: Server, forSeconds: number): Promise<number> {
  server.sessions ??= await Promise.all(Array.from({ length: connections }, () => openSession(server)))
  const until = performance.now() + forSeconds * 1000
  let taken = 0
  const submitAll = async (session: Session): Promise<void> => {
    for (; performance.now() < until; taken++) await session.submit(next())
  }
  await Promise.all(server.sessions.map(submitAll))
  server.taken = (server.taken ?? 0) + taken
  return taken
}

/** `likewise`: with what SMTP brings along, a text part and a name by which the message is known when it comes again, in no order. */
async function send({ url, secretKey }: Program, forSeconds: number, likewise = false): Promise<number> {
  const { hostname, port, host } = new URL(url)
  const request = (): string => {
    const n = next()
    const body = {
      to: `ada-${n}@example.com`,
      from: 'a@bench.example',
      subject: `Your order ${n}`,
      body: html,
    }
    if (!likewise) return jsonPost('/v1/send', host, secretKey, body)
    const more = { text, metadata: { messageId: `order-${n}@bench.example` } }
    return jsonPost(
      '/v1/send',
      host,
      secretKey,
      { ...body, ...more },
      `Idempotency-Key: ${crypto.randomUUID()}\r\n`,
    )
  }
  const load = { host: hostname, port: Number(port), connections, request, seconds: forSeconds }
  const { requests, failures } = await runLoad(load)
  if (failures > 0) throw new Error(`${failures} requests failed`)
  return requests
}

async function warmUp(take: () => Promise<number>): Promise<void> {
  for (let taken = 0; taken < warmUpMessages; ) taken += await take()
}

/** The middle, and between what the middle half lies. */
function spread(all: number[], digits: number): string {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number): string => sorted[Math.floor(sorted.length * share)]!.toFixed(digits)
  return `${at(0.5)} (${at(0.25)} to ${at(0.75)})`
}

function show(name: string, all: Measured[], smtp?: Measured[]): void {
  const rates = spread(valuesOf(all, 'perSecond'), 0)
  const cost = spread(valuesOf(all, 'cpuMicroseconds'), 0)
  const client = spread(valuesOf(all, 'clientMicroseconds'), 0)
  console.log(
    `${name.padEnd(20)}${rates} messages/s; ${cost} µs of processor time each, ${client} of the client's`,
  )
  if (!smtp) return
  // Of what was measured one right after the other, because the machine may be slower a moment later.
  const rate = smtp.map((each, round) => each.perSecond / all[round]!.perSecond)
  const cpu = smtp.map((each, round) => all[round]!.cpuMicroseconds / each.cpuMicroseconds)
  console.log(`  SMTP of Waxwing beside it: ${spread(rate, 2)} in rate, ${spread(cpu, 2)} in processor time`)
}

function valuesOf(all: Measured[], of: keyof Measured): number[] {
  return all.map(each => each[of])
}

async function startPostfix(): Promise<(QueueingPostfix & Server) | undefined> {
  const missing = postfixMissing()
  if (missing) console.log(`not beside Postfix: ${missing}`)
  return missing ? undefined : await startQueueingPostfix()
}

export async function run(): Promise<void> {
  const reserved = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = reserved
  reserved.stop(true)
  const postfix = await startPostfix()
  const program = await startProgram({
    ROLE: 'api',
    SMTP_LISTEN: `127.0.0.1:${port}`,
    SMTP_PLAIN_ON_LOOPBACK: 'true',
  })
  const ours: Server = { port, key: program.secretKey }
  try {
    await warmUp(() => send(program, 1, true))
    await warmUp(() => submit(ours, 1))
    if (postfix) await submit(postfix, 1)
    const http: Measured[] = []
    const likewise: Measured[] = []
    const smtp: Measured[] = []
    const theirs: Measured[] = []
    for (let round = 0; round < rounds; round++) {
      http.push(await measured(program.pid, () => send(program, seconds)))
      smtp.push(await measured(program.pid, () => submit(ours, seconds)))
      likewise.push(await measured(program.pid, () => send(program, seconds, true)))
      if (postfix) theirs.push(await measured(postfix.pid, () => submit(postfix, seconds)))
    }
    show('SMTP', smtp)
    show('POST /v1/send', http, smtp)
    show('  named, with text', likewise, smtp)
    if (!postfix) return
    show('Postfix', theirs, smtp)
    const queued = await postfix.queued()
    if (queued !== postfix.taken) throw new Error(`${queued} of ${postfix.taken} messages are in its queue`)
  } finally {
    for (const session of [...(ours.sessions ?? []), ...(postfix?.sessions ?? [])]) session.end()
    await program.stop()
    await postfix?.stop()
  }
}

if (import.meta.main) await run()
