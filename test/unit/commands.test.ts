// What the program says about its own commands: each has a help with all its options, and the README names it.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { commands, findCommand, helpOf, usage, usageOf } from '../../src/cli/commands'

const read = (path: string): string => readFileSync(join(import.meta.dir, '../..', path), 'utf8')

test.each(commands.map(command => [command.name, command] as const))(
  '%s has a help of its own',
  (name, command) => {
    const help = helpOf(command)
    expect(help).toStartWith(`usage: waxwing ${name}`)
    expect(help).toContain(command.summary)
    for (const flag of Object.keys(command.flags ?? {}))
      expect(help).toMatch(new RegExp(`^  --${flag}\\b.*  \\S`, 'm'))
    // What the usage shows is explained below it.
    for (const [, flag] of (command.arguments ?? '').matchAll(/--([a-z-]+)/g))
      expect(Object.keys(command.flags ?? {})).toContain(flag!)
  },
)

test('every flag that a command reads is one of its help', () => {
  for (const { name, flags } of commands.filter(command => command.flags)) {
    const source = read(`src/cli/${name}.ts`)
    expect(source).not.toMatch(/readArguments\(\w+, \{ *'?\w/)
    expect(Object.keys(flags!).length).toBeGreaterThan(0)
  }
})

test('a mistake is told with the line of its command and where help is', () => {
  expect(usageOf(findCommand('backup')!, 'FILE is missing').split('\n')).toEqual([
    'FILE is missing',
    '',
    'usage: waxwing backup FILE [--verify] [--with-secrets]',
    '"waxwing backup --help" says more.',
  ])
  expect(usage('unknown command: x')).toStartWith('unknown command: x\n\nusage: waxwing')
})

test('package.json runs any command from a clone', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  expect(scripts['waxwing']).toEndWith('bun src/main.ts')
  expect(read('README.md')).toContain('bun run waxwing')
})
