// The sender that a project falls back to, as it is kept: addresses in their one spelling. Whether the domain is verified is checked at
// each send, because that changes. Pure.
import { addressFault, normaliseEmail } from '../../lib/address'
import { type FieldError, invalid } from '../../lib/errors'
import type { UpdateBody } from './model'
import type { DefaultSender } from './schema'

type Given = NonNullable<UpdateBody['defaultSender']>

/** Throws 422 for anything that is not an address. */
export function requireSender({ email, name, replyTo }: Given): DefaultSender {
  const sender = {
    email: normaliseEmail(email),
    name: name?.replace(/\p{Cc}+/gu, ' ').trim() || null,
    replyTo: replyTo ? normaliseEmail(replyTo) : null,
  }
  const faults = [
    ...faultOf('defaultSender.email', email),
    ...(replyTo ? faultOf('defaultSender.replyTo', replyTo) : []),
  ]
  if (faults.length > 0) throw invalid(faults)
  return sender
}

function faultOf(field: string, address: string): FieldError[] {
  const message = addressFault(address)
  return message === undefined ? [] : [{ field, message, code: 'invalid_string', received: address }]
}
