// Who receives the mail of a domain: a large provider, or whoever runs the host of its MX record.
import type { Context } from '../../../platform/context'
import { makeReceiverGroups } from '../../../platform/mail/receiver-groups'
import { receiverOf } from '../../../platform/mail/receivers'
import { perInstance } from '../../../platform/per-context'

const receiverGroups = perInstance(({ clock, dns }) => makeReceiverGroups(clock, dns))

/** Undefined for a domain that receives for itself, and until its MX records are known, which nobody waits for. */
export function operatorFor(ctx: Context, domain: string): string | undefined {
  return receiverOf(domain) ?? receiverGroups(ctx).groupOf(domain)
}
