// An address as somebody typed it, in the one spelling under which accounts and invitations are kept.
import { isEmail, normaliseEmail } from '../../lib/address'
import { invalid } from '../../lib/errors'

/** Throws 422 for text that is no address. */
export function requireAddress(text: string): string {
  const email = normaliseEmail(text)
  if (isEmail(email)) return email
  throw invalid([
    { field: 'email', message: 'Not an e-mail address', code: 'invalid_string', received: text },
  ])
}
