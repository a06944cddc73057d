// Runs the tests as `bun test` does, in several processes that share one database server, over the files named, and ends with
// `N passed, N failed`. Without files it runs all but the slow ones; `--slow` runs those, with a line for each part. TIMINGS=FILE writes how
// long each file took. Only here, where all answers of a run come together, are they compared with the OpenAPI document.
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { stopTestServer, testServer } from '../test/support/server'

/** One more than there are processors: some files spend most of their time waiting for processes, timers or the database. */
const workers = Math.min(availableParallelism(), 4) + 1

/**
 * The engine's last compiler pays off where a function runs for long, and a worker does a little of everything: asked for by ten times as
 * many turns, it and what it compiled too early leave an eighth of a worker's time. And it takes the machine for one of a gigabyte, which
 * it collects its garbage by: by the memory that there is, a worker would grow to two.
 */
const engine = { BUN_JSC_thresholdForFTLOptimizeAfterWarmUp: '1000000', BUN_JSC_forceRAMSize: '1000000000' }

/** Where the workers ask for the server; the first request starts it. */
const desk = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  idleTimeout: 0,
  fetch: async () => Response.json(await testServer()),
  error: error => new Response(error.message, { status: 500 }),
})

/** Its files watch the event loop (test/support/longest-block.ts), which other tests on the same processors would disturb. */
const watched = 'test/loop'

/** What is slow by its nature, by the part of the slow tests that runs it. */
const slow: Record<string, string[]> = {
  /** A browser, built programs, copies of the repository, releases, programs and clients of other people. */
  'programs and browsers': [
    'test/binary',
    'test/browser',
    'test/clients',
    'test/docs/languages.test.ts',
    'test/docs/pages.test.ts',
    'test/docs/recipes.test.ts',
    'test/docs/scaling.test.ts',
    'test/e2e',
    'test/openapi-clients.test.ts',
    'test/upgrade',
  ],
  /** Nonsense, abuse and large corpora at every way in; every route as every caller. */
  'hostile input': [
    'test/http/contacts-fuzz.test.ts',
    'test/http/forms-abuse.test.ts',
    'test/http/role-matrix.test.ts',
    'test/http/segments-fuzz.test.ts',
    'test/http/spam-points.test.ts',
    'test/http/spam-samples.test.ts',
    'test/http/workflows-costly.test.ts',
    'test/smtp/every-message.test.ts',
    'test/smtp/submission-hostile.test.ts',
    'test/unit/platform/render-memory.test.ts',
  ],
  /** Every order that a model allows, random walks, several processes at once, and copies of whole databases. */
  'models and races': [
    'test/flows/feedback-storm.test.ts',
    'test/flows/import-dry-run.test.ts',
    'test/flows/workflow-counts.test.ts',
    'test/flows/workflow-crash.test.ts',
    'test/flows/workflow-races.test.ts',
    'test/http/campaign-races.test.ts',
    'test/http/consent-mail.test.ts',
    'test/jobs/campaigns.test.ts',
    'test/jobs/processes.test.ts',
    'test/jobs/project-closing.test.ts',
    'test/model',
    'test/platform/backup.test.ts',
    'test/smtp/many-at-once.test.ts',
    'test/unit/contacts/mix.test.ts',
  ],
}

/** What depends on how tables are divided: lists, counts, retention. The slow tests run it on tables that are split by month. */
const divided = [
  ...['activity', 'analytics', 'email-days', 'emails', 'emails-search', 'events', 'list-queries'],
  ...['list-filters', 'project-retention', 'tracking'],
].map(name => `test/http/${name}.test.ts`)

interface Counts {
  pass: number
  fail: number
  skip: number
  /** With which bun has ended. */
  code: number
}

// Files of a worker share its modules: loading and warming up the application for each was a third of the time. Whatever one leaves
// behind for the next is an error (test/support/leftovers.ts).
const flags = [`--parallel=${workers}`, '--no-isolate']

const isSlow = process.argv.includes('--slow')
const named = process.argv.slice(2).filter(word => word !== '--slow')

async function runTests(scratch: string): Promise<Counts> {
  if (named.length > 0) return await runBun([...flags, ...named], scratch)
  const all = Object.values(slow).flat()
  const gone = [...all, watched, ...divided].filter(path => !existsSync(path))
  if (gone.length > 0) throw new Error(`scripts/test.ts names tests that are not there: ${gone.join(', ')}`)
  if (!isSlow) {
    const left = [...all, watched].map(path => (path.endsWith('.ts') ? path : `${path}/**`))
    return await runBun([...flags, ...left.map(path => `--path-ignore-patterns=${path}`)], scratch)
  }
  const parts: [string, () => Promise<Counts>][] = [
    ...Object.entries(slow).map(([name, paths]): (typeof parts)[number] => [
      name,
      () => runBun([...flags, ...paths.map(path => `./${path}`)], scratch),
    ]),
    ['event loop', () => runBun([`./${watched}`], scratch)],
    ['split by month', runDivided],
  ]
  const sum: Counts = { pass: 0, fail: 0, skip: 0, code: 0 }
  for (const [name, run] of parts) {
    const counts = await run()
    for (const key of Object.keys(sum) as (keyof Counts)[]) sum[key] += counts[key]
    console.log(`${name}: ${counts.pass} passed, ${counts.fail} failed, ${counts.skip} skipped`)
  }
  return sum
}

/** In a run of its own, whose server has another template. */
async function runDivided(): Promise<Counts> {
  const child = Bun.spawn([process.execPath, import.meta.path, ...divided], {
    env: { ...process.env, TEST_PARTITIONED: '1' },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const said = await new Response(child.stdout).text()
  process.stdout.write(said)
  const [, pass = 0, fail = 0, skip = 0] =
    /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/m.exec(said)?.map(Number) ?? []
  return { pass, fail, skip: skip || 0, code: await child.exited }
}

/** Runs `bun test`, passes its output through, and returns the counts from its closing lines. */
async function runBun(words: readonly string[], scratch: string): Promise<Counts> {
  const { TIMINGS } = process.env
  const reporter = TIMINGS ? ['--reporter=junit', `--reporter-outfile=${TIMINGS}`] : []
  const child = Bun.spawn([process.execPath, 'test', ...reporter, ...words], {
    env: {
      ...engine,
      ...process.env,
      ...{ NODE_ENV: 'test', TEST_SERVER: desk.url.href, TEST_SCRATCH: scratch },
    },
    stdout: 'inherit',
    stderr: 'pipe',
  })
  let tail = ''
  const decoder = new TextDecoder()
  for await (const chunk of child.stderr) {
    process.stderr.write(chunk)
    tail = (tail + decoder.decode(chunk, { stream: true })).slice(-4_000)
  }
  // The last match: a test may have printed something similar.
  const count = (word: string): number =>
    Number([...tail.matchAll(new RegExp(`^\\s*(\\d+) ${word}$`, 'gm'))].at(-1)?.[1] ?? 0)
  return { pass: count('pass'), fail: count('fail'), skip: count('skip'), code: await child.exited }
}

/** Prints the statuses that operations answered with and the OpenAPI document does not name; returns how many. */
async function compareAnswers(scratch: string): Promise<number> {
  // The application is loaded only now, when no test is running beside it.
  const { readSeen, undocumented } = await import('../test/support/answers-compared')
  const seen = readSeen(scratch)
  const { SEEN_FILE } = process.env
  if (SEEN_FILE) await Bun.write(SEEN_FILE, JSON.stringify(seen))
  const missing = undocumented(seen)
  for (const name of missing) console.log(`answered and not documented in /openapi.json: ${name}`)
  return missing.length
}

async function main(): Promise<number> {
  const scratch = mkdtempSync(join(tmpdir(), 'waxwing-seen-'))
  try {
    const { pass, fail, skip, code } = await runTests(scratch)
    const failed = (fail === 0 && code !== 0 ? 1 : fail) + (await compareAnswers(scratch))
    console.log(`${pass} passed, ${failed} failed${skip > 0 ? `, ${skip} skipped` : ''}`)
    return failed === 0 && pass > 0 ? 0 : 1
  } finally {
    await stopTestServer()
    rmSync(scratch, { recursive: true, force: true })
  }
}

process.exit(await main())
