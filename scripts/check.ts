// Everything that can be checked without running the program: types, lint and format, unused code. Runs all of them, and fails if one
// did.
import { ensureApiTypes } from './api-types'
import { ensureAssets } from './ensure-assets'

const checks: [string, string[]][] = [
  // They run beside each other; with threads of its own, a compiler works out the same types several times.
  ['types', ['tsc', '--noEmit', '--singleThreaded']],
  ['types of the dashboard', ['tsc', '--noEmit', '--singleThreaded', '-p', 'src/dashboard']],
  ['lint and format', ['biome', 'check', '.']],
  ['unused code', ['knip']],
]

// The dashboard is checked against the API as the routes describe it now; describing them needs the program's assets.
await ensureAssets()
await ensureApiTypes()

/** Runs one, and tells how it went once it is done; answers whether all was well. */
async function check([name, command]: (typeof checks)[number]): Promise<boolean> {
  const started = performance.now()
  const child = Bun.spawn(['bunx', '--bun', ...command], { stdout: 'pipe', stderr: 'pipe' })
  const said = await Promise.all([child.stdout, child.stderr].map(stream => new Response(stream).text()))
  const isWell = (await child.exited) === 0
  process.stdout.write(said.join(''))
  console.log(`${isWell ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
  return isWell
}

const results = await Promise.all(checks.map(check))
process.exit(results.every(Boolean) ? 0 : 1)
