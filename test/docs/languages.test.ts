// The programs of the pages, as they stand there, in the languages that they are written in, against a real server: what they send and record
// arrives, and those that repeat a request send its email once.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HttpServer, reserve } from '../../src/http/server'
import { buildApp } from '../../src/server/app'
import { type Browser, chromiumPath, startChromium } from '../support/chromium'
import { installed } from '../support/counterpart'
import { type Block, blocksOf } from '../support/page'
import { makeWorld, type World } from '../support/world'

const languages = {
  js: { command: ['node'], file: 'program.mjs' },
  python: { command: ['python3'], file: 'program.py' },
  go: { command: ['go', 'run'], file: 'program.go' },
} as const
type Language = keyof typeof languages

let world: World
let server: HttpServer
let folder = ''
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waxwing-languages-'))
  world = await makeWorld()
  server = reserve('127.0.0.1', 0)
  server.open(buildApp(world.ctx))
})
beforeEach(async () => {
  await world.drain()
  world.mail.clear()
  world.project = await world.newProject()
})
afterAll(async () => {
  await server.stop()
  await world.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The page's only program in that language. */
function programOf(page: string, language: string): string {
  const found = blocksOf(page).filter(block => block.language === language)
  expect(found.map(({ line }: Block) => line)).toHaveLength(1)
  return found[0]!.text
}

async function run(page: string, language: Language, url: string): Promise<void> {
  const { command, file } = languages[language]
  const path = join(folder, file)
  writeFileSync(path, programOf(page, language).replaceAll('http://localhost:3000', url))
  const { secretKey: KEY, publicKey: PUBLIC_KEY } = world.project
  const child = Bun.spawn([...command, path], {
    cwd: folder,
    env: { ...process.env, KEY, PUBLIC_KEY },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [out, err] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text()])
  expect({ code: await child.exited, out, err }).toEqual({ code: 0, out: '', err: '' })
}

const subjects = async (): Promise<string[]> => {
  await world.drain()
  return (await world.received()).map(({ subject }) => subject!)
}

const present = (Object.keys(languages) as Language[]).map(
  language => [language, installed(languages[language].command[0]) !== undefined] as const,
)

describe('the first program', () => {
  for (const [language, isInstalled] of present)
    test.skipIf(!isInstalled)(`in ${language} (where it is installed) sends and records`, async () => {
      await run('docs/getting-started.md', language, server.url)
      expect(await subjects()).toEqual(['Welcome, Ada'])
      expect((await world.events()).map(({ name }) => name)).toContain('signed_up')
    })
})

describe('the program that repeats', () => {
  for (const [language, isInstalled] of present)
    test.skipIf(!isInstalled)(
      `in ${language} (where it is installed) sends once, although an answer was lost`,
      async () => {
        const front = loseFirstAnswer()
        await run('docs/sending.md', language, front.url)
        front.stop()
        expect(front.statuses).toEqual([200, 409])
        expect(await subjects()).toEqual([expect.stringMatching(/^Order 10\d\d shipped$/)])
      },
    )
})

/** Passes requests on; the answer to the first one is lost, as behind a proxy that gives up. */
function loseFirstAnswer() {
  const statuses: number[] = []
  const front = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      const { pathname } = new URL(request.url)
      const answer = await fetch(server.url + pathname, {
        method: request.method,
        headers: request.headers,
        body: await request.text(),
      })
      return statuses.push(answer.status) === 1 ? new Response('Bad Gateway', { status: 502 }) : answer
    },
  })
  return { url: `http://127.0.0.1:${front.port}`, statuses, stop: () => front.stop(true) }
}

test.skipIf(chromiumPath === undefined)(
  'the function of a web page records an event from another origin (where Chromium is installed)',
  async () => {
    const html = programOf('docs/getting-started.md', 'html')
      .replaceAll('http://localhost:3000', server.url)
      .replace('PUBLIC_KEY', world.project.publicKey)
    const shop = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: () => new Response(`<!doctype html>${html}`, { headers: { 'content-type': 'text/html' } }),
    })
    const browser: Browser = await startChromium()
    const tab = await browser.tab()
    await tab.send('Emulation.setScriptExecutionDisabled', { value: false })
    await tab.open(`http://127.0.0.1:${shop.port}/`)
    const status = await tab.evaluate<number>(
      `track('ada@example.com', 'viewed', { page: 'lamps' }).then(answer => answer.status)`,
    )
    await browser.close()
    await shop.stop(true)
    expect(status).toBe(200)
    expect((await world.events()).find(({ name }) => name === 'viewed')?.data).toEqual({ page: 'lamps' })
  },
)
