// An SMTP conversation: `openSmtpSession` gets as far as a relay that is ready for messages, `transact` hands over one message.
// Every way it can go is a reply or a result; nothing throws.

import type { FinishedMessage, SendResult } from '../message'
import {
  type Announced,
  commandsOf,
  complainsOfOrder,
  inOneGroup,
  isGone,
  isOutOfStep,
  isUntouched,
  type SmtpCommand,
  untakenBy,
} from './answers'
import { type Connection, connectTo } from './connection'
import { type Extensions, prepareMessage, type WireMessage, withBehind } from './message'
import { type StagedReply, toSendResult } from './reply'
import { ask, introduce, type SmtpSessionOptions, withoutSecrets } from './sign-in'

export interface Transaction {
  result: SendResult
  /** The relay had given up this pooled connection before it saw the message: nothing happened, a fresh one may be tried. */
  stale: boolean
  /** Commands that were sent ahead got no proper answer: this relay can't do with that. */
  lostStep: boolean
}

export interface SmtpSession {
  readonly connection: Connection
  readonly extensions: Extensions
  /** Messages tried on this connection. */
  readonly carried: number
  /** True when the message whose commands have been sent ahead may use it; where there is none, any one. */
  isUsable(message?: FinishedMessage): boolean
  /** True where the next message may be sent ahead: the relay takes groups of commands, and soon says what became of a message. */
  readonly sendsAhead: boolean
  /**
   * `next` is asked just before the last of the message is written. The commands of the message that it names go along, and this has to be
   * transacted next.
   */
  transact(message: FinishedMessage, next?: () => FinishedMessage | undefined): Promise<Transaction>
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
  const { commandMs, reusedMs, aheadMs, patienceMs, bodyMs, finalMs } = options.limits
  const pipelining = extensions.has('PIPELINING')
  let carried = 0
  let needsReset = false
  /** The relay has answered to anything since this message's turn began. */
  let heard = false
  /** The message whose commands have gone behind the last one. */
  let ahead: { message: FinishedMessage; wire: WireMessage } | undefined
  let isPrompt = false

  /**
   * The replies to `commands`, as far as they got: without pipelining the first failure of one that is `needed` ends the group. With `isSaid`
   * they have been written before.
   */
  async function converse(commands: SmtpCommand[], isSaid = false): Promise<StagedReply[]> {
    const isFirst = carried > 1 && !heard
    if (pipelining && !isSaid) connection.write(inOneGroup(commands))
    const replies: StagedReply[] = []
    for (const [stage, line, needed = true] of commands) {
      if (!pipelining) connection.write(line)
      const soonMs = isSaid ? aheadMs : isFirst && replies.length === 0 ? reusedMs : commandMs
      const reply = await connection.read(stage, Math.min(commandMs, soonMs))
      heard = true
      replies.push(reply)
      if (isGone(reply) || (!pipelining && needed && reply.code! >= 400)) break
      // Those that were thrown away get no answer.
      if (isSaid && reply.code! >= 400 && isOutOfStep(replies)) break
    }
    return replies
  }

  /** Up to the go-ahead for the message: the reply that stopped it, where one did, and what was said to each further recipient. */
  async function announce(wire: WireMessage, isSaid: boolean): Promise<Announced> {
    if (needsReset && !isSaid) {
      const [reset] = await converse([['mail', 'RSET\r\n']])
      // That says nothing about this message, so the code goes no further than here: the connection is given up.
      const stopped: StagedReply = { stage: 'mail', response: reset!.response }
      if (reset!.code !== 250) return { stopped, also: [], lostStep: false }
    }
    needsReset = true
    const commands = commandsOf(wire)
    const replies = await converse(commands, isSaid)
    const also = replies.slice(2, 2 + wire.also.length)
    if (isSaid && isOutOfStep(replies)) return { stopped: replies.at(-1), also, lostStep: true }
    const goAhead = replies[commands.length - 1]?.code === 354
    const stopped = replies.find((reply, index) => {
      const [stage, , needed = true] = commands[index]!
      return isGone(reply) || (needed && (stage === 'data' ? reply.code !== 354 : reply.code! >= 300))
    })
    // A server that refused the recipient and still wants data gets an empty message (RFC 2920, 3.1).
    if (stopped && goAhead) await converse([['final', '.\r\n']])
    return { stopped, also, lostStep: false }
  }

  async function sendBody(
    { body }: WireMessage,
    { breathe }: FinishedMessage,
    next: () => FinishedMessage | undefined,
  ): Promise<StagedReply> {
    // The answers were there, and then it was lost: nothing of the message was written.
    if (!connection.isAlive()) return connection.read('data', 0)
    if (body instanceof Uint8Array) connection.write(withNext(body, next()))
    else {
      const interrupted = await connection.writeBody(body, bodyMs, breathe)
      if (interrupted) {
        connection.destroy('the relay interrupted the message')
        return interrupted
      }
    }
    const sentAt = performance.now()
    const reply = await connection.read('final', finalMs)
    isPrompt = performance.now() - sentAt < patienceMs / 2
    if (reply.code !== undefined) needsReset = reply.code >= 300
    return reply
  }

  /** The end of a message may be the first "command" of a group, the beginning of the next one among them (RFC 2920, 3.1). */
  function withNext(body: Uint8Array, message: FinishedMessage | undefined): Uint8Array {
    const prepared = message && prepareMessage(message, extensions)
    if (!prepared || 'impossible' in prepared) return body
    ahead = { message, wire: prepared.wire }
    return withBehind(body, inOneGroup(commandsOf(prepared.wire)))
  }

  /** The commands behind this message were the relay's reason not to take it, or may have been. */
  function wasUpset(reply: StagedReply): boolean {
    return ahead !== undefined && (reply.code === undefined || complainsOfOrder(reply))
  }

  return {
    connection,
    extensions,
    get carried() {
      return carried
    },
    get sendsAhead() {
      return pipelining && isPrompt
    },
    isUsable: message => connection.isAlive() && (ahead ? ahead.message === message : connection.isQuiet()),
    async transact(message, next = () => undefined) {
      const said = ahead?.message === message ? ahead : undefined
      // The relay expects another one: this must not arrive in its place.
      if (ahead && !said) connection.destroy()
      ahead = undefined
      const prepared = said ?? prepareMessage(message, extensions)
      if ('impossible' in prepared) {
        return { result: refusedHere(prepared.impossible), stale: false, lostStep: false }
      }
      carried++
      heard = false
      const announced = await announce(prepared.wire, said !== undefined)
      const reply = announced.stopped ?? (await sendBody(prepared.wire, message, next))
      const lostStep = announced.lostStep || wasUpset(reply)
      // What is left to be sent is in memory that is used again.
      if (isGone(reply) || lostStep || !connection.isFlushed()) connection.destroy()
      const stale = (carried > 1 && isUntouched(reply)) || (lostStep && reply.code !== undefined)
      const result = toSendResult(withoutSecrets(reply, options))
      const untaken = announced.also.flatMap((answer, at) => untakenBy(answer, message.envelope.also![at]!))
      const isPartly = result.outcome === 'accepted' && untaken.length > 0
      return { result: isPartly ? { ...result, untaken } : result, stale, lostStep }
    },
    noop: () => ask(connection, 'NOOP', 'ehlo', commandMs),
    async quit() {
      if (!connection.isAlive()) return
      // It waits for a message that won't come, and would take the goodbye for one.
      if (ahead) return connection.destroy()
      await ask(connection, 'QUIT', 'ehlo', Math.min(commandMs, 1_000))
      connection.destroy()
    },
  }
}

/** A message that this relay can't take is not the recipient's fault. */
function refusedHere(response: string): SendResult {
  return { outcome: 'refused', blame: 'other', response }
}
