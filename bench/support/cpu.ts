// Processor time of this process and of everything it has started, from /proc. On a machine that others use as well, requests per second
// say little; what a request costs stays the same.
import { readdirSync, readFileSync } from 'node:fs'

/** Milliseconds so far; undefined where there is no /proc. `root` is the process to measure, with all its children. */
export function cpuOfAll(root = process.pid): number | undefined {
  const all = readAll()
  if (all.size === 0) return undefined
  let ticks = 0
  for (const [pid, { own }] of all) if (descends(pid, root, all)) ticks += own
  return ticks * 10
}

/** Milliseconds so far of this process alone, with all its threads. */
export function cpuOf(pid: number): number {
  const fields = statOf(String(pid))
  return fields ? (Number(fields[11]) + Number(fields[12])) * 10 : 0
}

/** Milliseconds that the first thread of a process has used, on which its event loop runs. */
export function cpuOfMainThread(pid: number): number {
  const fields = statOf(`${pid}/task/${pid}`)
  return fields ? (Number(fields[11]) + Number(fields[12])) * 10 : 0
}

/**
 * Milliseconds that the living threads of a process, and those of its children, have run, to the nanosecond. Ticks say little of a program
 * that wakes up for a moment: they charge ten milliseconds to whoever runs when the tick comes, and a timer of its own comes with it.
 */
export function exactCpuOf(root: number, withChildren: boolean): number {
  const all = readAll()
  const pids = withChildren ? [...all.keys()].filter(pid => descends(pid, root, all)) : [root]
  const living = pids.reduce((sum, pid) => sum + ranMs(pid), 0)
  return living + (withChildren ? (all.get(root)?.ended ?? 0) * 10 : 0)
}

function ranMs(pid: number): number {
  try {
    const threads = readdirSync(`/proc/${pid}/task`)
    return threads.reduce((sum, id) => sum + threadRanMs(`/proc/${pid}/task/${id}`), 0)
  } catch {
    // The process has just ended.
    return 0
  }
}

function threadRanMs(folder: string): number {
  try {
    return Number(readFileSync(`${folder}/schedstat`, 'latin1').split(' ')[0]) / 1e6
  } catch {
    // It has just ended.
    return 0
  }
}

interface Times {
  parent: number
  /** Clock ticks, including those of children that have ended. */
  own: number
  /** Those of children that have ended alone. */
  ended: number
}

function readAll(): Map<number, Times> {
  const all = new Map<number, Times>()
  for (const entry of listProcesses()) {
    const fields = statOf(entry)
    if (!fields) continue
    const [own, system, ended, endedSystem] = fields.slice(11, 15).map(Number)
    const past = ended! + endedSystem!
    all.set(Number(entry), { parent: Number(fields[1]), own: own! + system! + past, ended: past })
  }
  return all
}

function listProcesses(): string[] {
  try {
    return readdirSync('/proc').filter(entry => /^\d+$/.test(entry))
  } catch {
    return []
  }
}

/** The fields after the name, which may contain anything; undefined for a process that is gone. */
function statOf(pid: string): string[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

function descends(pid: number, root: number, all: Map<number, Times>): boolean {
  for (let at: number | undefined = pid; at !== undefined && at > 1; at = all.get(at)?.parent)
    if (at === root) return true
  return false
}
