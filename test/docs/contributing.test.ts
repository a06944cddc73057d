// What CONTRIBUTING.md says to run is there: files, scripts, and names of tests.
import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { scripts } from '../../package.json'

const root = join(import.meta.dir, '../..')
const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
const commands = [...page.matchAll(/`(bunx? [^`]+)`/g)].map(match => match[1]!)

test('every file that a command names is there', () => {
  const files = commands.flatMap(command => command.match(/\b(src|test|bench|scripts)\/[\w./-]+/g) ?? [])
  expect(files.length).toBeGreaterThan(5)
  expect(files.filter(file => !existsSync(join(root, file)))).toEqual([])
})

test('every script is one of package.json', () => {
  const named = commands.flatMap(command => /^bun run (\w+)/.exec(command)?.[1] ?? [])
  expect(named.filter(name => !(name in scripts))).toEqual([])
})

test('the name of a test is that of one in its file', () => {
  const picked = commands.flatMap(command => {
    const [, file, name] = /^bun test (\S+) -t "(.+)"$/.exec(command) ?? []
    return file && name ? [{ file, name }] : []
  })
  expect(picked.length).toBe(1)
  for (const { file, name } of picked)
    expect(readFileSync(join(root, file), 'utf8')).toMatch(new RegExp(`test\\('.*${name}`))
})
