// Updates what we know about disposable domains beyond the package freemail: `bun scripts/disposable-domains.ts`. Takes the union of
// well-maintained lists from the npm registry and of `missed.txt`, which all of them miss; leaves out what freemail has, common providers
// and what `not-disposable.txt` names; and writes the rest as sorted lines, which are searched in their file. The packages are fetched
// into a temporary folder.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { domainToASCII } from 'node:url'
import { suggestDomain } from '../src/modules/verify/typo'

const root = join(import.meta.dir, '..')
const own = join(root, 'src/modules/verify/lists')
const ofFreemail = join(root, 'node_modules/freemail/data')

interface Source {
  name: string
  version: string
  /** Reads the list; `folder` holds all packages. */
  read(folder: string): Promise<Iterable<string>>
}

/** Lists with many users and several maintainers, and without common providers among the domains. */
const sources: Source[] = [
  {
    name: 'mailchecker',
    version: '6.0.21',
    read: async folder => await call(folder, 'mailchecker/platform/node/index.js', 'blacklist'),
  },
  {
    name: 'disposable-email-domains',
    version: '1.0.62',
    read: async folder => [
      ...(JSON.parse(text(folder, 'disposable-email-domains/index.json')) as string[]),
      ...(JSON.parse(text(folder, 'disposable-email-domains/wildcard.json')) as string[]),
    ],
  },
  {
    name: 'disposable-email-domains-js',
    version: '1.26.0',
    read: async folder =>
      await call(folder, 'disposable-email-domains-js/dist/index.js', 'disposableEmailBlocklist'),
  },
  {
    name: 'burner-email-providers',
    version: '1.0.67',
    read: async folder => text(folder, 'burner-email-providers/emails.txt').split('\n'),
  },
]

function text(folder: string, path: string): string {
  return readFileSync(join(folder, 'node_modules', path), 'utf8')
}

/** The list that a module's function returns. */
async function call(folder: string, path: string, name: string): Promise<Iterable<string>> {
  const module = await import(join(folder, 'node_modules', path))
  return (module.default ?? module)[name]()
}

/** Runs none of their scripts; only the two modules that hold their list as code are loaded. */
function fetchPackages(folder: string): void {
  writeFileSync(join(folder, 'package.json'), '{"private": true}')
  const names = sources.map(({ name, version }) => `${name}@${version}`)
  const { exitCode, stderr } = Bun.spawnSync([process.execPath, 'add', '--ignore-scripts', ...names], {
    cwd: folder,
    stderr: 'pipe',
  })
  if (exitCode !== 0) throw new Error(`the lists could not be fetched: ${stderr.toString()}`)
}

function lines(path: string): string[] {
  return readFileSync(path, 'utf8').split('\n').filter(Boolean)
}

/** Domains of real addresses, whatever a list says. */
function known(): Set<string> {
  const ours = ['not-disposable', 'personal', 'popular', 'sound'].flatMap(name =>
    lines(join(own, `${name}.txt`)),
  )
  const theirs = [...lines(join(ofFreemail, 'free.txt')), ...lines(join(ofFreemail, 'disposable.txt'))]
  return new Set([...ours, ...theirs])
}

function normalise(name: string): string[] {
  const domain = domainToASCII(name.trim().toLowerCase())
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain) ? [domain] : []
}

const folder = mkdtempSync(join(tmpdir(), 'waxwing-lists-'))
try {
  fetchPackages(folder)
  const lists = await Promise.all(sources.map(source => source.read(folder)))
  const leftOut = known()
  const all = [...lists, lines(join(own, 'missed.txt'))]
  const named = new Set(all.flatMap(list => [...list].flatMap(normalise)))
  // A typo of a popular provider is reported as a typo: whoever mistypes is not using a disposable address.
  const more = [...named].filter(name => !leftOut.has(name) && !suggestDomain(name))
  const sorted = more.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  writeFileSync(join(own, 'disposable.txt'), `${sorted.join('\n')}\n`)
  console.log(`${sorted.length} domains beyond those of freemail`)
} finally {
  rmSync(folder, { recursive: true, force: true })
}
