// What a program and its database server take, as the kernel accounts for it.
import { readFileSync, writeFileSync } from 'node:fs'

/** What a process has resident, in MB; 0 when it is gone. */
export function residentMegabytes(pid: number): number {
  return field(`/proc/${pid}/status`, 'VmRSS')
}

/** The most that a process has ever had resident, in MB; 0 when it is gone. */
export function peakMegabytes(pid: number): number {
  return field(`/proc/${pid}/status`, 'VmHWM')
}

/** Resets the peak: the very first start unpacks a database server, which no campaign does. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** What the process alone can give back by ending, in MB: without the pages of its files, which the system drops when it needs the room. */
export function ownMegabytes(pid: number): number {
  return field(`/proc/${pid}/smaps_rollup`, 'Anonymous')
}

/**
 * What these processes take at the moment, in MB. Shared memory is divided among those that use it, because the sum of resident sizes
 * would count the server's buffers once per connection.
 */
export function proportionalMegabytes(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + field(`/proc/${pid}/smaps_rollup`, 'Pss'), 0)
}

function field(file: string, name: string): number {
  return Number(read(file).match(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm'))?.[1] ?? 0) / 1024
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // It has just ended.
    return ''
  }
}
