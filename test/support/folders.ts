// Where tests keep what is theirs for a while.
import { chmodSync, mkdtempSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new folder that all users may enter, in memory where there is enough: nobody waits for the disk. */
export function makeSharedFolder(prefix: string): string {
  const folder = mkdtempSync(join(roomyFolder(), prefix))
  chmodSync(folder, 0o755)
  return folder
}

/** Memory where there is enough: the data of a killed process survives there as well. */
export function roomyFolder(): string {
  try {
    const { bsize, bavail } = statfsSync('/dev/shm')
    return bsize * bavail > 2e9 ? '/dev/shm' : tmpdir()
  } catch {
    return tmpdir()
  }
}
