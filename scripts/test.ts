// Runs the tests as `bun test` does, in several processes that share one database server, over the files named (all when none), and ends
// with `N passed, N failed`. What is watched for how long it holds up others runs last and alone. Only here, where all answers of a run come together, are they compared with the OpenAPI document.
import { mkdtempSync, rmSync } from 'node:fs'
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

interface Counts {
  pass: number
  fail: number
  skip: number
  /** With which bun has ended. */
  code: number
}

async function runTests(scratch: string): Promise<Counts> {
  // Files of a worker share its modules: loading and warming up the application for each was a third of the time. Whatever one leaves
  // behind for the next is an error (test/support/leftovers.ts).
  const flags = [`--parallel=${workers}`, '--no-isolate']
  const named = process.argv.slice(2)
  if (named.length > 0) return await runBun([...flags, ...named], scratch)
  const most = await runBun([...flags, `--path-ignore-patterns=${watched}/**`], scratch)
  const rest = await runBun([watched], scratch)
  const sum = (key: keyof Counts): number => most[key] + rest[key]
  return { pass: sum('pass'), fail: sum('fail'), skip: sum('skip'), code: sum('code') }
}

/** Runs `bun test`, passes its output through, and returns the counts from its closing lines. */
async function runBun(words: readonly string[], scratch: string): Promise<Counts> {
  const child = Bun.spawn([process.execPath, 'test', ...words], {
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
