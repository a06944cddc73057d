// One TCP or TLS connection to a relay that speaks in SMTP replies. Nothing here throws: a broken connection, a time limit and
// nonsense from the other side are replies without a code, so callers have one kind of answer to look at.
import { connect, isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { makeReplyReader, type ParsedReply, type StagedReply } from './reply'
import type { SmtpTls } from './smtp-options'
import type { SmtpStage } from './transport'

export interface Connection {
  isAlive(): boolean
  /** `TLSv1.3`; undefined on a plain connection. */
  tlsVersion(): string | undefined
  write(bytes: string | Uint8Array): void
  /** The next reply. After a reply without a code the connection is gone. */
  read(stage: SmtpStage, limitMs: number): Promise<StagedReply>
  /** Writes a long body piece by piece; a reply when the other side spoke, broke or stalled before the end. */
  writeBody(body: Uint8Array, limitMs: number): Promise<StagedReply | undefined>
  /** Secures the connection; a reply when that failed. */
  secure(tls: TlsSettings, stage: SmtpStage, limitMs: number): Promise<StagedReply | undefined>
  /** Called once, when the connection is gone; at once when it already is. */
  onEnd(callback: () => void): void
  /** True when nothing unread has arrived. Words of an idle server mean that it is about to go. */
  isQuiet(): boolean
  destroy(reason?: string): void
}

export interface TlsSettings extends Omit<SmtpTls, 'caFile'> {
  ca?: string
}

const pieceSize = 256 * 1024

export type Connected = { connection: Connection } | { fault: StagedReply }

/** Opens a plain TCP connection. */
export async function connectTo(host: string, port: number, limitMs: number): Promise<Connected> {
  const socket = connect({ host, port })
  const fault = await settled(socket, 'connect', limitMs)
  if (fault === undefined) {
    socket.setNoDelay(true)
    socket.setKeepAlive(true, 60_000)
    return { connection: makeConnection(socket) }
  }
  socket.destroy()
  return { fault: { stage: 'connect', response: `cannot connect to ${host}:${port}: ${fault}` } }
}

/** Waits for `event`; the words of the fault when it doesn't come. */
function settled(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  limitMs: number,
): Promise<string | undefined> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(`nothing happened within ${limitMs} ms`), limitMs)
    const settle = (fault?: string): void => {
      clearTimeout(timer)
      resolve(fault)
    }
    socket.once(event, () => settle())
    // Stays attached: an 'error' event without a listener would end the process.
    socket.on('error', error => settle(words(error)))
    socket.once('close', () => settle('the connection was closed'))
  })
}

function words(error: Error & { code?: string }): string {
  return (error.message || error.code || 'unknown fault').slice(0, 500)
}

function makeConnection(plain: Socket): Connection {
  let socket: Socket | TLSSocket = plain
  let reader = makeReplyReader()
  let lost: string | undefined
  const replies: ParsedReply[] = []
  /** Wakes whoever waits for a reply, for room in the send buffer or for the end. */
  let wake: (() => void) | undefined
  let ended: (() => void) | undefined

  function end(reason: string): void {
    if (lost !== undefined) return
    lost = reason
    socket.destroy()
    plain.destroy()
    wake?.()
    ended?.()
  }
  function receive(chunk: Uint8Array): void {
    replies.push(...reader.push(chunk))
    wake?.()
  }
  const onError = (error: Error): void => end(words(error))
  const onClose = (): void => end('the connection was closed')
  function attach(to: Socket): void {
    to.on('data', receive)
    to.on('error', onError)
    to.on('end', onClose)
    to.on('close', onClose)
  }
  attach(plain)

  /** True when `done` holds, false when the time limit came first. */
  function until(done: () => boolean, limitMs: number): Promise<boolean> {
    if (done()) return Promise.resolve(true)
    return new Promise(resolve => {
      const settle = (inTime: boolean): void => {
        clearTimeout(timer)
        wake = undefined
        resolve(inTime)
      }
      const timer = setTimeout(() => settle(false), limitMs)
      wake = () => done() && settle(true)
    })
  }

  async function read(stage: SmtpStage, limitMs: number): Promise<StagedReply> {
    if (replies.length === 0) {
      const inTime = await until(() => replies.length > 0 || lost !== undefined, limitMs)
      if (!inTime) end(`no answer within ${limitMs} ms`)
    }
    const reply = replies.shift()
    if (reply === undefined) return { stage, response: lost ?? 'the connection was closed' }
    if (reply.code === undefined) end(reply.response)
    return { ...reply, stage }
  }

  async function writeBody(body: Uint8Array, limitMs: number): Promise<StagedReply | undefined> {
    for (let at = 0; at < body.length; at += pieceSize) {
      let drained = socket.write(body.subarray(at, at + pieceSize), () => {
        drained = true
        wake?.()
      })
      const inTime = await until(() => drained || replies.length > 0 || lost !== undefined, limitMs)
      if (!inTime) end(`the message could not be handed over: no progress within ${limitMs} ms`)
      const finished = at + pieceSize >= body.length
      if (lost !== undefined || (replies.length > 0 && !finished)) return read('body', limitMs)
    }
    return undefined
  }

  async function secure(
    tls: TlsSettings,
    stage: SmtpStage,
    limitMs: number,
  ): Promise<StagedReply | undefined> {
    plain.removeListener('data', receive)
    plain.removeListener('end', onClose)
    // What was sent in the clear before the handshake may be an attacker's: it must not be taken for a reply (CVE-2021-38371).
    replies.length = 0
    reader = makeReplyReader()
    const { servername, ...settings } = tls
    const upgraded = connectTls({
      socket: plain,
      host: servername,
      ...settings,
      ...(isIP(servername) ? {} : { servername }),
    })
    const fault = await settled(upgraded, 'secureConnect', limitMs)
    if (fault === undefined && lost === undefined) {
      socket = upgraded
      attach(upgraded)
      return undefined
    }
    upgraded.destroy()
    end(fault ?? 'the connection was closed')
    return { stage, response: `no secure connection: ${fault ?? lost}` }
  }

  return {
    isAlive: () => lost === undefined,
    isQuiet: () => replies.length === 0,
    tlsVersion: () => ('getProtocol' in socket ? (socket.getProtocol() ?? undefined) : undefined),
    write: bytes => void (lost === undefined && socket.write(bytes)),
    read,
    writeBody,
    secure,
    onEnd: callback => {
      ended = callback
      if (lost !== undefined) callback()
    },
    destroy: (reason = 'closed by us') => end(reason),
  }
}
