// One conversation of a scripted SMTP server: reads commands and bodies from a socket and answers as the test's script says.
import type { Socket } from 'node:net'
import { type SecureContext, TLSSocket } from 'node:tls'

export type ZooStage =
  | 'greeting'
  | 'ehlo'
  | 'starttls'
  | 'auth'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'final'
  | 'rset'
  | 'noop'
  | 'quit'

/**
 * Text is sent as it stands (CRLF is added), a 421 is followed by the end of the connection; `silent` says nothing from then
 * on, `drop` ends the connection, `afterMs` keeps this answer and those behind it back until then.
 */
export type ZooAnswer =
  | string
  | { silent: true }
  | { drop: true }
  | { text: string; thenDrop: true }
  | { text: string; afterMs: number }

export interface ZooOptions {
  extensions?: string[]
  /** By stage: one answer for always, or a list used up one by one (afterwards the ordinary answer). */
  answers?: Partial<Record<ZooStage, ZooAnswer | ZooAnswer[]>>
  tls?: 'starttls' | 'implicit'
  /** Sent in the clear right behind the answer to STARTTLS. */
  injected?: string
  credentials?: { user: string; password: string; mechanisms?: string }
  /** Milliseconds between the single bytes of each answer. */
  byteDelayMs?: number
  /** Closes the connection this long after a message was taken. */
  closeAfterMessageMs?: number
  /** Connections above this number are greeted with 421. */
  maxConnections?: number
  /** Stops reading and drops the connection after this many bytes of a message. */
  dropInBodyAfter?: number
  /** A whole message is there and about to be answered: the so-manieth. */
  beforeAnswer?: (count: number) => void
  /** Stops reading in the middle of a message. */
  stallInBody?: boolean
}

export interface ZooMessage {
  from: string
  to: string[]
  /** Bytes as latin1, dot-stuffing undone. */
  raw: string
  connection: number
}

/** What all conversations of a server share. */
export interface World {
  options: ZooOptions
  commands: string[]
  groups: string[][]
  messages: ZooMessage[]
  sockets: Set<Socket>
  opened: number
  secure: SecureContext | undefined
}

/** The state of one conversation. */
interface Talk {
  world: World
  socket: Socket
  number: number
  pending: string
  inBody: boolean
  /** What the next line is, in the middle of AUTH. */
  expects: 'plain' | 'user' | 'password' | undefined
  user: string
  message: ZooMessage
  /** Answers go out one after the other, slow ones too. */
  queue: Promise<void>
  dead: boolean
}

const ordinary: Record<ZooStage, string> = {
  greeting: '220 zoo.test ESMTP',
  ehlo: '',
  starttls: '220 2.0.0 go ahead',
  auth: '235 2.7.0 welcome',
  mail: '250 2.1.0 sender ok',
  rcpt: '250 2.1.5 recipient ok',
  data: '354 end with a dot',
  final: '250 2.0.0 queued as zoo',
  rset: '250 2.0.0 reset',
  noop: '250 2.0.0 nothing',
  quit: '221 2.0.0 bye',
}

const usualExtensions = ['PIPELINING', '8BITMIME', 'SMTPUTF8', 'SIZE 50000000', 'ENHANCEDSTATUSCODES']

export function secured(world: World, plain: Socket): TLSSocket {
  const socket = new TLSSocket(plain, { isServer: true, secureContext: world.secure! })
  socket.on('error', () => {})
  return socket
}

/** Speaks SMTP on `socket` until it ends; `greet` is false behind STARTTLS. */
export function converse(world: World, socket: Socket, number: number, greet: boolean): void {
  const talk: Talk = {
    world,
    socket,
    number,
    pending: '',
    inBody: false,
    expects: undefined,
    user: '',
    message: emptyMessage(number),
    queue: Promise.resolve(),
    dead: false,
  }
  socket.on('data', (chunk: Buffer) => {
    talk.pending += chunk.toString('latin1')
    readOn(talk)
  })
  if (!greet) return
  const { maxConnections } = world.options
  if (maxConnections === undefined || world.sockets.size <= maxConnections) answer(talk, 'greeting')
  else {
    say(talk, '421 4.7.0 too many connections')
    drop(talk)
  }
}

function emptyMessage(connection: number): ZooMessage {
  return { from: '', to: [], raw: '', connection }
}

function readOn(talk: Talk): void {
  const group: string[] = []
  for (;;) {
    if (talk.inBody) {
      if (!readBody(talk)) break
      continue
    }
    const end = talk.pending.indexOf('\r\n')
    if (end < 0) break
    const line = talk.pending.slice(0, end)
    talk.pending = talk.pending.slice(end + 2)
    group.push(line)
    obey(talk, line)
  }
  if (group.length > 0) talk.world.groups.push(group)
}

function say(talk: Talk, text: string): void {
  const { byteDelayMs } = talk.world.options
  talk.queue = talk.queue.then(async () => {
    const bytes = Buffer.from(`${text}\r\n`)
    for (const byte of byteDelayMs ? bytes : []) {
      if (!talk.dead) talk.socket.write(Buffer.from([byte]))
      await Bun.sleep(byteDelayMs!)
    }
    if (!byteDelayMs && !talk.dead) talk.socket.write(bytes)
  })
}

function drop(talk: Talk): void {
  talk.queue = talk.queue.then(() => {
    talk.dead = true
    talk.socket.end()
    setTimeout(() => talk.socket.destroy(), 5)
  })
}

function fallSilent(talk: Talk): void {
  talk.queue = talk.queue.then(() => {
    talk.dead = true
  })
}

/** Says what the script wants; true when that was a "yes". */
function answer(talk: Talk, stage: ZooStage, usual = ordinary[stage]): boolean {
  const script = talk.world.options.answers?.[stage]
  const chosen = (Array.isArray(script) ? script.shift() : script) ?? usual
  if (typeof chosen === 'string') {
    say(talk, chosen)
    if (chosen.startsWith('421')) drop(talk)
    return /^[23]/.test(chosen)
  }
  if ('afterMs' in chosen) {
    talk.queue = talk.queue.then(() => Bun.sleep(chosen.afterMs))
    say(talk, chosen.text)
    return /^[23]/.test(chosen.text)
  }
  if ('text' in chosen) say(talk, chosen.text)
  if ('silent' in chosen) fallSilent(talk)
  else drop(talk)
  return false
}

function obey(talk: Talk, line: string): void {
  if (talk.expects) {
    continueAuth(talk, line)
    return
  }
  talk.world.commands.push(line)
  const verb = /^\w+/.exec(line)?.[0].toUpperCase() ?? ''
  const known = verbs[verb]
  if (known) known(talk, line)
  else say(talk, '500 5.5.2 what?')
}

const verbs: Record<string, (talk: Talk, line: string) => void> = {
  EHLO: hello,
  HELO: hello,
  STARTTLS: startTls,
  AUTH: startAuth,
  MAIL(talk, line) {
    if (talk.message.from !== '') say(talk, '503 5.5.1 nested MAIL')
    else if (answer(talk, 'mail')) talk.message.from = line.slice(10)
  },
  RCPT(talk, line) {
    if (talk.message.from === '') say(talk, '503 5.5.1 MAIL first')
    else if (answer(talk, 'rcpt')) talk.message.to.push(line.slice(8))
  },
  DATA(talk) {
    const scripted = talk.world.options.answers?.data !== undefined
    if (talk.message.to.length === 0 && !scripted) say(talk, '503 5.5.1 RCPT first')
    else talk.inBody = answer(talk, 'data')
  },
  RSET(talk) {
    talk.message = emptyMessage(talk.number)
    answer(talk, 'rset')
  },
  NOOP: talk => void answer(talk, 'noop'),
  QUIT(talk) {
    answer(talk, 'quit')
    drop(talk)
  },
}

function hello(talk: Talk): void {
  const { tls, credentials, extensions = usualExtensions } = talk.world.options
  const secure = talk.socket instanceof TLSSocket
  const lines = ['zoo.test', ...extensions]
  if (tls === 'starttls' && !secure) lines.push('STARTTLS')
  if (credentials) lines.push(`AUTH ${credentials.mechanisms ?? 'PLAIN LOGIN'}`)
  answer(
    talk,
    'ehlo',
    lines.map((line, at) => `250${at === lines.length - 1 ? ' ' : '-'}${line}`).join('\r\n'),
  )
}

function startTls(talk: Talk): void {
  const { injected } = talk.world.options
  if (!answer(talk, 'starttls', injected ? `${ordinary.starttls}\r\n${injected}` : ordinary.starttls)) return
  const { world, socket, number } = talk
  socket.removeAllListeners('data')
  talk.queue = talk.queue.then(() => converse(world, secured(world, socket), number, false))
}

function startAuth(talk: Talk, line: string): void {
  const [, method, initial] = line.split(' ')
  if (talk.world.options.answers?.auth) {
    answer(talk, 'auth')
    return
  }
  talk.expects = method === 'PLAIN' ? 'plain' : 'user'
  if (initial !== undefined) continueAuth(talk, initial)
  else say(talk, '334 VXNlcm5hbWU6')
}

function continueAuth(talk: Talk, line: string): void {
  const decoded = Buffer.from(line, 'base64').toString()
  const step = talk.expects
  talk.expects = undefined
  if (step === 'plain') checkAuth(talk, decoded.split('\0')[1] ?? '', decoded.split('\0')[2] ?? '')
  else if (step === 'password') checkAuth(talk, talk.user, decoded)
  else {
    talk.user = decoded
    talk.expects = 'password'
    say(talk, '334 UGFzc3dvcmQ6')
  }
}

function checkAuth(talk: Talk, user: string, password: string): void {
  const wanted = talk.world.options.credentials
  if (wanted?.user === user && wanted.password === password) answer(talk, 'auth')
  else say(talk, '535 5.7.8 authentication failed')
}

/** True when the message is complete. */
function readBody(talk: Talk): boolean {
  const { dropInBodyAfter, stallInBody, closeAfterMessageMs } = talk.world.options
  if (stallInBody) talk.socket.pause()
  if (dropInBodyAfter !== undefined && talk.pending.length > dropInBodyAfter) talk.socket.destroy()
  const end = talk.pending.startsWith('.\r\n') ? 0 : talk.pending.indexOf('\r\n.\r\n') + 2
  if (end === 1 || stallInBody || talk.socket.destroyed) return false
  const message = { ...talk.message, raw: talk.pending.slice(0, end).replace(/(^|\r\n)\./g, '$1') }
  talk.pending = talk.pending.slice(end + 3)
  talk.inBody = false
  talk.message = emptyMessage(talk.number)
  talk.world.options.beforeAnswer?.(talk.world.messages.length + 1)
  if (answer(talk, 'final')) talk.world.messages.push(message)
  if (closeAfterMessageMs !== undefined) setTimeout(() => talk.socket.end(), closeAfterMessageMs)
  return true
}
