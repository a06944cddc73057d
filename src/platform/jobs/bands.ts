// Who runs next: a pure rule over counts. Higher bands go first; lower ones can never take the last slots, so that urgent work
// always finds one free; and each band with work gets a turn now and then, so that a flood above starves nobody.
import { type Band, bands } from './schema'

export type BandCounts = Record<Band, number>

export function noBandCounts(): BandCounts {
  return { transactional: 0, system: 0, workflow: 0, bulk: 0 }
}

export interface Shares {
  slots: number
  /** Most slots that this band and all below it may fill together. */
  ceiling: BandCounts
  /** Most slots of a band by itself, where it has such a bound. */
  most?: Partial<BandCounts>
  /** Slots a band may claim by its turn, ahead of higher bands. */
  floor: BandCounts
}

/**
 * Slices of campaigns at once: more would not leave sooner, since the process bounds what is on its way, and would be kept from the other
 * processes. A few, because an expansion takes a place too, and because one that comes to its end fills its part no longer.
 */
const mostBulk = 4

/** A quarter is kept free of anything but transactional mail, one more free of bulk; with one slot there is nothing to keep. */
export function sharesOf(slots: number): Shares {
  const urgent = slots === 1 ? 0 : Math.max(1, Math.floor(slots / 4))
  const other = slots >= 4 ? 1 : 0
  const lower = slots - urgent
  const floor = Math.max(1, Math.floor(slots / 8))
  return {
    slots,
    ceiling: { transactional: slots, system: lower, workflow: lower, bulk: lower - other },
    most: { bulk: mostBulk },
    floor: { transactional: 0, system: floor, workflow: floor, bulk: floor },
  }
}

/** How many jobs of this band may run at once where nothing else does. */
export function mostOf(band: Band, { ceiling, most }: Shares): number {
  return Math.min(ceiling[band], most?.[band] ?? Number.POSITIVE_INFINITY)
}

/** How many more jobs of this band may start now. */
export function freeSlots(band: Band, running: BandCounts, shares: Shares): number {
  const rank = bands.indexOf(band)
  let least = (shares.most?.[band] ?? Number.POSITIVE_INFINITY) - running[band]
  // Each band above shares its ceiling with those below it, so all of them bind.
  for (let from = rank; from >= 0; from--) {
    least = Math.min(least, shares.ceiling[bands[from]!] - runningFrom(from, running))
  }
  return Math.max(0, least)
}

/** Where a project decides how long a job takes: its endpoints are called, its files read, its filters computed. */
const heldBands: readonly Band[] = ['system', 'workflow']

/**
 * Whether a project that holds `own` slots of the band may hold `share` more, of which `free` are left: three times what it leaves
 * to others. Alone it has three quarters; the more hold theirs, the less each may, and there is always something left. One that
 * holds nothing gets a first one whatever others hold.
 */
export function mayHold(band: Band, own: number, share: number, free: number): boolean {
  if (!heldBands.includes(band)) return free > 0
  return own === 0 || own + share <= 3 * (free - share)
}

function runningFrom(rank: number, running: BandCounts): number {
  let count = 0
  for (let index = rank; index < bands.length; index++) count += running[bands[index]!]
  return count
}

/** Every this many starts, one goes to a lower band. */
const turnEvery = 8

/** The band to start next, of those that have a job waiting. `starts` counts the starts so far. */
export function nextBand(
  waiting: BandCounts,
  running: BandCounts,
  shares: Shares,
  starts: number,
): Band | undefined {
  if (starts % turnEvery === turnEvery - 1) {
    const lower = lowerBandWithTurn(waiting, running, shares, Math.floor(starts / turnEvery))
    if (lower) return lower
  }
  return bands.find(band => waiting[band] > 0 && freeSlots(band, running, shares) > 0)
}

const lowerBands: Band[] = ['bulk', 'workflow', 'system']

function lowerBandWithTurn(
  waiting: BandCounts,
  running: BandCounts,
  shares: Shares,
  turn: number,
): Band | undefined {
  for (let step = 0; step < lowerBands.length; step++) {
    const band = lowerBands[(turn + step) % lowerBands.length]!
    if (waiting[band] > 0 && running[band] < shares.floor[band] && freeSlots(band, running, shares) > 0)
      return band
  }
  return undefined
}
