// The addresses of older data get their one spelling, once for an instance: suppressions first, so that nothing is sent meanwhile to somebody
// who has one under another spelling.
import type { Context } from '../../../platform/context'
import { hasDone, noteDone } from '../../../platform/db/migration/backfill'
import { respellContacts } from '../../contacts'
import { respellSuppressions } from '../../suppressions'

const name = 'one spelling of addresses'

export async function hasOldSpellings(ctx: Pick<Context, 'sql'>): Promise<boolean> {
  return !(await hasDone(ctx, name))
}

/** What it was interrupted at is found by the next run, which passes over what is done. */
export async function respellAddresses(ctx: Context, signal: AbortSignal): Promise<void> {
  const suppressions = await respellSuppressions(ctx, signal)
  const contacts = suppressions === undefined ? undefined : await respellContacts(ctx, signal)
  if (!contacts) return
  await noteDone(ctx, name, contacts.renamed + contacts.merged, ctx.clock.now())
  ctx.log.info({ suppressions, ...contacts }, 'addresses of older data have one spelling')
}
