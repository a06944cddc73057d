// Background work of the public endpoints: forgetting idempotency keys whose time is over.
import { hour } from '../../lib/time'
import type { JobHandlers } from '../../platform/jobs/handlers'
import { schedule } from '../../platform/jobs/schedule'
import { forgetExpiredKeys } from './service'

export const v1Jobs = {
  'idempotency.clean': async (ctx, _, run) => ({ forgotten: await forgetExpiredKeys(ctx, run.signal) }),
} satisfies JobHandlers

export const v1Schedules = [schedule('idempotency.clean', { everyMs: hour }, {})]
