// Whether mail may leave: read from the database every other moment, so that `waxwing resume` reaches every running instance. It also
// increments a counter in the database, which is how a database that was put back to an earlier state is noticed later.
import { resolve } from 'node:path'
import { minute, second, sleep } from '../../lib/time'
import type { Context } from '../context'
import { pollTimer } from '../idle'
import { readMark, writeMark } from './mark'
import { builtInOrigin, whyCopied } from './origin'
import { claimForOrigin, countUp, pauseSending, readExternalOrigin, readInstance } from './queries'

/** What a Context carries. */
export interface SendingPause {
  /** Why nothing is sent at the moment, and since when; undefined when all is as usual. */
  paused(): { because: string; since: Date } | undefined
}

export interface WatchedPause extends SendingPause {
  stop(): Promise<void>
}

const lookEveryMs = 2 * second
const countEveryMs = minute

/** Decides, once at the start, whether this database is a copy, and makes it at home here. */
export async function claimDatabase(ctx: Pick<Context, 'sql' | 'config' | 'clock'>): Promise<number> {
  const record = await readInstance(ctx)
  if (!record) return 0
  const { dataDir, databaseUrl } = ctx.config
  const home = databaseUrl === undefined ? builtInOrigin : await readExternalOrigin(ctx)
  const because = whyCopied(record, home, readMark(resolve(dataDir)))
  const generation = await claimForOrigin(ctx, home, because, ctx.clock.now())
  remember(ctx, record.databaseId, generation)
  return generation
}

/** The database first, then the file: so the file is never ahead of a database that was left alone. */
function remember(ctx: Pick<Context, 'config' | 'clock'>, database: string, generation: number): void {
  const writtenAt = ctx.clock.now().getTime()
  writeMark(resolve(ctx.config.dataDir), { database, generation, writtenAt })
}

/** Claims the database, and then keeps checking until stopped. What waited while sending was paused is due when sending resumes. */
export async function watchPause(ctx: Context, onResumed: () => void = () => {}): Promise<WatchedPause> {
  let generation = await claimDatabase(ctx)
  let state = await readInstance(ctx)
  let countedAt = performance.now()
  let stopped = false

  const check = async (): Promise<void> => {
    if (performance.now() - countedAt >= countEveryMs) {
      generation = await count(ctx, state?.databaseId, generation)
      countedAt = performance.now()
    }
    const before = state?.pausedAt
    state = await readInstance(ctx)
    if (before && !state?.pausedAt) {
      ctx.log.info({}, 'sending goes on')
      onResumed()
    }
    if (!before && state?.pausedAt) ctx.log.warn({ because: state.pausedBecause }, 'sending is paused')
  }
  const round = async (): Promise<void> => {
    // What is known holds until the database answers again; others report that it does not.
    await check().catch(error => ctx.log.debug({ error: String(error) }, 'the gate could not be looked at'))
    plan()
  }
  let current: Promise<void> = Promise.resolve()
  const begin = (): void => {
    current = round()
  }
  const timer = pollTimer(ctx, begin)
  // Whoever is paused waits for a command, of which no request tells.
  const waiting = pollTimer({ clock: ctx.clock }, begin)
  const plan = (): void => {
    if (!stopped) (state?.pausedAt ? waiting : timer).plan(lookEveryMs)
  }
  plan()
  return {
    paused: () =>
      state?.pausedAt ? { because: state.pausedBecause ?? '', since: state.pausedAt } : undefined,
    async stop() {
      stopped = true
      timer.stop()
      waiting.stop()
      // A database that does not answer must not keep the process from ending.
      await Promise.race([current, sleep(second)])
    },
  }
}

/** A counter lower than a minute ago: somebody replaced the database with another state of it. */
async function count(ctx: Context, database: string | undefined, before: number): Promise<number> {
  const next = await countUp(ctx)
  if (next <= before)
    await pauseSending(
      ctx,
      'this database was put back to an earlier state while Waxwing was running',
      ctx.clock.now(),
    )
  if (database) remember(ctx, database, next)
  return next
}
