// Scrolling through large tables in a real Chromium: the contacts of a project with a million, and the ledger with five million messages.
// Prints the longest pause of the page's main thread and the slowest answer of the API. `bun bench/scroll.ts [contacts] [messages]
// [rows]`: how many there are of each, and how far down each table is scrolled. Aim: no pause over 100 ms.
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { openDatabase } from '../src/platform/db/client'
import { runningServerUrl } from '../src/platform/db/embedded'
import { chromiumPath } from '../test/support/chromium'
import { generateHistories } from './support/history'
import { type Program, startProgram } from './support/program'

const [contacts = 1_000_000, emails = 5_000_000, rows = 20_000] = process.argv.slice(2).map(Number)
const projectId = '01900000-0000-7000-8000-0000000000bb'
const maxPauseMs = 100

async function fill({ dataDir }: Program): Promise<void> {
  const { sql, close } = openDatabase(runningServerUrl(join(dataDir, 'postgres')), { max: 3 })
  try {
    // A connection that is reserved before its first use is never handed out.
    await sql`select 1`
    const size = { contacts, emails, events: 1_000, names: 5, executions: 100, now: new Date() }
    await generateHistories(sql, [{ projectId, ...size }])
    await sql`insert into contact_totals (project_id, contacts, subscribed) values (${projectId}, ${contacts}, ${contacts})`
    // Keys that the program can unseal again.
    await sql`
      update projects p set public_key_sealed = o.public_key_sealed, secret_key_sealed = o.secret_key_sealed,
             webhook_secret_sealed = o.webhook_secret_sealed
        from projects o where p.id = ${projectId} and o.id <> p.id`
    await sql`
      insert into memberships (project_id, user_id, role, created_at, updated_at)
      select ${projectId}::uuid, user_id, role, created_at, updated_at from memberships limit 1`
  } finally {
    await close()
  }
}

interface Trace {
  rows: number
  /** Milliseconds for which the page was unresponsive, longest first. */
  pauses: number[]
  /** Milliseconds of the answers for pages of rows, slowest first. */
  answers: number[]
}

/** Runs in the page: scrolls until the table has been passed down to that depth, and notes every task that blocked the thread. */
async function scrollDown(depth: number): Promise<Trace> {
  const pauses: number[] = []
  new PerformanceObserver(list => {
    for (const { duration } of list.getEntries()) pauses.push(Math.round(duration))
  }).observe({ type: 'longtask', buffered: false })
  performance.setResourceTimingBufferSize(100_000)
  const lastRow = (): number =>
    Math.max(
      0,
      ...[...document.querySelectorAll('tr[aria-rowindex]')].map(row =>
        Number(row.getAttribute('aria-rowindex')),
      ),
    )
  const frame = (): Promise<unknown> => new Promise(requestAnimationFrame)
  const ends = performance.now() + 600_000
  let deepest = 0
  while (deepest < depth && performance.now() < ends) {
    scrollBy(0, 1_200)
    await frame()
    deepest = Math.max(deepest, lastRow())
  }
  const falling = (a: number, b: number): number => b - a
  const answers = performance
    .getEntriesByType('resource')
    .filter(entry => /\/(contacts|emails)\?/.test(entry.name))
    .map(entry => Math.round(entry.duration))
  return { rows: deepest, pauses: pauses.sort(falling), answers: answers.sort(falling) }
}

async function trace(page: Page, url: string, name: string): Promise<number> {
  await page.goto(url)
  await page.locator('tr[aria-rowindex]').first().waitFor({ timeout: 60_000 })
  await page.waitForLoadState('networkidle')
  const { rows: deepest, pauses, answers } = await page.evaluate(scrollDown, rows)
  const middle = answers[Math.floor(answers.length / 2)] ?? 0
  console.log(
    `${name}: ${deepest} rows, ${answers.length} pages; longest pause ${pauses[0] ?? 0} ms (${pauses.length} over 50 ms); ` +
      `answers: slowest ${answers[0] ?? 0} ms, median ${middle} ms`,
  )
  return pauses[0] ?? 0
}

async function openPage(browser: Browser, { url }: Program): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  await context.request.post(`${url}/auth/login`, {
    data: { email: 'bench@example.com', password: 'a long password' },
  })
  return page
}

if (!chromiumPath) throw new Error('no Chromium is installed')
// Without jobs: the history contains campaigns that would be due.
const program = await startProgram({ ROLE: 'api' })
const browser = await chromium.launch({
  executablePath: chromiumPath,
  args: ['--no-sandbox', '--disable-gpu'],
})
try {
  const begun = performance.now()
  await fill(program)
  console.log(
    `${contacts} contacts and ${emails} messages in ${Math.round((performance.now() - begun) / 1_000)} s`,
  )
  const page = await openPage(browser, program)
  const home = `${program.url}/app/${projectId}`
  const longest = Math.max(
    await trace(page, `${home}/contacts`, 'contacts'),
    await trace(page, `${home}/messages`, 'messages'),
  )
  console.log(longest <= maxPauseMs ? 'no pause over 100 ms' : `a pause of ${longest} ms is too long`)
  process.exitCode = longest <= maxPauseMs ? 0 : 1
} finally {
  await browser.close()
  await program.stop()
}
