// Runs jobs: claims what is due, runs as many at once as there are slots, writes their outcomes, and keeps going when the database does
// not. Several runners on one database share the work; each job is held by one of them at a time.
import type postgres from 'postgres'
import { after, minute, second, sleep } from '../../lib/time'
import type { Context } from '../context'
import { type DatabaseClient, openSibling } from '../db/client'
import { idlePollMs, pollEvery } from '../idle'
import { type Completer, makeCompleter } from './completer'
import { execute, type RunningJob } from './execute'
import type { HandlerTable } from './handlers'
import { defaultLease, holdLease, type Lease, type LeaseTimes, soleLease } from './lease'
import type { JobOutcome } from './outcome'
import { type ClaimRequest, claimJobs, type HeldJob, nextDue, releaseHeld } from './queries'
import { bands } from './schema'
import { Slots } from './slots'
import { defaultPollMs, type JobSignal } from './wake'

export interface RunnerOptions {
  handlers: HandlerTable
  /** Jobs that run at once. */
  concurrency: number
  /** Hints of new jobs; without it they are found by polling. */
  signal?: JobSignal
  /** This process alone uses the database, so whatever is held at the start belongs to the dead. */
  soleOwner?: boolean
  /** The longest time between two polls, and so the longest that a lost hint delays a job. */
  pollMs?: number
  lease?: LeaseTimes
}

export interface Runner {
  /** Claims no more, waits up to `graceMs` for what runs, tells the rest to stop, and puts back whatever is still held. */
  stop(graceMs: number): Promise<void>
  /** Jobs that run at the moment. */
  running(): number
}

/**
 * Its statements find their rows by index and in the order of the index, and they are planned once, perhaps while the table is
 * empty, where reading and sorting all of it looks cheap. A burst would then be served by that plan until the next autovacuum
 * (5,000 jobs a second instead of 30,000, measured); so the other ways are closed.
 */
const planner = { enable_seqscan: 'off', enable_bitmapscan: 'off', enable_sort: 'off', jit: 'off' }

/**
 * The runner's own few connections to the same server as `sql`, a client that is not in a transaction. Its heartbeat must not queue
 * behind the handlers' statements in the shared pool, or a busy process would lose its lease.
 */
export function openRunnerDatabase(sql: postgres.Sql, connections = 4): DatabaseClient {
  return openSibling(sql, connections, { ...planner, application_name: 'waxwing jobs' })
}

/** Starts a runner. `ctx.sql` must be the client itself: the runner opens a few connections of its own beside it. */
export async function startRunner(ctx: Context, options: RunnerOptions): Promise<Runner> {
  if (!('begin' in ctx.sql)) throw new Error('a runner cannot start inside a transaction')
  const database = openRunnerDatabase(ctx.sql as postgres.Sql)
  // Handlers get `ctx` with the shared pool; the runner's own statements go through this one.
  const loop = new RunnerLoop(ctx, { ...ctx, sql: database.sql, db: database.db }, options)
  await loop.start()
  let stopped: Promise<void> | undefined
  return {
    running: () => loop.running,
    // A second call waits for the first.
    stop(graceMs) {
      stopped ??= loop.stop(graceMs).then(() => database.close())
      return stopped
    },
  }
}

/** After a claim that found less than it asked for, so that jobs that are added meanwhile share the next one: each has a cost of its own. */
const cooldownMs = 50
/** A claim that failed is repeated after twice as long each time. */
const maxRetryMs = 5 * second

class RunnerLoop {
  readonly #slots: Slots
  readonly #completer: Completer
  readonly #executions = new Set<RunningJob>()
  readonly #pollMs: number
  readonly #stops: Array<() => void> = []
  #lease!: Lease
  #claim: Promise<void> | undefined
  #cooldown: Timer | undefined
  #failures = 0
  /** A hint came since the last claim began, which may have been too early to see the job. */
  #isHinted = false
  /** The poll that comes before the usual one, because a job is due then. */
  #planned: { at: number; timer: Timer } | undefined
  #asking: Promise<void> | undefined
  #isStopping = false
  #ended: (() => void) | undefined
  /** Runs while jobs do. */
  #timeCheck: Timer | undefined

  constructor(
    readonly ctx: Context,
    readonly own: Context,
    readonly options: RunnerOptions,
  ) {
    this.#slots = new Slots(
      options.concurrency,
      ({ kind }) => options.handlers.get(kind)?.definition.slotShare ?? 1,
    )
    this.#completer = makeCompleter(own)
    this.#pollMs = options.pollMs ?? defaultPollMs
  }

  get running(): number {
    return this.#executions.size
  }

  async start(): Promise<void> {
    const { signal, lease, soleOwner = false } = this.options
    this.#lease = await holdLease(this.own, {
      ...(soleOwner ? soleLease : defaultLease),
      ...lease,
      soleOwner,
      onLost: () => this.#onLeaseLost(),
    })
    if (signal) {
      this.#stops.push(signal.subscribe(dueAt => this.#onHint(dueAt)))
      // Not waited for: until it works, polling finds the jobs.
      void signal.listen()
    }
    this.#stops.push(pollEvery(this.ctx, this.#pollMs, () => this.#poll()))
    this.#poll()
  }

  /** Claims what is due, and asks when the next job will be: until then, hints are all that is needed. */
  #poll(): void {
    this.#recheck()
    this.#asking ??= this.#planNext().finally(() => {
      this.#asking = undefined
    })
  }

  async #planNext(): Promise<void> {
    const now = this.ctx.clock.now()
    try {
      const next = await nextDue(this.own, now, after(now, this.#pollMs + idlePollMs))
      if (next) this.#pollAt(next)
    } catch (error) {
      // The claim beside it says so, and repeats itself.
      this.ctx.log.debug({ error: String(error) }, 'the next job could not be looked for')
    }
  }

  #pollAt(dueAt: Date): void {
    const at = dueAt.getTime()
    if (this.#isStopping || (this.#planned && this.#planned.at <= at)) return
    clearTimeout(this.#planned?.timer)
    const begin = (): void => {
      this.#planned = undefined
      this.#poll()
    }
    this.#planned = { at, timer: setTimeout(begin, Math.max(0, at - this.ctx.clock.now().getTime())) }
  }

  /** A job is due at `dueAt`: now, or shortly, or so late that a poll comes before it. */
  #onHint(dueAt: Date): void {
    const wait = dueAt.getTime() - this.ctx.clock.now().getTime()
    if (wait <= 0) this.#recheck()
    else if (wait < this.#pollMs + idlePollMs) this.#pollAt(dueAt)
  }

  #recheck(): void {
    this.#isHinted = true
    this.#slots.recheckAll()
    this.#pump()
  }

  #pump(): void {
    if (this.#isStopping) return
    for (let job = this.#slots.next(); job; job = this.#slots.next()) void this.#run(job)
    const runnerId = this.#lease.runnerId()
    if (!runnerId || this.#claim || this.#cooldown) return
    const wanted = this.#slots.wanted(this.ctx.sending?.paused() ? ['system'] : bands)
    if (wanted.length > 0) this.#claim = this.#claimThen(runnerId, wanted)
  }

  async #claimThen(runnerId: string, wanted: ClaimRequest[]): Promise<void> {
    this.#isHinted = false
    const waitMs = await this.#claimJobs(runnerId, wanted)
    if (this.#isHinted) this.#slots.recheckAll()
    this.#claim = undefined
    if (waitMs > 0 && !this.#isStopping)
      this.#cooldown = setTimeout(() => {
        this.#cooldown = undefined
        this.#pump()
      }, waitMs)
    this.#pump()
  }

  /** Returns for how long there is no other claim. */
  async #claimJobs(runnerId: string, wanted: ClaimRequest[]): Promise<number> {
    try {
      if (this.#failures > 0) await this.#putBackUnknown(runnerId)
      const jobs = await claimJobs(this.own, runnerId, wanted, this.ctx.clock.now())
      this.#failures = 0
      // A lease that was lost meanwhile: the jobs are no longer ours.
      const isMore = this.#slots.add(this.#lease.runnerId() === runnerId ? jobs : [], wanted)
      return isMore ? 0 : cooldownMs
    } catch (error) {
      const retryInMs = Math.min(2 * cooldownMs * 2 ** this.#failures++, maxRetryMs)
      this.ctx.log.warn({ error: String(error), retryInMs }, 'jobs could not be claimed')
      return retryInMs
    }
  }

  /**
   * A claim may have been committed although its answer never came. The lease holds those jobs for a runner that does not know of them:
   * nobody else would ever take them.
   */
  async #putBackUnknown(runnerId: string): Promise<void> {
    const running = [...this.#executions].map(({ job }) => job)
    const known = [...this.#slots.unstarted(), ...running, ...this.#completer.unwritten()].map(({ id }) => id)
    const jobs = await releaseHeld(this.own, runnerId, known)
    if (jobs > 0) this.ctx.log.warn({ jobs }, 'jobs whose claim was never answered were put back')
  }

  async #run(job: HeldJob): Promise<void> {
    const begun = performance.now()
    const execution = execute(this.ctx, this.options.handlers, job)
    this.#executions.add(execution)
    this.#timeCheck ??= setInterval(() => this.#checkTimes(), second)
    const outcome = await execution.outcome
    this.#executions.delete(execution)
    const tookMs = performance.now() - begun
    this.ctx.metrics.jobSeconds.observe({ kind: job.kind }, tookMs / second)
    this.#slots.ended(job, tookMs)
    this.#finish(job, outcome)
    if (this.#executions.size === 0) this.#ended?.()
    this.#pump()
  }

  #finish(job: HeldJob, outcome: JobOutcome): void {
    const { id, kind, lockedBy } = job
    if (lockedBy === this.#lease.runnerId()) this.#completer.add({ job, outcome })
    else
      this.ctx.log.warn({ job: id, kind }, 'a job ended after its lease was lost; its outcome does not count')
  }

  #onLeaseLost(): void {
    this.#slots.takeAll()
    for (const execution of this.#executions) execution.release('the lease of this process was lost')
  }

  #checkTimes(): void {
    const now = this.ctx.clock.now()
    for (const execution of this.#executions) execution.checkTime(now)
    if (this.#executions.size > 0) return
    clearInterval(this.#timeCheck)
    this.#timeCheck = undefined
  }

  async stop(graceMs: number): Promise<void> {
    this.#isStopping = true
    for (const stop of this.#stops) stop()
    clearTimeout(this.#cooldown)
    clearTimeout(this.#planned?.timer)
    clearInterval(this.#timeCheck)
    await this.#claim
    await this.#asking
    for (const job of this.#slots.takeAll()) this.#completer.add({ job, outcome: { type: 'released' } })
    await this.#idle(graceMs)
    for (const execution of this.#executions) execution.release('the process stops')
    await this.#idle(Math.min(graceMs, second))
    await this.#putBack()
  }

  /** Resolves when nothing runs any more, or after `ms`. */
  async #idle(ms: number): Promise<void> {
    if (this.#executions.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#ended = resolve
    const timer = setTimeout(resolve, ms)
    await promise
    clearTimeout(timer)
  }

  /** Within a bounded time: a database that is gone must not keep the process from ending; the lease frees the jobs then. */
  async #putBack(): Promise<void> {
    const finish = async (): Promise<void> => {
      await this.#completer.flushed()
      this.#lease.stop()
      const id = this.#lease.runnerId()
      if (id && (await releaseHeld(this.own, id)) > 0) this.ctx.jobWaker?.wake(this.ctx.clock.now())
      await this.#lease.remove()
    }
    const work = finish().catch(error =>
      this.ctx.log.warn({ error: String(error) }, 'held jobs could not be put back; their lease will end'),
    )
    await Promise.race([work, sleep(minute / 12)])
    this.#completer.close()
    this.#lease.stop()
  }
}
