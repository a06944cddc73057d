// The jobs that a runner has claimed and not started yet, by band, and the arithmetic of how many more to claim: enough that
// slots never wait for the database, few enough that no slow job lies here while another process could run it.
import { type BandCounts, freeSlots, nextBand, noBandCounts, type Shares, sharesOf } from './bands'
import type { ClaimRequest, HeldJob } from './queries'
import { type Band, bands } from './schema'

/** What is claimed ahead should start within this time. */
const aheadMs = 200
const maxAhead = 400
/** Every this many claims look from the start again, for jobs that were inserted before those already taken. */
const wholeLookEvery = 16

export class Intake {
  #shares: Shares
  readonly #ready: Record<Band, HeldJob[]> = { transactional: [], system: [], workflow: [], bulk: [] }
  readonly #waiting = noBandCounts()
  readonly #running = noBandCounts()
  /** Running mean of how long a job of the band takes; unknown until the first has ended. */
  readonly #meanMs: Partial<BandCounts> = {}
  /** Bands in which the last look found fewer jobs than there were places. */
  readonly #dry = new Set<Band>()
  /**
   * Where the next look at a band begins. The index keeps an entry for each job that is done until the oldest transaction of
   * the server has ended, and a look from the start walks over all of them: while a backup runs, ever more.
   */
  readonly #since: Partial<Record<Band, Date>> = {}
  #claims = 0
  #starts = 0

  readonly #shareOf: (job: HeldJob) => number
  /** Where nothing presses. */
  readonly #all: Shares

  /** `shareOf`: how much of a slot a job takes; a power of two, so that sums stay exact. */
  constructor(slots: number, shareOf: (job: HeldJob) => number = () => 1) {
    this.#all = sharesOf(slots)
    this.#shares = this.#all
    this.#shareOf = shareOf
  }

  /** How many jobs of each band of `open` to claim now; empty when that is not worth a statement. */
  wanted(open: readonly Band[] = bands): ClaimRequest[] {
    const lookable = open.filter(band => !this.#dry.has(band))
    const isWorthwhile = lookable.some(band => this.#waiting[band] <= (this.#target(band) - 1) / 2)
    if (!isWorthwhile) return []
    return lookable
      .map(band => ({ band, places: this.#target(band) - this.#waiting[band], since: this.#since[band] }))
      .filter(want => want.places > 0)
  }

  #target(band: Band): number {
    const free = freeSlots(band, this.#running, this.#shares)
    const mean = this.#meanMs[band]
    const ahead = mean === undefined ? 0 : (this.#shares.ceiling[band] * aheadMs) / Math.max(mean, 0.02)
    // One at least, for the band's turn.
    const turn = this.#running[band] < this.#shares.floor[band] && this.#shares.ceiling[band] > 0 ? 1 : 0
    return Math.max(turn, Math.ceil(free) + Math.min(Math.floor(ahead), maxAhead))
  }

  add(jobs: HeldJob[], wanted: ClaimRequest[]): void {
    const found = noBandCounts()
    // The statement returns rows in no order.
    for (const job of jobs.toSorted(byMoment)) {
      this.#ready[job.band].push(job)
      this.#waiting[job.band]++
      found[job.band]++
    }
    for (const { band, places } of wanted) {
      if (found[band] < places) this.#dry.add(band)
      this.#since[band] = found[band] < places ? undefined : this.#ready[band].at(-1)?.runAt
    }
    if (++this.#claims % wholeLookEvery === 0) for (const band of bands) this.#since[band] = undefined
  }

  /** No more than `most` slots for workflows, from now on. */
  boundWorkflows(most: number): void {
    this.#shares = { ...this.#all, most: { workflow: most } }
  }

  /** There may be new jobs in any band. */
  recheckAll(): void {
    this.#dry.clear()
  }

  /** Takes the next job to start, if one may. */
  next(): HeldJob | undefined {
    const band = nextBand(this.#waiting, this.#running, this.#shares, this.#starts)
    if (!band) return undefined
    const job = this.#ready[band].shift()!
    this.#starts++
    this.#running[band] += this.#shareOf(job)
    this.#waiting[band]--
    return job
  }

  ended(job: HeldJob, tookMs: number): void {
    const { band } = job
    this.#running[band] -= this.#shareOf(job)
    const mean = this.#meanMs[band]
    this.#meanMs[band] = mean === undefined ? tookMs : mean * 0.9 + tookMs * 0.1
  }

  /** Claimed and not started. */
  unstarted(): HeldJob[] {
    return bands.flatMap(band => this.#ready[band])
  }

  /** Empties it; the jobs are the caller's to put back. */
  takeAll(): HeldJob[] {
    const all = bands.flatMap(band => this.#ready[band].splice(0))
    for (const band of bands) this.#waiting[band] = 0
    return all
  }
}

function byMoment(a: HeldJob, b: HeldJob): number {
  return a.runAt.getTime() - b.runAt.getTime() || (a.id < b.id ? -1 : 1)
}
