// The jobs that a runner has claimed and not started yet, by band, and the arithmetic of how many more to claim: enough that
// slots never wait for the database, few enough that no slow job lies here while another process could run it.
import {
  type BandCounts,
  freeSlots,
  mayHold,
  mostOf,
  nextBand,
  noBandCounts,
  type Shares,
  sharesOf,
} from './bands'
import { Crowd } from './crowd'
import { type ClaimRequest, type FoundLine, type HeldJob, lineOf } from './queries'
import { type Band, bands } from './schema'

/** What is claimed ahead should start within this time. */
const aheadMs = 200
const maxAhead = 400

export class Intake {
  /** Where nothing presses. */
  readonly #all: Shares
  #shares: Shares
  readonly #ready: Record<Band, HeldJob[]> = { transactional: [], system: [], workflow: [], bulk: [] }
  /** Claimed, but their project holds its share of the slots. */
  readonly #aside: Record<Band, HeldJob[]> = { transactional: [], system: [], workflow: [], bulk: [] }
  readonly #waiting = noBandCounts()
  readonly #running = noBandCounts()
  /** Slots that a project holds in a band. */
  readonly #held = new Map<string, number>()
  /** Running mean of how long a job of the band takes; unknown until the first has ended. */
  readonly #meanMs: Partial<BandCounts> = {}
  /** Bands in which the last look found fewer jobs than there were places. */
  readonly #dry = new Set<Band>()
  /** Bands with more due jobs than places. */
  readonly #crowds = new Map<Band, Crowd>()
  #starts = 0

  readonly #shareOf: (job: HeldJob) => number

  /** `shareOf`: how much of a slot a job takes; a power of two, so that sums stay exact. */
  constructor(slots: number, shareOf: (job: HeldJob) => number = () => 1) {
    this.#all = sharesOf(slots)
    this.#shares = this.#all
    this.#shareOf = shareOf
  }

  /** Whether to claim something now: not where it is not worth a statement. */
  hasRoom(open: readonly Band[] = bands): boolean {
    return this.#lookable(open).length > 0
  }

  /** How many jobs to claim, of each band of `open` or, where it is crowded, of the projects whose turn it is. */
  wanted(open: readonly Band[] = bands): ClaimRequest[] {
    return this.#lookable(open).flatMap(band => {
      const places = this.#places(band)
      return this.#crowds.get(band)?.requests(places, this.#isOpen(band)) ?? [{ band, places }]
    })
  }

  /** The crowd for which to ask before the next claim who has due jobs. */
  toSurvey(open: readonly Band[] = bands): Crowd | undefined {
    return this.#lookable(open)
      .map(band => this.#crowds.get(band))
      .find(crowd => crowd?.needsSurvey(this.#isOpen(crowd.band)))
  }

  /** What a survey found; at the end of all projects without one that may start, the band has nothing for now. */
  surveyed(crowd: Crowd, found: readonly FoundLine[], tookMs: number): void {
    const { band } = crowd
    if (!crowd.learn(found, tookMs) || crowd.hasOpen(this.#isOpen(band))) return
    if (crowd.isEmpty && this.#aside[band].length === 0) this.#crowds.delete(band)
    else this.#dry.add(band)
  }

  #lookable(open: readonly Band[]): Band[] {
    const lookable = open.filter(band => !this.#dry.has(band))
    const isWorthwhile = lookable.some(band => this.#waiting[band] <= (this.#target(band) - 1) / 2)
    return isWorthwhile ? lookable.filter(band => this.#places(band) > 0) : []
  }

  #places(band: Band): number {
    return this.#target(band) - this.#waiting[band]
  }

  #target(band: Band): number {
    const free = freeSlots(band, this.#running, this.#shares)
    // One at least, for the band's turn, or for a project that has none yet.
    const isFree = freeSlots(band, this.#running, this.#all) > 0
    const turn = isFree || this.#running[band] < this.#shares.floor[band] ? 1 : 0
    return Math.max(turn, Math.ceil(free) + this.#ahead(band))
  }

  #ahead(band: Band): number {
    const mean = this.#meanMs[band]
    const ahead = mean === undefined ? 0 : (mostOf(band, this.#shares) * aheadMs) / Math.max(mean, 0.02)
    return Math.min(Math.floor(ahead), maxAhead)
  }

  /** How many of the band run, where they take so long that none is claimed ahead. */
  longRunning(band: Band): number {
    return this.#ahead(band) > 0 ? 0 : this.#running[band]
  }

  /** Of which projects more may be claimed. */
  #isOpen(band: Band): (line: string) => boolean {
    const full = new Set(this.#aside[band].map(lineOf))
    const free = freeSlots(band, this.#running, this.#shares)
    const own = lineOf({ band, projectId: null })
    return line => !full.has(line) && (line === own || mayHold(band, this.#held.get(line) ?? 0, 0, free))
  }

  add(jobs: HeldJob[], wanted: ClaimRequest[]): void {
    // The statement returns rows in no order.
    const sorted = jobs.toSorted(byMoment)
    for (const job of sorted) {
      this.#ready[job.band].push(job)
      this.#waiting[job.band]++
    }
    for (const { band, line, places } of wanted) {
      const found = sorted.filter(job => (line ? lineOf(job) === line : job.band === band))
      const isFull = found.length >= places
      if (line) this.#crowds.get(band)?.took(line, isFull ? found.at(-1)?.runAt : undefined)
      else if (isFull) this.#crowd(band)
      else this.#dry.add(band)
    }
    for (const { band } of wanted) this.#disperse(band)
  }

  /** Nobody who was listed has anything left: the next look takes whatever there is, and finds out by itself if that is too much again. */
  #disperse(band: Band): void {
    if (this.#crowds.get(band)?.isOver && this.#aside[band].length === 0) this.#crowds.delete(band)
  }

  #crowd(band: Band): void {
    if (!this.#crowds.has(band)) this.#crowds.set(band, new Crowd(band))
  }

  /** No more than `most` slots for workflows, from now on. */
  boundWorkflows(most: number): void {
    this.#shares = { ...this.#all, most: { ...this.#all.most, workflow: most } }
    this.#reconsider('workflow')
  }

  /** There may be new jobs in any band. */
  recheckAll(): void {
    this.#dry.clear()
  }

  /** Takes the next job to start, if one may. */
  next(): HeldJob | undefined {
    for (;;) {
      const band = nextBand(this.#waiting, this.#running, this.#all, this.#starts)
      if (!band) return undefined
      const job = this.#ready[band].shift()!
      this.#waiting[band]--
      if (this.#mayStart(job)) return this.#begin(job)
      this.#aside[band].push(job)
      this.#crowd(band)
    }
  }

  #mayStart(job: HeldJob): boolean {
    const { band } = job
    const free = freeSlots(band, this.#running, this.#shares)
    if (job.projectId === null) return free > 0
    return mayHold(band, this.#held.get(lineOf(job)) ?? 0, this.#shareOf(job), free)
  }

  #begin(job: HeldJob): HeldJob {
    this.#starts++
    this.#hold(job, this.#shareOf(job))
    return job
  }

  #hold(job: HeldJob, share: number): void {
    this.#running[job.band] += share
    const line = lineOf(job)
    const held = (this.#held.get(line) ?? 0) + share
    if (held > 0) this.#held.set(line, held)
    else this.#held.delete(line)
  }

  ended(job: HeldJob, tookMs: number): void {
    const { band } = job
    this.#hold(job, -this.#shareOf(job))
    const mean = this.#meanMs[band]
    this.#meanMs[band] = mean === undefined ? tookMs : mean * 0.9 + tookMs * 0.1
    this.#reconsider(band)
  }

  /** There is more room, so what was put aside may have its turn, and projects that were passed over may be asked again. */
  #reconsider(band: Band): void {
    if (!this.#crowds.has(band)) return
    this.#dry.delete(band)
    const aside = this.#aside[band].splice(0)
    if (aside.length === 0) return
    this.#waiting[band] += aside.length
    this.#ready[band] = [...aside, ...this.#ready[band]]
  }

  /** Claimed and not started. */
  unstarted(): HeldJob[] {
    return bands.flatMap(band => [...this.#aside[band], ...this.#ready[band]])
  }

  /** Empties it; the jobs are the caller's to put back. */
  takeAll(): HeldJob[] {
    const all = bands.flatMap(band => [...this.#aside[band].splice(0), ...this.#ready[band].splice(0)])
    for (const band of bands) this.#waiting[band] = 0
    return all
  }
}

function byMoment(a: HeldJob, b: HeldJob): number {
  return a.runAt.getTime() - b.runAt.getTime() || (a.id < b.id ? -1 : 1)
}
