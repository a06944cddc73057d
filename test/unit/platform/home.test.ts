// Which databases count as copies, rule by rule; and the file that remembers.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type FoundMark, readMark, writeMark } from '../../../src/platform/instance/mark'
import { builtInOrigin, type InstanceRecord, whyCopied } from '../../../src/platform/instance/origin'

const record = (changes: Partial<InstanceRecord> = {}): InstanceRecord => ({
  databaseId: 'd1',
  home: '77/5',
  generation: 10,
  ...changes,
})
const mark = (changes: Partial<FoundMark> = {}): FoundMark => ({
  database: 'd1',
  generation: 10,
  writtenAt: 0,
  inode: 1,
  isCopy: false,
  ...changes,
})
const restored = 'this database was restored or copied from another place'
const putBack = 'this database was put back to an earlier state than the one it had here'
const brought = 'the built-in database was brought here from another data directory'
const copied = 'this data directory is a copy of another one'

describe('a copy is', () => {
  test.each<[string, InstanceRecord, string, FoundMark | undefined, string | undefined]>([
    ['not a database before its first start', record({ home: null }), '77/5', undefined, undefined],
    ['not one on the same server', record(), '77/5', undefined, undefined],
    ['not one whose folder remembers as much', record(), '77/5', mark(), undefined],
    ['not one whose folder missed the last steps', record(), '77/5', mark({ generation: 9 }), undefined],
    ['one on another server', record(), '78/5', mark(), restored],
    ['one beside the original on its server', record(), '77/6', undefined, restored],
    ['not one whose server keeps its identifier to itself now', record(), '?/5', undefined, undefined],
    [
      'not one whose server tells it for the first time',
      record({ home: '?/5' }),
      '77/5',
      undefined,
      undefined,
    ],
    ['one in another database there all the same', record(), '?/6', undefined, restored],
    [
      'one that came out of the built-in server',
      record({ home: builtInOrigin }),
      '77/5',
      undefined,
      restored,
    ],
    ['one that went into it', record(), builtInOrigin, mark(), restored],
    ['one that was put back', record(), '77/5', mark({ generation: 11 }), putBack],
    [
      'not one where the folder remembers another database',
      record(),
      '77/5',
      mark({ database: 'd2', generation: 99 }),
      undefined,
    ],
    [
      'not one beside a copied folder, for the server is the same',
      record(),
      '77/5',
      mark({ isCopy: true }),
      undefined,
    ],
    ['not the built-in one at home', record({ home: builtInOrigin }), builtInOrigin, mark(), undefined],
    [
      'the built-in one in a copied folder',
      record({ home: builtInOrigin }),
      builtInOrigin,
      mark({ isCopy: true }),
      copied,
    ],
    [
      'the built-in one in a folder that knows nothing',
      record({ home: builtInOrigin }),
      builtInOrigin,
      undefined,
      brought,
    ],
    [
      'the built-in one in the folder of another',
      record({ home: builtInOrigin }),
      builtInOrigin,
      mark({ database: 'd2' }),
      brought,
    ],
  ])('%s', (_, known, home, found, expected) => {
    expect(whyCopied(known, home, found)).toBe(expected!)
  })
})

describe('the mark', () => {
  let folder = ''
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'waxwing-mark-'))
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('is found as it was written, by the same file, however often it is written', () => {
    expect(writeMark(folder, { database: 'd1', generation: 1, writtenAt: 5_000 })).toBe(true)
    const { ino, size } = statSync(join(folder, 'instance'))
    expect(writeMark(folder, { database: 'd1', generation: 123_456, writtenAt: Date.now() })).toBe(true)
    expect(statSync(join(folder, 'instance'))).toMatchObject({ ino, size })
    expect(readMark(folder)).toMatchObject({ database: 'd1', generation: 123_456, isCopy: false })
  })

  test('is known for a copy elsewhere, not after a move', () => {
    const [copy, moved] = [join(folder, 'copy'), join(folder, 'moved')]
    for (const path of [copy, moved]) mkdirSync(path)
    writeMark(folder, { database: 'd1', generation: 2, writtenAt: Date.now() - 60_000 })
    copyFileSync(join(folder, 'instance'), join(copy, 'instance'))
    renameSync(join(folder, 'instance'), join(moved, 'instance'))
    expect(readMark(copy)?.isCopy).toBe(true)
    expect(readMark(moved)?.isCopy).toBe(false)
  })

  test('is no copy where a file system numbers its files anew', () => {
    const place = join(folder, 'network')
    mkdirSync(place)
    writeMark(place, { database: 'd1', generation: 2, writtenAt: Date.now() })
    const text = readFileSync(join(place, 'instance'), 'utf8')
    writeFileSync(join(place, 'instance'), text.replace(/"inode":\d+/, '"inode":7'))
    expect(readMark(place)).toMatchObject({ inode: 7, isCopy: false })
  })

  test('is missing where nothing or nonsense stands, and is not made where there is no folder', () => {
    writeFileSync(join(folder, 'instance'), '{"database":')
    expect(readMark(folder)).toBeUndefined()
    expect(readMark(join(folder, 'nowhere'))).toBeUndefined()
    expect(writeMark(join(folder, 'nowhere'), { database: 'd1', generation: 1, writtenAt: 0 })).toBe(false)
  })
})
