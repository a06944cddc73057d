// Which pages of the program's file may be given back: those that can be read from it again, and no others.
import { ptr } from 'bun:ffi'
import { describe, expect, test } from 'bun:test'
import { closeSync, mkdtempSync, openSync, readFileSync, readSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  isUnchanged,
  mappingsOf,
  releaseProgramPages,
  unwrittenPages,
} from '../../../src/platform/program-pages'

function mapping(head: string, counts: Partial<Record<string, number>> = {}): string {
  const all = { Size: 64, Rss: 32, Private_Dirty: 0, Anonymous: 0, Swap: 0, ...counts }
  const lines = Object.entries(all).map(([name, kilobytes]) => `${`${name}:`.padEnd(16)}${kilobytes} kB`)
  return [head, ...lines, 'VmFlags: rd mr mw me'].join('\n')
}
const at = (permissions: string, path = '/opt/waxwing') =>
  `00400000-00410000 ${permissions} 00000000 fe:00 1234                       ${path}`
const readAgain = (text: string) =>
  mappingsOf('/opt/waxwing', text)
    .filter(isUnchanged)
    .map(({ address, bytes }) => ({ address, bytes }))
const only = (...args: Parameters<typeof mapping>) => readAgain(mapping(...args))

test('code and constants', () => {
  expect(only(at('r-xp'))).toEqual([{ address: 0x400000, bytes: 0x10000 }])
  expect(only(at('r--p'))).toEqual([{ address: 0x400000, bytes: 0x10000 }])
})

test('nothing that may be written to, or has been', () => {
  expect(only(at('rw-p'))).toEqual([])
  expect(only(at('rwxp'))).toEqual([])
  expect(only(at('r--s'))).toEqual([])
  expect(only(at('r--p'), { Anonymous: 4 })).toEqual([])
  expect(only(at('r--p'), { Private_Dirty: 4 })).toEqual([])
  expect(only(at('r--p'), { Swap: 4 })).toEqual([])
})

test('nothing of other files, or of none', () => {
  expect(only(at('r-xp', '/opt/waxwing-old'))).toEqual([])
  expect(only(at('r-xp', '/usr/lib/libc.so.6'))).toEqual([])
  expect(only('7f0000000000-7f0000010000 r--p 00000000 00:00 0')).toEqual([])
})

test('one mapping says nothing about the next', () => {
  const text = [mapping(at('r--p'), { Anonymous: 4 }), mapping(at('rw-p')), mapping(at('r-xp'))].join('\n')
  expect(readAgain(text)).toHaveLength(1)
})

test('where a mapping lies in the file is known', () => {
  const head = '00400000-00410000 rw-p 0001f000 fe:00 1234                       /opt/waxwing'
  expect(mappingsOf('/opt/waxwing', mapping(head, { KernelPageSize: 4 }))).toMatchObject([
    { address: 0x400000, offset: 0x1f000, permissions: 'rw-p' },
  ])
})

describe('of what may be written to', () => {
  const ofFile = (1n << 63n) | (1n << 61n)
  const written = 1n << 63n
  const absent = 0n
  const swapped = (1n << 62n) | (1n << 61n)
  const pages = (...entries: bigint[]) => unwrittenPages(0x1000, 4096, new BigUint64Array(entries))

  test('pages that are as in the file, side by side in one piece', () => {
    expect(pages(ofFile, ofFile, written, ofFile)).toEqual([
      { address: 0x1000, bytes: 8192 },
      { address: 0x4000, bytes: 4096 },
    ])
  })

  test('neither one that was written to, nor one that is not there', () => {
    expect(pages(written, absent, swapped)).toEqual([])
  })

  test.skipIf(process.platform !== 'linux')('the kernel marks them so', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'waxwing-pages-')), 'file')
    const pageBytes = 16_384
    writeFileSync(path, Buffer.alloc(4 * pageBytes, 'a'))
    const mapped = Bun.mmap(path, { shared: false })
    const address = ptr(mapped)
    const read = mapped[0]! + mapped[pageBytes]!
    mapped[pageBytes] = 98
    const entries = Buffer.alloc((2 * pageBytes * 8) / 4096)
    const file = openSync('/proc/self/pagemap', 'r')
    readSync(file, entries, 0, entries.length, (address / 4096) * 8)
    closeSync(file)
    const found = unwrittenPages(address, 4096, new BigUint64Array(new Uint8Array(entries).buffer))
    const has = (at: number) => found.some(({ address: from, bytes }) => at >= from && at < from + bytes)
    expect(read).toBe(194)
    expect([has(address), has(address + pageBytes)]).toEqual([true, false])
    rmSync(dirname(path), { recursive: true })
  })
})

const residentFile = (): number =>
  Number(/RssFile:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0)

test.skipIf(process.platform !== 'linux')('this process is smaller then, and goes on', () => {
  const before = residentFile()
  releaseProgramPages()
  expect(residentFile()).toBeLessThan(before)
  expect(JSON.parse(JSON.stringify({ a: [1, 'two'] }))).toEqual({ a: [1, 'two'] })
})
