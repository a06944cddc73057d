// The import rule and the other rules of the layout that a reader can't hold in the head, checked on every file of src/.
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const root = join(import.meta.dir, '..')
const everything = [...new Bun.Glob('src/**/*.{ts,tsx}').scanSync(root)]
  .filter(path => !path.endsWith('.d.ts'))
  .sort()
const texts = new Map(everything.map(path => [path, readFileSync(join(root, path), 'utf8')]))
const isDashboard = (path: string): boolean => path.startsWith('src/dashboard/')
/** The program; what runs in the browser has a rule of its own below. */
const files = everything.filter(path => !isDashboard(path))
const dashboard = everything.filter(isDashboard)

const moduleOrder = [
  'letters',
  'users',
  'projects',
  'domains',
  'events',
  'contacts',
  'suppressions',
  'emails',
  'preferences',
  'templates',
  'segments',
  'feedback',
  'security',
  'billing',
  'campaigns',
  'workflows',
  'v1',
  'verify',
  'uploads',
  'activity',
  'analytics',
  'meta',
]

/** Files named after a role take its number, also when the role is a folder (`queries/list.ts`). */
const roles: Record<string, number> = {
  schema: 2,
  model: 3,
  queries: 4,
  service: 5,
  guard: 7,
  routes: 8,
  jobs: 8,
}

/** Libraries of our own, lowest first: they know nothing of what Waxwing is. */
const libraries = ['lib', 'mime', 'liquid', 'filters', 'tracking']

/** The height of a file: it may import lower ones. */
function level(path: string): number {
  if (libraries.includes(path.split('/')[1]!)) return 0
  if (path.startsWith('src/platform/')) return 1
  if (path.startsWith('src/http/')) return 6
  const parts = path.split('/')
  if (parts[1] !== 'modules') return 9
  return roles[parts[3]!.replace(/\.ts$/, '')] ?? 3
}

function moduleOf(path: string): string | undefined {
  return /^src\/modules\/([^/]+)\//.exec(path)?.[1]
}

/** The folder within which equal heights may import each other. */
function home(path: string): string {
  const module = moduleOf(path)
  if (module) return `modules/${module}`
  return level(path) === 9 ? 'top' : path.split('/')[1]!
}

const transpilers = {
  ts: new Bun.Transpiler({ loader: 'ts' }),
  tsx: new Bun.Transpiler({ loader: 'tsx', autoImportJSX: false }),
}

function scan(path: string): string[] {
  return transpilers[path.endsWith('x') ? 'tsx' : 'ts'].scanImports(texts.get(path)!).map(found => found.path)
}

/** Runtime imports of our own files, as paths from the root; type-only ones are gone by then. */
function importsOf(path: string): string[] {
  return scan(path)
    .filter(target => target.startsWith('.'))
    .map(target => resolve(path, target))
    .filter(target => target.startsWith('src/'))
}

function resolve(from: string, target: string): string {
  const path = normalize(join(dirname(from), target))
  return (
    [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find(candidate => texts.has(candidate)) ?? path
  )
}

function packagesOf(path: string): string[] {
  return scan(path).filter(target => !target.startsWith('.'))
}

function mayImport(from: string, to: string): boolean {
  const [upper, lower] = [level(from), level(to)]
  if (from.startsWith('src/http/') && moduleOf(to)) return false
  if (lower < upper) return true
  if (lower > upper) return false
  if (home(from) === home(to)) return true
  if (lower === 0) return libraries.indexOf(home(to)) < libraries.indexOf(home(from))
  // A table may refer to another module's table; services, pure files and guards may use those of modules further down.
  if (lower === 2) return true
  if (![3, 5, 7].includes(lower)) return false
  return moduleOrder.indexOf(moduleOf(to)!) < moduleOrder.indexOf(moduleOf(from)!)
}

test('every module has a place in the order of modules', () => {
  const modules = new Set(files.map(moduleOf).filter(name => name !== undefined))
  expect([...modules].filter(name => !moduleOrder.includes(name!))).toEqual([])
})

test('a file imports only what stands lower than itself', () => {
  const wrong = files.flatMap(from =>
    importsOf(from)
      .filter(to => !mayImport(from, to))
      .map(to => `${from} (${level(from)}) imports ${to} (${level(to)})`),
  )
  expect(wrong).toEqual([])
})

test('the rule itself tells right from wrong', () => {
  expect(mayImport('src/modules/v1/routes.ts', 'src/http/guard.ts')).toBe(true)
  expect(mayImport('src/http/guard.ts', 'src/modules/users/service/session.ts')).toBe(false)
  expect(mayImport('src/modules/events/service.ts', 'src/modules/projects/service/keys.ts')).toBe(true)
  expect(mayImport('src/modules/projects/service.ts', 'src/modules/events/service.ts')).toBe(false)
  expect(mayImport('src/modules/events/service.ts', 'src/http/envelope.ts')).toBe(false)
  expect(mayImport('src/modules/events/queries.ts', 'src/modules/contacts/queries.ts')).toBe(false)
  expect(mayImport('src/lib/page.ts', 'src/platform/log.ts')).toBe(false)
  expect(mayImport('src/platform/log.ts', 'src/modules/events/schema.ts')).toBe(false)
})

test('the dashboard and the program import nothing of each other', () => {
  const across = everything.flatMap(from =>
    importsOf(from)
      .filter(to => isDashboard(to) !== isDashboard(from))
      .map(to => `${from} imports ${to}`),
  )
  expect(dashboard.length).toBeGreaterThan(20)
  expect(across).toEqual([])
})

test('a page of the dashboard imports no other page', () => {
  const pageOf = (path: string): string | undefined => /^src\/dashboard\/pages\/([^/]+)\//.exec(path)?.[1]
  const wrong = dashboard.flatMap(from =>
    importsOf(from)
      .filter(to => pageOf(from) && pageOf(to) && pageOf(from) !== pageOf(to))
      .map(to => `${from} imports ${to}`),
  )
  expect(wrong).toEqual([])
})

test('the dashboard asks the server through its client alone, and puts no HTML into the page', () => {
  // Programs of readers, shown as text.
  const samples = 'src/dashboard/pages/overview/samples.ts'
  const wrong = dashboard.filter(
    path =>
      path !== samples &&
      codeLines(path).some(({ text }) =>
        /(?<![.\w])fetch\(|XMLHttpRequest|dangerouslySetInnerHTML|innerHTML/.test(text),
      ),
  )
  expect(wrong).toEqual([])
})

/** What may be written only in few places: the outside world comes in through the Context. */
const homes: Array<[rule: string, pattern: RegExp, allowed: (path: string) => boolean]> = [
  ['the clock is read', /\bDate\.now\b|new Date\(\)/, path => path === 'src/server/compose.ts'],
  [
    'chance is drawn',
    /\bMath\.random\b|randomBytes|randomUUID/,
    path => path === 'src/server/compose.ts' || path === 'src/platform/secrets.ts',
  ],
  [
    'the environment is read',
    /\bprocess\.env\b|\bBun\.env\b/,
    path =>
      ['src/settings/config.ts', 'src/main.ts', 'src/cli/start.ts'].includes(path) ||
      path === 'src/platform/db/embedded.ts',
  ],
  ['names are resolved by the system', /node:dns/, () => false],
  [
    'HTTP requests are made',
    /(?<![.\w])fetch\(/,
    // Both ask an instance on this machine: by its port, and by its socket.
    path => ['src/cli/health.ts', 'src/server/control.ts'].includes(path),
  ],
  ['SQL is spliced from text', /\bsql\.raw\b/, () => false],
  [
    'the database is asked',
    /\b(ctx|tx)\.(sql[`<]|db\.)/,
    path => /\/queries(\.ts$|\/)/.test(path) || path.startsWith('src/platform/') || level(path) === 9,
  ],
]

const nowhere: Array<[rule: string, pattern: RegExp]> = [
  ['types are switched off', /@ts-ignore|@ts-nocheck|(?::|\bas|<)\s*any\b/],
  ['work is left for later', /\b(TODO|FIXME|XXX)\b/],
]

test.each(nowhere)('nowhere: %s', (_rule, pattern) => {
  expect(everything.filter(path => codeLines(path).some(({ text }) => pattern.test(text)))).toEqual([])
})

describe('only in its home', () => {
  test.each(homes)('%s', (_rule, pattern, allowed) => {
    const found = files
      .filter(path => !allowed(path))
      .flatMap(path =>
        codeLines(path)
          .filter(({ text }) => pattern.test(text))
          .map(({ number }) => `${path}:${number}`),
      )
    expect(found).toEqual([])
  })
})

/** Lines without what follows `//` and without lines of doc comments. */
function codeLines(path: string): Array<{ text: string; number: number }> {
  return texts
    .get(path)!
    .split('\n')
    .map((line, index) => ({ text: /^\s*(\*|\/\*|\/\/)/.test(line) ? '' : line, number: index + 1 }))
}

test('Elysia stays at the edge: models, routes, http and the application', () => {
  const wrong = files.filter(path => {
    const edge = level(path) >= 6 || /\/model(\.ts|\/)/.test(path)
    return !edge && packagesOf(path).some(name => name === 'elysia' || name.startsWith('@elysiajs/'))
  })
  expect(wrong).toEqual([])
})

test('raw clients stay in the database folder', () => {
  const wrong = files.filter(
    path => !path.startsWith('src/platform/db/') && packagesOf(path).some(name => name === 'postgres'),
  )
  expect(wrong).toEqual([])
})

/** The table of all settings is read as one, and the index of migrations is generated. */
const longByNature = ['src/settings/config.ts', 'src/platform/db/migrations.ts']

test('no file has more than 300 lines', () => {
  const long = everything.filter(path => !longByNature.includes(path) && lineCount(path) > 300)
  expect(long.map(path => `${path}: ${lineCount(path)}`)).toEqual([])
})

function lineCount(path: string): number {
  return texts.get(path)!.trimEnd().split('\n').length
}

test('every file opens with what it is for', () => {
  const silent = everything.filter(path => !/^(\/\/|\/\*\*|#!)/.test(texts.get(path)!))
  expect(silent).toEqual([])
})

test('no folder is named after nothing', () => {
  expect(everything.filter(path => /\/(utils?|helpers?|common|misc|shared)(\/|\.ts$)/.test(path))).toEqual([])
})
