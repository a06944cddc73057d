// Gives back what a start has read of the program's own file and a program at rest does not need. The system would take these pages as well,
// once it needs the room, but it holds on to what a process has mapped, most of all to code; what nobody has mapped it takes first. They
// stay in its cache until then, so that whoever needs one again gets it without the disk.
import { dlopen, FFIType } from 'bun:ffi'
import { readFileSync, readlinkSync } from 'node:fs'

export interface Mapping {
  address: number
  bytes: number
}

const heading = /^([0-9a-f]+)-([0-9a-f]+) (.{4}) /
/** Of the path in a heading, behind permissions, offset, device and inode. */
const pathColumn = 5

/**
 * The mappings of `file` in the text of /proc/PID/smaps that can be read again from it. Neither what may be written to, nor what
 * has been and is protected now (relocations, the engine's frozen options), where a page that was changed may be in the swap as well.
 */
export function readAgainFrom(file: string, smaps: string): Mapping[] {
  const found: Mapping[] = []
  let candidate: Mapping | undefined
  let unchanged = new Set<string>()
  for (const line of smaps.split('\n')) {
    const [, from, to, permissions] = heading.exec(line) ?? []
    if (from !== undefined && to !== undefined) {
      const address = Number.parseInt(from, 16)
      const path = line.split(/ +/).slice(pathColumn).join(' ')
      const isOurs = path === file && (permissions === 'r--p' || permissions === 'r-xp')
      candidate = isOurs ? { address, bytes: Number.parseInt(to, 16) - address } : undefined
      unchanged = new Set()
    } else if (candidate && /^(Anonymous|Swap|Private_Dirty): +0 kB$/.test(line)) {
      unchanged.add(line.slice(0, line.indexOf(':')))
      if (unchanged.size === 3) found.push(candidate)
    }
  }
  return found
}

const dontNeed = 4

/** Does nothing where there is no Linux, or it says nothing about its mappings. */
export function releaseProgramPages(): void {
  if (process.platform !== 'linux') return
  try {
    const mappings = readAgainFrom(readlinkSync('/proc/self/exe'), readFileSync('/proc/self/smaps', 'utf8'))
    const library = dlopen('libc.so.6', {
      madvise: { args: [FFIType.ptr, FFIType.u64, FFIType.i32], returns: FFIType.i32 },
    })
    for (const { address, bytes } of mappings) library.symbols.madvise(address as never, bytes, dontNeed)
    library.close()
  } catch {
    // Another C library, or no /proc: the pages stay.
  }
}
