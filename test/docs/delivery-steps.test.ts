// The documented order in which an email is checked and sent is the order of the program.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { steps } from '../../src/modules/sending/delivery/service/pipeline'

const root = join(import.meta.dir, '../..')

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

const names = steps.map(({ name }) => name)

test('docs/transports.md lists the steps of the pipeline in their order', () => {
  const page = read('docs/transports.md')
  const table = page.slice(page.indexOf('## Steps of an email'), page.indexOf('## How fast'))
  expect([...table.matchAll(/^\| ([\w -]+) \|/gm)].map(match => match[1]).slice(1)).toEqual(names)
})

test('the README of the module draws them in their order', () => {
  const page = read('src/modules/sending/delivery/README.md')
  const drawing = page.slice(page.indexOf('    Batch '), page.indexOf('- A **step**'))
  expect([...drawing.matchAll(/─▶ ([a-z-]+(?: [a-z-]+)*)/g)].map(match => match[1])).toEqual(names)
})
