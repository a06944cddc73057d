// The one spelling of the addresses of a stored message, which may be older than that. By it they are compared with suppressions, and by
// it the message is sent. Pure.
import { isEmail, normaliseEmail } from '../../../lib/address'
import type { StoredCopy } from './copies'

/** What has no form that mail can be sent to stays. */
export function withSpelling<T extends { toEmail: string; copies: StoredCopy[] | null }>(row: T): T {
  const copies = row.copies === null ? null : row.copies.map(copy => ({ ...copy, email: spell(copy.email) }))
  return { ...row, toEmail: spell(row.toEmail), copies }
}

function spell(address: string): string {
  const email = normaliseEmail(address)
  return isEmail(email) ? email : address
}
