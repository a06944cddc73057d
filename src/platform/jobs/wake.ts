// Tells runners that jobs were committed: those of this process directly, those of others through NOTIFY. It is only a hint;
// the row is the truth, and a runner that missed the hint finds the row at its next poll.
import type postgres from 'postgres'
import { minute, second } from '../../lib/time'
import type { Context } from '../context'

/** What a Context carries. */
export interface JobWaker {
  /** A job was committed that is due at `dueAt`. */
  wake(dueAt: Date): void
}

export interface JobSignal extends JobWaker {
  /** Calls `listener` for each hint, its own or another process's. Returns how to stop. */
  subscribe(listener: (dueAt: Date) => void): () => void
  /** Hears the other processes from then on; for those that run jobs. */
  listen(): Promise<void>
  close(): Promise<void>
}

type SignalContext = Pick<Context, 'random' | 'clock' | 'log'> & { sql: postgres.Sql }

const channel = 'waxwing_jobs'
/** Nothing is ever sent here. */
const checkChannel = 'waxwing_check'

/** So often a runner looks for jobs of which no hint came. */
export const defaultPollMs = 5 * second

/** `ctx.sql` must be the client itself, not a transaction. A sole owner of the database needs no NOTIFY and no LISTEN. */
export function makeJobSignal(
  ctx: SignalContext,
  { soleOwner = false, checkEveryMs = minute }: { soleOwner?: boolean; checkEveryMs?: number } = {},
): JobSignal {
  const self = ctx.random.uuid(ctx.clock.now())
  const listeners = new Set<(dueAt: Date) => void>()
  const notify = notifier(ctx, self)
  const hear = (payload: string): void => {
    const [sender, ...moments] = payload.split(' ')
    if (sender === self) return
    for (const at of moments) for (const listener of listeners) listener(new Date(Number(at)))
  }
  let unlisten: (() => Promise<void>) | undefined
  let checking: Timer | undefined

  /** A connection that only listens would never learn that the server is silent, so a statement whose answer is due is watched. */
  const check = async (): Promise<void> => {
    try {
      // The driver listens again by itself after a cut, and calls the second function: whatever was notified in between was missed.
      if (unlisten) await (await ctx.sql.listen(checkChannel, () => {})).unlisten()
      else unlisten = (await ctx.sql.listen(channel, hear, () => hear(' 0'))).unlisten
    } catch (error) {
      ctx.log.warn({ error: String(error) }, 'LISTEN failed; until it works, jobs are found by polling')
      // The driver tries again by itself only what has worked once.
      if (!unlisten && checking) setTimeout(check, second).unref()
    }
  }
  return {
    wake(dueAt) {
      for (const listener of listeners) listener(dueAt)
      // A later one is found by polling before it is due.
      if (!soleOwner && dueAt.getTime() - ctx.clock.now().getTime() <= defaultPollMs) notify(dueAt)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async listen() {
      if (soleOwner || checking) return
      checking = setInterval(check, checkEveryMs)
      checking.unref()
      await check()
    },
    async close() {
      clearInterval(checking)
      checking = undefined
      listeners.clear()
      await unlisten?.().catch(() => {})
    },
  }
}

const notifyEveryMs = 20
/** Moments that are announced together: no job is late by as much as this. */
const momentMs = 100

/**
 * One NOTIFY at once, then at most one each `notifyEveryMs`, on a connection of the pool and after the commit that it is about.
 * In the enqueuing transaction it would cost every request a lock that all notifying commits of the cluster take in turn;
 * so it costs a busy process 50 tiny commits a second. They need not reach the disk before they return, hence the setting.
 */
function notifier(ctx: SignalContext, self: string): (dueAt: Date) => void {
  const moments = new Set<number>()
  let isWaiting = false
  const send = (): void => {
    isWaiting = moments.size > 0
    if (!isWaiting) return
    const payload = [self, ...moments].join(' ')
    moments.clear()
    ctx.sql`select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, ${payload})`.catch(
      error =>
        ctx.log.debug(
          { error: String(error) },
          'runners could not be notified; they find jobs when they poll',
        ),
    )
    setTimeout(send, notifyEveryMs)
  }
  return dueAt => {
    moments.add(dueAt <= ctx.clock.now() ? 0 : Math.ceil(dueAt.getTime() / momentMs) * momentMs)
    if (!isWaiting) send()
  }
}
