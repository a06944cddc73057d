// A small file in DATA_DIR that remembers the database: which one, and how far its counter had got. It is outside the database, so
// it shows when the database was put back to an earlier state, and it knows its own place on the disk, so it shows a copied folder.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'

export interface Mark {
  database: string
  generation: number
  writtenAt: number
  inode: number
}

export interface FoundMark extends Mark {
  /** The file is not the one that was written but a copy of it. */
  isCopy: boolean
}

const name = 'instance'
/** Always as long as this, and written in one piece: an interrupted write leaves the old or the new one. */
const markBytes = 256
/** Between our own clock and the file system's. */
const toleranceMs = 2_000

/** Undefined if there is none that can be read. */
export function readMark(dataDir: string): FoundMark | undefined {
  try {
    const path = join(dataDir, name)
    const mark = JSON.parse(readFileSync(path, 'utf8')) as Mark
    const file = openSync(path, 'r')
    const { ino, ctimeMs } = fstatSync(file)
    closeSync(file)
    // Both are compared: some network file systems number their files anew at each mount, and `chown` changes the time alone.
    return { ...mark, isCopy: ino !== mark.inode && ctimeMs > mark.writtenAt + toleranceMs }
  } catch {
    return undefined
  }
}

/** Writes in place, so that the file keeps its inode number. False if DATA_DIR does not exist or may not be written. */
export function writeMark(dataDir: string, mark: Omit<Mark, 'inode'>): boolean {
  // Where the database is elsewhere and the secrets are given, nothing else needs the folder.
  if (!existsSync(dataDir)) return false
  try {
    const file = openSync(join(dataDir, name), constants.O_RDWR | constants.O_CREAT, 0o644)
    try {
      const text = JSON.stringify({ ...mark, inode: fstatSync(file).ino })
      writeSync(file, `${text.padEnd(markBytes - 1)}\n`, 0)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    return true
  } catch {
    return false
  }
}
