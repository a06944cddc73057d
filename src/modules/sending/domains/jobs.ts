// Background work of domains: every claim, proven or not, is checked again and again, and stale ones are dropped.

import { hour } from '../../../lib/time'
import { enqueue } from '../../../platform/jobs/enqueue'
import { handle } from '../../../platform/jobs/kind'
import { type Schedule, schedule } from '../../../platform/jobs/schedule'
import type { Config } from '../../../settings/config'
import { domainKinds } from './kinds'
import { checkDomains, dropStaleClaims, prunePreviousKeys, releaseDomain } from './service'

export const domainJobs = [
  handle(domainKinds.check, async (ctx, { after }, run) => {
    const next = await checkDomains(ctx, after, run.signal)
    // One walk through all domains at a time: a page that still waits from the previous walk is not added twice.
    if (next !== undefined)
      await enqueue(ctx, domainKinds.check, { after: next }, { uniqueKey: `domain.check:${next}` })
  }),
  handle(domainKinds.release, (ctx, { domain }) => releaseDomain(ctx, domain)),
  handle(domainKinds.prune, async ctx => {
    await dropStaleClaims(ctx)
    await prunePreviousKeys(ctx)
  }),
]

export function domainSchedules(config: Config): Schedule[] {
  return [schedule(domainKinds.check, config.domainCheckIntervalMs), schedule(domainKinds.prune, hour)]
}
