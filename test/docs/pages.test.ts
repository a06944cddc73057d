// Every command, request and statement of README and docs is run here as it stands there, and every answer that a page shows is
// compared with the real one. A page is one shell session against one instance; a block that nothing runs fails the test.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { settingNamed } from '../../src/settings/config'
import { installed } from '../support/counterpart'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { startNameServer } from '../support/name-server'
import { allPages, type Block, blocksOf, difference, linksOf, readPage, requestsNamed } from '../support/page'
import { makeShell, type Outcome, type PageRun, runPage, type Shell } from '../support/page-shell'
import { builtProgram, type Program, startProgram } from '../support/program'
import { until } from '../support/until'
import { notRun, settingsBlock } from './not-run'
import { servedRoutes } from './routes'

const root = join(import.meta.dir, '../..')
const isRunnable = ['bash', 'curl', 'jq'].every(installed)
const shells = ['sh', 'bash']

let folder = ''
let database: TestDatabase
let program: Program
let shell: Shell
const closing: Array<() => unknown> = []

beforeAll(async () => {
  if (!isRunnable) return
  folder = mkdtempSync(join(tmpdir(), 'waxwing-pages-'))
  database = await cloneDatabase()
  const names = await startNameServer()
  const idle = Bun.serve({ port: 0, fetch: untilIdle })
  closing.push(
    () => names.stop(),
    () => idle.stop(true),
  )
  const settings = { DATABASE_URL: database.url, DATA_DIR: join(folder, 'data'), DNS_SERVERS: names.address }
  const environment = { ...settings, PORT: '0', DISABLE_SIGNUPS: 'false', LOG_LEVEL: 'warn' }
  const path = { PATH: process.env.PATH ?? '' }
  program = await startProgram({ cwd: folder, environment: { ...environment, ...path } })
  shell = makeShell(folder, await builtProgram(), new URL(program.url).port, idle.url.href, environment)
})

afterAll(async () => {
  await program?.stop()
  for (const close of closing) await close()
  await database?.drop()
  if (folder) rmSync(folder, { recursive: true, force: true })
})

/**
 * Stands behind `sleep` in the pages: answers when no job is due or about to be, two times in a row, so that nobody waits longer than
 * needed or not long enough.
 */
async function untilIdle(): Promise<Response> {
  let quiet = 0
  const isIdle = async (): Promise<boolean> => {
    const [row] = await database.sql<{ busy: boolean }[]>`
      select exists (select 1 from jobs where state = 'running'
                        or (state = 'queued' and run_at <= now() + interval '1 second')) as busy`
    quiet = row!.busy ? 0 : quiet + 1
    return quiet === 2
  }
  return await until('jobs end', isIdle).then(
    () => new Response(),
    (error: Error) => new Response(error.message, { status: 500 }),
  )
}

function isListed(block: Block): boolean {
  return notRun.some(({ page, begins }) => page === block.page && block.text.trimStart().startsWith(begins))
}

function isCommand(block: Block): boolean {
  const isShell = shells.includes(block.language) || (block.isIndented && /^(curl|waxwing) /.test(block.text))
  return isShell && !isListed(block)
}

/** The block of JSON right behind a command is its answer. */
function answerBehind(blocks: readonly Block[], command: Block): Block | undefined {
  const next = blocks[blocks.indexOf(command) + 1]
  return next?.language === 'json' && isCommand(command) ? next : undefined
}

/** A project of the page's own; README and getting-started make theirs before the reader's eyes. */
async function projectFor(page: string): Promise<Record<string, string>> {
  if (page === 'README.md' || page === 'docs/getting-started.md') return {}
  const name = page.replace(/\W/g, '-')
  const jar = join(folder, 'cookies.txt')
  rmSync(jar, { force: true })
  await post(jar, '/auth/signup', { email: `${name}@example.com`, password: 'a long password' })
  const made = await post(jar, '/users/@me/projects', { name: 'Acme' })
  return { KEY: made['secret']!, PUBLIC_KEY: made['public']!, PROJECT_ID: made['id']! }
}

/** Leaves the session in the file that pages expect after getting-started. */
async function post(jar: string, path: string, body: object): Promise<Record<string, string>> {
  // The name that the pages use, because sessions belong to a name.
  const url = `http://localhost:${new URL(program.url).port}${path}`
  const session = ['-b', jar, '-c', jar, '-H', 'content-type: application/json']
  const child = Bun.spawn(['curl', '-sS', '-f', ...session, '-d', JSON.stringify(body), url], {
    stderr: 'inherit',
  })
  return (await new Response(child.stdout).json()) as Record<string, string>
}

function faultsOf(blocks: Block[], run: PageRun): string[] {
  const place = ({ page, line }: Block): string => `${page}:${line}`
  const ended =
    run.code === 0 ? [] : [`${run.last ? place(run.last) : 'start'}: ended with ${run.code}\n${run.output}`]
  return [
    ...ended,
    ...run.outcomes.flatMap(outcome =>
      answerFaults(blocks, outcome).map(each => `${place(outcome.block)}: ${each}`),
    ),
  ]
}

function answerFaults(blocks: Block[], { block, answers }: Outcome): string[] {
  const wanted = /^# .*answers (\d{3})/m.exec(block.text)?.[1]
  const faults = answers.flatMap(({ status, body }) => {
    const isRight = wanted ? status === Number(wanted) : status >= 200 && status < 400
    return isRight ? [] : [`status ${status} ${body.slice(0, 500)}`]
  })
  const shown = answerBehind(blocks, block)
  if (!shown) return faults
  const last = answers.at(-1)?.body ?? ''
  const found = last === '' ? 'there is no answer' : difference(JSON.parse(shown.text), JSON.parse(last))
  return found ? [...faults, `${found}\n${last.slice(0, 1_500)}`] : faults
}

describe.skipIf(!isRunnable)('commands and requests', () => {
  test.each(allPages())('%s does what it says', async page => {
    const blocks = blocksOf(page)
    const commands = blocks.filter(isCommand)
    if (commands.length === 0) return
    const run = await runPage(shell, page.replace(/\W/g, '-'), commands, await projectFor(page))
    expect(faultsOf(blocks, run)).toEqual([])
  })
})

describe('statements', () => {
  test.each(allPages().filter(page => blocksOf(page).some(block => block.language === 'sql')))(
    '%s: SQL works on a database of this version',
    async page => {
      const copy = await cloneDatabase({ max: 1 })
      try {
        for (const block of blocksOf(page))
          if (block.language === 'sql' && !isListed(block)) await copy.sql.unsafe(block.text)
      } finally {
        await copy.drop()
      }
    },
  )
})

describe('pages', () => {
  test.each(allPages())('%s has no block that nothing tries', page => {
    const blocks = blocksOf(page)
    const answers = new Set(blocks.map(block => answerBehind(blocks, block)))
    const tried = (block: Block): boolean =>
      isCommand(block) || isListed(block) || answers.has(block) || isElsewhere(block)
    expect(
      blocks.filter(block => !tried(block)).map(({ page, line, text }) => `${page}:${line} ${text}`),
    ).toEqual([])
  })

  test.each(allPages())('%s names only endpoints that exist', page => {
    const unknown = requestsNamed(page).filter(
      ({ method, path }) => !servedRoutes.some(route => route.fits(method, path)),
    )
    expect(unknown).toEqual([])
  })

  test.each(allPages())('%s links to files that exist', page => {
    expect(linksOf(page).filter(path => !existsSync(join(root, path)))).toEqual([])
  })

  test('everything that is listed as not run is on its page', () => {
    const all = allPages().flatMap(blocksOf)
    const stale = notRun.filter(
      ({ page, begins }) =>
        !all.some(block => block.page === page && block.text.trimStart().startsWith(begins)),
    )
    expect(stale).toEqual([])
  })

  test('the index names every page', () => {
    const index = readPage('docs/README.md')
    const pages = allPages().filter(page => page.startsWith('docs/') && page !== 'docs/README.md')
    expect(pages.filter(page => !index.includes(`(${page.slice('docs/'.length)})`))).toEqual([])
  })
})

/** Of the pages whose programs languages.test.ts and snippets.test.ts run; programs elsewhere are listed with what runs them. */
function isProgram({ page, language }: Block): boolean {
  const pages = ['docs/getting-started.md', 'docs/sending.md', 'docs/workflows.md']
  return pages.includes(page) && ['js', 'python', 'go', 'html'].includes(language)
}

/** SQL and programs have tests of their own, settings only need to exist. */
function isElsewhere(block: Block): boolean {
  return block.language === 'sql' || isProgram(block) || isSettings(block)
}

/** Lines `NAME=value` of settings that exist. */
function isSettings(block: Block): boolean {
  if (block.language !== '') return false
  const names = settingsBlock(block.text)
  return names?.every(name => settingNamed(name)) ?? false
}
