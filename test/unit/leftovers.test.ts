// What a test file may not leave behind for the files that share its process.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cloneDatabase } from '../support/database'
import { leftovers, takeStock } from '../support/leftovers'

const home = process.cwd()
const { log } = console
const noop = () => {}

/** The name it is found by, what a file could do, and how it is undone. */
const misdeeds: Array<[name: string, commit: () => unknown, undo: () => unknown]> = [
  [
    'process.env.LEFT_BEHIND',
    () => Object.assign(process.env, { LEFT_BEHIND: 'x' }),
    () => Reflect.deleteProperty(process.env, 'LEFT_BEHIND'),
  ],
  [
    'globalThis.leftBehind',
    () => Object.assign(globalThis, { leftBehind: 1 }),
    () => Reflect.deleteProperty(globalThis, 'leftBehind'),
  ],
  ['console.log', () => Object.assign(console, { log: noop }), () => Object.assign(console, { log })],
  ['listeners of process for SIGUSR2', () => process.on('SIGUSR2', noop), () => process.off('SIGUSR2', noop)],
  ['working directory', () => process.chdir('/'), () => process.chdir(home)],
]

test.each(misdeeds)('%s is found', (name, commit, undo) => {
  const before = takeStock()
  commit()
  const found = leftovers(before, takeStock())
  undo()
  expect(found).toEqual([name])
  expect(leftovers(before, takeStock())).toEqual([])
})

test('a database that is not dropped is found', async () => {
  const database = await cloneDatabase()
  const found = leftovers(takeStock(), takeStock())
  await database.drop()
  expect(found).toEqual([`database ${new URL(database.url).pathname.slice(1)}`])
})

test('no file replaces modules or the time of the process, which would last beyond it', () => {
  const folder = join(import.meta.dir, '..')
  const replaces = /\b(mock\.module|spyOn|setSystemTime|useFakeTimers)\b/
  const found = [...new Bun.Glob('**/*.ts').scanSync(folder)].filter(path =>
    replaces.test(readFileSync(join(folder, path), 'utf8')),
  )
  expect(found.sort()).toEqual(['support/preload.ts', 'unit/leftovers.test.ts'])
})
