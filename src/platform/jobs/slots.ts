// Which of the claimed jobs starts next, and how many more to claim. Higher bands go first, lower ones never take the last slots, each
// band has its turn now and then, and no project holds all slots: counts and arithmetic, without I/O.
import type { ClaimRequest, HeldJob } from './queries'
import { type Band, bands } from './schema'

type PerBand<T> = Record<Band, T>

/** Every eighth start goes to a band below the first, if none of its jobs runs. */
const turnEvery = 8
const lowerBands: readonly Band[] = ['bulk', 'workflow', 'system']

/** Jobs that are claimed ahead should start within this time. Without them slots would wait for the database. */
const aheadMs = 200
const maxAhead = 400

/** Campaign slices at once: the process bounds what is on its way, so that more would only keep them from other processes. */
const maxBulk = 4

/** Most slots that a band and all below it fill together: a quarter is kept for transactional email, one more from bulk. */
function ceilingsOf(slots: number): PerBand<number> {
  const lower = slots === 1 ? 1 : slots - Math.max(1, Math.floor(slots / 4))
  const bulk = Math.min(maxBulk, slots >= 4 ? lower - 1 : lower)
  return { transactional: slots, system: lower, workflow: lower, bulk }
}

/** Bands in which a project decides how long a job takes: its endpoints are called, its files read, its filters computed. */
const sharedBands: readonly Band[] = ['system', 'workflow']

/** Whose turn it is: a project in a band, or the instance itself. The index `jobs_line` names them in the same way. */
const ownerOf = ({ band, projectId }: HeldJob): string => `${band} ${projectId ?? '~'}`

export class Slots {
  readonly #ceilings: PerBand<number>
  readonly #ready: PerBand<HeldJob[]> = { transactional: [], system: [], workflow: [], bulk: [] }
  /** Claimed, but their project holds its share of the slots. */
  readonly #blocked: PerBand<HeldJob[]> = { transactional: [], system: [], workflow: [], bulk: [] }
  readonly #running: PerBand<number> = { transactional: 0, system: 0, workflow: 0, bulk: 0 }
  /** Slots that each project holds in a band. */
  readonly #held = new Map<string, number>()
  /** Running mean of how long a job of the band takes. */
  readonly #meanMs: Partial<PerBand<number>> = {}
  /** Bands in which the last claim found fewer jobs than it asked for. */
  readonly #dry = new Set<Band>()
  /** Bands in which it found as many: from then on projects take turns. The next turn is that of the owner behind this one. */
  readonly #turns = new Map<Band, string>()
  #starts = 0

  /** `shareOf`: how much of a slot a job takes; a power of two, so that sums stay exact. */
  constructor(
    readonly slots: number,
    readonly shareOf: (job: HeldJob) => number = () => 1,
  ) {
    this.#ceilings = ceilingsOf(slots)
  }

  /** What to claim now of these bands; nothing where it is not worth a statement. */
  wanted(open: readonly Band[] = bands): ClaimRequest[] {
    const asked = open
      .filter(band => !this.#dry.has(band))
      .map(band => ({ band, target: this.#target(band), waiting: this.#ready[band].length }))
    if (!asked.some(({ target, waiting }) => waiting <= (target - 1) / 2)) return []
    return asked
      .filter(({ target, waiting }) => target > waiting)
      .map(({ band, target, waiting }) => {
        const except = [...new Set(this.#blocked[band].map(ownerOf))]
        return { band, places: target - waiting, turn: this.#turns.get(band), except }
      })
  }

  /** One at least for the band's turn; otherwise as many as are free, or soon will be. */
  #target(band: Band): number {
    const mean = this.#meanMs[band]
    const ahead = mean === undefined ? 0 : (this.#ceilings[band] * aheadMs) / Math.max(mean, 0.02)
    const turn = this.#running[band] === 0 ? 1 : 0
    return Math.max(turn, Math.ceil(this.#free(band)) + Math.min(Math.floor(ahead), maxAhead))
  }

  /** Each band above shares its ceiling with those below it, so all of them bind. */
  #free(band: Band): number {
    let free = this.slots
    let running = 0
    for (const each of bands.toReversed()) {
      running += this.#running[each]
      if (bands.indexOf(each) <= bands.indexOf(band)) free = Math.min(free, this.#ceilings[each] - running)
    }
    return Math.max(0, free)
  }

  /** Takes what was found of what was asked for. Returns whether there is probably more. */
  add(jobs: readonly HeldJob[], wanted: readonly ClaimRequest[]): boolean {
    let isMore = false
    // The statement returns rows in no order.
    for (const job of jobs.toSorted(byMoment)) this.#ready[job.band].push(job)
    for (const { band, places, turn } of wanted) {
      const found = jobs.filter(job => job.band === band)
      isMore ||= found.length >= places || (turn ?? '') !== ''
      if (turn === undefined) {
        if (found.length < places) this.#dry.add(band)
        else this.#turns.set(band, '')
      } else if (found.length > 0 || turn !== '') this.#turns.set(band, found[0]?.reached ?? '')
      else if (this.#blocked[band].length > 0) this.#dry.add(band)
      else this.#turns.delete(band)
    }
    return isMore
  }

  /** There may be new jobs in any band. */
  recheckAll(): void {
    this.#dry.clear()
  }

  /** Takes the next job to start, if one may. */
  next(): HeldJob | undefined {
    for (let band = this.#nextBand(); band; band = this.#nextBand()) {
      const job = this.#ready[band].shift()!
      if (this.#mayStart(job)) {
        this.#starts++
        this.#hold(job, this.shareOf(job))
        return job
      }
      this.#blocked[band].push(job)
      if (!this.#turns.has(band)) this.#turns.set(band, '')
    }
    return undefined
  }

  #nextBand(): Band | undefined {
    const canStart = (band: Band): boolean => this.#ready[band].length > 0 && this.#free(band) > 0
    if (this.#starts % turnEvery === turnEvery - 1) {
      const turn = Math.floor(this.#starts / turnEvery) % lowerBands.length
      const inTurn = [...lowerBands.slice(turn), ...lowerBands.slice(0, turn)]
      const band = inTurn.find(each => canStart(each) && this.#running[each] === 0)
      if (band) return band
    }
    return bands.find(canStart)
  }

  /**
   * A project may hold three times what it leaves to others. Alone it has three quarters; the more projects hold theirs, the less each
   * may, and there is always something left for one that holds nothing.
   */
  #mayStart(job: HeldJob): boolean {
    const own = this.#held.get(ownerOf(job)) ?? 0
    if (job.projectId === null || own === 0 || !sharedBands.includes(job.band)) return true
    const share = this.shareOf(job)
    return own + share <= 3 * (this.#free(job.band) - share)
  }

  #hold(job: HeldJob, share: number): void {
    this.#running[job.band] += share
    const held = (this.#held.get(ownerOf(job)) ?? 0) + share
    if (held > 0) this.#held.set(ownerOf(job), held)
    else this.#held.delete(ownerOf(job))
  }

  ended(job: HeldJob, tookMs: number): void {
    const { band } = job
    this.#hold(job, -this.shareOf(job))
    this.#meanMs[band] = (this.#meanMs[band] ?? tookMs) * 0.9 + tookMs * 0.1
    if (!this.#turns.has(band)) return
    // There is more room, also for what was blocked and for projects that were passed over.
    this.#dry.delete(band)
    if (this.#blocked[band].length > 0) this.#ready[band].unshift(...this.#blocked[band].splice(0))
  }

  /** Claimed and not started. */
  unstarted(): HeldJob[] {
    return bands.flatMap(band => [...this.#blocked[band], ...this.#ready[band]])
  }

  /** Empties it; the jobs are the caller's to put back. */
  takeAll(): HeldJob[] {
    return bands.flatMap(band => [...this.#blocked[band].splice(0), ...this.#ready[band].splice(0)])
  }
}

function byMoment(a: HeldJob, b: HeldJob): number {
  return a.runAt.getTime() - b.runAt.getTime() || (a.id < b.id ? -1 : 1)
}
