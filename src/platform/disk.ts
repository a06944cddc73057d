// The room that is left on a disk.
import { statfsSync } from 'node:fs'

/** The built-in database stops when it can't write its log, so there is a warning before. */
export const scarceBytes = 512 * 1024 ** 2

/** Undefined if there is no such folder, or the system does not say. */
export function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return undefined
  }
}
