// Makes what belongs to a release besides its binaries: `bun scripts/release.ts DIR`. Writes next to the archives in DIR their checksums
// (SHA256SUMS) and the bill of materials, and prints the notes: the version's part of CHANGELOG.md.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { version } from '../package.json'
import { billOfMaterials } from './bill-of-materials'

/** The lines below the version's heading. Throws if there are none, or if the heading says that it is not released. */
export function notesOf(changelog: string, wanted: string): string {
  const parts = changelog.split(/^## /m).slice(1)
  const part = parts.find(text => /^\d+\.\d+\.\d+/.exec(text)?.[0] === wanted)
  if (!part) throw new Error(`CHANGELOG.md has no part "## ${wanted}"`)
  const [heading, ...lines] = part.split('\n')
  if (heading!.includes('not released'))
    throw new Error(`CHANGELOG.md still says "## ${heading}": give it a date`)
  const notes = lines.join('\n').trim()
  if (notes === '') throw new Error(`CHANGELOG.md says nothing about ${wanted}`)
  return `${notes}\n`
}

/** Checksums in the form that `sha256sum -c` reads. */
export function checksumsOf(folder: string): string {
  const names = readdirSync(folder).filter(name => name !== 'SHA256SUMS')
  const lines = names.sort().map(name => {
    const hash = new Bun.CryptoHasher('sha256').update(readFileSync(join(folder, name))).digest('hex')
    return `${hash}  ${name}\n`
  })
  return lines.join('')
}

async function main(): Promise<void> {
  const folder = process.argv[2]
  if (!folder) throw new Error('say in which folder the archives are')
  const notes = notesOf(readFileSync(join(import.meta.dir, '../CHANGELOG.md'), 'utf8'), version)
  const bill = await billOfMaterials(new Date())
  writeFileSync(join(folder, `waxwing-v${version}.cdx.json`), `${JSON.stringify(bill, null, 2)}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), checksumsOf(folder))
  process.stdout.write(notes)
}

if (import.meta.main)
  await main().catch(error => {
    console.error(error.message)
    process.exit(1)
  })
