// Which pages of the program's file may be given back: those that can be read from it again, and no others.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { readAgainFrom, releaseProgramPages } from '../../../src/platform/program-pages'

function mapping(head: string, counts: Partial<Record<string, number>> = {}): string {
  const all = { Size: 64, Rss: 32, Private_Dirty: 0, Anonymous: 0, Swap: 0, ...counts }
  const lines = Object.entries(all).map(([name, kilobytes]) => `${`${name}:`.padEnd(16)}${kilobytes} kB`)
  return [head, ...lines, 'VmFlags: rd mr mw me'].join('\n')
}
const at = (permissions: string, path = '/opt/waxwing') =>
  `00400000-00410000 ${permissions} 00000000 fe:00 1234                       ${path}`
const only = (...args: Parameters<typeof mapping>) => readAgainFrom('/opt/waxwing', mapping(...args))

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
  expect(readAgainFrom('/opt/waxwing', text)).toHaveLength(1)
})

const residentFile = (): number =>
  Number(/RssFile:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0)

test.skipIf(process.platform !== 'linux')('this process is smaller then, and goes on', () => {
  const before = residentFile()
  releaseProgramPages()
  expect(residentFile()).toBeLessThan(before)
  expect(JSON.parse(JSON.stringify({ a: [1, 'two'] }))).toEqual({ a: [1, 'two'] })
})
