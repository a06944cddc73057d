// Makes the list of disposable domains that the program carries: the union of well-maintained lists from npm and of `missed.txt`, which
// all of them miss, without common providers and what `not-disposable.txt` names; as sorted lines, which are searched in their file. New
// versions of the packages renew it.
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { domainToASCII } from 'node:url'
import { hashOfFiles } from './files-hash'
import { cacheDir } from './pack-postgres'

const root = join(import.meta.dir, '..')
const own = 'src/modules/audience/verify/lists'
const file = join(cacheDir, 'disposable.txt')
const origin = join(cacheDir, 'disposable.origin')

const packages = [
  'freemail',
  'mailchecker',
  'disposable-email-domains',
  'disposable-email-domains-js',
  'burner-email-providers',
]

/** Does nothing if the file was made from the current packages and lists. */
export async function ensureDisposableDomains(): Promise<void> {
  const versions = packages.map(name => `node_modules/${name}/package.json`)
  const made = [
    'scripts/disposable-domains.ts',
    'src/modules/audience/verify/typo.ts',
    `${own}/*.txt`,
    ...versions,
  ]
  const hash = hashOfFiles(root, made)
  if (existsSync(file) && existsSync(origin) && readFileSync(origin, 'utf8') === hash) return
  mkdirSync(cacheDir, { recursive: true })
  // Another process may be reading it: replaced in one step, never written in place.
  const partial = `${file}.${process.pid}.partial`
  await Bun.write(partial, `${(await disposableDomains()).join('\n')}\n`)
  renameSync(partial, file)
  await Bun.write(origin, hash)
}

async function disposableDomains(): Promise<string[]> {
  const { suggestDomain } = await import('../src/modules/audience/verify/typo')
  const freemail = lines('node_modules/freemail/data/disposable.txt')
  const known = new Set([
    ...['personal', 'popular', 'sound'].flatMap(name => lines(`${own}/${name}.txt`)),
    ...lines('node_modules/freemail/data/free.txt'),
    ...freemail,
  ])
  // A typo of a popular provider is reported as a typo: people who mistype don't use a disposable address.
  const others = new Set([...(await otherLists()), ...lines(`${own}/missed.txt`)].flatMap(spelled))
  const found = new Set([
    ...freemail,
    ...[...others].filter(name => !known.has(name) && !suggestDomain(name)),
  ])
  for (const name of lines(`${own}/not-disposable.txt`)) found.delete(name)
  return [...found].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
}

/** Lists with many users and several maintainers, and without common providers among the domains. */
async function otherLists(): Promise<string[]> {
  const [mailchecker, { disposableEmailBlocklist }, exact, wildcard, burner] = await Promise.all([
    import('mailchecker'),
    import('disposable-email-domains-js'),
    import('disposable-email-domains/index.json'),
    import('disposable-email-domains/wildcard.json'),
    import('burner-email-providers/emails.txt', { with: { type: 'text' } }),
  ])
  return [
    ...mailchecker.blacklist(),
    ...disposableEmailBlocklist(),
    ...exact.default,
    ...wildcard.default,
    ...burner.default.split('\n'),
  ]
}

function lines(path: string): string[] {
  return readFileSync(join(root, path), 'utf8').split('\n').filter(Boolean)
}

/** As it is looked up; nothing if it is no domain. */
function spelled(name: string): string[] {
  const domain = domainToASCII(name.trim().toLowerCase())
  return /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain) ? [domain] : []
}
