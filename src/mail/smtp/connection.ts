// One TCP or TLS connection to a relay that speaks in SMTP replies. Nothing here throws: a broken connection, a time limit and
// nonsense from the other side are replies without a code, so callers have one kind of answer to look at. By the runtime's own sockets:
// the streams that node:net puts around them cost each message something, and nothing here needs them.
import { constants } from 'node:crypto'
import { isIP } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import type { Socket, SocketHandler } from 'bun'
import type { CpuThrottle } from '../../lib/cpu-throttle'
import type { SmtpStage } from '../message'
import type { SmtpTls } from './options'
import { makeReplyReader, type ParsedReply, type StagedReply } from './reply'

export interface Connection {
  isAlive(): boolean
  /** `TLSv1.3`; undefined on a plain connection. */
  tlsVersion(): string | undefined
  write(bytes: string | Uint8Array): void
  /** The next reply. After a reply without a code the connection is gone. */
  read(stage: SmtpStage, limitMs: number): Promise<StagedReply>
  /** Writes a long body piece by piece; a reply when the other side spoke, broke or stalled before the end, or `signal` aborted. */
  writeBody(
    body: Iterable<Uint8Array>,
    limitMs: number,
    options?: BodyOptions,
  ): Promise<StagedReply | undefined>
  /** Secures the connection; a reply when that failed. */
  secure(tls: TlsSettings, stage: SmtpStage, limitMs: number): Promise<StagedReply | undefined>
  /** Called once, when the connection is gone; at once when it already is. */
  onEnd(callback: () => void): void
  /** True when nothing unread has arrived. Words of an idle server mean that it is about to go. */
  isQuiet(): boolean
  /** True when the system has taken everything that was written. */
  isFlushed(): boolean
  destroy(reason?: string): void
}

export interface BodyOptions {
  /** Each piece is made when this lets it. */
  throttle?: CpuThrottle
  signal?: AbortSignal
}

export interface TlsSettings extends Omit<SmtpTls, 'caFile'> {
  ca?: string
}

export type Connected = { connection: Connection } | { fault: StagedReply }

/** Opens a plain TCP connection. */
export async function connectTo(host: string, port: number, limitMs: number): Promise<Connected> {
  const { connection, opened } = makeConnection(handlers =>
    Bun.connect({ hostname: host, port, socket: handlers }),
  )
  const fault = await opened(limitMs)
  if (fault === undefined) return { connection }
  return { fault: { stage: 'connect', response: `cannot connect to ${host}:${port}: ${fault}` } }
}

function words(error: Error & { code?: string }): string {
  return (error.message || error.code || 'unknown fault').slice(0, 500)
}

interface Opening {
  connection: Connection
  /** The words of the fault when it can't be opened. */
  opened(limitMs: number): Promise<string | undefined>
}

function makeConnection(open: (handlers: SocketHandler<undefined>) => Promise<Socket<undefined>>): Opening {
  let socket: Socket<undefined> | undefined
  let isSecure = false
  let reader = makeReplyReader()
  let lost: string | undefined
  const replies: ParsedReply[] = []
  /** What the system did not take yet. */
  const unsent: Uint8Array[] = []
  /** Wakes whoever waits for a reply, for room in the send buffer or for the end. */
  let wake: (() => void) | undefined
  let ended: (() => void) | undefined

  function end(reason: string): void {
    if (lost !== undefined) return
    lost = reason
    socket?.terminate()
    wake?.()
    ended?.()
  }
  const handlers: SocketHandler<undefined> = {
    // What arrives encrypted is shown to the socket below as well.
    data(from, chunk) {
      if (from !== socket) return
      replies.push(...reader.push(chunk))
      wake?.()
    },
    drain: send,
    end: () => end('the connection was closed'),
    close: (_, error) => end(error ? words(error) : 'the connection was closed'),
    error: (_, error) => end(words(error)),
    connectError: (_, error) => end(words(error)),
  }

  function send(): void {
    for (let first = unsent[0]; first && lost === undefined; first = unsent[0]) {
      const taken = Math.max(0, socket!.write(first))
      if (taken === first.length) unsent.shift()
      else {
        unsent[0] = first.subarray(taken)
        return
      }
    }
    wake?.()
  }
  function write(bytes: Uint8Array): void {
    if (lost !== undefined) return
    unsent.push(bytes)
    if (unsent.length === 1) send()
  }

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

  async function opened(limitMs: number): Promise<string | undefined> {
    open(handlers).then(
      connected => {
        socket = connected
        if (lost !== undefined) return socket.terminate()
        socket.setKeepAlive(true, 60_000)
        wake?.()
      },
      (error: Error) => end(words(error)),
    )
    const inTime = await until(() => socket !== undefined || lost !== undefined, limitMs)
    if (!inTime) end(`nothing happened within ${limitMs} ms`)
    return lost
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

  async function writeBody(
    body: Iterable<Uint8Array>,
    limitMs: number,
    { throttle = async work => work(), signal }: BodyOptions = {},
  ): Promise<StagedReply | undefined> {
    const pieces = body[Symbol.iterator]()
    const makeNext = (): Promise<Uint8Array | undefined> => throttle(() => pieces.next().value)
    for (let piece = await makeNext(); piece; ) {
      write(piece)
      const isDone = (): boolean => unsent.length === 0 || replies.length > 0 || lost !== undefined
      if (!(await until(isDone, limitMs)))
        end(`the message could not be handed over: no progress within ${limitMs} ms`)
      piece = await makeNext()
      if (piece && signal?.aborted) end('the message was withdrawn')
      if (lost !== undefined || (replies.length > 0 && piece)) return read('body', limitMs)
    }
    return undefined
  }

  async function secure(
    tls: TlsSettings,
    stage: SmtpStage,
    limitMs: number,
  ): Promise<StagedReply | undefined> {
    // What was sent in the clear before the handshake may be an attacker's: it must not be taken for a reply (CVE-2021-38371).
    replies.length = 0
    reader = makeReplyReader()
    const handshake = (upgraded: Socket<undefined>, isDone: boolean, distrust: Error | null): void => {
      // The end of the connection says more about why.
      if (!isDone && distrust && 'code' in distrust && distrust.code === 'ECONNRESET') return
      const fault = distrust ?? checkServerIdentity(tls.servername, upgraded.getPeerCertificate())
      isSecure = !fault || !tls.rejectUnauthorized
      if (isSecure) wake?.()
      else end(words(fault!))
    }
    if (socket && lost === undefined)
      socket = socket.upgradeTLS({ tls: tlsOptions(tls), socket: { ...handlers, handshake } })[1]
    const inTime = await until(() => isSecure || lost !== undefined, limitMs)
    if (!inTime) end(`nothing happened within ${limitMs} ms`)
    return lost === undefined ? undefined : { stage, response: `no secure connection: ${lost}` }
  }

  const connection: Connection = {
    isAlive: () => lost === undefined,
    isQuiet: () => replies.length === 0,
    isFlushed: () => unsent.length === 0,
    tlsVersion: () => (isSecure ? socket!.getTLSVersion() : undefined),
    write: bytes => write(typeof bytes === 'string' ? Buffer.from(bytes) : bytes),
    read,
    writeBody,
    secure,
    onEnd: callback => {
      ended = callback
      if (lost !== undefined) callback()
    },
    destroy: (reason = 'closed by us') => end(reason),
  }
  return { connection, opened }
}

const { SSL_OP_NO_TLSv1, SSL_OP_NO_TLSv1_1, SSL_OP_NO_TLSv1_2 } = constants
const olderThan = {
  'TLSv1.2': SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1,
  'TLSv1.3': SSL_OP_NO_TLSv1 | SSL_OP_NO_TLSv1_1 | SSL_OP_NO_TLSv1_2,
}

function tlsOptions({
  servername,
  rejectUnauthorized,
  ca,
  minVersion = 'TLSv1.2',
}: TlsSettings): Bun.TLSOptions {
  return {
    rejectUnauthorized,
    requestCert: true,
    secureOptions: olderThan[minVersion],
    ...(ca === undefined ? {} : { ca }),
    ...(isIP(servername) ? {} : { serverName: servername }),
  }
}
