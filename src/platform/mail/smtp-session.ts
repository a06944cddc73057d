// An SMTP conversation: `openSmtpSession` gets as far as a relay that is ready for messages, `transact` hands over one message.
// Every way it can go is a reply or a result; nothing throws.
import { hostname } from 'node:os'
import type { AccessTokens } from './access-token'
import { type StagedReply, toSendResult } from './reply'
import { type Announced, isGone, isUntouched, type SmtpCommand, untakenBy } from './smtp-answers'
import { type Connection, connectTo, type TlsSettings } from './smtp-connection'
import { type Extensions, prepareMessage, type WireMessage } from './smtp-message'
import type { SmtpOptions } from './smtp-options'
import type { FinishedMessage, SendResult, SmtpStage } from './transport'

export interface SmtpSessionOptions extends SmtpOptions {
  clientName: string
  /** Where the relay wants a token instead of a password. */
  accessToken?: AccessTokens
  /** PEM text of further trusted authorities. */
  ca?: string
}

export interface Transaction {
  result: SendResult
  /** The relay had given up this pooled connection before it saw the message: nothing happened, a fresh one may be tried. */
  stale: boolean
}

export interface SmtpSession {
  readonly connection: Connection
  readonly extensions: Extensions
  /** Messages tried on this connection. */
  readonly carried: number
  /** True when the next message may use it. */
  isUsable(): boolean
  transact(message: FinishedMessage): Promise<Transaction>
  noop(): Promise<StagedReply>
  /** Says goodbye without waiting long for the answer. */
  quit(): Promise<void>
}

export type Opened = { session: SmtpSession } | { fault: StagedReply }

/** TCP, TLS, greeting, EHLO, STARTTLS and AUTH as the options want them. */
export async function openSmtpSession(options: SmtpSessionOptions): Promise<Opened> {
  const connected = await connectTo(options.host, options.port, options.limits.connectMs)
  if ('fault' in connected) return connected
  const { connection } = connected
  const opened = await introduce(connection, options)
  if (!('fault' in opened)) return { session: makeSession(connection, options, opened.extensions) }
  connection.destroy()
  return { fault: withoutSecrets(opened.fault, options) }
}

type Introduced = { extensions: Extensions } | { fault: StagedReply }

async function introduce(connection: Connection, options: SmtpSessionOptions): Promise<Introduced> {
  const { limits, security } = options
  if (security === 'implicit') {
    const fault = await connection.secure(tlsSettings(options), 'connect', limits.connectMs)
    if (fault) return { fault }
  }
  const greeting = await connection.read('greeting', limits.greetingMs)
  if (greeting.code !== 220) return { fault: greeting }
  let hello = await sayHello(connection, options)
  if ('fault' in hello) return hello
  if (security === 'required' || (security === 'opportunistic' && hello.extensions.has('STARTTLS'))) {
    const fault = await startTls(connection, options, hello.extensions)
    if (fault) return { fault }
    hello = await sayHello(connection, options)
    if ('fault' in hello) return hello
  }
  const fault = await authenticate(connection, options, hello.extensions)
  return fault ? { fault } : hello
}

function tlsSettings({ tls, ca }: SmtpSessionOptions): TlsSettings {
  const { caFile: _, ...settings } = tls
  return { ...settings, ...(ca === undefined ? {} : { ca }) }
}

async function ask(
  connection: Connection,
  command: string,
  stage: SmtpStage,
  limitMs: number,
): Promise<StagedReply> {
  connection.write(`${command}\r\n`)
  return connection.read(stage, limitMs)
}

async function sayHello(
  connection: Connection,
  { clientName, limits }: SmtpSessionOptions,
): Promise<Introduced> {
  const reply = await ask(connection, `EHLO ${clientName}`, 'ehlo', limits.commandMs)
  if (reply.code === 250) return { extensions: readExtensions(reply) }
  if (reply.code !== 500 && reply.code !== 502 && reply.code !== 504) return { fault: reply }
  const old = await ask(connection, `HELO ${clientName}`, 'ehlo', limits.commandMs)
  return old.code === 250 ? { extensions: new Map() } : { fault: old }
}

function readExtensions({ lines = [] }: StagedReply): Extensions {
  const words = lines.slice(1).map(line => /^([A-Za-z0-9][A-Za-z0-9-]*)(?:[ =](.*))?$/.exec(line))
  return new Map(words.flatMap(match => (match ? [[match[1]!.toUpperCase(), match[2] ?? '']] : [])))
}

async function startTls(
  connection: Connection,
  options: SmtpSessionOptions,
  extensions: Extensions,
): Promise<StagedReply | undefined> {
  if (!extensions.has('STARTTLS')) {
    const response =
      'the relay offers no STARTTLS; with a password in SMTP_URL it is required (ignoreTLS=true allows plain text)'
    return { stage: 'starttls', response }
  }
  const reply = await ask(connection, 'STARTTLS', 'starttls', options.limits.commandMs)
  if (reply.code !== 220) return reply
  return connection.secure(tlsSettings(options), 'starttls', options.limits.connectMs)
}

async function authenticate(
  connection: Connection,
  options: SmtpSessionOptions,
  extensions: Extensions,
): Promise<StagedReply | undefined> {
  const offered = (extensions.get('AUTH') ?? '').toUpperCase().split(/\s+/)
  if (options.oauth) return await authenticateByToken(connection, options, offered)
  if (!options.credentials) return undefined
  const method = options.authMethod ?? (['PLAIN', 'LOGIN'] as const).find(name => offered.includes(name))
  if (!method) return { stage: 'auth', response: 'the relay offers neither AUTH PLAIN nor AUTH LOGIN' }
  const { user, password } = options.credentials
  const limitMs = options.limits.commandMs
  let reply: StagedReply
  if (method === 'PLAIN') {
    reply = await ask(connection, `AUTH PLAIN ${base64(`\0${user}\0${password}`)}`, 'auth', limitMs)
  } else {
    reply = await ask(connection, 'AUTH LOGIN', 'auth', limitMs)
    if (reply.code === 334) reply = await ask(connection, base64(user), 'auth', limitMs)
    if (reply.code === 334) reply = await ask(connection, base64(password), 'auth', limitMs)
  }
  return reply.code === 235 ? undefined : reply
}

/** XOAUTH2 of Google and Microsoft. A token that is refused may be an old one, so another is asked for once. */
async function authenticateByToken(
  connection: Connection,
  { oauth, accessToken, limits }: SmtpSessionOptions,
  offered: readonly string[],
): Promise<StagedReply | undefined> {
  if (!offered.includes('XOAUTH2'))
    return { stage: 'auth', response: 'the relay does not offer AUTH XOAUTH2' }
  let reply: StagedReply = { stage: 'auth', response: '' }
  for (const renew of [false, true]) {
    const token = await accessToken!(renew).catch((error: Error) => error)
    if (token instanceof Error)
      return {
        stage: 'auth',
        response: `no access token from ${new URL(oauth!.tokenUrl).host}: ${token.message}`,
      }
    const words = base64(`user=${oauth!.user}\x01auth=Bearer ${token}\x01\x01`)
    reply = await ask(connection, `AUTH XOAUTH2 ${words}`, 'auth', limits.commandMs)
    // What is wrong comes as a challenge, which has to be answered before the refusal (it says no more than "401").
    if (reply.code === 334) reply = await ask(connection, '', 'auth', limits.commandMs)
    reply.response = reply.response.replaceAll(words, '***').replaceAll(token, '***')
    if (reply.code === 235) return undefined
    if (reply.code !== 535) break
  }
  return reply
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** Some relays repeat the failed command in their answer. */
function withoutSecrets<T extends { response: string; lines?: string[] }>(
  reply: T,
  { credentials }: SmtpSessionOptions,
): T {
  if (!credentials) return reply
  const { user, password } = credentials
  const secrets = [base64(`\0${user}\0${password}`), base64(password), password].filter(
    secret => secret !== '',
  )
  const response = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), reply.response)
  return { ...reply, response, lines: undefined }
}

function makeSession(
  connection: Connection,
  options: SmtpSessionOptions,
  extensions: Extensions,
): SmtpSession {
  const { commandMs, reusedMs, bodyMs, finalMs } = options.limits
  const pipelining = extensions.has('PIPELINING')
  let carried = 0
  let needsReset = false
  /** The relay has answered to anything since this message's turn began. */
  let heard = false

  /** The replies to `commands`, as far as they got: without pipelining the first failure of one that is `needed` ends the group. */
  async function converse(commands: SmtpCommand[]): Promise<StagedReply[]> {
    const isFirst = carried > 1 && !heard
    if (pipelining) connection.write(commands.map(([, line]) => line).join(''))
    const replies: StagedReply[] = []
    for (const [stage, line, needed = true] of commands) {
      if (!pipelining) connection.write(line)
      const limitMs = isFirst && replies.length === 0 ? Math.min(commandMs, reusedMs) : commandMs
      const reply = await connection.read(stage, limitMs)
      heard = true
      replies.push(reply)
      if (isGone(reply) || (!pipelining && needed && reply.code! >= 400)) break
    }
    return replies
  }

  /** Up to the go-ahead for the message: the reply that stopped it, where one did, and what was said to each further recipient. */
  async function announce(wire: WireMessage): Promise<Announced> {
    if (needsReset) {
      const [reset] = await converse([['mail', 'RSET\r\n']])
      // That says nothing about this message, so the code goes no further than here: the connection is given up.
      if (reset!.code !== 250) return { stopped: { stage: 'mail', response: reset!.response }, also: [] }
    }
    needsReset = true
    const commands: SmtpCommand[] = [
      ['mail', wire.mail],
      ['rcpt', wire.rcpt],
      ...wire.also.map((line): SmtpCommand => ['rcpt', line, false]),
      ['data', 'DATA\r\n'],
    ]
    const replies = await converse(commands)
    const goAhead = replies[commands.length - 1]?.code === 354
    const stopped = replies.find((reply, index) => {
      const [stage, , needed = true] = commands[index]!
      return isGone(reply) || (needed && (stage === 'data' ? reply.code !== 354 : reply.code! >= 300))
    })
    // A server that refused the recipient and still wants data gets an empty message (RFC 2920, 3.1).
    if (stopped && goAhead) await converse([['final', '.\r\n']])
    return { stopped, also: replies.slice(2, 2 + wire.also.length) }
  }

  async function sendBody(body: Uint8Array): Promise<StagedReply> {
    if (body.length <= inOnePiece) connection.write(body)
    else {
      const interrupted = await connection.writeBody(body, bodyMs)
      if (interrupted) {
        connection.destroy('the relay interrupted the message')
        return interrupted
      }
    }
    const reply = await connection.read('final', finalMs)
    if (reply.code !== undefined) needsReset = reply.code >= 300
    return reply
  }

  return {
    connection,
    extensions,
    get carried() {
      return carried
    },
    isUsable: () => connection.isAlive() && connection.isQuiet(),
    async transact(message) {
      const prepared = prepareMessage(message, extensions)
      if ('impossible' in prepared) return { result: refusedHere(prepared.impossible), stale: false }
      carried++
      heard = false
      const { stopped, also } = await announce(prepared.wire)
      const reply = stopped ?? (await sendBody(prepared.wire.body))
      if (isGone(reply)) connection.destroy()
      const stale = carried > 1 && isUntouched(reply)
      const result = toSendResult(withoutSecrets(reply, options))
      const untaken = also.flatMap((answer, index) => untakenBy(answer, message.envelope.also![index]!))
      const isPartly = result.outcome === 'accepted' && untaken.length > 0
      return { result: isPartly ? { ...result, untaken } : result, stale }
    },
    noop: () => ask(connection, 'NOOP', 'ehlo', commandMs),
    async quit() {
      if (!connection.isAlive()) return
      await ask(connection, 'QUIT', 'ehlo', Math.min(commandMs, 1_000))
      connection.destroy()
    },
  }
}

/** Longer messages are written in pieces, with an eye on what the relay says meanwhile. */
const inOnePiece = 256 * 1024

/** A message that this relay can't take is not the recipient's fault. */
function refusedHere(response: string): SendResult {
  return { outcome: 'refused', blame: 'other', response }
}

/** The machine's name where it is a full one; otherwise the address literal that submission servers expect of clients. */
export function defaultClientName(): string {
  const name = hostname()
  return /^[\w-]+(\.[\w-]+)+$/.test(name) ? name : '[127.0.0.1]'
}
