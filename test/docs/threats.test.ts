// The page that says who can do what: every line names tests that exist, and everybody it is about has a section.
import { expect, test } from 'bun:test'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '../..')
const page = readFileSync(join(root, 'docs/threats.md'), 'utf8')
const rows = page.split('\n').filter(line => /^\| (can|can't) \|/.test(line))

interface Proof {
  file: string
  name: string
}

function proofsOf(text: string): Proof[] {
  return [...text.matchAll(/`(test\/[\w/.-]+\.test\.ts)`: \*([^*]+)\*/g)].map(match => ({
    file: match[1]!,
    name: match[2]!,
  }))
}

/** As a literal of its own, or as a piece of one that is put together. */
function holds({ file, name }: Proof): boolean {
  const path = join(root, file)
  if (!existsSync(path)) return false
  const text = readFileSync(path, 'utf8').replaceAll("\\'", "'")
  return ["'", '"', '`', '}'].some(begin =>
    ["'", '"', '`', '$'].some(end => text.includes(`${begin}${name}${end}`)),
  )
}

test('every test that it names is there', () => {
  const missing = proofsOf(page).filter(proof => !holds(proof))
  expect(missing).toEqual([])
})

test('no line goes without one', () => {
  expect(rows.length).toBeGreaterThan(40)
  expect(rows.filter(row => proofsOf(row).length === 0)).toEqual([])
})

test('every line names them in the same form', () => {
  const proof = /`test\/[\w/.-]+\.test\.ts`: \*[^*]+\*/.source
  const form = new RegExp(`^\\| (?:can|can't) \\| [^|]+ \\| ${proof}(?:; ${proof})* \\|$`)
  expect(rows.filter(row => !form.test(row))).toEqual([])
})

test('no line stands twice in a section', () => {
  const double = page.split(/^## /m).flatMap(section => {
    const claims = [...section.matchAll(/^\| (?:can|can't) \| ([^|]+) \|/gm)].map(match => match[1]!)
    return claims.filter((claim, at) => claims.indexOf(claim) !== at)
  })
  expect(double).toEqual([])
})

test('it speaks of everybody', () => {
  const sections = [...page.matchAll(/^## (.*)$/gm)].map(match => match[1]!)
  for (const who of [
    'Everyone',
    'anonymous',
    'public key',
    'restricted key',
    'secret key',
    'member',
    'admin',
    'owner',
    'Another project',
    'relay',
    'recipient',
  ])
    expect(sections.filter(section => section.includes(who))).toHaveLength(1)
})

test.each([
  ['test/http/nowhere.test.ts', 'anything'],
  ['test/docs/threats.test.ts', 'a name that no test has, only a part of one'.slice(2)],
])('a proof that is none is found out: %s', (file, name) => {
  expect(holds({ file, name })).toBe(false)
})

test('SECURITY.md leads to pages that are there', () => {
  const links = [...readFileSync(join(root, 'SECURITY.md'), 'utf8').matchAll(/\]\(([^)#:]+)\)/g)].map(
    match => match[1]!,
  )
  expect(links).toContain('docs/threats.md')
  expect(links.filter(link => !existsSync(join(root, link)))).toEqual([])
})
