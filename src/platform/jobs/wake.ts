// Tells runners that jobs were committed: those of this process directly, those of others through NOTIFY. It is only a hint;
// the row is the truth, and a runner that missed the hint finds the row at its next poll.
import type postgres from 'postgres'
import { minute, second, sleep } from '../../lib/time'
import type { Context } from '../context'

/** What a Context carries. */
export interface JobWaker {
  /** A job was committed that is due at `dueAt`. */
  wake(dueAt: Date): void
}

export interface JobSignal extends JobWaker {
  /** Calls `listener` for each hint, its own or another process's. Returns how to stop. */
  subscribe(listener: (dueAt: Date) => void): () => void
  /** Hears the other processes from then on; for those that run jobs. Resolves when it does. */
  listen(): Promise<void>
  close(): Promise<void>
}

export interface JobSignalOptions {
  /** Nobody else uses the database: no NOTIFY, no LISTEN. */
  soleOwner?: boolean
  /** Time between two checks whether LISTEN still works. */
  checkEveryMs?: number
}

type SignalContext = Pick<Context, 'random' | 'clock' | 'log'> & { sql: postgres.Sql }

const channel = 'waxwing_jobs'
/** Nothing is ever sent here. */
const checkChannel = 'waxwing_check'

/** So often a runner looks for jobs of which no hint came. */
export const defaultPollMs = 5 * second

/** `ctx.sql` must be the client itself, not a transaction. */
export function makeJobSignal(ctx: SignalContext, options: JobSignalOptions = {}): JobSignal {
  const self = ctx.random.uuid(ctx.clock.now())
  const listeners = new Set<(dueAt: Date) => void>()
  const notify = options.soleOwner ? () => {} : notifier(ctx, self)
  const hear = (payload: string): void => {
    const [sender, ...moments] = payload.split(' ')
    if (sender === self) return
    for (const at of moments) for (const listener of listeners) listener(new Date(Number(at)))
  }
  let isClosed = false
  let listening: Promise<void> | undefined
  let unlisten: () => Promise<void> = async () => {}
  let checking: Timer | undefined

  /** The driver listens again by itself after a cut; only the first time is ours to repeat. */
  const keepTrying = async (): Promise<void> => {
    while (!isClosed) {
      try {
        // The second function runs after every (re)connection: whatever was notified in between was missed.
        const listen = await ctx.sql.listen(channel, hear, () => hear(' 0'))
        unlisten = listen.unlisten
        checking = setInterval(check, options.checkEveryMs ?? minute)
        checking.unref()
        return
      } catch (error) {
        ctx.log.warn({ error: String(error) }, 'LISTEN failed; until it works, jobs are found by polling')
        await sleep(second)
      }
    }
  }

  /** A connection that only listens would never learn that the server is silent: a statement whose answer is due is watched. */
  const check = (): void => {
    ctx.sql
      .listen(checkChannel, () => {})
      .then(listen => listen.unlisten())
      .catch(error => ctx.log.debug({ error: String(error) }, 'LISTEN was cut; it is begun again'))
  }

  return {
    wake(dueAt) {
      for (const listener of listeners) listener(dueAt)
      // A later one is found by polling before it is due.
      if (dueAt.getTime() - ctx.clock.now().getTime() <= defaultPollMs) notify(dueAt)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async listen() {
      if (options.soleOwner) return
      listening ??= keepTrying()
      await listening
    },
    async close() {
      isClosed = true
      clearInterval(checking)
      listeners.clear()
      await listening
      await unlisten().catch(() => {})
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
          'runners could not be notified; they find the job when they poll',
        ),
    )
    setTimeout(send, notifyEveryMs)
  }
  return dueAt => {
    const isDue = dueAt <= ctx.clock.now()
    moments.add(isDue ? 0 : Math.ceil(dueAt.getTime() / momentMs) * momentMs)
    if (!isWaiting) send()
  }
}
