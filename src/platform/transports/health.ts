// Whether each transport works, as this process has found it: told in the log when it changes, and shown by /health and /metrics.

import type { SendResult } from '../../mail/message'
import type { Context } from '../context'
import { perInstance } from '../per-context'
import { failsAsWhole } from './several/verdict'

export interface TransportFault {
  /** Of the first attempt that failed. */
  since: Date
  /** What the other side, or the connection, said last. */
  words: string
}

type Watcher = Pick<Context, 'log' | 'clock' | 'metrics'>

const faultsOf = perInstance(() => new Map<string, TransportFault>())
const recoveryOf = perInstance(() => ({ isNew: false }))

/** The transports that fail, by name. */
export function failingTransports(ctx: Context): ReadonlyMap<string, TransportFault> {
  return faultsOf(ctx)
}

/** True for one that works again, until somebody has set `isNew` to false: what waited for it may be sent. */
export function transportRecovery(ctx: Context): { isNew: boolean } {
  return recoveryOf(ctx)
}

/** Says that these are the transports, before any of them was tried. */
export function showTransports({ metrics }: Pick<Context, 'metrics'>, names: readonly string[]): void {
  metrics.transportWorking.reset()
  for (const transport of names) metrics.transportWorking.set({ transport }, 1)
}

/** Notes what an attempt says about the transport as a whole. A refused message says that it works. */
export function noteResult(ctx: Watcher, transport: string, result: SendResult): void {
  const faults = faultsOf(ctx as Context)
  if ('internal' in result && result.internal) return
  const fault = faults.get(transport)
  if (failsAsWhole(result)) {
    faults.set(transport, { since: fault?.since ?? ctx.clock.now(), words: result.response })
    ctx.metrics.transportWorking.set({ transport }, 0)
    if (!fault)
      ctx.log.warn(
        { transport, reason: result.response },
        'transport is failing; emails wait and are retried',
      )
  } else if (fault) {
    faults.delete(transport)
    recoveryOf(ctx as Context).isNew = true
    ctx.metrics.transportWorking.set({ transport }, 1)
    ctx.log.warn({ transport, since: fault.since.toISOString() }, 'transport works again')
  }
}
