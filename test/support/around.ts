// What happens around each test file. Hooks of a preload run once a process, and a process runs many files: the preload writes calls
// of these two into each file as it is loaded, one before its first line and one behind its last.
import { afterAll, beforeAll, setDefaultTimeout } from 'bun:test'
import { writeSeen } from './answers-seen'
import { leftovers, takeStock } from './leftovers'

/**
 * Finds what hangs, on a machine however busy: no test depends on the time it is given. The command line's `--timeout` would have to
 * be typed each time, and bunfig.toml has no such setting.
 */
const patienceMs = 120_000

let before: Map<string, unknown>

export function beforeFile(): void {
  setDefaultTimeout(patienceMs)
  beforeAll(() => {
    before = takeStock()
  })
}

const megabyte = 1024 * 1024
const enoughBytes = 500 * megabyte
const muchMoreBytes = 100 * megabyte
let bytesAfterLast = 0

/**
 * What the files of a worker leave to the collector adds up: the next one would begin with twice as much before it is collected. To collect
 * everything takes 0.3 s, and a process keeps much of what it once had: only where more has come since the last time is it worth it.
 */
function giveBackMemory(): void {
  const bytes = process.memoryUsage.rss()
  bytesAfterLast = Math.min(bytesAfterLast, bytes)
  if (bytes < Math.max(enoughBytes, bytesAfterLast + muchMoreBytes)) return
  Bun.gc(true)
  bytesAfterLast = process.memoryUsage.rss()
}

export function afterFile(path: string): void {
  afterAll(() => {
    writeSeen()
    // The module's variables hold applications and worlds, which go with it: a file is loaded only once.
    delete require.cache[path]
    giveBackMemory()
    const left = leftovers(before, takeStock())
    if (left.length > 0) throw new Error(`this file leaves behind what others can see: ${left.join(', ')}`)
  })
}
