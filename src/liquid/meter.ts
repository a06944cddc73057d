// What a render may cost. Every operation of the template language is charged before it is done, so that nothing runs long between two
// checks of the clock; what is refused here never begins.

/** A unit is at most a tenth of a microsecond: a character that is copied, a value that is compared. */
export interface RenderBudget {
  /** Units of the whole render. */
  units: number
  /** Units of a single operation. */
  atOnce: number
  /** Milliseconds of processor time: at least this much is granted, and at most twice as much. */
  ms: number
}

/** What one render may cost when nothing else waits for the process. */
export const fullAllowance: RenderBudget = { units: 30_000_000, atOnce: 10_000_000, ms: 500 }

/** What it may cost while requests wait, for which twice these milliseconds are felt: anything beyond goes to another thread. */
export const shortAllowance: RenderBudget = { units: 30_000_000, atOnce: 100_000, ms: 4 }

/** Units between two checks of the clock. */
const stride = 2_000

class Spent extends Error {
  override name = 'Spent'
}

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** Replaces both limiters of the library, one of which counts without a clock while the other checks the clock without counting. */
export class Meter {
  private used = 0
  private looked = 0
  private end: number
  /** The processor time that this thread had used when the clock first said that time was up. */
  private usedMs: number | undefined
  /** Whether this meter ended the render. */
  isSpent = false

  constructor(private readonly allowance: RenderBudget) {
    this.end = performance.now() + allowance.ms
  }

  /** Charges one operation before it is done. The library passes on what a template says, which may be a text: `slice: 0, "3"`. */
  use(cost: number): void {
    const units = Number(cost)
    if (!(units > 0)) return
    if (units > this.allowance.atOnce) this.stop()
    this.add(units)
  }

  /** Charges for what comes in small pieces. */
  add(units: number): void {
    this.used += units
    if (this.used > this.allowance.units) this.stop()
    if (this.used - this.looked < stride) return
    this.looked = this.used
    this.check(performance.now())
  }

  check(now: number): void {
    if (now > this.end) this.lookAgain(now)
  }

  /** On a busy machine most of that time may have gone to others: processor time decides, but costs more to read. */
  private lookAgain(now: number): void {
    const usedMs = threadMs()
    this.usedMs ??= usedMs
    const left = this.allowance.ms - (usedMs - this.usedMs)
    if (left <= 0.1) this.stop()
    this.end = now + left
  }

  private stop(): never {
    this.isSpent = true
    throw new Spent('the allowance of this render is spent')
  }
}
