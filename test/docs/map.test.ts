// The map (src/README.md) names files and functions that are there.
import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { moduleGroups } from '../../src/modules/graph'

const src = join(import.meta.dir, '../../src')
const map = readFileSync(join(src, 'README.md'), 'utf8')
const where = map.slice(map.indexOf('## Where'), map.indexOf('## Words'))
const rows = where
  .split('\n')
  .filter(line => line.startsWith('| '))
  .slice(1)

test('where things happen: each name is declared in the file before it', () => {
  expect(rows.length).toBeGreaterThan(15)
  const missing = rows.flatMap(row => {
    let file = ''
    return [...row.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => {
      if (!name!.includes('/')) return declares(file, name!) ? [] : [`${file}: ${name}`]
      file = name!
      return existsSync(join(src, file)) ? [] : [file]
    })
  })
  expect(missing).toEqual([])
})

function declares(file: string, name: string): boolean {
  const declaration = new RegExp(`\\b(function\\*?|const|class|interface) ${name}\\b`)
  return declaration.test(readFileSync(join(src, file), 'utf8'))
}

test('every file that it names by its path is there', () => {
  const named = [...map.matchAll(/`((?:[\w-]+\/)+[\w-]+\.(?:ts|md|txt))`/g)].map(match => match[1]!)
  const groups = Object.keys(moduleGroups).map(group => join(src, 'modules', group))
  const homes = [src, join(src, '..'), ...groups]
  expect(named.length).toBeGreaterThan(30)
  expect(named.filter(path => !homes.some(home => existsSync(join(home, path))))).toEqual([])
})
