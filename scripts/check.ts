// Everything that can be checked without running the program: types, lint and format, unused code. Runs all of them, and fails if one
// did. `--changed` checks only the files that differ from the branch `main`, remembers what the compiler knew, and leaves out unused code.
import { ensureApiTypes } from './api-types'
import { ensureAssets } from './ensure-assets'

const onlyChanged = process.argv.includes('--changed')

/** The compiler itself, without the script that starts it. */
const compiler = `@typescript/typescript-${process.platform}-${process.arch}/package.json`
const tsc = import.meta.resolve(compiler).replace('file://', '').replace('package.json', 'lib/tsc')

/**
 * The checks run beside each other; with threads of its own, a compiler works out the same types several times. It ends soon: collecting
 * its garbage less often saves a third of its time.
 */
const environment = { ...process.env, GOGC: '400' }

const types = [tsc, '--noEmit', '--singleThreaded']

/** Keeps the declarations of every file: after a change inside a function, only its file is checked again. */
const declarations = '--noEmit false --declaration --emitDeclarationOnly --outDir .cache/types'
const state = '--incremental --tsBuildInfoFile .cache/types.tsbuildinfo'
const typesOfChanged = [tsc, '--singleThreaded', ...`${declarations} ${state}`.split(' ')]

function git(...words: string[]): string[] {
  const { stdout, exitCode } = Bun.spawnSync(['git', ...words])
  return exitCode === 0 ? stdout.toString().split('\n').filter(Boolean) : []
}

/** Files that are new or different since the branch left `main`; in a clone without `main`, since the last commit. */
function changedFiles(): string[] {
  const [base = 'HEAD'] = git('merge-base', 'main', 'HEAD')
  return [
    ...git('diff', '--name-only', '--diff-filter=d', base),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
}

/** Runs one, and tells how it went once it is done; answers whether all was well. */
async function check(name: string, command: readonly string[]): Promise<boolean> {
  const started = performance.now()
  const child = Bun.spawn([...command], { stdout: 'pipe', stderr: 'pipe', env: environment })
  const said = await Promise.all([child.stdout, child.stderr].map(stream => new Response(stream).text()))
  const isWell = (await child.exited) === 0
  process.stdout.write(said.join(''))
  console.log(`${isWell ? 'ok  ' : 'FAIL'} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`)
  return isWell
}

const dashboardState = '--incremental --tsBuildInfoFile .cache/types-dashboard.tsbuildinfo'

const checkDashboard = (): Promise<boolean> => {
  const remembered = onlyChanged ? dashboardState.split(' ') : []
  return check('types of the dashboard', [...types, '-p', 'src/dashboard', ...remembered])
}

function checkAll(): Promise<boolean>[] {
  const biome = ['bunx', '--bun', 'biome', 'check', '--no-errors-on-unmatched']
  const all = check('types', onlyChanged ? typesOfChanged : types)
  if (!onlyChanged)
    return [
      all,
      checkDashboard(),
      check('lint and format', [...biome, '.']),
      check('unused code', ['bunx', '--bun', 'knip']),
    ]
  const changed = changedFiles()
  const lint = changed.length > 0 ? [check('lint and format', [...biome, ...changed])] : []
  return [all, ...lint, ...(changed.some(file => file.startsWith('src/')) ? [checkDashboard()] : [])]
}

// The dashboard is checked against the API as the routes describe it now; describing them needs the program's assets. Its pure parts have
// tests, which are checked with the program.
await ensureAssets()
await ensureApiTypes()
const results = await Promise.all(checkAll())
process.exit(results.every(Boolean) ? 0 : 1)
