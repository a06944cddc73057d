// Servers of SMTP: listening, with a certificate that is read again when it is renewed. What each takes, its options say.
import type { Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import type { CpuThrottle } from '../../lib/cpu-throttle'
import { minute, second } from '../../lib/time'
import type { SubmissionListener } from '../../settings/addresses'
import type { SubmissionConfig } from '../../settings/config'
import type { Context } from '../context'
import { largeWorkOf } from '../large-work'
import { certificateSource, checkPair } from './certificate'
import { PatientConnection } from './connection'
import type { Visit, Visits } from './visits'

export interface SmtpServers {
  /** `host:port` of each listener, with the actual ports. */
  readonly addresses: readonly string[]
  /** Reads the certificate again now, if its files changed. */
  renew(): Promise<void>
  stop(): Promise<void>
}

export interface SmtpService extends Pick<SubmissionConfig, 'listeners' | 'certificate'> {
  /** The setting that asks for it. */
  name: string
  optionsFor(listener: SubmissionListener): SMTPServerOptions
  /** Of all listeners together. */
  visits: Visits
}

/** Between two looks; tests want them sooner. */
export interface LookTimes {
  certificateLookMs?: number
  visitLookMs?: number
}

/** Rejects where a port is taken or the certificate can't be used. */
export async function startServers(
  ctx: Context,
  service: SmtpService,
  { certificateLookMs = minute, visitLookMs = second }: LookTimes = {},
): Promise<SmtpServers> {
  const { name, listeners, optionsFor, visits } = service
  const source = certificateSource(ctx, service)
  // Taken before the files are read: a renewal in between is found by the first check.
  let version = await source.version()
  const certificate = await source.read()
  checkPair(certificate)
  const servers: SMTPServer[] = []
  const renew = async (): Promise<void> => {
    try {
      const found = await source.version()
      if (found === version) return
      const renewed = await source.read()
      checkPair(renewed)
      for (const server of servers) server.updateSecureContext({ ...renewed })
      version = found
      ctx.log.info({}, `the certificate of ${name} was read again`)
    } catch (error) {
      // Half a renewal: the old pair stays in use, and the next check finds the other half.
      ctx.log.warn({ error: String(error) }, `the certificate of ${name} could not be read again`)
    }
  }
  const looking = setInterval(() => void renew(), certificateLookMs)
  looking.unref()
  const watching = setInterval(() => visits.endStale(), visitLookMs)
  watching.unref()
  const stop = async (): Promise<void> => {
    clearInterval(looking)
    clearInterval(watching)
    await Promise.all(servers.map(server => new Promise<void>(resolve => server.close(() => resolve()))))
  }
  const addresses: string[] = []
  try {
    for (const listener of listeners) {
      const options = { ...optionsFor(listener), ...certificate }
      const server = new VisitedServer(options, visits, largeWorkOf(ctx).throttle)
      servers.push(server)
      addresses.push(await listen(ctx, name, server, listener))
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { addresses, renew, stop }
}

const visitsOfSessions = new WeakMap<SMTPServerSession, Visit>()

/** Who speaks in this session. */
export function visitOf(session: SMTPServerSession): Visit {
  return visitsOfSessions.get(session)!
}

/** Counts connections from their first byte, and gathers replies on plain sockets and on those that went over to TLS. */
class VisitedServer extends SMTPServer {
  readonly #visits: Visits
  /** By what the socket below TLS and the one above it have in common. */
  readonly #arrived = new Map<string, Visit>()

  constructor(
    options: SMTPServerOptions,
    visits: Visits,
    private readonly throttle: CpuThrottle,
  ) {
    const { onSecure, onData } = options
    super({
      ...options,
      onSecure(socket, session, done) {
        gatherReplies(socket)
        if (onSecure) onSecure.call(this, socket, session, done)
        else done()
      },
      onData(stream, session, done) {
        const visit = visitOf(session)
        visits.beginMessage(visit)
        onData?.call(this, stream, session, (...answer) => {
          visits.endMessage(visit)
          done(...answer)
        })
      },
      onClose: session => visits.leave(visitOf(session)),
    })
    this.#visits = visits
    const accept = this.server.listeners('connection') as Array<(socket: Socket) => void>
    this.server.removeAllListeners('connection')
    this.server.on('connection', (socket: Socket) => this.#arrive(socket, accept))
  }

  /** Before the library makes anything of it. */
  #arrive(socket: Socket, accept: Array<(socket: Socket) => void>): void {
    const isGone = (): boolean => socket.destroyed
    const visit = this.#visits.arrive(socket.remoteAddress ?? '', { isGone, end: () => socket.destroy() })
    if (!visit) {
      refuse(socket, this.options.secure === true)
      return
    }
    const place = placeOf(socket)
    this.#arrived.set(place, visit)
    socket.once('close', () => {
      this.#arrived.delete(place)
      this.#visits.leave(visit)
    })
    for (const listener of accept) listener.call(this.server, socket)
  }

  override connect(...[socket, options]: Parameters<SMTPServer['connect']>): void {
    const connection = new PatientConnection(this, socket, options, this.throttle)
    const visit = this.#arrived.get(placeOf(socket))
    if (!visit) return void socket.destroy()
    this.#arrived.delete(placeOf(socket))
    visitsOfSessions.set(connection.session, visit)
    visit.hasEnvelope = () => Boolean(connection.session.envelope?.mailFrom)
    visit.end = reason => connection.send(421, reason)
    this.connections.add(connection)
    connection.on('error', error => this.emit('error', error))
    connection.init()
    if (!this.options.secure) gatherReplies(socket)
  }

  /**
   * The library's own answers a turn of the event loop later, when the reply would leave by itself. At once is too early: behind a message
   * in the same packet, the library would forget to go on after the next one.
   */
  override onMailFrom(...[_address, _session, done]: Parameters<SMTPServer['onMailFrom']>): void {
    queueMicrotask(done)
  }
}

function placeOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

function refuse(socket: Socket, isSecure: boolean): void {
  socket.on('error', () => {})
  // Before the handshake, nothing that is written would be read.
  if (!isSecure) socket.write('421 4.7.0 Too many connections from your network, try again in a moment\r\n')
  socket.destroySoon()
}

/**
 * Replies to commands that arrived together leave together (RFC 2920, 3.2). One by one, each is a system call here, a packet and a
 * wake-up of the client.
 */
function gatherReplies(socket: Socket): void {
  // Before the parser, which answers most commands while it is handed their bytes.
  socket.prependListener('data', () => {
    socket.cork()
    setImmediate(() => socket.uncork())
  })
}

async function listen(
  ctx: Context,
  name: string,
  server: SMTPServer,
  { host, port }: SubmissionListener,
): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  }).catch((error: Error) => {
    const { code } = error as { code?: string }
    const advice =
      code === 'EACCES' && port < 1024
        ? '; ports below 1024 need CAP_NET_BIND_SERVICE (docs/self-hosting.md, "Ports below 1024")'
        : ''
    throw new Error(`${name}: cannot listen on ${host}:${port}: ${error.message}${advice}`, { cause: error })
  })
  server.removeAllListeners('error')
  // A broken connection must not affect any other.
  server.on('error', error => ctx.log.debug({ error: String(error) }, `a connection to ${name} broke`))
  const address = server.server.address()
  return `${host}:${typeof address === 'object' && address ? address.port : port}`
}
