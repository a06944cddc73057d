// An SMTP conversation: `openSmtpSession` gets as far as a relay that is ready for messages, `transact` hands over one message.
// Every way it can go is a reply or a result; nothing throws.

import { isClosing } from '../bounces'
import { type FinishedMessage, type SendResult, type SmtpStage, type Untaken, withdrawn } from '../message'
import { type Connection, connectTo } from './connection'
import { type Extensions, prepareMessage, type WireMessage } from './message'
import { type StagedReply, toSendResult } from './reply'
import { ask, introduce, type SmtpSessionOptions, withoutSecrets } from './sign-in'

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
  /** The connection is alive and nothing unread has arrived on it. */
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
      const soonMs = isFirst && replies.length === 0 ? reusedMs : commandMs
      const reply = await connection.read(stage, Math.min(commandMs, soonMs))
      heard = true
      replies.push(reply)
      if (isGone(reply) || (!pipelining && needed && reply.code! >= 400)) break
    }
    return replies
  }

  /** Up to the go-ahead for the message: the reply that stopped it, where one did, and what was said to each further recipient. */
  async function announce(wire: WireMessage): Promise<{ stopped?: StagedReply; also: StagedReply[] }> {
    if (needsReset) {
      const [reset] = await converse([['mail', 'RSET\r\n']])
      // That says nothing about this message, so the code goes no further than here: the connection is given up.
      if (reset!.code !== 250) return { stopped: { stage: 'mail', response: reset!.response }, also: [] }
    }
    needsReset = true
    const commands = commandsOf(wire)
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

  async function sendBody(
    { body }: WireMessage,
    { throttle, signal }: FinishedMessage,
  ): Promise<StagedReply> {
    if (signal?.aborted) connection.destroy('the message was withdrawn')
    // The answers were there, and then it was lost: nothing of the message was written.
    if (!connection.isAlive()) return connection.read('data', 0)
    if (body instanceof Uint8Array) connection.write(body)
    else {
      const interrupted = await connection.writeBody(body, bodyMs, { throttle, signal })
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
      const reply = stopped ?? (await sendBody(prepared.wire, message))
      // What is left to be sent is in memory that is used again.
      if (isGone(reply) || !connection.isFlushed()) connection.destroy()
      const isCut = reply.code === undefined && reply.stage !== 'final'
      if (isCut && message.signal?.aborted) return { result: withdrawn, stale: false }
      const stale = carried > 1 && isUntouched(reply)
      const result = toSendResult(withoutSecrets(reply, options))
      const untaken = also.flatMap((answer, at) => untakenBy(answer, message.envelope.also![at]!))
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

/** A command with its stage; one that is not `needed` may be refused, and the message goes on. */
type SmtpCommand = [stage: SmtpStage, line: string, needed?: boolean]

function commandsOf({ mail, rcpt, also }: WireMessage): SmtpCommand[] {
  return [
    ['mail', mail],
    ['rcpt', rcpt],
    ...also.map((line): SmtpCommand => ['rcpt', line, false]),
    ['data', 'DATA\r\n'],
  ]
}

/** The connection broke, or the server closes it. */
function isGone({ code }: StagedReply): boolean {
  return code === undefined || isClosing(code)
}

function untakenBy(reply: StagedReply, address: string): Untaken[] {
  if (reply.code! < 300) return []
  const result = toSendResult(reply)
  return result.outcome === 'accepted' ? [] : [{ address, ...result }]
}

/** The connection went before any of the message was sent, by itself or with a 421 in place of an answer to MAIL. */
function isUntouched({ code, stage }: StagedReply): boolean {
  return stage === 'mail'
    ? code === undefined || isClosing(code)
    : code === undefined && (stage === 'rcpt' || stage === 'data')
}

/** A message that this relay can't take is not the recipient's fault. */
function refusedHere(response: string): SendResult {
  return { outcome: 'refused', blame: 'other', response }
}
