// Background work of the public endpoints: deleting idempotency keys that have expired.

import { hour } from '../../../lib/time'
import { handle } from '../../../platform/jobs/kind'
import { schedule } from '../../../platform/jobs/schedule'
import { v1Kinds } from './kinds'
import { pruneIdempotencyKeys } from './service'

export const v1Jobs = [handle(v1Kinds.cleanKeys, (ctx, _, run) => pruneIdempotencyKeys(ctx, run.signal))]

export const v1Schedules = [schedule(v1Kinds.cleanKeys, hour)]
