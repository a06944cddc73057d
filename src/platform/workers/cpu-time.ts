// What a thread took of the processors, asked from outside while it is busy. Linux only: elsewhere nothing is known.
import { readFileSync, readlinkSync } from 'node:fs'
import { platform } from 'node:os'

/** What the kernel calls the thread that asks; undefined if it does not say. */
export function ownThreadId(): number | undefined {
  if (platform() !== 'linux') return undefined
  try {
    const [, , id] = readlinkSync('/proc/thread-self').split('/')
    return Number(id) || undefined
  } catch {
    return undefined
  }
}

/** The kernel counts in hundredths of a second here, whatever its clock (proc(5), USER_HZ). */
const msOfTick = 10
/** Columns of /proc/self/task/ID/stat after the name in parentheses: utime and stime. */
const [userColumn, systemColumn] = [11, 12]

/** Milliseconds of processor time of a thread of this process since it began; undefined if it is gone or not known. */
export function threadCpuMs(id: number | undefined): number | undefined {
  if (id === undefined) return undefined
  try {
    const line = readFileSync(`/proc/self/task/${id}/stat`, 'latin1')
    const columns = line.slice(line.lastIndexOf(')') + 2).split(' ')
    return (Number(columns[userColumn]) + Number(columns[systemColumn])) * msOfTick
  } catch {
    return undefined
  }
}
