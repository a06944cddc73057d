// When nobody uses an instance, what looks at the database every few seconds does so only now and then: a program that waits should cost
// nothing. Only where the instance is alone with its database, because others' work would not wake it.
import { second } from '../lib/time'
import type { Context } from './context'
import type { LiveRequests } from './requests'

/** What a Context carries. */
export interface Rest {
  isOn(): boolean
  /** There is work that did not come by HTTP. */
  end(): void
}

/** At rest, looks are this far apart, less than unused connections are kept; each has to see what comes due until the next one. */
export const restMs = 15 * second

/** Longer than the looks of an instance at work are apart: what was waiting has been seen. */
const workMs = 15 * second

/** It begins when there has been no request, and no other work, for a while. `now` in milliseconds, for distances only. */
export function makeRest(requests: LiveRequests, now = () => performance.now()): Rest {
  let workedAt = now()
  let seen = requests.count
  const end = (): void => {
    workedAt = now()
  }
  return {
    isOn() {
      if (requests.count !== seen || requests.underway().length > 0) end()
      seen = requests.count
      return now() - workedAt >= workMs
    },
    end,
  }
}

/** Asked whenever a look would be made at work: whether it is to be made. At rest that is the first one, and one in each stretch of `restMs`. */
export function lookGate(ctx: Pick<Context, 'rest' | 'clock'>): () => boolean {
  let last: number | undefined
  return () => {
    const stretch = ctx.rest?.isOn() ? Math.floor(ctx.clock.now().getTime() / restMs) : undefined
    if (stretch !== undefined && stretch === last) return false
    last = stretch
    return true
  }
}

/** How far a look that is made every `everyMs` at work has to see. */
export function untilNextLook({ rest }: Pick<Context, 'rest'>, everyMs: number): number {
  return everyMs + (rest?.isOn() ? restMs : 0)
}
