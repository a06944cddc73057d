// The submission server: SMTP for programs that speak nothing else. smtp-server handles the protocol; who may send, what is accepted and
// when 250 is sent is decided here. 250 never comes before the transaction has committed.
import type { SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import { addressFault } from '../../../lib/address'
import { isLoopbackHost } from '../../../lib/loopback'
import { minute, second } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { largeWorkOf } from '../../../platform/large-work'
import { type MessageIntake, makeIntake } from '../../../platform/smtp-server/intake'
import { smtpError, smtpRefusal } from '../../../platform/smtp-server/replies'
import { type LookTimes, type SmtpServers, startServers, visitOf } from '../../../platform/smtp-server/server'
import { Visits } from '../../../platform/smtp-server/visits'
import type { SubmissionListener } from '../../../settings/addresses'
import type { SubmissionConfig } from '../../../settings/config'
import { acceptMessage, requireSendingKey } from './accept'

/** Each takes a few hundred kilobytes at most while nothing is sent. */
const connections = 500
/** For one message, as in `/v1/send`. */
const maxRecipientsPerMessage = 1_000
/** Clients that keep their connections for the next message do so for minutes. */
const idleMs = 5 * minute
const visitLimits = {
  ...{ connections, silent: 20, idleMs },
  introductionMs: 30 * second,
  mailMs: minute,
  envelopeMs: 5 * minute,
}
const messageTimeMs = 10 * minute
const closeMs = 3 * second
const heldMessages = 4
/** Of what all may hold together. Several projects may share a network, a host's own included. */
const partOfProject = 1 / 2
const partOfNetwork = 3 / 4
/** For one connection. */
const maxWrongKeys = 5
const disabledCommands = ['XCLIENT', 'XFORWARD']

/** Rejects where a port is taken or the certificate can't be used. */
export async function startSubmission(
  ctx: Context,
  config: SubmissionConfig,
  times: LookTimes = {},
): Promise<SmtpServers> {
  const intake = makeIntake({
    messageBytes: ctx.config.maxMessageBytes,
    totalBytes: heldMessages * ctx.config.maxMessageBytes,
    timeLimitMs: messageTimeMs,
    clock: ctx.clock,
    throttle: largeWorkOf(ctx).throttle,
    ...(times.visitLookMs ? { lookMs: times.visitLookMs } : {}),
  })
  const visits = new Visits(visitLimits, () => ctx.clock.now())
  const optionsFor = (listener: SubmissionListener) => optionsOf(ctx, { config, listener, intake, visits })
  return await startServers(ctx, { ...config, name: 'SMTP_LISTEN', optionsFor, visits }, times)
}

interface Parts {
  config: SubmissionConfig
  listener: SubmissionListener
  intake: MessageIntake
  visits: Visits
}

function optionsOf(ctx: Context, { config, listener, intake, visits }: Parts): SMTPServerOptions {
  // Programs turn to TLS wherever it is offered, and no certificate is one for a loopback address: what is offered there would fail.
  const allowsPlain = config.plainOnLoopback && isLoopbackHost(listener.host)
  const failures = new WeakMap<SMTPServerSession, number>()
  const wrongKey = (session: SMTPServerSession, error: unknown): Error => {
    const count = (failures.get(session) ?? 0) + 1
    failures.set(session, count)
    if (count < maxWrongKeys) return smtpRefusal(error)
    return smtpError(421, 'Too many wrong keys')
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
    maxClients: connections,
    socketTimeout: idleMs,
    closeTimeout: closeMs,
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    hideSMTPUTF8: true,
    hideSTARTTLS: allowsPlain,
    disabledCommands: allowsPlain ? [...disabledCommands, 'STARTTLS'] : disabledCommands,
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
        ({ id }) => {
          if (visits.signIn(visitOf(session), id)) done(null, { user: password })
          else done(smtpError(421, 'This project has too many connections, try again in a moment'))
        },
        error => done(wrongKey(session, error)),
      )
    },
    // The library asks for a key only where AUTH is offered.
    onMailFrom: (_address, session, done) => {
      const needs =
        session.secure || allowsPlain ? 'Authentication required' : 'Must issue a STARTTLS command first'
      queueMicrotask(() => done(session.user ? null : smtpError('530 5.7.0', needs)))
    },
    onRcptTo: ({ address }, _session, done) => {
      const fault = addressFault(address)
      return fault === undefined ? done() : done(smtpError('553 5.1.3', fault))
    },
    onData: (stream, session, done) => {
      const { owner, network } = visitOf(session)
      const owners = [
        { name: owner, part: partOfProject },
        { name: network, part: partOfNetwork },
      ]
      const accept = (raw: Buffer) => acceptMessage(ctx, session.user as string, envelopeOf(session), raw)
      intake.receive(stream, { owners }, accept).then(
        ids => done(null, `Accepted as ${ids.length === 1 ? ids[0] : `${ids.length} messages`}`),
        error => done(smtpRefusal(error, ctx.log)),
      )
    },
  }
}

function envelopeOf({ envelope: { mailFrom, rcptTo } }: SMTPServerSession) {
  return { from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address) }
}
