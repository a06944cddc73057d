// Mail that comes back, by SMTP on port 25: taken for the return paths of our own messages and the addresses of feedback loops, and for
// nothing else. It is no relay, and knows no mailboxes. 250 never comes before the transaction has committed.
import type { SMTPServerOptions, SMTPServerSession } from 'smtp-server'
import { reportLimit } from '../../http/body-limit'
import { domainOf } from '../../lib/address'
import { minute, second } from '../../lib/time'
import type { Context } from '../../platform/context'
import type { SubmissionListener } from '../../settings/addresses'
import { receiveReturnedMail, returnedTo } from '../feedback'
import { type MessageIntake, makeIntake } from './intake'
import { smtpError, smtpRefusal } from './replies'
import { type SmtpServers, startServers } from './server'

const maxConnections = 100
const maxRecipients = 100
const heldMessages = 4
const idleMs = minute
const messageTimeMs = 5 * minute
const closeMs = 3 * second
const disabledCommands = ['AUTH', 'XCLIENT', 'XFORWARD', 'VRFY', 'EXPN', 'HELP']

/** Of the bounce domain, for the feedback loops of mailbox providers and whoever looks for a person. Complaints alone are taken there. */
const publicNames: ReadonlySet<string> = new Set(['abuse', 'fbl', 'postmaster'])

/** Rejects where a port is taken or the certificate can't be used. */
export async function startInbound(
  ctx: Context,
  listeners: readonly SubmissionListener[],
): Promise<SmtpServers> {
  const intake = makeIntake({
    messageBytes: reportLimit,
    totalBytes: heldMessages * reportLimit,
    timeLimitMs: messageTimeMs,
  })
  const optionsFor = (listener: SubmissionListener) => optionsOf(ctx, listener, intake)
  const certificate = ctx.config.submission?.certificate
  const service = { name: 'SMTP_INBOUND_LISTEN', listeners, optionsFor }
  return await startServers(ctx, certificate ? { ...service, certificate } : service)
}

function optionsOf(
  ctx: Context,
  { implicitTls }: SubmissionListener,
  intake: MessageIntake,
): SMTPServerOptions {
  return {
    name: ctx.config.bounceDomain,
    banner: 'Waxwing',
    secure: implicitTls,
    authOptional: true,
    size: reportLimit,
    maxRecipients,
    maxClients: maxConnections,
    socketTimeout: idleMs,
    closeTimeout: closeMs,
    disableReverseLookup: true,
    hideENHANCEDSTATUSCODES: false,
    disabledCommands,
    logger: false,
    onRcptTo: ({ address }, _session, done) => done(refusalOf(ctx, address)),
    onData: (stream, session, done) => {
      intake
        .collect(stream)
        .then(raw => take(ctx, addressesOf(session), raw))
        .then(
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
  if (domainOf(address).toLowerCase() !== ctx.config.bounceDomain)
    return smtpError('550 5.7.1', 'mail for this domain is not taken here')
  if (isPublic(address) || returnedTo(ctx, address) !== undefined) return null
  return smtpError('550 5.1.1', 'there is no such address')
}

function isPublic(address: string): boolean {
  return publicNames.has(address.slice(0, address.lastIndexOf('@')).toLowerCase())
}

async function take(ctx: Context, all: readonly string[], raw: Uint8Array): Promise<void> {
  const addresses = all.filter(address => !isPublic(address))
  await receiveReturnedMail(ctx, raw, { addresses, takes: addresses.length > 0 ? 'all' : 'complaints' })
}
