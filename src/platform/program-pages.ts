// Gives back what a start has read of the program's own file and a program at rest does not need. The system would take these pages as well,
// once it needs the room, but it holds on to what a process has mapped, most of all to code; what nobody has mapped it takes first. They
// stay in its cache until then, so that whoever needs one again gets it without the disk.
import { dlopen, FFIType } from 'bun:ffi'
import { closeSync, openSync, readFileSync, readlinkSync, readSync } from 'node:fs'
import { type Section, sectionOf } from '../lib/elf'

export interface Mapping {
  address: number
  bytes: number
}

interface FileMapping extends Mapping {
  permissions: string
  /** In the file. */
  offset: number
  /** What the kernel counts of it, in kB. */
  counts: Map<string, number>
}

const heading = /^([0-9a-f]+)-([0-9a-f]+) (.{4}) ([0-9a-f]+) /
/** Of the path in a heading, behind permissions, offset, device and inode. */
const pathColumn = 5
const count = /^(Anonymous|Swap|Private_Dirty|KernelPageSize): +(\d+) kB$/

/** Those of `file` in the text of /proc/PID/smaps. */
export function mappingsOf(file: string, smaps: string): FileMapping[] {
  const found: FileMapping[] = []
  let isOurs = false
  for (const line of smaps.split('\n')) {
    const [, from, to, permissions, offset] = heading.exec(line) ?? []
    if (from && to && permissions && offset) {
      isOurs = line.split(/ +/).slice(pathColumn).join(' ') === file
      const address = Number.parseInt(from, 16)
      const bytes = Number.parseInt(to, 16) - address
      const counts = new Map<string, number>()
      if (isOurs) found.push({ address, bytes, permissions, offset: Number.parseInt(offset, 16), counts })
    } else if (isOurs) {
      const [, name, kilobytes] = count.exec(line) ?? []
      if (name) found.at(-1)!.counts.set(name, Number(kilobytes))
    }
  }
  return found
}

/**
 * Whether all of it can be read again from the file. Neither what may be written to, nor what has been and is protected now (relocations,
 * the engine's frozen options), where a page that was changed may be in the swap as well.
 */
export function isUnchanged({ permissions, counts }: FileMapping): boolean {
  const isReadOnly = permissions === 'r--p' || permissions === 'r-xp'
  return isReadOnly && ['Anonymous', 'Swap', 'Private_Dirty'].every(name => counts.get(name) === 0)
}

/** Of a page in /proc/PID/pagemap: it is in memory, and nobody has written to it since it was read from the file. */
const isPresent = 1n << 63n
const isOfFile = 1n << 61n

/** Pages that are as in the file, those that lie side by side in one piece. `pagemap` says it of each page from `address` on. */
export function unwrittenPages(address: number, pageBytes: number, pagemap: BigUint64Array): Mapping[] {
  const found: Mapping[] = []
  for (const [index, entry] of pagemap.entries()) {
    if (!(entry & isPresent) || !(entry & isOfFile)) continue
    const at = address + index * pageBytes
    const last = found.at(-1)
    if (last && last.address + last.bytes === at) last.bytes += pageBytes
    else found.push({ address: at, bytes: pageBytes })
  }
  return found
}

/** What `bun build --compile` adds to the runtime: our files and their bytecode. Nobody writes to it, but its mapping allows that. */
const bundleSection = '.bun'

/** The whole pages of the section, within the mapping that holds it. */
function placeOf({ offset, bytes }: Section, mappings: readonly FileMapping[]) {
  const mapping = mappings.find(each => each.offset <= offset && offset + bytes <= each.offset + each.bytes)
  const pageBytes = (mapping?.counts.get('KernelPageSize') ?? 0) * 1024
  if (!mapping || pageBytes === 0) return undefined
  const from = mapping.address + offset - mapping.offset
  const address = Math.ceil(from / pageBytes) * pageBytes
  return { address, pageBytes, pages: Math.floor((from + bytes - address) / pageBytes) }
}

function unwrittenBundle(mappings: readonly FileMapping[]): Mapping[] {
  const section = withFile('/proc/self/exe', read => sectionOf(bundleSection, read))
  const place = section && placeOf(section, mappings)
  if (!place || place.pages <= 0) return []
  const { address, pageBytes, pages } = place
  const entries = withFile('/proc/self/pagemap', read => read((address / pageBytes) * 8, pages * 8))
  return unwrittenPages(address, pageBytes, new BigUint64Array(new Uint8Array(entries).buffer))
}

function withFile<T>(path: string, use: (read: (offset: number, bytes: number) => Buffer) => T): T {
  const file = openSync(path, 'r')
  try {
    return use((offset, bytes) => {
      const buffer = Buffer.alloc(bytes)
      return buffer.subarray(0, readSync(file, buffer, 0, bytes, offset))
    })
  } finally {
    closeSync(file)
  }
}

const dontNeed = 4

/** Does nothing where there is no Linux, or it says nothing about its mappings. */
export function releaseProgramPages(): void {
  if (process.platform !== 'linux') return
  try {
    const mappings = mappingsOf(readlinkSync('/proc/self/exe'), readFileSync('/proc/self/smaps', 'utf8'))
    const library = dlopen('libc.so.6', {
      madvise: { args: [FFIType.ptr, FFIType.u64, FFIType.i32], returns: FFIType.i32 },
    })
    for (const { address, bytes } of [...mappings.filter(isUnchanged), ...unwrittenBundle(mappings)])
      library.symbols.madvise(address as never, bytes, dontNeed)
    library.close()
  } catch {
    // Another C library, or no /proc: the pages stay.
  }
}
