// Sections of executables, and files that are none or claim what is not so.
import { expect, test } from 'bun:test'
import { sectionOf } from '../../../src/lib/elf'

/** With two sections, the second of which holds the names. */
function executable(change: (header: Buffer) => void = () => {}): Buffer {
  const names = Buffer.from('\0.bun\0.shstrtab\0')
  const header = Buffer.alloc(64)
  header.write('\x7fELF\x02\x01', 'latin1')
  header.writeBigUInt64LE(128n, 0x28)
  header.writeUInt16LE(64, 0x3a)
  header.writeUInt16LE(2, 0x3c)
  header.writeUInt16LE(1, 0x3e)
  const entry = (name: number, offset: number, bytes: number): Buffer => {
    const made = Buffer.alloc(64)
    made.writeUInt32LE(name)
    made.writeBigUInt64LE(BigInt(offset), 0x18)
    made.writeBigUInt64LE(BigInt(bytes), 0x20)
    return made
  }
  change(header)
  const table = [entry(1, 4096, 500), entry(6, 64, names.length)]
  return Buffer.concat([header, names, Buffer.alloc(64 - names.length), ...table])
}
const find = (name: string, file: Buffer) =>
  sectionOf(name, (offset, bytes) => file.subarray(offset, offset + bytes))

test('is found by its whole name', () => {
  expect(find('.bun', executable())).toEqual({ offset: 4096, bytes: 500 })
  expect(find('.bu', executable())).toBeUndefined()
  expect(find('.text', executable())).toBeUndefined()
})

test('of another kind of file there is none', () => {
  expect(find('.bun', Buffer.alloc(0))).toBeUndefined()
  expect(find('.bun', Buffer.alloc(4096, '#!/bin/sh\n'))).toBeUndefined()
  expect(
    find(
      '.bun',
      executable(header => header.writeUInt8(1, 4)),
    ),
  ).toBeUndefined()
})

test('a file that ends before its table, or has none of names, is no trouble', () => {
  expect(find('.bun', executable().subarray(0, 200))).toBeUndefined()
  expect(
    find(
      '.bun',
      executable(header => header.writeUInt16LE(9, 0x3e)),
    ),
  ).toBeUndefined()
  expect(
    find(
      '.bun',
      executable(header => header.writeUInt16LE(8, 0x3a)),
    ),
  ).toBeUndefined()
  expect(
    find(
      '.bun',
      executable(header => header.writeUInt16LE(65_535, 0x3c)),
    ),
  ).toBeUndefined()
})
