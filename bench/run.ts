// Runs the benchmarks named on the command line (all when none): each measures Waxwing and a floor or a peer in the same run and prints
// the ratio, because only ratios can be compared between machines.
import { readdirSync } from 'node:fs'

const known = readdirSync(import.meta.dir)
  .filter(file => file.endsWith('.ts') && file !== 'run.ts')
  .map(file => file.slice(0, -3))
// Options follow the names, and are for each of them.
const words = process.argv.slice(2)
const options = words.slice(words.findIndex(word => word.startsWith('--')) >>> 0)
const wanted = words.slice(0, words.length - options.length)
const unknown = wanted.filter(name => !known.includes(name))
if (unknown.length > 0) {
  console.error(`unknown benchmark: ${unknown.join(', ')}; there are ${known.join(', ')}`)
  process.exit(2)
}
for (const name of wanted.length > 0 ? wanted : known) {
  console.log(`\n== ${name}`)
  const { exitCode } = Bun.spawnSync([process.execPath, `${import.meta.dir}/${name}.ts`, ...options], {
    stdout: 'inherit',
    stderr: 'inherit',
  })
  if (exitCode !== 0) process.exit(exitCode ?? 1)
}
