// The program's own files as tests of its structure see them: their texts, and what each imports of the others.
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'

const root = join(import.meta.dir, '../..')

/** All of src/, the dashboard included. */
export const everything = [...new Bun.Glob('src/**/*.{ts,tsx}').scanSync(root)]
  .filter(path => !path.endsWith('.d.ts'))
  .sort()
export const texts = new Map(everything.map(path => [path, readFileSync(join(root, path), 'utf8')]))

export const isDashboard = (path: string): boolean => path.startsWith('src/dashboard/')
/** The program; what runs in the browser has rules of its own. */
export const files = everything.filter(path => !isDashboard(path))
export const dashboard = everything.filter(isDashboard)

const transpilers = {
  ts: new Bun.Transpiler({ loader: 'ts' }),
  tsx: new Bun.Transpiler({ loader: 'tsx', autoImportJSX: false }),
}

function scan(path: string): string[] {
  return transpilers[path.endsWith('x') ? 'tsx' : 'ts'].scanImports(texts.get(path)!).map(found => found.path)
}

/** Runtime imports of our own files, as paths from the root; type-only ones are gone by then. */
export function importsOf(path: string): string[] {
  return own(path, scan(path))
}

/** All imports of our own files, those of types included. */
export function mentionsOf(path: string): string[] {
  const found = texts.get(path)!.matchAll(/^(?:import|export)\b[^'"]*?\bfrom\s+'([^']+)'/gms)
  return own(path, [...new Set([...found].map(match => match[1]!))])
}

export function packagesOf(path: string): string[] {
  return scan(path).filter(target => !target.startsWith('.'))
}

function own(from: string, targets: string[]): string[] {
  return targets
    .filter(target => target.startsWith('.'))
    .map(target => resolve(from, target))
    .filter(target => target.startsWith('src/'))
}

function resolve(from: string, target: string): string {
  const path = normalize(join(dirname(from), target))
  return (
    [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find(candidate => texts.has(candidate)) ?? path
  )
}

/** The module that a file belongs to; `src/modules/GROUP/MODULE/…`. */
export function moduleOf(path: string): string | undefined {
  return /^src\/modules\/[^/]+\/([^/]+)\//.exec(path)?.[1]
}

/** Names of files and folders that say what a file does in its module. */
const roleNames = [
  ...(['schema', 'queries', 'model', 'hooks', 'service', 'guard', 'routes', 'jobs', 'index'] as const),
]
export type Role = (typeof roleNames)[number] | 'pure'

/**
 * What a file does in its module: by the first name below the module that is a role, so a module may have parts, each with roles of its
 * own (`campaigns/sending/queries/slices.ts`); `ab-test-model.ts` is a model. The door stands in the module itself. Whatever has no such
 * name is pure.
 */
export function roleOf(path: string): Role {
  const [, , , , ...below] = path.replace(/\.ts$/, '').split('/')
  const known = roleNames.filter(name => name !== 'index' || below[0] === 'index')
  return (
    below.flatMap(
      name => known.find(role => role === name || (role === 'model' && name.endsWith('-model'))) ?? [],
    )[0] ?? 'pure'
  )
}
