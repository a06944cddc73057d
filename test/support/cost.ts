// What work costs, told by the processor's time: on the clock the same work takes any time where others use the machine. Even so a
// millisecond of one machine is five of another, so costs are compared with each other and within one run, never with a figure.
import { expect } from 'bun:test'

/** Milliseconds of the processor that this thread uses. */
function cpuOf(work: () => unknown): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1_000
}

const steps = 8
/** Three times what linear work costs more for eight times the size; what grows with the square costs 64 times as much. */
const maxPerSteps = 3 * steps
/** Too little to compare, and far from what anything worse than linear costs at the sizes in use. */
const negligibleMs = 200

/** Fails when work of `size` costs out of proportion more than work of an eighth of it. */
export function expectLinear(work: (size: number) => unknown, size: number): void {
  const part = Math.floor(size / steps)
  const cost = (n: number) => cpuOf(() => work(n))
  // The first run has the code compiled, and any may pay for garbage of others.
  const before = Math.min(cost(part), cost(part))
  const most = Math.max(negligibleMs, before * maxPerSteps)
  const whole = cost(size)
  expect(whole < most ? whole : Math.min(whole, cost(size), cost(size))).toBeLessThan(most)
}
