// The word lists that are shipped.
import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isDomain } from '../../../src/lib/domain-name'
import { makeDomainLists } from '../../../src/modules/audience/verify/lists'

const root = join(import.meta.dir, '../../..')
const ownFolder = join(root, 'src/modules/audience/verify/lists')
const packageFolder = join(root, 'node_modules/freemail/data')
const made = join(root, '.cache/disposable.txt')
const linesOf = async (path: string): Promise<string[]> => (await Bun.file(path).text()).trimEnd().split('\n')

describe('the lists', () => {
  test.each([
    ['disposable domains', made],
    ['free.txt of the package', join(packageFolder, 'free.txt')],
  ])('%s are sorted by their bytes', async (_name, path) => {
    const lines = await linesOf(path)
    const sorted = lines.toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
    expect(lines).toEqual(sorted)
  })

  test.each([made, ...readdirSync(ownFolder).map(name => join(ownFolder, name))])(
    '%s holds one lower-case domain a line, none twice',
    async path => {
      const lines = await linesOf(path)
      expect(lines.filter(line => !isDomain(line) || line !== line.toLowerCase())).toEqual([])
      expect(new Set(lines).size).toBe(lines.length)
    },
  )

  test('every line of the package is found again', async () => {
    const lists = await makeDomainLists()()
    const disposable = await linesOf(join(packageFolder, 'disposable.txt'))
    const free = await linesOf(join(packageFolder, 'free.txt'))
    expect(disposable.length).toBeGreaterThan(80_000)
    expect(disposable.filter(line => !lists.isDisposable(line))).toEqual([])
    expect(free.filter(line => !lists.isPersonal(line))).toEqual([])
  })

  test('every line of the union is found again, and nothing that is a real provider', async () => {
    const lists = await makeDomainLists()()
    const all = await linesOf(made)
    expect(all.length).toBeGreaterThan(140_000)
    expect(all.filter(line => !lists.isDisposable(line))).toEqual([])
    const missed = await linesOf(join(ownFolder, 'missed.txt'))
    expect(missed.filter(line => !lists.isDisposable(line))).toEqual([])
    const real = await Promise.all(
      ['not-disposable', 'personal', 'popular', 'sound'].map(name => linesOf(join(ownFolder, `${name}.txt`))),
    )
    expect(real.flat().filter(line => lists.isDisposable(line))).toEqual([])
  })

  test('are read once', async () => {
    const lists = makeDomainLists()
    expect(await lists()).toBe(await lists())
  })
})
