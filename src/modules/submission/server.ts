// Servers of SMTP: listening, with a certificate that is read again when it is renewed. What each takes, its options say.
import type { Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { minute } from '../../lib/time'
import type { Context } from '../../platform/context'
import type { SubmissionListener } from '../../settings/addresses'
import type { SubmissionConfig } from '../../settings/config'
import { certificateSource, checkPair } from './certificate'

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
}

/** Rejects where a port is taken or the certificate can't be used. */
export async function startServers(
  ctx: Context,
  service: SmtpService,
  certificateLookMs = minute,
): Promise<SmtpServers> {
  const { name, listeners, optionsFor } = service
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
  const stop = async (): Promise<void> => {
    clearInterval(looking)
    await Promise.all(servers.map(server => new Promise<void>(resolve => server.close(() => resolve()))))
  }
  const addresses: string[] = []
  try {
    for (const listener of listeners) {
      const server = new GatheringServer({ ...optionsFor(listener), ...certificate })
      servers.push(server)
      addresses.push(await listen(ctx, name, server, listener))
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { addresses, renew, stop }
}

/** Gathers replies on plain sockets and on those that went over to TLS. */
class GatheringServer extends SMTPServer {
  constructor(options: SMTPServerOptions) {
    const { onSecure } = options
    super({
      ...options,
      onSecure(socket, session, done) {
        gatherReplies(socket)
        if (onSecure) onSecure.call(this, socket, session, done)
        else done()
      },
    })
  }

  override connect(...[socket, options]: Parameters<SMTPServer['connect']>): void {
    super.connect(socket, options)
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
