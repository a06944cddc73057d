// Decisions stand beside what they are about: each file is in the index, each record is complete, and each ruling has a date.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join, normalize } from 'node:path'

const root = join(import.meta.dir, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const index = read('docs/decisions.md')
const files = [...new Bun.Glob('src/**/decisions.md').scanSync(root)].sort()

/** The headings of a file, each with what stands below it. */
const partsOf = (path: string): Array<[title: string, text: string]> =>
  read(path)
    .split(/^## /m)
    .slice(1)
    .map(part => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n'))])

test('the index leads to every file, and to nothing else', () => {
  const linked = [...index.matchAll(/\]\(([^)]+)\)/g)].map(match => normalize(join('docs', match[1]!)))
  expect(files.length).toBeGreaterThan(20)
  expect(linked.sort()).toEqual(files)
})

test.each(files)('%s: its records are in the index and complete, its rulings dated', path => {
  const row = index.split('\n').find(line => line.includes(`(../${path})`))!
  for (const [title, text] of partsOf(path)) {
    if (title === 'Rulings') expect(text).toMatch(/^\n+\d{4}-\d\d-\d\d:\n\n- /)
    else {
      expect(row).toContain(title)
      expect(text).toMatch(
        /^\n+- \d{4}-\d\d-\d\d\. \*\*Question\*\*: [\s\S]+\?\n- \*\*Instead of\*\*: [\s\S]+\n- \*\*Decided by\*\*: /,
      )
    }
  }
})
