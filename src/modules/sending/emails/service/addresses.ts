// Gives the addresses of waiting messages from older data their one spelling, so that a suppression of any spelling is found for them.
import { isEmail, normaliseEmail } from '../../../../lib/address'
import type { Context } from '../../../../platform/context'
import type { StoredCopy } from '../copies'
import { selectStrayWaiting, updateAddresses } from '../queries'

/** Returns how many have other addresses now. */
export async function respellWaiting(ctx: Context): Promise<number> {
  let count = 0
  for (const given of await selectStrayWaiting(ctx)) {
    const spelled = withSpelling(given)
    if (Bun.deepEquals(spelled, given)) continue
    await updateAddresses(ctx, spelled)
    count++
  }
  return count
}

/** Addresses as they are compared with suppressions, and sent to. What has no form that mail can be sent to stays. */
export function withSpelling<T extends { toEmail: string; copies: StoredCopy[] | null }>(row: T): T {
  const copies = row.copies === null ? null : row.copies.map(copy => ({ ...copy, email: spell(copy.email) }))
  return { ...row, toEmail: spell(row.toEmail), copies }
}

function spell(address: string): string {
  const email = normaliseEmail(address)
  return isEmail(email) ? email : address
}
