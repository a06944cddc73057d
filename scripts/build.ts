// Builds the one executable, with everything it needs inside: `bun run build [--target=linux-x64|linux-arm64|darwin-arm64|all] [--release]`.
// Without a target it makes dist/waxwing for this machine, otherwise dist/waxwing-<target>.
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { $, type BunPlugin } from 'bun'
import { ensureAssets } from './ensure-assets'
import { hostTarget, packPostgres, type Target, targets } from './pack-postgres'

const root = join(import.meta.dir, '..')

const threads = ['mail-worker', 'render-worker', 'signing-worker']

export interface BuildOptions {
  target: Target
  /** Compress as much as possible: some 20 seconds more, 9 MB less. */
  release: boolean
  outfile: string
  /** The entry point; src/main.ts unless given. */
  entry?: string
}

/** Builds one executable and returns its size in bytes. */
export async function buildBinary(options: BuildOptions): Promise<number> {
  await ensureAssets()
  const postgres = await packPostgres(options.target, options)
  mkdirSync(dirname(options.outfile), { recursive: true })
  const result = await Bun.build({
    // The entries after the first are threads; they are placed beside it, whatever folders they come from.
    entrypoints: [
      options.entry ?? join(root, 'src/main.ts'),
      ...threads.map(name => join(root, `src/${name}.ts`)),
    ],
    naming: { entry: '[name].[ext]' },
    // Identifiers keep their names: the framework compiles handlers from the text of functions.
    minify: { whitespace: true, syntax: true, identifiers: false },
    // Bytecode halves the time to the first answer; it needs ES modules where there is a top-level await.
    bytecode: true,
    format: 'esm',
    sourcemap: 'linked',
    // Libraries ask for it at run time; the machine's environment must not change how they behave.
    define: {
      'process.env.NODE_ENV': '"production"',
      WAXWING_BUILD_OF: JSON.stringify(await describeBuild()),
    },
    compile: { target: `bun-${options.target}`, outfile: options.outfile, autoloadBunfig: false },
    plugins: [withPostgres(postgres)],
    throw: false,
  })
  if (!result.success) throw new AggregateError(result.logs, `the build for ${options.target} failed`)
  // The maps are in the binary as well.
  rmSync(`${options.outfile}.map`, { force: true })
  for (const name of threads) rmSync(join(dirname(options.outfile), `${name}.js.map`), { force: true })
  return statSync(options.outfile).size
}

/** The commit, its date, and whether files differ from it. Where there is no repository, as in an image's build, WAXWING_BUILD_OF says it. */
async function describeBuild(): Promise<string> {
  const { WAXWING_BUILD_OF: given } = process.env
  if (given) return given
  const commit = await $`git log -1 --format=${'%h, %cs'}`.cwd(root).quiet().nothrow().text()
  const changed = await $`git status --porcelain --untracked-files=no`.cwd(root).quiet().nothrow().text()
  if (commit === '') return 'unknown commit'
  return changed === '' ? commit.trim() : `${commit.trim()}, changed`
}

/** The source imports the PostgreSQL server for this machine; the executable gets the one for its target. */
function withPostgres(path: string): BunPlugin {
  return {
    name: 'postgres of the target',
    setup: build => void build.onResolve({ filter: /\/postgres\.tar\.zst$/ }, () => ({ path })),
  }
}

function wantedTargets(given: string | undefined): Target[] {
  if (given === 'all') return [...targets]
  const found = targets.filter(target => target === (given ?? hostTarget()))
  if (found.length === 0)
    throw new Error(`--target must be one of ${targets.join(', ')}, all; got ${given ?? 'none'}`)
  return found
}

async function main(): Promise<void> {
  const known = /^--(target=.*|release)$/
  const unknown = process.argv.slice(2).filter(argument => !known.test(argument))
  if (unknown.length > 0)
    throw new Error(`unknown argument ${unknown.join(' ')}: use --target=NAME and --release`)
  const given = process.argv.find(argument => argument.startsWith('--target='))?.slice('--target='.length)
  const release = process.argv.includes('--release')
  for (const target of wantedTargets(given)) {
    const outfile = join(root, 'dist', given ? `waxwing-${target}` : 'waxwing')
    const startedAt = performance.now()
    const bytes = await buildBinary({ target, release, outfile })
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    console.log(`dist/${basename(outfile)}: ${(bytes / 1e6).toFixed(1)} MB in ${seconds} s`)
  }
}

if (import.meta.main) {
  await main().catch(error => {
    console.error(
      error instanceof AggregateError ? [error.message, ...error.errors].join('\n') : error.message,
    )
    process.exit(1)
  })
}
