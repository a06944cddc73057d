// Gives the addresses of waiting messages from older data their one spelling, so that a suppression of any spelling is found for them.
import type { Context } from '../../../../platform/context'
import { selectStrayWaiting, updateAddresses } from '../queries'
import { withSpelling } from '../spelled'

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
