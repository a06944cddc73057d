// The jobs that a runner has claimed and not started yet, by band, and the arithmetic of how many more to claim: enough that
// slots never wait for the database, few enough that no slow job lies here while another process could run it.
import { type Counts, nextBand, noCounts, room, type Shares, sharesOf } from './bands'
import type { HeldJob } from './queries'
import { type Band, bands } from './schema'

/** What is claimed ahead should start within this time. */
const aheadMs = 200
const mostAhead = 400

export class Intake {
  readonly #shares: Shares
  readonly #ready: Record<Band, HeldJob[]> = { transactional: [], system: [], workflow: [], bulk: [] }
  readonly #waiting = noCounts()
  readonly #running = noCounts()
  /** Running mean of how long a job of the band takes; unknown until the first has ended. */
  readonly #meanMs: Partial<Counts> = {}
  /** Bands in which the last look found fewer jobs than there were places. */
  readonly #dry = new Set<Band>()
  #starts = 0

  constructor(slots: number) {
    this.#shares = sharesOf(slots)
  }

  /** How many jobs of each band to claim now; empty when that is not worth a statement. */
  wanted(): { band: Band; places: number }[] {
    const lookable = bands.filter(band => !this.#dry.has(band))
    const isWorthwhile = lookable.some(band => this.#waiting[band] <= (this.#target(band) - 1) / 2)
    if (!isWorthwhile) return []
    return lookable
      .map(band => ({ band, places: this.#target(band) - this.#waiting[band] }))
      .filter(want => want.places > 0)
  }

  #target(band: Band): number {
    const free = room(band, this.#running, this.#shares)
    const mean = this.#meanMs[band]
    const ahead = mean === undefined ? 0 : (this.#shares.ceiling[band] * aheadMs) / Math.max(mean, 0.02)
    // One at least, for the band's turn.
    const turn = this.#running[band] < this.#shares.floor[band] && this.#shares.ceiling[band] > 0 ? 1 : 0
    return Math.max(turn, free + Math.min(Math.floor(ahead), mostAhead))
  }

  add(jobs: HeldJob[], wanted: { band: Band; places: number }[]): void {
    const found = noCounts()
    // Ids ascend with time, and the statement returns rows in no order.
    for (const job of jobs.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      this.#ready[job.band].push(job)
      this.#waiting[job.band]++
      found[job.band]++
    }
    for (const { band, places } of wanted) if (found[band] < places) this.#dry.add(band)
  }

  /** There may be new jobs in any band. */
  moisten(): void {
    this.#dry.clear()
  }

  /** Takes the next job to start, if one may. */
  next(): HeldJob | undefined {
    const band = nextBand(this.#waiting, this.#running, this.#shares, this.#starts)
    if (!band) return undefined
    this.#starts++
    this.#running[band]++
    this.#waiting[band]--
    return this.#ready[band].shift()
  }

  ended(band: Band, tookMs: number): void {
    this.#running[band]--
    const mean = this.#meanMs[band]
    this.#meanMs[band] = mean === undefined ? tookMs : mean * 0.9 + tookMs * 0.1
  }

  /** Empties it; the jobs are the caller's to put back. */
  takeAll(): HeldJob[] {
    const all = bands.flatMap(band => this.#ready[band].splice(0))
    for (const band of bands) this.#waiting[band] = 0
    return all
  }
}
