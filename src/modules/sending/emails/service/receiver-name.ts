// Who receives the mail of a domain: a large provider, or whoever runs the host of its MX record.
import { domainOf } from '../../../../lib/address'
import { canonicalDomain } from '../../../../lib/domain-name'
import { receiverOf } from '../../../../mail/receivers'
import type { Context } from '../../../../platform/context'
import { perInstance } from '../../../../platform/per-context'
import { makeReceiverGroups } from '../../../../platform/transports/receiver-groups'

const receiverGroups = perInstance(({ clock, dns }) => makeReceiverGroups(clock, dns))

/** Undefined for a domain that receives for itself, and until its MX records are known, which nobody waits for. */
export function operatorFor(ctx: Context, domain: string): string | undefined {
  return receiverOf(domain) ?? receiverGroups(ctx).groupOf(domain)
}

/** The operator that receives mail to an address, else its domain. */
export function receiverNameFor(ctx: Context, toEmail: string): string {
  const domain = canonicalDomain(domainOf(toEmail)) ?? domainOf(toEmail)
  return (operatorFor(ctx, domain) ?? domain).slice(0, 253)
}
