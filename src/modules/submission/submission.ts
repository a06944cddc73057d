// The submission server: SMTP for programs that speak nothing else. smtp-server handles the protocol; who may send, what is accepted and
// when 250 is sent is decided here. 250 never comes before the transaction has committed.
import type { SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import { addressFault } from '../../lib/address'
import { isLoopbackHost } from '../../lib/loopback'
import { minute, second } from '../../lib/time'
import type { Context } from '../../platform/context'
import type { SubmissionListener } from '../../settings/addresses'
import type { SubmissionConfig } from '../../settings/config'
import { acceptMessage, requireSendingKey } from './accept'
import { type MessageIntake, makeIntake } from './intake'
import { smtpError, smtpRefusal } from './replies'
import { type SmtpServers, startServers } from './server'

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
  certificateLookMs?: number,
): Promise<SmtpServers> {
  const intake = makeIntake({
    messageBytes: ctx.config.maxMessageBytes,
    totalBytes: heldMessages * ctx.config.maxMessageBytes,
    timeLimitMs: messageTimeMs,
  })
  const optionsFor = (listener: SubmissionListener) => optionsOf(ctx, { config, listener, intake })
  return await startServers(ctx, { ...config, name: 'SMTP_LISTEN', optionsFor }, certificateLookMs)
}

interface Parts {
  config: SubmissionConfig
  listener: SubmissionListener
  intake: MessageIntake
}

function optionsOf(ctx: Context, { config, listener, intake }: Parts): SMTPServerOptions {
  const allowsPlain = config.plainOnLoopback && isLoopbackHost(listener.host)
  const failures = new WeakMap<SMTPServerSession, number>()
  const wrongKey = (session: SMTPServerSession, error: unknown): Error => {
    const count = (failures.get(session) ?? 0) + 1
    failures.set(session, count)
    if (count < maxWrongKeys) return smtpRefusal(error)
    return Object.assign(new Error('Too many wrong keys'), { responseCode: 421 })
  }
  return {
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
      const fault = addressFault(address)
      return fault === undefined ? done() : done(smtpError('553 5.1.3', fault))
    },
    onData: (stream, session, done) => {
      intake
        .collect(stream)
        .then(raw => acceptMessage(ctx, session.user as string, envelopeOf(session), raw))
        .then(
          ids => done(null, `Accepted as ${ids.length === 1 ? ids[0] : `${ids.length} messages`}`),
          error => done(smtpRefusal(error, ctx.log)),
        )
    },
  }
}

function envelopeOf({ envelope: { mailFrom, rcptTo } }: SMTPServerSession) {
  return { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) }
}
