// Everything that can be checked without running the program: types, lint and format, unused code. Runs all of them, and fails if one
// did.
import { ensureApiTypes } from './api-types'
import { ensureAssets } from './ensure-assets'

const checks: [string, string[]][] = [
  ['types', ['tsc', '--noEmit']],
  ['types of the dashboard', ['tsc', '--noEmit', '-p', 'src/dashboard']],
  ['lint and format', ['biome', 'check', '.']],
  ['unused code', ['knip']],
]

// The dashboard is checked against the API as the routes describe it now; describing them needs the program's assets.
await ensureAssets()
await ensureApiTypes()

let failed = 0
for (const [name, command] of checks) {
  const started = performance.now()
  const { exitCode } = Bun.spawnSync(['bunx', '--bun', ...command], { stdout: 'inherit', stderr: 'inherit' })
  console.log(
    `${exitCode === 0 ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`,
  )
  if (exitCode !== 0) failed++
}
process.exit(failed === 0 ? 0 : 1)
