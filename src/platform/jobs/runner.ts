// Runs jobs: claims what is due, runs as many at once as there are slots, writes their outcomes, and keeps going when the database does
// not. Several runners on one database share the work; each job is held by one of them at a time.
import type postgres from 'postgres'
import { after, second, sleep } from '../../lib/time'
import type { Context } from '../context'
import type { DatabaseClient } from '../db/client'
import { openRunnerPool } from '../db/pools'
import { idlePollMs, pollTimer } from '../idle'
import { makeCompleter } from './completer'
import { execute, type RunningJob } from './execute'
import type { HandlerTable } from './kind'
import { defaultLease, holdLease, type Lease, type LeaseTimes, soleLease } from './lease'
import { type ClaimRequest, claimJobs, deleteAllRunners, type HeldJob, nextDue, releaseHeld } from './queries'
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

/** Starts a runner. `ctx.sql` must be the client itself: the runner opens a few connections of its own beside it. */
export async function startRunner(ctx: Context, options: RunnerOptions): Promise<Runner> {
  if (!('begin' in ctx.sql)) throw new Error('a runner cannot start inside a transaction')
  const database = openRunnerPool(ctx.sql as postgres.Sql)
  const runner = new Runner(ctx, database, options)
  try {
    await runner.start()
  } catch (error) {
    await database.close()
    throw error
  }
  return runner
}

/** After a claim that found less than it asked for, so that jobs that are added meanwhile share the next one: each has a cost of its own. */
const cooldownMs = 50
/** A claim that failed is repeated after twice as long each time. */
const maxRetryMs = 5 * second

export class Runner {
  /** With the runner's own connections; handlers get `ctx` with the shared pool. */
  readonly #own: Context
  readonly #slots: Slots
  readonly #complete: ReturnType<typeof makeCompleter>
  readonly #timer: ReturnType<typeof pollTimer>
  readonly #pollMs: number
  readonly #running = new Set<RunningJob>()
  /** Jobs whose rows say that this runner works on them, by id: claimed, and their outcome is not written. */
  readonly #held = new Map<string, HeldJob>()
  readonly #writes = new Set<Promise<void>>()
  #lease!: Lease
  #claim: Promise<void> | undefined
  #cooldown: Timer | undefined
  #failures = 0
  /** A hint came since the last claim began, which may have been too early to see the job. */
  #isHinted = false
  #polling = Promise.resolve()
  /** When the next job is due that no claim could take yet, as far as is known. */
  #dueAt = Number.POSITIVE_INFINITY
  #isStopping = false
  #stopped: Promise<void> | undefined
  #isClosed = false
  #ended: (() => void) | undefined
  #unsubscribe: (() => void) | undefined
  /** Runs while jobs do. */
  #timeCheck: Timer | undefined

  constructor(
    readonly ctx: Context,
    readonly database: DatabaseClient,
    readonly options: RunnerOptions,
  ) {
    this.#own = { ...ctx, sql: database.sql, db: database.db }
    const shareOf = ({ kind }: HeldJob): number => options.handlers.get(kind)?.definition.slotShare ?? 1
    this.#slots = new Slots(options.concurrency, shareOf)
    this.#complete = makeCompleter(this.#own, () => this.#isClosed)
    this.#pollMs = options.pollMs ?? defaultPollMs
    this.#timer = pollTimer(ctx, () => this.#poll())
    // A series that begins with a failure shows Prometheus no increase.
    for (const { definition } of options.handlers.values())
      ctx.metrics.jobs.inc({ kind: definition.kind, outcome: 'failed' }, 0)
  }

  /** How many jobs run at the moment. */
  running(): number {
    return this.#running.size
  }

  async start(): Promise<void> {
    const { signal, lease, soleOwner = false } = this.options
    if (soleOwner) await deleteAllRunners(this.#own)
    const times = { ...(soleOwner ? soleLease : defaultLease), ...lease }
    this.#lease = await holdLease(this.#own, times, () => this.#onLeaseLost())
    this.#unsubscribe = signal?.subscribe(dueAt => this.#onHint(dueAt))
    // Not waited for: until it works, polling finds the jobs.
    void signal?.listen()
    this.#poll()
  }

  /** Claims what is due, and asks when the next job will be: until then, hints are all that is needed. */
  #poll(): void {
    this.#dueAt = Number.POSITIVE_INFINITY
    this.#recheck()
    const now = this.ctx.clock.now()
    this.#polling = nextDue(this.#own, now, after(now, this.#pollMs + idlePollMs))
      // The claim beside it logs the error, and repeats itself.
      .catch(() => undefined)
      .then(next => this.#planPoll(next?.getTime()))
  }

  #planPoll(dueAt = Number.POSITIVE_INFINITY): void {
    if (this.#isStopping) return
    this.#dueAt = Math.min(this.#dueAt, dueAt)
    const waitMs = Math.max(0, this.#dueAt - this.ctx.clock.now().getTime())
    this.#timer.plan(Math.min(waitMs, this.#pollMs), waitMs)
  }

  /** A job is due at `dueAt`: now, or shortly, or so late that a poll comes before it. */
  #onHint(dueAt: Date): void {
    const waitMs = dueAt.getTime() - this.ctx.clock.now().getTime()
    if (waitMs <= 0) this.#recheck()
    else if (waitMs < this.#pollMs + idlePollMs && dueAt.getTime() < this.#dueAt)
      this.#planPoll(dueAt.getTime())
  }

  #recheck(): void {
    this.#isHinted = true
    this.#slots.recheckAll()
    this.#pump()
  }

  /** Starts what may start, and claims more. */
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
    let waitMs = cooldownMs
    try {
      // A claim that failed may have been committed although its answer never came: nobody else would ever take those jobs.
      if (this.#failures > 0) await this.#putBack(runnerId, [...this.#held.keys()])
      const jobs = await claimJobs(this.#own, runnerId, wanted, this.ctx.clock.now())
      this.#failures = 0
      // A lease that was lost meanwhile: the jobs are no longer ours.
      const ours = this.#lease.runnerId() === runnerId ? jobs : []
      for (const job of ours) this.#held.set(job.id, job)
      if (this.#slots.add(ours, wanted)) waitMs = 0
    } catch (error) {
      waitMs = Math.min(cooldownMs * 2 ** ++this.#failures, maxRetryMs)
      this.ctx.log.warn({ error: String(error), retryInMs: waitMs }, 'jobs could not be claimed')
    }
    if (this.#isHinted) this.#slots.recheckAll()
    this.#claim = undefined
    if (waitMs > 0 && !this.#isStopping)
      this.#cooldown = setTimeout(() => {
        this.#cooldown = undefined
        this.#pump()
      }, waitMs)
    this.#pump()
  }

  async #run(job: HeldJob): Promise<void> {
    const { id, kind, lockedBy } = job
    const begun = performance.now()
    const execution = execute(this.ctx, this.options.handlers, job)
    this.#running.add(execution)
    this.#timeCheck ??= setInterval(() => this.#checkTimes(), second)
    const outcome = await execution.outcome
    this.#running.delete(execution)
    const tookMs = performance.now() - begun
    this.ctx.metrics.jobs.inc({ kind, outcome: outcome.type })
    this.ctx.metrics.jobSeconds.observe({ kind }, tookMs / second)
    this.#slots.ended(job, tookMs)
    if (lockedBy !== this.#lease.runnerId()) {
      this.#drop(job)
      this.ctx.log.warn({ job: id, kind }, 'a job ended after its lease was lost; its outcome does not count')
      // What was released stays held until all of it is put back at the end.
    } else if (outcome.type !== 'released') {
      const write = this.#complete({ job, outcome }).then(() => {
        this.#drop(job)
        this.#writes.delete(write)
      })
      this.#writes.add(write)
    }
    if (this.#running.size === 0) this.#ended?.()
    this.#pump()
  }

  /** Not where it was claimed anew since, as after a lease that was lost while it ran. */
  #drop(job: HeldJob): void {
    if (this.#held.get(job.id) === job) this.#held.delete(job.id)
  }

  #onLeaseLost(): void {
    for (const job of this.#slots.takeAll()) this.#drop(job)
    for (const execution of this.#running) execution.release('the lease of this process was lost')
  }

  #checkTimes(): void {
    const now = this.ctx.clock.now()
    for (const execution of this.#running) execution.checkTime(now)
    if (this.#running.size > 0) return
    clearInterval(this.#timeCheck)
    this.#timeCheck = undefined
  }

  /** Claims no more, waits up to `graceMs` for what runs, tells the rest to stop, and puts back whatever is still held. */
  stop(graceMs: number): Promise<void> {
    this.#stopped ??= this.#stop(graceMs)
    return this.#stopped
  }

  async #stop(graceMs: number): Promise<void> {
    this.#isStopping = true
    this.#unsubscribe?.()
    this.#timer.stop()
    clearTimeout(this.#cooldown)
    clearInterval(this.#timeCheck)
    await Promise.all([this.#claim, this.#polling])
    for (const job of this.#slots.takeAll()) this.#drop(job)
    // So that others need not wait for these until what runs has ended; at the end it is tried again.
    const runnerId = this.#lease.runnerId()
    if (runnerId) this.#putBack(runnerId, [...this.#held.keys()]).catch(() => {})
    await this.#idle(graceMs)
    for (const execution of this.#running) execution.release('the process stops')
    await this.#idle(Math.min(graceMs, second))
    const end = this.#end().catch(error =>
      this.ctx.log.warn({ error: String(error) }, 'held jobs could not be put back; their lease will end'),
    )
    // A database that is gone must not keep the process from ending.
    await Promise.race([end, sleep(5 * second)])
    this.#isClosed = true
    void this.#lease.stop()
    await this.database.close()
  }

  async #end(): Promise<void> {
    await Promise.all(this.#writes)
    await this.#lease.stop()
    const runnerId = this.#lease.runnerId()
    if (runnerId) await this.#putBack(runnerId)
    await this.#lease.remove()
  }

  /** Resolves when nothing runs any more, or after `ms`. */
  async #idle(ms: number): Promise<void> {
    if (this.#running.size === 0) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#ended = resolve
    const timer = setTimeout(resolve, ms)
    await promise
    clearTimeout(timer)
  }

  async #putBack(runnerId: string, except: string[] = []): Promise<void> {
    const jobs = await releaseHeld(this.#own, runnerId, except)
    if (jobs === 0) return
    this.ctx.log.info({ jobs }, 'jobs that this process claimed and does not run were put back')
    this.ctx.jobWaker?.wake(this.ctx.clock.now())
  }
}
