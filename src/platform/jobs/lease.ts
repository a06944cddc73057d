// The hold of a process on its jobs: a row with a time, moved forward by a heartbeat, under a new id after each loss. The same
// beat puts back what dead processes held, within 45 seconds of their last one (30 s lease, checked every 10 s).
import { after, second } from '../../lib/time'
import { type Context, inTransaction, newId } from '../context'
import { idlePollMs, pollTimer } from '../idle'
import { deleteAllRunners, deleteRunner, insertRunner, renewLease, rescueJobs } from './queries'

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
  stop(): void
  remove(): Promise<void>
}

export interface LeaseOptions extends LeaseTimes {
  /** This process alone uses the database: whatever is still held belongs to the dead. */
  soleOwner: boolean
  /** The jobs that are held belong to others now. */
  onLost(): void
}

/** Takes the lease (first beat) and keeps it. */
export async function holdLease(ctx: Context, options: LeaseOptions): Promise<Lease> {
  let id: string | undefined
  let until = ctx.clock.now()
  let isStopped = false
  let isFirst = true

  const lose = (): void => {
    if (!id) return
    ctx.log.error({ runner: id }, 'the lease was lost: jobs in progress are given up to other runners')
    id = undefined
    options.onLost()
  }
  const beat = async (): Promise<void> => {
    const now = ctx.clock.now()
    const next = after(now, options.leaseMs)
    const renewed = id ? await renewLease(ctx, id, next, now) : undefined
    if (!renewed) lose()
    id ??= await takeLease(ctx, next, now, isFirst && options.soleOwner)
    until = next
    isFirst = false
    if (!renewed || renewed.orphans) await rescue(ctx, now)
  }
  const tick = async (): Promise<void> => {
    let waits: [number, number] = [options.beatMs, idlePollMs]
    try {
      await beat()
    } catch (error) {
      ctx.log.warn({ error: String(error) }, 'the heartbeat of the job runner failed; trying again')
      if (ctx.clock.now() >= until) lose()
      const soon = Math.min(second, options.beatMs)
      waits = [soon, soon]
    }
    if (!isStopped) timer.plan(...waits)
  }
  const timer = pollTimer(ctx, () => void tick())
  await tick()
  return {
    runnerId: () => id,
    stop() {
      isStopped = true
      timer.stop()
    },
    async remove() {
      if (id) await deleteRunner(ctx, id)
      id = undefined
    },
  }
}

async function takeLease(ctx: Context, until: Date, now: Date, soleOwner: boolean): Promise<string> {
  const id = newId(ctx)
  await inTransaction(ctx, async tx => {
    if (soleOwner) await deleteAllRunners(tx)
    await insertRunner(tx, id, until, now)
  })
  return id
}

async function rescue(ctx: Context, now: Date): Promise<void> {
  const jobs = await inTransaction(ctx, tx => rescueJobs(tx, now))
  if (jobs === 0) return
  ctx.log.warn({ jobs }, 'jobs of a process that died were put back')
  ctx.jobWaker?.wake(now)
}
