// When the last backup of an instance was finished: the time of a file in DATA_DIR, so that an alert can ask for its age.
import { statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const fileIn = (dataDir: string): string => join(dataDir, 'last-backup')

/** Whoever may make a backup may not be allowed to write here; the backup is good all the same. */
export function noteBackup(dataDir: string, at: Date): void {
  try {
    writeFileSync(fileIn(dataDir), `${at.toISOString()}\n`, { mode: 0o644 })
  } catch {
    // As said above.
  }
}

/** Undefined if none was made on this machine. */
export function lastBackup(dataDir: string): Date | undefined {
  return statSync(fileIn(dataDir), { throwIfNoEntry: false })?.mtime
}
