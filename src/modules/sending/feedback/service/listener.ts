// Mail that comes back, by SMTP on port 25: taken for the return paths of our own messages and the addresses of feedback loops, and for
// nothing else. It is no relay, and knows no mailboxes. 250 never comes before the transaction has committed.
import type { SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import { reportLimit } from '../../../../http/body-limit'
import { domainOf } from '../../../../lib/address'
import { minute, second } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { largeWorkOf } from '../../../../platform/large-work'
import { type MessageIntake, makeIntake } from '../../../../platform/smtp-server/intake'
import { smtpError, smtpRefusal } from '../../../../platform/smtp-server/replies'
import type { LookTimes, SmtpServers } from '../../../../platform/smtp-server/server'
import { type Visit, Visits } from '../../../../platform/smtp-server/visits'
import type { SubmissionListener } from '../../../../settings/addresses'
import { receiveReturnedMail, returnedTo } from './reports'

const connections = 100
const maxRecipients = 100
const heldMessages = 4
const idleMs = minute
const visitLimits = {
  ...{ connections, silent: 20, idleMs },
  introductionMs: 30 * second,
  mailMs: minute,
  envelopeMs: minute,
}
const messageTimeMs = 5 * minute
const closeMs = 3 * second
/** Of what all may hold together. */
const partOfNetwork = 1 / 2
/** Complaints are small, and anyone may write to the public names. */
const publicBytes = 256 * 1024
const disabledCommands = ['AUTH', 'XCLIENT', 'XFORWARD']

/** Of the bounce domain, for the feedback loops of mailbox providers and whoever looks for a person. Complaints alone are taken there. */
const publicNames: ReadonlySet<string> = new Set(['abuse', 'fbl', 'postmaster'])

/** Rejects where a port is taken or the certificate can't be used. */
export async function startInbound(
  ctx: Context,
  listeners: readonly SubmissionListener[],
  times: LookTimes = {},
): Promise<SmtpServers> {
  // Loaded only where it is wanted: what is not used costs neither memory nor time.
  const { startServers, visitOf } = await import('../../../../platform/smtp-server/server')
  const intake = makeIntake({
    messageBytes: reportLimit,
    totalBytes: heldMessages * reportLimit,
    timeLimitMs: messageTimeMs,
    clock: ctx.clock,
    throttle: largeWorkOf(ctx).throttle,
    ...(times.visitLookMs ? { lookMs: times.visitLookMs } : {}),
  })
  const visits = new Visits(visitLimits, () => ctx.clock.now())
  const optionsFor = (listener: SubmissionListener) => optionsOf(ctx, listener, intake, visitOf)
  const certificate = ctx.config.submission?.certificate
  const service = { name: 'SMTP_INBOUND_LISTEN', listeners, optionsFor, visits }
  return await startServers(ctx, certificate ? { ...service, certificate } : service, times)
}

function optionsOf(
  ctx: Context,
  { implicitTls }: SubmissionListener,
  intake: MessageIntake,
  visitOf: (session: SMTPServerSession) => Visit,
): SMTPServerOptions {
  return {
    name: ctx.config.bounceDomain,
    banner: 'Waxwing',
    secure: implicitTls,
    authOptional: true,
    size: reportLimit,
    maxRecipients,
    maxClients: connections,
    socketTimeout: idleMs,
    closeTimeout: closeMs,
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    disabledCommands,
    logger: false,
    onRcptTo: ({ address }, _session, done) => done(refusalOf(ctx, address)),
    onData: (stream, session, done) => {
      const { network } = visitOf(session)
      const addresses = addressesOf(session).filter(address => !isPublic(address))
      const source = {
        owners: [{ name: network, part: partOfNetwork }],
        ...(addresses.length === 0 ? { messageBytes: publicBytes } : {}),
      }
      const takes = addresses.length > 0 ? ('all' as const) : ('complaints' as const)
      const take = (raw: Buffer) => receiveReturnedMail(ctx, raw, { addresses, takes, sender: network })
      intake.receive(stream, source, take).then(
        () => done(null, 'Accepted'),
        error => done(smtpRefusal(error, ctx.log)),
      )
    },
  }
}

function addressesOf({ envelope: { rcptTo } }: SMTPServerSession): string[] {
  return rcptTo.map(({ address }) => address)
}

function refusalOf(ctx: Context, address: string): Error | null {
  const isBare = !address.includes('@') && isPublic(address)
  if (!isBare && domainOf(address) !== ctx.config.bounceDomain)
    return smtpError('550 5.7.1', 'mail for this domain is not taken here')
  if (isPublic(address) || returnedTo(ctx, address) !== undefined) return null
  return smtpError('550 5.1.1', 'there is no such address')
}

/** The bare name is good without a domain (RFC 5321, 4.1.1.3). */
function isPublic(address: string): boolean {
  const at = address.lastIndexOf('@')
  return publicNames.has(address.slice(0, at === -1 ? undefined : at).toLowerCase())
}
