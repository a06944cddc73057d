// Background work of domains: every claim, proven or not, is checked again and again, and stale ones are dropped.

import { hour } from '../../lib/time'
import { enqueue } from '../../platform/jobs/enqueue'
import type { JobHandlers } from '../../platform/jobs/handlers'
import { type Schedule, schedule } from '../../platform/jobs/schedule'
import type { Config } from '../../settings/config'
import { checkDomains, dropStaleClaims, releaseDomain } from './service'

export const domainJobs = {
  'domain.check': async (ctx, { after }, run) => {
    const next = await checkDomains(ctx, after, run.signal)
    // One walk through all domains at a time: a page that still waits from the last walk is not added twice.
    if (next !== undefined)
      await enqueue(ctx, 'domain.check', { after: next }, { uniqueKey: `domain.check:${next}` })
  },
  'domain.release': (ctx, { domain }) => releaseDomain(ctx, domain),
  'domain.sweep': async ctx => ({ dropped: await dropStaleClaims(ctx) }),
} satisfies JobHandlers

export function domainSchedules(config: Config): Schedule[] {
  return [
    schedule('domain.check', { everyMs: config.domainCheckIntervalMs }, {}),
    schedule('domain.sweep', { everyMs: hour }, {}),
  ]
}
