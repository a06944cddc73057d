// The strangers of bench/soak.ts: mail that is built to hold up whoever parses it, bodies likewise, and connections that only take places.
import { connect, type Socket } from 'node:net'
import { hostileBodies } from '../../test/data/hostile-bodies'
import { hostileMails, hostileSubmissions } from '../../test/data/hostile-mails'
import type { Tenant } from './soak-tenants'

/** Where the program takes mail. */
export interface Doors {
  inboundPort: number
  submissionPort: number
  /** Of a message that one of the strangers got. */
  returnPath: string
  postmaster: string
}

/** How each is counted. */
export type Count = (route: string, what: string | number) => void
/** Resolves once that way is on. */
export type WhileOn = (route: string) => Promise<void>

const patienceMs = 60_000
const pauseMs = 100
/** Places that one network may try to take at the same time. */
const connections = 200

/** Reports at the port for returned mail, and submissions with a key of the project, one after another. */
export async function keepMailing(
  doors: Doors,
  tenant: Tenant,
  whileOn: WhileOn,
  count: Count,
): Promise<void> {
  const lane = async (mails: typeof hostileMails, port: number, to: (n: number) => string, key?: string) => {
    for (let n = 0; ; n++) {
      await whileOn('mails')
      const raw = mails[n % mails.length]!.raw()
      const message = `From: a@${tenant.domain}\r\nTo: ${to(n)}\r\n${raw}`.replace(/^\./gm, '..')
      count('mails', (await handIn(port, key, `a@${tenant.domain}`, to(n), message)).slice(0, 3))
      await Bun.sleep(pauseMs)
    }
  }
  await Promise.all([
    lane(hostileMails, doors.inboundPort, n => (n % 2 ? doors.postmaster : doors.returnPath)),
    lane(hostileMails, doors.submissionPort, () => 'victim@example.net', tenant.secretKey),
    lane(hostileSubmissions, doors.submissionPort, () => 'victim@example.net', tenant.secretKey),
  ])
}

/** The last reply, or why there was none. */
async function handIn(port: number, key: string | undefined, from: string, to: string, message: string) {
  const socket = connect(port, '127.0.0.1')
  const replies = readReplies(socket)
  const ask = async (line: string): Promise<string> => {
    socket.write(`${line}\r\n`, 'latin1')
    return (await replies.next()).value ?? 'closed'
  }
  try {
    await replies.next()
    await ask('EHLO stranger.example')
    if (key) await ask(`AUTH PLAIN ${Buffer.from(`\0x\0${key}`).toString('base64')}`)
    await ask(`MAIL FROM:<${from}>`)
    await ask(`RCPT TO:<${to}>`)
    const answer = await ask('DATA')
    return answer.startsWith('354') ? await ask(`${message}\r\n.`) : answer
  } catch (error) {
    return error instanceof Error ? error.message : 'failed'
  } finally {
    socket.destroy()
  }
}

async function* readReplies(socket: Socket): AsyncGenerator<string, undefined> {
  socket.setTimeout(patienceMs, () => socket.destroy())
  let text = ''
  for await (const chunk of socket) {
    text += chunk.toString('latin1')
    for (const [reply] of text.matchAll(/^\d{3} .*\r\n/gm)) yield reply.trim()
    text = text.slice(text.lastIndexOf('\n') + 1)
  }
}

/** One body after another, with the keys that its holder has. */
export async function keepPosting(
  url: string,
  tenant: Tenant,
  whileOn: WhileOn,
  count: Count,
): Promise<void> {
  for (let n = 0; ; n++) {
    await whileOn('bodies')
    const { path, by, type = 'application/json', body } = hostileBodies[n % hostileBodies.length]!
    const key = by === 'public' ? tenant.publicKey : tenant.secretKey
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': type },
      body: body(),
      signal: AbortSignal.timeout(patienceMs),
    }).catch(error => ({ status: error.name as string }))
    count('bodies', answer.status)
    if (answer instanceof Response) await answer.arrayBuffer().catch(() => {})
    await Bun.sleep(pauseMs)
  }
}

/** Takes places at both mail ports and at the API: some say nothing, some begin a message without a key, some a body that never ends. */
export async function keepTakingPlaces(
  url: string,
  doors: Doors,
  whileOn: WhileOn,
  count: Count,
): Promise<void> {
  const httpPort = Number(new URL(url).port)
  const endless = `POST /v1/send HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 50000000\r\n\r\n{"a":"`
  const visits: Array<[port: number, words: string]> = [
    [doors.inboundPort, ''],
    [doors.submissionPort, ''],
    [doors.submissionPort, 'EHLO x\r\nMAIL FROM:<a@b.example>\r\nRCPT TO:<c@d.example>\r\nDATA\r\n'],
    [httpPort, endless],
  ]
  const lane = async (n: number): Promise<void> => {
    const [port, words] = visits[n % visits.length]!
    for (;;) {
      await whileOn('places')
      const { promise, resolve } = Promise.withResolvers<void>()
      const socket = connect(port, '127.0.0.1', () => void socket.write(words))
      socket.on('error', () => {})
      socket.on('close', resolve)
      socket.resume()
      const timer = setTimeout(() => socket.destroy(), 10_000)
      await promise
      clearTimeout(timer)
      count('places', 'closed')
      await Bun.sleep(pauseMs)
    }
  }
  await Promise.all(Array.from({ length: connections }, (_, n) => lane(n)))
}
