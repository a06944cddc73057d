// Messages per second by SMTP, compared with the same messages by POST /v1/send to the same program (as short as possible, and with the name and
// the text part that a message by SMTP has), and with a Postfix on the same disk that takes them into its queue, where one is installed. Aim:
// at least 0.8 of the first. All of them answer when the message is on disk.
import { connect } from 'node:net'
import { postfixMissing, type QueueingPostfix, startQueueingPostfix } from '../test/support/relays'
import { cpuOfAll } from './support/cpu'
import { jsonPost, runLoad } from './support/load'
import { type Program, startProgram } from './support/program'

const connections = 32
const seconds = 2
const rounds = 5
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
}

/** One connection that submits one message after another; returns how many were accepted. */
async function submitter({ port, key }: Server, until: number, next: () => number): Promise<number> {
  const socket = connect(port, '127.0.0.1')
  let said = ''
  let wake: () => void = () => {}
  socket.setNoDelay(true).on('data', chunk => {
    said += chunk.toString('latin1')
    wake()
  })
  const reply = async (): Promise<string> => {
    for (;;) {
      const end = /^\d{3} .*\r\n/m.exec(said)
      if (end) {
        said = said.slice(end.index + end[0].length)
        return end[0]
      }
      await new Promise<void>(resolve => {
        wake = resolve
      })
    }
  }
  const ask = (text: string): Promise<string> => {
    socket.write(text)
    return reply()
  }
  await reply()
  await ask('EHLO bench\r\n')
  if (key) await ask(`AUTH PLAIN ${Buffer.from(`\0x\0${key}`).toString('base64')}\r\n`)
  let taken = 0
  while (performance.now() < until) {
    const n = next()
    socket.write(`MAIL FROM:<a@bench.example>\r\nRCPT TO:<ada-${n}@example.com>\r\nDATA\r\n`)
    await reply()
    await reply()
    await reply()
    const answer = await ask(message(n))
    if (!answer.startsWith('250')) throw new Error(answer)
    taken++
  }
  socket.end('QUIT\r\n')
  return taken
}

/** Numbers are not used twice: ours would take a message for one that it has. */
let count = 0
const next = (): number => count++

interface Measured {
  perSecond: number
  /** Processor time per message of whoever takes it, PostgreSQL's with ours. */
  cpuMicroseconds: number
}

async function measured(pid: number, take: () => Promise<number>): Promise<Measured> {
  const [startedAt, cpuBefore] = [performance.now(), cpuOfAll(pid) ?? Number.NaN]
  const taken = await take()
  const cpu = (cpuOfAll(pid) ?? Number.NaN) - cpuBefore
  return {
    perSecond: taken / ((performance.now() - startedAt) / 1000),
    cpuMicroseconds: (cpu * 1000) / taken,
  }
}

async function submit(server: Server, forSeconds: number): Promise<number> {
  const until = performance.now() + forSeconds * 1000
  const taken = await Promise.all(Array.from({ length: connections }, () => submitter(server, until, next)))
  const all = taken.reduce((sum, one) => sum + one, 0)
  server.taken = (server.taken ?? 0) + all
  return all
}

/** `likewise`: with what SMTP brings along, a text part and a name by which the message is known when it comes again. */
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
    return jsonPost('/v1/send', host, secretKey, { ...body, ...more }, `Idempotency-Key: order-${n}\r\n`)
  }
  const load = { host: hostname, port: Number(port), connections, request, seconds: forSeconds }
  const { requests, failures } = await runLoad(load)
  if (failures > 0) throw new Error(`${failures} requests failed`)
  return requests
}

function middle(all: Measured[], of: keyof Measured): number {
  return all.map(each => each[of]).sort((a, b) => a - b)[Math.floor(all.length / 2)]!
}

function show(name: string, all: Measured[], beside?: Measured[]): void {
  const rates = all.map(({ perSecond }) => perSecond.toFixed(0)).join(', ')
  console.log(
    `${name.padEnd(20)}${rates} messages/s; ${middle(all, 'cpuMicroseconds').toFixed(0)} µs of processor time each`,
  )
  if (!beside) return
  const rate = middle(beside, 'perSecond') / middle(all, 'perSecond')
  const cpu = middle(all, 'cpuMicroseconds') / middle(beside, 'cpuMicroseconds')
  console.log(`  SMTP of Waxwing beside it: ${rate.toFixed(2)} in rate, ${cpu.toFixed(2)} in processor time`)
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
  try {
    const ours = { port, key: program.secretKey }
    await send(program, 2)
    await submit(ours, 2)
    if (postfix) await submit(postfix, 1)
    const http: Measured[] = []
    const likewise: Measured[] = []
    const smtp: Measured[] = []
    const theirs: Measured[] = []
    for (let round = 0; round < rounds; round++) {
      http.push(await measured(program.pid, () => send(program, seconds)))
      likewise.push(await measured(program.pid, () => send(program, seconds, true)))
      smtp.push(await measured(program.pid, () => submit(ours, seconds)))
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
    await program.stop()
    await postfix?.stop()
  }
}

if (import.meta.main) await run()
