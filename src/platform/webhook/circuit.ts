// Calls to an endpoint that hangs wait together: after a few in a row that nobody answered in their time, one now and then finds out
// whether somebody does again, and until then no other one takes a place, an attempt or a connection.
import { minute, second } from '../../lib/time'
import type { Context } from '../context'
import { Snooze } from '../jobs/outcome'
import { perContext } from '../per-context'
import type { WebhookResult } from './caller'

/** Calls in a row that hung before the others wait. */
const hangsInARow = 5
/** A call without an answer hung if it took this long; one that is turned away at once holds nothing up. */
const hangMs = 3 * second
/** Until the next probe; twice as long after each that hangs, too. */
const firstPauseMs = 30 * second
const maxPauseMs = 10 * minute
/** Endpoints that are remembered, those that hung last. */
const maxEndpoints = 10_000

/** Thrown in place of a call: the endpoint hangs, and the call comes back after the next probe. */
export class EndpointHangs extends Snooze {}

interface Hanging {
  inARow: number
  pauseMs: number
  probeAt: number
  isProbed: boolean
}

export interface Circuits {
  /** Makes the call, unless the endpoint (any name of it that is the project's own) hangs. */
  take(endpoint: string, call: () => Promise<WebhookResult>): Promise<WebhookResult>
}

export const circuitsOf = perContext(makeCircuits)

export function makeCircuits({ clock, random }: Pick<Context, 'clock' | 'random'>): Circuits {
  const hanging = new Map<string, Hanging>()
  const nowMs = (): number => clock.now().getTime()

  const noteHang = (endpoint: string): void => {
    const known = hanging.get(endpoint)
    const inARow = (known?.inARow ?? 0) + 1
    const wasProbe = known?.isProbed === true
    // Those that were under way when it was noticed tell nothing new.
    if (known && inARow > hangsInARow && !wasProbe) return
    const pauseMs = wasProbe ? Math.min(known.pauseMs * 2, maxPauseMs) : firstPauseMs
    hanging.delete(endpoint)
    hanging.set(endpoint, { inARow, pauseMs, probeAt: nowMs() + pauseMs, isProbed: false })
    if (hanging.size > maxEndpoints) hanging.delete(hanging.keys().next().value!)
  }

  return {
    async take(endpoint, call) {
      const begun = nowMs()
      const known = hanging.get(endpoint)
      if (known && known.inARow >= hangsInARow) {
        if (known.isProbed || begun < known.probeAt) throw new EndpointHangs(comesBack(known, begun))
        known.isProbed = true
      }
      const result = await call().catch(error => {
        // No word about the endpoint: somebody else probes.
        if (known) known.isProbed = false
        throw error
      })
      if (result.outcome !== 'unreachable') hanging.delete(endpoint)
      else if (nowMs() - begun >= hangMs) noteHang(endpoint)
      else if (known) known.isProbed = false
      return result
    },
  }

  /** Not all at the same moment. */
  function comesBack({ probeAt, pauseMs, isProbed }: Hanging, now: number): Date {
    const next = isProbed ? now + pauseMs : probeAt
    return new Date(next + Math.round(random.fraction() * (pauseMs / 2)))
  }
}
