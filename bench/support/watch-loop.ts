// Loaded before the program (`bun --preload`): once a second it appends a line to the file that WATCH_LOOP_FILE names, with the longest
// time for which the event loop was blocked, in milliseconds: by the clock, and in this thread's own processor time, which other programs
// on the machine do not affect.
import { appendFileSync } from 'node:fs'
import { isMainThread } from 'node:worker_threads'

const file = process.env.WATCH_LOOP_FILE
if (isMainThread && file) watch(file)

function threadMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

function watch(path: string): void {
  const everyMs = 5
  let [clock, worked] = [performance.now(), threadMs()]
  let longest = { clock: 0, worked: 0 }
  setInterval(() => {
    const [now, nowWorked] = [performance.now(), threadMs()]
    longest.clock = Math.max(longest.clock, now - clock - everyMs)
    longest.worked = Math.max(longest.worked, nowWorked - worked)
    ;[clock, worked] = [now, nowWorked]
  }, everyMs).unref()
  setInterval(() => {
    appendFileSync(path, `${Date.now()} ${longest.clock.toFixed(1)} ${longest.worked.toFixed(1)}\n`)
    longest = { clock: 0, worked: 0 }
  }, 1_000).unref()
}
