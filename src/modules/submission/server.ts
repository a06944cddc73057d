// Servers of SMTP: listening, with a certificate that is read again when it is renewed. What each takes, its options say.
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { minute } from '../../lib/time'
import type { Context } from '../../platform/context'
import type { SubmissionListener } from '../../settings/addresses'
import type { SubmissionConfig } from '../../settings/config'
import { certificateSource, checkPair } from './certificate'

export interface SmtpServers {
  /** `host:port` of each listener, with the actual ports. */
  readonly addresses: readonly string[]
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
      const server = new SMTPServer({ ...optionsFor(listener), ...certificate })
      servers.push(server)
      addresses.push(await listen(ctx, name, server, listener))
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { addresses, stop }
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
    throw new Error(`${name}: cannot listen on ${host}:${port}: ${error.message}`, { cause: error })
  })
  server.removeAllListeners('error')
  // A broken connection must not affect any other.
  server.on('error', error => ctx.log.debug({ error: String(error) }, `a connection to ${name} broke`))
  const address = server.server.address()
  return `${host}:${typeof address === 'object' && address ? address.port : port}`
}
