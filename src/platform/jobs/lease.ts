// The hold of a process on its jobs: a row with a time, moved forward by a heartbeat, under a new id after each loss. The same
// beat puts back what dead processes held, within 45 seconds of their last one (30 s lease, checked every 10 s).
import { after, second } from '../../lib/time'
import { type Context, inTransaction, newId } from '../context'
import { idlePollMs, pollLoop } from '../idle'
import { deleteRunner, insertRunner, renewLease, rescueJobs } from './queries'

export interface LeaseTimes {
  leaseMs: number
  beatMs: number
}

export const defaultLease: LeaseTimes = { leaseMs: 30 * second, beatMs: 10 * second }

/** Of a sole owner, who may be idle from beat to beat: a process that starts after it does not wait for the end of its lease. */
export const soleLease: LeaseTimes = { ...defaultLease, leaseMs: 4 * idlePollMs }

export interface Lease {
  /** What claims are made with; undefined while there is no valid lease. */
  runnerId(): string | undefined
  /** Ends the heartbeat. The row is removed separately, after the jobs were put back. */
  stop(): Promise<void>
  remove(): Promise<void>
}

/** Takes the lease (first beat) and keeps it. `onLost`: the jobs that are held belong to others now. */
export async function holdLease(
  ctx: Context,
  { leaseMs, beatMs }: LeaseTimes,
  onLost: () => void,
): Promise<Lease> {
  let id: string | undefined
  let until = ctx.clock.now()

  const lose = (): void => {
    if (!id) return
    ctx.log.error({ runner: id }, 'the lease was lost: jobs in progress are given up to other runners')
    id = undefined
    onLost()
  }
  const beat = async (): Promise<void> => {
    const now = ctx.clock.now()
    const next = after(now, leaseMs)
    const renewed = id ? await renewLease(ctx, id, next, now) : undefined
    if (!renewed) {
      lose()
      const taken = newId(ctx)
      await insertRunner(ctx, taken, next, now)
      id = taken
    }
    until = next
    if (!renewed || renewed.orphans) await rescue(ctx, now)
  }
  const { first, stop } = pollLoop(ctx, async () => {
    try {
      await beat()
      return [beatMs, idlePollMs]
    } catch (error) {
      ctx.log.warn({ error: String(error) }, 'the heartbeat of the job runner failed; trying again')
      if (ctx.clock.now() >= until) lose()
      const soon = Math.min(second, beatMs)
      return [soon, soon]
    }
  })
  await first
  return {
    runnerId: () => id,
    stop,
    async remove() {
      if (id) await deleteRunner(ctx, id)
      id = undefined
    },
  }
}

async function rescue(ctx: Context, now: Date): Promise<void> {
  const jobs = await inTransaction(ctx, tx => rescueJobs(tx, now))
  if (jobs === 0) return
  ctx.log.warn({ jobs }, 'jobs of a process that died were put back')
  ctx.jobWaker?.wake(now)
}
