// One round of claiming: who has due jobs in the bands that are crowded, and then as many as there is room for.
import type { Context } from '../context'
import type { Intake } from './intake'
import { type ClaimRequest, claimJobs, type HeldJob, surveyLines } from './queries'
import type { Band } from './schema'

/** Returns what was asked for and what was found; nothing of it is in the intake yet. */
export async function claimRound(
  ctx: Context,
  intake: Intake,
  runnerId: string,
  open: readonly Band[],
): Promise<{ jobs: HeldJob[]; wanted: ClaimRequest[] }> {
  for (let crowd = intake.toSurvey(open); crowd; crowd = intake.toSurvey(open)) {
    const begun = performance.now()
    const found = await surveyLines(ctx, crowd.band, crowd.surveyAfter, ctx.clock.now())
    intake.surveyed(crowd, found, performance.now() - begun)
  }
  const wanted = intake.wanted(open)
  const jobs = wanted.length > 0 ? await claimJobs(ctx, runnerId, wanted, ctx.clock.now()) : []
  return { jobs, wanted }
}

/** Between two claims while much runs: what is added meanwhile shares one, since each has a cost of its own. */
const gatherMs = 20

/** Milliseconds until the next claim. Where less than a quarter of the slots' number runs, nobody waits: a job may follow from another. */
export function gatherWait(sinceLastMs: number, running: number, slots: number): number {
  return running < slots / 4 ? 0 : Math.max(0, gatherMs - sinceLastMs)
}

export interface Gathering {
  /** Whether the next claim is put off, now that so many run; it is called for when its time has come. */
  holdsBack(running: number): boolean
  /** A claim begins. */
  claims(): void
  stop(): void
}

/** Puts claims off so that more jobs share one, and calls `claim` then. */
export function gatherJobs(slots: number, claim: () => void): Gathering {
  let claimedAt = Number.NEGATIVE_INFINITY
  let timer: Timer | undefined
  return {
    holdsBack(running) {
      if (timer) return true
      const wait = gatherWait(performance.now() - claimedAt, running, slots)
      if (wait === 0) return false
      timer = setTimeout(() => {
        timer = undefined
        claim()
      }, wait)
      return true
    },
    claims() {
      claimedAt = performance.now()
    },
    stop: () => clearTimeout(timer),
  }
}

/** For each slice that runs here, another process has so long to claim the next one first. */
const courtesyMs = 25

export interface Courtesy {
  /** Whether a slice may be claimed here now that so many run; if not, it is called for when the others have had their time. */
  allows(running: number): boolean
  /** One may be claimed. */
  claims(): void
  stop(): void
}

/**
 * Shares slices between processes: whoever runs fewer comes first. Without it, the process that puts a slice back is also the first to see that it is due,
 * and a second one would get nothing of a small campaign. It costs nothing where there is one: what runs keeps it busy meanwhile.
 */
export function letOthersFirst(claim: () => void): Courtesy {
  let timer: Timer | undefined
  let isOver = false
  return {
    allows(running) {
      if (running === 0 || isOver) return true
      timer ??= setTimeout(() => {
        timer = undefined
        isOver = true
        claim()
      }, courtesyMs * running)
      return false
    },
    claims() {
      clearTimeout(timer)
      timer = undefined
      isOver = false
    },
    stop: () => clearTimeout(timer),
  }
}
