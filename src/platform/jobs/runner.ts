// Runs jobs: claims what is due, runs as many at once as there are slots, writes their outcomes, and keeps going when the database does
// not. Several runners on one database share the work; each job is held by one of them at a time.
import type postgres from 'postgres'
import { after, minute, second, sleep } from '../../lib/time'
import type { Context } from '../context'
import { noteWork } from '../memory'
import { keepLooking, untilNextLook } from '../rest'
import { type Courtesy, claimRound, type Gathering, gatherJobs, letOthersFirst } from './claim'
import { type Completer, makeCompleter } from './completer'
import { openRunnerDatabase } from './connection'
import { execute, type RunningJob } from './execute'
import type { HandlerTable } from './handlers'
import { Intake } from './intake'
import { defaultLease, holdLease, type Lease, type LeaseTimes, putBackUnknown, soleLease } from './lease'
import type { JobOutcome } from './outcome'
import { type PlannedLooks, planLooks } from './planned-looks'
import { type Pressure, watchPressure } from './pressure'
import { type HeldJob, nextDue, releaseHeld } from './queries'
import { type Band, bands } from './schema'
import { defaultPollMs, type JobSignal } from './wake'

export interface RunnerOptions {
  handlers: HandlerTable
  /** Jobs that run at once. */
  concurrency: number
  /** Hints of new jobs; without it they are found by polling. */
  signal?: JobSignal
  /** This process alone uses the database, so whatever is held at the start belongs to the dead. */
  soleOwner?: boolean
  /** The longest time between two looks at the table, and so the longest that a lost hint delays a job. */
  pollMs?: number
  lease?: LeaseTimes
}

export interface Runner {
  /** Claims no more, waits up to `graceMs` for what runs, tells the rest to stop, and puts back whatever is still held. */
  stop(graceMs: number): Promise<void>
  /** Jobs that run at the moment. */
  running(): number
}

/** Starts a runner. `ctx.sql` must be the client itself: the runner opens a few connections of its own beside it. */
export async function startRunner(ctx: Context, options: RunnerOptions): Promise<Runner> {
  if (!('begin' in ctx.sql)) throw new Error('a runner cannot start inside a transaction')
  const database = openRunnerDatabase(ctx.sql as postgres.Sql)
  // Handlers get `ctx` with the shared pool; the runner's own statements go through this one.
  const own: Context = { ...ctx, sql: database.sql, db: database.db }
  const loop = new RunnerLoop(ctx, own, options)
  await loop.start()
  let stopped: Promise<void> | undefined
  const stop = async (graceMs: number): Promise<void> => {
    await loop.stop(graceMs)
    await database.close()
  }
  return {
    running: () => loop.running,
    // A second call waits for the first.
    stop(graceMs) {
      stopped ??= stop(graceMs)
      return stopped
    },
  }
}

/** With fewer, statements that nobody can answer would be sent over and over. */
const firstRetryMs = 100
const maxRetryMs = 5 * second

class RunnerLoop {
  readonly #intake: Intake
  readonly #completer: Completer
  readonly #pressure: Pressure
  readonly #executions = new Set<RunningJob>()
  readonly #pollMs: number
  #lease!: Lease
  readonly #stops: Array<() => void> = []
  #claim: Promise<void> | undefined
  readonly #gathering: Gathering
  readonly #courtesy: Courtesy
  #asking: Promise<void> | undefined
  #lookAgain = false
  #failures = 0
  #stopping = false
  #ended: (() => void) | undefined
  /** Runs while jobs do. */
  #timeCheck: ReturnType<typeof setInterval> | undefined
  readonly #planned: PlannedLooks

  constructor(
    readonly ctx: Context,
    readonly own: Context,
    readonly options: RunnerOptions,
  ) {
    this.#intake = new Intake(
      options.concurrency,
      ({ kind }) => options.handlers.get(kind)?.definition.slotShare ?? 1,
    )
    this.#completer = makeCompleter(own)
    this.#pressure = watchPressure(
      options.concurrency,
      () => ctx.requests.underway().length > 0,
      allowed => {
        this.#intake.boundWorkflows(allowed)
        this.#pump()
      },
    )
    this.#pollMs = options.pollMs ?? defaultPollMs
    this.#gathering = gatherJobs(options.concurrency, () => this.#pump())
    this.#courtesy = letOthersFirst(() => this.#pump())
    this.#planned = planLooks(
      () => ctx.clock.now(),
      () => this.#poll(),
    )
    this.#stops.push(this.#gathering.stop, this.#courtesy.stop, () => this.#planned.stop())
  }

  get running(): number {
    return this.#executions.size
  }

  async start(): Promise<void> {
    const { signal, lease, soleOwner } = this.options
    this.#lease = await holdLease(this.own, {
      ...(soleOwner ? soleLease : defaultLease),
      ...lease,
      soleOwner: soleOwner ?? false,
      onLost: () => this.#onLeaseLost(),
    })
    if (signal) {
      this.#stops.push(signal.subscribe(dueAt => this.#onHint(dueAt)))
      // Not waited for: until it works, polling finds the jobs.
      void signal.listen()
    }
    this.#stops.push(keepLooking(this.ctx, this.#pollMs, () => this.#poll()))
    this.#poll()
  }

  /** Looks at what is due, and when the next job will be: until then, hints are all that is needed. */
  #poll(): void {
    this.#look()
    this.#asking ??= this.#planNext().finally(() => {
      this.#asking = undefined
    })
  }

  async #planNext(): Promise<void> {
    const now = this.ctx.clock.now()
    try {
      const next = await nextDue(this.own, now, after(now, untilNextLook(this.ctx, this.#pollMs)))
      if (next && !this.#stopping) this.#planned.plan(next)
    } catch (error) {
      // The claim beside it says so, and repeats itself.
      this.ctx.log.debug({ error: String(error) }, 'the next job could not be looked for')
    }
  }

  #look(): void {
    // A claim that is under way may have looked before the job was there, and will then report that nothing is.
    this.#lookAgain = this.#claim !== undefined
    this.#intake.recheckAll()
    this.#pump()
  }

  /** A job is due at `dueAt`: now, or shortly, or so late that a poll comes before it. */
  #onHint(dueAt: Date): void {
    const wait = dueAt.getTime() - this.ctx.clock.now().getTime()
    if (wait <= 0) this.#look()
    else if (wait < untilNextLook(this.ctx, this.#pollMs)) this.#planned.plan(dueAt)
  }

  #pump(): void {
    if (this.#stopping) return
    for (let job = this.#intake.next(); job; job = this.#intake.next()) void this.#run(job)
    if (!this.#claim) this.#startClaim()
  }

  #startClaim(): void {
    const runnerId = this.#lease.runnerId()
    const open = this.#openBands()
    if (!runnerId || !this.#intake.hasRoom(open) || this.#gathering.holdsBack(this.running)) return
    this.#gathering.claims()
    if (open.includes('bulk')) this.#courtesy.claims()
    this.#claim = this.#claimFrom(runnerId, open)
    void this.#claim.finally(() => {
      this.#claim = undefined
      if (this.#lookAgain) this.#look()
      else this.#pump()
    })
  }

  #openBands(): readonly Band[] {
    if (this.ctx.sending?.paused()) return ['system']
    if (!this.#intake.hasRoom(['bulk']) || this.#courtesy.allows(this.#intake.longRunning('bulk')))
      return bands
    return bands.filter(band => band !== 'bulk')
  }

  async #claimFrom(runnerId: string, open: readonly Band[]): Promise<void> {
    try {
      if (this.#failures > 0) await putBackUnknown(this.own, runnerId, this.#held())
      const { jobs, wanted } = await claimRound(this.own, this.#intake, runnerId, open)
      this.#failures = 0
      // A lease that was lost meanwhile: the jobs are no longer ours.
      this.#intake.add(this.#lease.runnerId() === runnerId ? jobs : [], wanted)
    } catch (error) {
      const wait = Math.min(firstRetryMs * 2 ** this.#failures++, maxRetryMs)
      this.ctx.log.warn({ error: String(error), retryInMs: wait }, 'jobs could not be claimed')
      if (!this.#stopping) await sleep(wait)
    }
  }

  /** Everything that the runner's lease holds, as far as it knows. */
  #held(): HeldJob[] {
    const running = [...this.#executions].map(({ job }) => job)
    return [...this.#intake.unstarted(), ...running, ...this.#completer.unwritten()]
  }

  async #run(job: HeldJob): Promise<void> {
    noteWork()
    const begun = performance.now()
    const execution = execute(this.ctx, this.options.handlers, job)
    this.#executions.add(execution)
    this.#pressure.begin()
    this.#timeCheck ??= setInterval(() => this.#checkTimes(), second)
    const outcome = await execution.outcome
    this.#executions.delete(execution)
    const tookMs = performance.now() - begun
    this.ctx.metrics.jobSeconds.observe({ kind: job.kind }, tookMs / second)
    this.#intake.ended(job, tookMs)
    this.#finish(job, outcome)
    if (this.#executions.size === 0) this.#ended?.()
    this.#pump()
    if (this.#executions.size === 0) this.#pressure.end()
  }

  #finish(job: HeldJob, outcome: JobOutcome): void {
    if (job.lockedBy === this.#lease.runnerId()) this.#completer.add({ job, outcome })
    else
      this.ctx.log.warn(
        { job: job.id, kind: job.kind },
        'a job ended after its lease was lost; its outcome does not count',
      )
  }

  #onLeaseLost(): void {
    this.#intake.takeAll()
    for (const execution of this.#executions) execution.release('the lease of this process was lost')
  }

  #checkTimes(): void {
    if (this.#executions.size === 0) this.#endTimeCheck()
    const now = this.ctx.clock.now()
    for (const execution of this.#executions) execution.checkTime(now)
  }

  #endTimeCheck(): void {
    clearInterval(this.#timeCheck)
    this.#timeCheck = undefined
  }

  async stop(graceMs: number): Promise<void> {
    this.#stopping = true
    for (const stop of this.#stops) stop()
    this.#endTimeCheck()
    await this.#claim
    await this.#asking
    for (const job of this.#intake.takeAll()) this.#completer.add({ job, outcome: { type: 'released' } })
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
