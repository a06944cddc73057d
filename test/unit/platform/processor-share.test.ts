import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { getPriority, release } from 'node:os'
import { lowerPriority } from '../../../src/platform/processor-share'

const [major = 0, minor = 0] = release().split('.').map(Number)
const hasSlices = existsSync('/proc/self/sched') && (major > 6 || (major === 6 && minor >= 12))

function sliceOf(pid: number): number {
  return Number(/^se\.slice\s*:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/sched`, 'utf8'))![1])
}

test('what stands back has less of the processors', async () => {
  const child = Bun.spawn(['sleep', '60'])
  lowerPriority(child.pid, 7)
  expect(getPriority(child.pid)).toBe(7)
  child.kill()
  await child.exited
  expect(() => lowerPriority(child.pid, 7)).toThrow()
})

// Not every kernel tells.
test.skipIf(!hasSlices)(
  'and has it in slices so long that whoever wakes up does not wait for their end',
  async () => {
    const child = Bun.spawn(['sleep', '60'])
    const before = sliceOf(child.pid)
    expect(before).toBeLessThan(5_000_000)
    // What jobs do in the database holds what others wait for.
    lowerPriority(child.pid, 5)
    expect(sliceOf(child.pid)).toBe(before)
    lowerPriority(child.pid, 10)
    expect(sliceOf(child.pid)).toBe(50_000_000)
    child.kill()
    await child.exited
  },
)
