// What those who send mail ask about its domain: whether they may, and with which key it is signed.
import { batchedLookup } from '../../../../lib/batcher'
import { canonicalDomain } from '../../../../lib/domain-name'
import { type AppError, badRequest, forbidden } from '../../../../lib/errors'
import type { Context } from '../../../../platform/context'
import { perContext } from '../../../../platform/per-context'
import { staysHere } from '../../../../platform/transports/relay-hosts'
import { countsAsVerified } from '../model'
import { senderDomain } from '../names'
import { findHolderKey, findSealedKey, findSenderClaims, type SenderClaim } from '../queries'
import type { DomainRow } from '../schema'

type Claimed = Pick<DomainRow, 'projectId' | 'domain'>

/** Nothing is cached, so what changes about a domain is known at once. */
const claimLookup = perContext(ctx =>
  batchedLookup<Claimed, Claimed & SenderClaim>(
    names => findSenderClaims(ctx, names),
    ({ projectId, domain }) => `${projectId} ${domain}`,
  ),
)

/**
 * Throws unless the project may send as `address`: 400 when it is not an address, 403 with the documented code when its own domain
 * (no parent, no sub-domain) is not registered here or not verified, or is not among those that the key is bound to. Returns the domain
 * in its canonical spelling.
 */
export async function requireVerifiedSender(
  ctx: Context,
  projectId: string,
  address: string,
  boundTo?: readonly string[],
): Promise<string> {
  const domain = senderDomain(address)
  if (domain === undefined)
    throw badRequest('The sender is not a valid e-mail address', { details: { from: address } })
  if (boundTo && !boundTo.includes(domain))
    throw forbidden('FORBIDDEN', `This key may not send from ${domain}`, {
      details: { domains: boundTo },
      suggestion: 'Send from a domain that the key is bound to, or with another key.',
    })
  const claim = await claimLookup(ctx)({ projectId, domain })
  if (claim === undefined)
    throw refusedSender(
      `Domain ${domain} is not registered to this project`,
      'Add the domain to the project, publish its DNS records, then try again.',
    )
  if (!countsAsVerified(claim, staysHere(ctx.config)))
    throw refusedSender(
      `Domain ${domain} is not verified`,
      'Publish the DNS records of the domain; they are checked every few minutes, or at once by GET /domains/:id/verify.',
    )
  return domain
}

/** What a message of this domain is signed with. */
export interface DkimKey {
  domain: string
  selector: string
  /** PKCS #8 in PEM. */
  privateKey: string
}

/** The project's key for a verified domain; undefined if it has none or the relay signs, and the message leaves unsigned. */
export async function dkimKeyFor(
  ctx: Context,
  projectId: string,
  domain: string,
): Promise<DkimKey | undefined> {
  const canonical = canonicalDomain(domain)
  const key = canonical === undefined ? undefined : await findSealedKey(ctx, projectId, canonical)
  if (canonical === undefined || key === undefined || key.relaySigns) return undefined
  if (!countsAsVerified(key, staysHere(ctx.config))) return undefined
  return { domain: canonical, selector: key.selector, privateKey: ctx.vault.open('dkim', key.privateKey) }
}

/** The key of whichever project has proved that the domain is its own: mails of the instance itself go out from it. */
export async function senderKeyOf(ctx: Context, domain: string): Promise<DkimKey | undefined> {
  const key = await findHolderKey(ctx, domain)
  return key && { domain, selector: key.selector, privateKey: ctx.vault.open('dkim', key.privateKey) }
}

/** The interface document gives this 403 the code INTERNAL_SERVER_ERROR; clients go by the status. */
function refusedSender(message: string, suggestion: string): AppError {
  return forbidden('INTERNAL_SERVER_ERROR', message, { suggestion })
}
