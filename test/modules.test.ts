// Who may import whom: the layers of src/, the graph of its modules and their doors, held against what the files import.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { withModules } from '../scripts/map'
import { moduleGraph, moduleGroups } from '../src/modules/graph'
import { files, importsOf, mentionsOf, moduleOf, type Role, roleOf, texts } from './support/sources'

/** The folders of src/, lowest first; each may import those before it, and itself. Files at the top stand highest. */
const layers = [
  'lib',
  'liquid',
  'filters',
  'tracking',
  'mail',
  'settings',
  'platform',
  'http',
  'modules',
  'server',
  'cli',
]

function layerOf(path: string): number {
  const found = layers.indexOf(path.split('/')[1]!)
  return found === -1 ? layers.length : found
}

/** Within a module, a file may import roles that stand no higher, types included; the door stands highest. */
const heights: Record<Role, number> = {
  schema: 1,
  pure: 1,
  queries: 2,
  model: 3,
  hooks: 3,
  service: 4,
  guard: 5,
  routes: 6,
  jobs: 6,
  index: 7,
}
const heightOf = (path: string): number => heights[roleOf(path)]

const isDoor = (path: string): boolean => /^src\/modules\/[^/]+\/[^/]+\/index\.ts$/.test(path)
const isTable = (path: string): boolean => roleOf(path) === 'schema'

/** A foreign key names the other table, whoever owns it; drizzle-kit reads these files alone. */
const isForeignKey = (from: string, to: string): boolean => isTable(from) && isTable(to)

interface Arrow {
  from: string
  to: string
}

function arrows(list: (path: string) => string[]): Arrow[] {
  return files.flatMap(from => list(from).map(to => ({ from, to })))
}

const mentions = arrows(mentionsOf)
const betweenModules = mentions.filter(
  ({ from, to }) => moduleOf(to) !== undefined && moduleOf(from) !== moduleOf(to) && !isForeignKey(from, to),
)
const say = ({ from, to }: Arrow): string => `${from} imports ${to}`

test('a folder imports only those that stand lower', () => {
  const wrong = arrows(importsOf).filter(({ from, to }) => layerOf(to) > layerOf(from))
  expect(wrong.map(say)).toEqual([])
})

/** A thread needs pure rules of modules, and would load the whole module with its door. */
const isForThread = ({ from, to }: Arrow): boolean =>
  /^src\/[a-z]+-worker\.ts$/.test(from) && roleOf(to) === 'pure'

test('what stands outside of a module comes in by its door alone', () => {
  const passedBy = betweenModules.filter(
    arrow => !isDoor(arrow.to) && arrow.to !== 'src/modules/graph.ts' && !isForThread(arrow),
  )
  expect(passedBy.map(say)).toEqual([])
})

test('within a module, a file imports only roles that stand no higher, and never the door', () => {
  const all = arrows(file => [...new Set([...importsOf(file), ...mentionsOf(file)])])
  const wrong = all.filter(
    ({ from, to }) =>
      moduleOf(from) !== undefined && moduleOf(from) === moduleOf(to) && heightOf(to) > heightOf(from),
  )
  expect(wrong.map(say)).toEqual([])
})

test('the graph of modules is what the imports say', () => {
  const used = new Map(Object.keys(moduleGraph).map(name => [name, new Set<string>()]))
  for (const { from, to } of betweenModules) {
    const user = moduleOf(from)
    if (user) used.get(user)?.add(moduleOf(to)!)
  }
  const order = Object.keys(moduleGraph)
  const sorted = (names: Iterable<string>): string[] =>
    [...names].sort((a, b) => order.indexOf(a) - order.indexOf(b))
  const found = Object.fromEntries([...used].map(([name, others]) => [name, sorted(others)]))
  expect(found).toEqual(Object.fromEntries(Object.entries(moduleGraph).map(([name, to]) => [name, [...to]])))
})

test('every module stands in the graph, in the group of its folder, and uses only those before it', () => {
  const names = Object.keys(moduleGraph)
  const folders = files.flatMap(path => /^src\/modules\/([^/]+\/[^/]+)\//.exec(path)?.[1] ?? [])
  const declared = Object.entries(moduleGroups).flatMap(([group, modules]) =>
    Object.keys(modules).map(name => `${group}/${name}`),
  )
  expect([...new Set(folders)].sort()).toEqual(declared.toSorted())
  const backwards = names.flatMap((name, place) =>
    moduleGraph[name]!.filter(other => names.indexOf(other) >= place).map(other => `${name} uses ${other}`),
  )
  expect(backwards).toEqual([])
})

test('no file imports itself by way of others', () => {
  expect(circles()).toEqual([])
})

/** Each circle of files once, told by the way round it. */
function circles(): string[] {
  const state = new Map<string, 'open' | 'done'>()
  const path: string[] = []
  const found: string[] = []
  const visit = (file: string): void => {
    if (state.get(file) === 'done') return
    if (state.get(file) === 'open')
      return void found.push([...path.slice(path.indexOf(file)), file].join(' > '))
    state.set(file, 'open')
    path.push(file)
    for (const next of importsOf(file)) if (next.endsWith('.ts')) visit(next)
    path.pop()
    state.set(file, 'done')
  }
  for (const file of files) visit(file)
  return found
}

test('the map draws the graph as it is (`bun run map`)', () => {
  const page = readFileSync(join(import.meta.dir, '../src/README.md'), 'utf8')
  expect(page).toBe(withModules(page))
})

/** Tables by their names, with the folder whose schema declares each. */
const owners = new Map(
  files.flatMap(path =>
    [...texts.get(path)!.matchAll(/pgTable\(\s*'(\w+)'/g)].map(match => [match[1]!, ownerOf(path)] as const),
  ),
)

function ownerOf(path: string): string {
  return moduleOf(path) ?? path.split('/')[1]!
}

test('tables are written by statements of their own module alone', () => {
  const writes = /\b(?:insert\s+into|update|delete\s+from)\s+"?(\w+)"?/gi
  const found = files.flatMap(path =>
    [...texts.get(path)!.matchAll(writes)].map(match => ({ path, table: match[1]!.toLowerCase() })),
  )
  const known = found.filter(({ table }) => owners.has(table))
  expect(known.length).toBeGreaterThan(100)
  const foreign = known.filter(({ path, table }) => owners.get(table) !== ownerOf(path))
  expect(foreign.map(({ path, table }) => `${path} writes ${table} of ${owners.get(table)}`)).toEqual([])
})
