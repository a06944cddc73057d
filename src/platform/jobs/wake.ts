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
  /** Least time between two NOTIFYs of this process. */
  notifyEveryMs?: number
  /** Time between two looks whether LISTEN still works. */
  checkEveryMs?: number
}

const channel = 'waxwing_jobs'
/** Nothing is ever told here. */
const checkChannel = 'waxwing_check'

/** Whoever adds a job wakes the runners; this often they look for jobs of which no hint came. */
export const defaultPollMs = 5 * second

/** `ctx.sql` must be the client itself, not a transaction. */
export function makeJobSignal(
  ctx: Pick<Context, 'random' | 'clock' | 'log'> & { sql: postgres.Sql },
  options: JobSignalOptions = {},
): JobSignal {
  const self = ctx.random.uuid(ctx.clock.now())
  const listeners = new Set<(dueAt: Date) => void>()
  const notify = options.soleOwner ? () => {} : throttledNotify(ctx, self, options.notifyEveryMs ?? 20)
  const announce = options.soleOwner ? () => {} : announcer(ctx, self)
  const tellListeners = (dueAt: Date): void => {
    for (const listener of listeners) listener(dueAt)
  }
  /** Who sends it, and when the job is due if not now. */
  const hear = (payload: string): void => {
    const [sender, dueAt] = payload.split(' ')
    if (sender !== self) tellListeners(dueAt ? new Date(Number(dueAt)) : ctx.clock.now())
  }
  let closed = false
  let listening: Promise<void> | undefined
  let unlisten: () => Promise<void> = async () => {}
  let checking: ReturnType<typeof setInterval> | undefined

  /** The driver listens again by itself after a cut; only the first time is ours to repeat. */
  const keepTrying = async (): Promise<void> => {
    while (!closed) {
      try {
        // The second function runs after every (re)connection: whatever was notified in between was missed.
        const listen = await ctx.sql.listen(channel, hear, () => tellListeners(ctx.clock.now()))
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

  /** Who only listens asks for nothing, and would never learn that the server is silent: a statement whose answer is due is watched. */
  const check = (): void => {
    ctx.sql
      .listen(checkChannel, () => {})
      .then(listen => listen.unlisten())
      .catch(error => ctx.log.debug({ error: String(error) }, 'LISTEN was cut; it is begun again'))
  }

  return {
    wake(dueAt) {
      tellListeners(dueAt)
      const wait = dueAt.getTime() - ctx.clock.now().getTime()
      if (wait <= 0) notify()
      // A later one is found by polling before it is due.
      else if (wait <= defaultPollMs) announce(dueAt)
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
      closed = true
      clearInterval(checking)
      listeners.clear()
      await listening
      await unlisten().catch(() => {})
    },
  }
}

/** Moments that are announced together: nobody is late by as much as this. */
const announcedMs = 100

/** One NOTIFY for all that comes due in the same moment. */
function announcer(
  ctx: Pick<Context, 'log' | 'clock'> & { sql: postgres.Sql },
  self: string,
): (dueAt: Date) => void {
  const announced = new Set<number>()
  return dueAt => {
    const slot = Math.ceil(dueAt.getTime() / announcedMs)
    if (announced.has(slot)) return
    announced.add(slot)
    setTimeout(() => announced.delete(slot), 2 * defaultPollMs).unref()
    send(ctx, `${self} ${slot * announcedMs}`)
  }
}

/**
 * One NOTIFY at once, then at most one each `everyMs`, on a connection of the pool and after the commit that it is about.
 * In the enqueuing transaction it would cost every request a lock that all notifying commits of the cluster take in turn;
 * so it costs a busy process 50 tiny commits a second. They need not reach the disk before they return, hence the setting.
 */
function throttledNotify(
  ctx: Pick<Context, 'log'> & { sql: postgres.Sql },
  self: string,
  everyMs: number,
): () => void {
  let resting = false
  let again = false
  const tell = (): void => {
    resting = true
    again = false
    send(ctx, self)
    setTimeout(() => {
      resting = false
      if (again) tell()
    }, everyMs)
  }
  return () => {
    if (resting) again = true
    else tell()
  }
}

function send(ctx: Pick<Context, 'log'> & { sql: postgres.Sql }, payload: string): void {
  ctx.sql`select set_config('synchronous_commit', 'off', true), pg_notify(${channel}, ${payload})`.catch(
    error =>
      ctx.log.debug(
        { error: String(error) },
        'runners could not be notified; they will find the job when they poll',
      ),
  )
}
