// One exported name has one meaning: who meets it anywhere knows what it is, and a search for it finds one declaration. The program and
// the dashboard are held against themselves only: neither imports anything of the other.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type BindingPattern,
  type Declaration as Declared,
  type ExportDefaultDeclarationKind,
  parseSync,
} from 'oxc-parser'
import { dashboard, files, moduleOf, texts } from './support/sources'

interface Declaration {
  name: string
  path: string
}

/** What may be declared under one name in several files, because no file could ever import the wrong one. */
const conventions: Array<[why: string, isOne: (same: readonly Declaration[]) => boolean]> = [
  [
    'each module has schemas of its own requests and answers, which its own routes import',
    same => areApart(same, ({ name, path }) => (isWire(name) && isModel(path) ? moduleOf(path) : undefined)),
  ],
  [
    'each language has the same parts, and forms its numbers in a file of its own',
    same => areApart(same, ({ path }) => /^src\/dashboard\/texts\/(de|en|fr)\//.exec(path)?.[1]),
  ],
  [
    'a page imports no other page (architecture.test.ts)',
    same => areApart(same, ({ path }) => /^src\/dashboard\/pages\/([^/]+)\//.exec(path)?.[1]),
  ],
]

const isWire = (name: string): boolean => /(Body|Query|Params|Answer)$/.test(name)
const isModel = (path: string): boolean => /[/-]model(\.ts$|\/)/.test(path)

/** Whether each stands in another home. */
function areApart(
  same: readonly Declaration[],
  homeOf: (declaration: Declaration) => string | undefined,
): boolean {
  const homes = same.map(homeOf)
  return !homes.includes(undefined) && new Set(homes).size === same.length
}

function declarationsIn(path: string): Declaration[] {
  const { body } = parseSync(path, texts.get(path)!).program
  const names = body.flatMap(statement =>
    'declaration' in statement && statement.declaration ? namesOf(statement.declaration) : [],
  )
  return [...new Set(names)].map(name => ({ name, path }))
}

function namesOf(declared: Declared | ExportDefaultDeclarationKind): string[] {
  if (declared.type === 'VariableDeclaration') return declared.declarations.flatMap(({ id }) => namesIn(id))
  return 'id' in declared && declared.id?.type === 'Identifier' ? [declared.id.name] : []
}

function namesIn(pattern: BindingPattern): string[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern.name]
    case 'AssignmentPattern':
      return namesIn(pattern.left)
    case 'ArrayPattern':
      return pattern.elements.flatMap(element => {
        if (!element) return []
        return namesIn(element.type === 'RestElement' ? element.argument : element)
      })
    case 'ObjectPattern':
      return pattern.properties.flatMap(property =>
        namesIn(property.type === 'RestElement' ? property.argument : property.value),
      )
  }
}

// Every file is parsed, which takes its time on a busy machine.
test.each([
  ['the program', files],
  ['the dashboard', dashboard],
] as const)('an exported name of %s is declared in one file', (_name, paths) => {
  const declared = Map.groupBy(paths.flatMap(declarationsIn), ({ name }) => name)
  const twice = [...declared.values()].filter(
    same => same.length > 1 && !conventions.some(([, isOne]) => isOne(same)),
  )
  expect(declared.size).toBeGreaterThan(500)
  expect(twice.map(same => `${same[0]!.name}: ${same.map(({ path }) => path).join(', ')}`).sort()).toEqual([])
})

test('the glossary has at most sixty words, in order, and the program uses each', () => {
  const map = readFileSync(join(import.meta.dir, '../src/README.md'), 'utf8')
  const section = map.slice(map.indexOf('\n## Words\n') + 1).split('\n## ')[0]!
  const words = [...section.matchAll(/^\| ([^|]+) \| [^|]{10,140} \|$/gm)].map(match => match[1]!)
  expect(words.length).toBeGreaterThan(40)
  expect(words.length).toBeLessThanOrEqual(60)
  expect(words).toEqual(words.toSorted((a, b) => a.toLowerCase().localeCompare(b.toLowerCase())))
  const program = files.map(path => texts.get(path)!.toLowerCase().replace(/[-_ ]/g, '')).join('\n')
  expect(words.filter(word => !program.includes(word.toLowerCase().replace(/[- ]/g, '')))).toEqual([])
})
