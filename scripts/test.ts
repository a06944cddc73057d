// Runs the tests: starts one throw-away PostgreSQL for the whole run (or uses TEST_DATABASE_URL), migrates a template database
// that every test file clones, runs `bun test` over the files named (all when none), and ends with `N passed, N failed`.

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startTestServer } from '../test/support/server'
import { dropTemplate, prepareTemplate } from '../test/support/template'

const template = `waxwing_template_${process.pid}`
/** One more than there are processors: some files wait for processes, timers or the database most of their time. */
const workers = Math.min(availableParallelism(), 4) + 1

/** Runs bun, passes its output through, and returns the counts from its closing lines. */
async function runTests(
  url: string,
  scratch: string,
): Promise<{ pass: number; fail: number; skip: number; code: number }> {
  // Files of a worker share its modules: loading and warming up the application for each was a third of the time. What one would
  // leave behind for the next is an error (test/support/leftovers.ts).
  const flags = ['--timeout=30000', `--parallel=${workers}`, '--no-isolate']
  const child = Bun.spawn([process.execPath, 'test', ...flags, ...process.argv.slice(2)], {
    env: {
      ...process.env,
      NODE_ENV: 'test',
      TEST_SERVER_URL: url,
      TEST_TEMPLATE: template,
      TEST_SCRATCH: scratch,
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
  const count = (word: string): number =>
    Number(tail.match(new RegExp(`^\\s*(\\d+) ${word}$`, 'm'))?.[1] ?? 0)
  return { pass: count('pass'), fail: count('fail'), skip: count('skip'), code: await child.exited }
}

/** Statuses that operations answered and the OpenAPI document does not name: how many, each told. */
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
  const scratch = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'waxwing-test-'))
  const server = await startTestServer(scratch)
  try {
    await prepareTemplate(server.url, template)
    const { pass, fail, skip, code } = await runTests(server.url, scratch)
    const failed = (fail === 0 && code !== 0 ? 1 : fail) + (await compareAnswers(scratch))
    console.log(`${pass} passed, ${failed} failed${skip > 0 ? `, ${skip} skipped` : ''}`)
    return failed === 0 && pass > 0 ? 0 : 1
  } finally {
    await dropTemplate(server.url, template).catch(() => {})
    await server.stop()
    rmSync(scratch, { recursive: true, force: true })
  }
}

process.exit(await main())
