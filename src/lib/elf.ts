// As much of the format of Linux executables (ELF, 64 bits, little-endian) as it takes to find a section by its name: elf(5).

/** Where a section lies in the file, in bytes. */
export interface Section {
  offset: number
  bytes: number
}

/** So many bytes from there; fewer where the file ends. */
export type ReadAt = (offset: number, bytes: number) => Buffer

const magic = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1])
const headerBytes = 64
/** No linker makes more, and a file that says so is none of ours. */
const maxSections = 1_000

/** Undefined where there is none, and where the file is something else. */
export function sectionOf(name: string, read: ReadAt): Section | undefined {
  const header = read(0, headerBytes)
  if (header.length < headerBytes || !header.subarray(0, magic.length).equals(magic)) return undefined
  const table = Number(header.readBigUInt64LE(0x28))
  const entryBytes = header.readUInt16LE(0x3a)
  const count = Math.min(header.readUInt16LE(0x3c), maxSections)
  const entries = read(table, entryBytes * count)
  if (entryBytes < headerBytes || entries.length < entryBytes * count) return undefined
  const placeOf = (index: number): Section => ({
    offset: Number(entries.readBigUInt64LE(index * entryBytes + 0x18)),
    bytes: Number(entries.readBigUInt64LE(index * entryBytes + 0x20)),
  })
  const namesAt = header.readUInt16LE(0x3e)
  if (namesAt >= count) return undefined
  const names = placeOf(namesAt)
  const text = read(names.offset, Math.min(names.bytes, 64 * 1024)).toString('latin1')
  for (let index = 0; index < count; index++) {
    const from = entries.readUInt32LE(index * entryBytes)
    if (text.startsWith(`${name}\0`, from)) return placeOf(index)
  }
  return undefined
}
