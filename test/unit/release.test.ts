// What can be tried here of a release: notes, checksums, bill of materials, and that the workflow calls what is there.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import manifest from '../../package.json'
import { type BillOfMaterials, billOfMaterials } from '../../scripts/bill-of-materials'
import { checksumsOf, notesOf } from '../../scripts/release'

const root = join(import.meta.dir, '../..')
const workflow = readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')

describe('the notes', () => {
  const changelog =
    '# Changelog\n\n## 0.3.0, not released yet\n\n- c\n\n## 0.2.1, 2026-12-01\n\n- b\n  more\n\n## 0.2.10\n\n- a\n\n## 0.1.0\n'

  test('are the part of the version, and no other', () => {
    expect(notesOf(changelog, '0.2.1')).toBe('- b\n  more\n')
    expect(notesOf(changelog, '0.2.10')).toBe('- a\n')
  })

  test.each([
    ['0.3.0', 'give it a date'],
    ['0.2.0', 'has no part "## 0.2.0"'],
    ['0.1.0', 'says nothing about 0.1.0'],
  ])('of %s are refused: %s', (version, words) => {
    expect(() => notesOf(changelog, version)).toThrow(words)
  })

  test('of the next release are there', () => {
    expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toContain(`\n## ${manifest.version}`)
  })
})

test('the checksums are what sha256sum reads', () => {
  const folder = mkdtempSync(join(tmpdir(), 'waxwing-release-'))
  for (const name of ['waxwing-v1-linux-x64.tar.gz', 'waxwing-v1.cdx.json'])
    writeFileSync(join(folder, name), name)
  writeFileSync(join(folder, 'SHA256SUMS'), checksumsOf(folder))
  const { stdout, exitCode } = Bun.spawnSync(['sha256sum', '-c', 'SHA256SUMS'], { cwd: folder })
  rmSync(folder, { recursive: true })
  expect(stdout.toString()).toBe('waxwing-v1-linux-x64.tar.gz: OK\nwaxwing-v1.cdx.json: OK\n')
  expect(exitCode).toBe(0)
})

describe('the bill of materials', () => {
  let bill: BillOfMaterials
  const scopeOf = (name: string): string | undefined =>
    bill.components.find(each => each.name === name)?.scope

  beforeAll(async () => {
    bill = await billOfMaterials(new Date('2026-03-01T12:00:00.000Z'))
  })

  test('has what the program and its dashboard use, by way of others too, and tells it from tools', () => {
    for (const name of [
      ...Object.keys(manifest.dependencies),
      'react',
      'react-dom',
      'jose',
      'bun',
      'postgresql',
    ])
      expect({ name, scope: scopeOf(name) }).toEqual({ name, scope: 'required' })
    for (const name of ['typescript', 'knip', 'playwright-core'])
      expect({ name, scope: scopeOf(name) }).toEqual({ name, scope: 'excluded' })
  })

  test('has the versions that are installed, each once, with its checksum', () => {
    const libraries = bill.components.filter(({ type, scope }) => type === 'library' && scope === 'required')
    expect(libraries.length).toBeGreaterThan(80)
    for (const { name, hashes } of libraries)
      expect({ name, length: hashes?.[0]?.content.length }).toEqual({ name, length: 128 })
    for (const name of Object.keys(manifest.dependencies)) {
      const { version } = JSON.parse(readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8'))
      expect(bill.components.some(each => each.name === name && each.version === version)).toBe(true)
    }
    expect(new Set(bill.components.map(each => each['bom-ref'])).size).toBe(bill.components.length)
  })

  test('points at nothing that it does not hold', () => {
    const known = new Set(bill.components.map(each => each['bom-ref']))
    const strange = bill.dependencies.flatMap(({ ref, dependsOn }) =>
      [ref, ...dependsOn].filter(each => !known.has(each)),
    )
    expect(strange).toEqual([])
  })
})

describe('the workflow', () => {
  test('calls scripts that are there, with the version of Bun that we use', () => {
    const scripts = [...workflow.matchAll(/bun (scripts\/[\w-]+\.ts)/g)].map(found => found[1]!)
    expect(scripts).toContain('scripts/release.ts')
    expect(scripts.filter(path => !existsSync(join(root, path)))).toEqual([])
    const commands = [...workflow.matchAll(/bun run (\w+)/g)].map(found => found[1]!)
    expect(commands.filter(name => !(name in manifest.scripts))).toEqual([])
    expect([...workflow.matchAll(/bun-version: (\S+)/g)].map(found => found[1])).toEqual(['1.4.5', '1.4.5'])
  })

  test('can be read', () => {
    const { jobs } = Bun.YAML.parse(workflow) as { jobs: Record<string, { steps: unknown[] }> }
    expect(Object.keys(jobs)).toEqual(['version', 'binary', 'image', 'publish'])
    for (const { steps } of Object.values(jobs)) expect(steps.length).toBeGreaterThan(1)
  })
})

let folder = ''
afterAll(() => {
  if (folder) rmSync(folder, { recursive: true })
})

test('the whole of it writes files, and refuses a version that has no date yet', () => {
  folder = mkdtempSync(join(tmpdir(), 'waxwing-release-'))
  writeFileSync(join(folder, 'waxwing-v0-linux-x64.tar.gz'), 'archive')
  const { exitCode, stderr, stdout } = Bun.spawnSync([
    process.execPath,
    join(root, 'scripts/release.ts'),
    folder,
  ])
  const isReleased = !readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(
    `## ${manifest.version}, not released yet`,
  )
  expect(exitCode).toBe(isReleased ? 0 : 1)
  if (isReleased) expect(stdout.toString()).toStartWith('- ')
  else expect(stderr.toString()).toContain('give it a date')
})
