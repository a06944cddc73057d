// Notifies members once a month when a limit is near, and once when it is reached.

import { type Context, inTransaction } from '../../../../platform/context'
import { notifyMembers } from '../../../accounts/projects'
import { noticesOf, type UsageNotice } from '../allowance'
import { usageEmail } from '../emails'
import { insertNotice, selectNearLimits, selectProjectName, selectStandings } from '../queries'

const pageSize = 500

/** Goes through the projects that are near a limit; returns how many notices there were. */
export async function warnMembers(ctx: Context, signal: AbortSignal): Promise<number> {
  let notices = 0
  for (let after: string | undefined; !signal.aborted; ) {
    const ids = await selectNearLimits(ctx, after, pageSize)
    const standings = await selectStandings(ctx, ids)
    for (const [projectId, standing] of standings)
      for (const notice of noticesOf(standing)) if (await tell(ctx, projectId, notice)) notices++
    if (ids.length < pageSize) break
    after = ids.at(-1)
  }
  return notices
}

/** Notice and mails are one transaction: nobody is notified twice, and nobody is left out. */
async function tell(ctx: Context, projectId: string, notice: UsageNotice): Promise<boolean> {
  return await inTransaction(ctx, async tx => {
    if (!(await insertNotice(tx, projectId, notice))) return false
    const name = await selectProjectName(tx, projectId)
    if (name === undefined) return false
    await notifyMembers(tx, projectId, usageEmail(name, notice))
    return true
  })
}
