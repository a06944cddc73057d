// The submission server: SMTP for programs that speak nothing else. smtp-server handles the protocol; who may send, what is accepted and
// when 250 is sent is decided here. 250 never comes before the transaction has committed.
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server'
import { isEmail, normaliseEmail } from '../../lib/address'
import { isLoopbackHost } from '../../lib/loopback'
import { minute, second } from '../../lib/time'
import type { Context } from '../../platform/context'
import type { SubmissionListener } from '../../settings/addresses'
import type { SubmissionConfig } from '../../settings/config'
import { acceptMessage, requireSendingKey } from './accept'
import { type Certificate, certificateSource, checkPair } from './certificate'
import { type MessageIntake, makeIntake } from './intake'
import { replyForError } from './replies'

export interface SubmissionServer {
  /** `host:port` of each listener, with the actual ports. */
  readonly addresses: readonly string[]
  stop(): Promise<void>
}

/** Each takes a few hundred kilobytes at most while nothing is sent. */
const maxConnections = 500
/** For one message, as in `/v1/send`. */
const maxRecipientsPerMessage = 1_000
const idleMs = 5 * minute
const messageTimeMs = 10 * minute
const closeMs = 3 * second
const heldMessages = 4
/** For one connection. */
const maxWrongKeys = 5
const disabledCommands = ['XCLIENT', 'XFORWARD', 'VRFY', 'EXPN', 'HELP']

/** Rejects where a port is taken or the certificate can't be used. */
export async function startSubmission(
  ctx: Context,
  config: SubmissionConfig,
  certificateLookMs = minute,
): Promise<SubmissionServer> {
  const source = certificateSource(ctx, config)
  // Taken before the files are read: a renewal in between is found by the first check.
  let version = await source.version()
  const certificate = await source.read()
  checkPair(certificate)
  const intake = makeIntake({
    messageBytes: ctx.config.maxMessageBytes,
    totalBytes: heldMessages * ctx.config.maxMessageBytes,
    timeLimitMs: messageTimeMs,
  })
  const servers: SMTPServer[] = []
  const renew = async (): Promise<void> => {
    try {
      const found = await source.version()
      if (found === version) return
      const renewed = await source.read()
      checkPair(renewed)
      for (const server of servers) server.updateSecureContext({ ...renewed })
      version = found
      ctx.log.info({}, 'the certificate of SMTP_LISTEN was read again')
    } catch (error) {
      // Half a renewal: the old pair stays in use, and the next check finds the other half.
      ctx.log.warn({ error: String(error) }, 'the certificate of SMTP_LISTEN could not be read again')
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
    for (const listener of config.listeners) {
      const server = new SMTPServer(optionsFor(ctx, { config, listener, certificate, intake }))
      servers.push(server)
      addresses.push(await listen(ctx, server, listener))
    }
  } catch (error) {
    await stop()
    throw error
  }
  return { addresses, stop }
}

interface Parts {
  config: SubmissionConfig
  listener: SubmissionListener
  certificate: Certificate
  intake: MessageIntake
}

function optionsFor(ctx: Context, { config, listener, certificate, intake }: Parts): SMTPServerOptions {
  const allowsPlain = config.plainOnLoopback && isLoopbackHost(listener.host)
  const failures = new WeakMap<SMTPServerSession, number>()
  const wrongKey = (session: SMTPServerSession, error: unknown): Error => {
    const count = (failures.get(session) ?? 0) + 1
    failures.set(session, count)
    if (count < maxWrongKeys) return refusal(error)
    return Object.assign(new Error('Too many wrong keys'), { responseCode: 421 })
  }
  return {
    ...certificate,
    name: new URL(ctx.config.baseUrl).hostname,
    banner: 'Waxwing',
    secure: listener.implicitTls,
    minVersion: 'TLSv1.2',
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: allowsPlain,
    authOptional: false,
    size: ctx.config.maxMessageBytes,
    maxRecipients: maxRecipientsPerMessage,
    maxClients: maxConnections,
    socketTimeout: idleMs,
    closeTimeout: closeMs,
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    hideSMTPUTF8: true,
    disabledCommands,
    logger: false,
    // A key that is sent in plain text would be known to others already, so it is not asked for.
    onConnect: (session, done) => {
      if (!session.secure && !allowsPlain) session.disabledCommands = [...disabledCommands, 'AUTH']
      done()
    },
    onSecure: (_socket, session, done) => {
      session.disabledCommands = disabledCommands
      done()
    },
    onAuth: ({ password }, session, done) => {
      requireSendingKey(ctx, password ?? '').then(
        () => done(null, { user: password }),
        error => done(wrongKey(session, error)),
      )
    },
    onRcptTo: ({ address }, _session, done) => {
      if (isEmail(normaliseEmail(address))) return done()
      return done(smtpError('553 5.1.3', 'must be an e-mail address'))
    },
    onData: (stream, session, done) => {
      intake
        .collect(stream)
        .then(raw => acceptMessage(ctx, session.user as string, envelopeOf(session), raw))
        .then(
          ids => done(null, `Accepted as ${ids.length === 1 ? ids[0] : `${ids.length} messages`}`),
          error => done(refusal(error, ctx)),
        )
    },
  }
}

function envelopeOf({ envelope: { mailFrom, rcptTo } }: SMTPServerSession) {
  return { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) }
}

function refusal(error: unknown, ctx?: Context): Error {
  const { code, text } = replyForError(error)
  if (code.startsWith('451')) ctx?.log.error({ error: String(error) }, 'a message by SMTP was not accepted')
  return smtpError(code, text)
}

/**
 * smtp-server appends an enhanced code of its own to a numeric code, one for each, and 550 would be "no such mailbox". A code that comes
 * with its own is written as it is.
 */
function smtpError(code: string, text: string): Error {
  return Object.assign(new Error(text), { responseCode: code as unknown as number })
}

async function listen(ctx: Context, server: SMTPServer, { host, port }: SubmissionListener): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve())
  }).catch((error: Error) => {
    throw new Error(`SMTP_LISTEN: cannot listen on ${host}:${port}: ${error.message}`, { cause: error })
  })
  server.removeAllListeners('error')
  // A broken connection must not affect any other.
  server.on('error', error => ctx.log.debug({ error: String(error) }, 'a connection to SMTP_LISTEN broke'))
  const address = server.server.address()
  return `${host}:${typeof address === 'object' && address ? address.port : port}`
}
