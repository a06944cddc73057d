// Makes the files that the source imports but git doesn't hold: the packed PostgreSQL of this machine, the dashboard, and the list of
// disposable domains. Start, tests and build call it first; it takes milliseconds when there is nothing to do.
import { copyFileSync, existsSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { ensureDashboard } from './dashboard'
import { ensureDisposableDomains } from './disposable-domains'
import { cacheDir, hostTarget, packPostgres } from './pack-postgres'

const asset = join(cacheDir, 'postgres.tar.zst')
const origin = join(cacheDir, 'postgres.origin')

export async function ensureAssets(): Promise<void> {
  await Promise.all([ensureDashboard(), ensurePostgres(), ensureDisposableDomains()])
}

/** On a platform without a PostgreSQL package the asset is empty, and starting without DATABASE_URL reports that. */
async function ensurePostgres(): Promise<void> {
  const target = hostTarget()
  if (!target) {
    await Bun.write(asset, '')
    return
  }
  const packed = await packPostgres(target, { release: false })
  if (existsSync(asset) && existsSync(origin) && readFileSync(origin, 'utf8') === packed) return
  // Another process may be reading it: replaced in one step, never written in place.
  const partial = `${asset}.${process.pid}.partial`
  copyFileSync(packed, partial)
  renameSync(partial, asset)
  await Bun.write(origin, packed)
}

if (import.meta.main) {
  await ensureAssets()
  // Whoever only starts the program need not wait for what only type checks need.
  if (!process.argv.includes('--program')) await (await import('./api-types')).ensureApiTypes()
}
