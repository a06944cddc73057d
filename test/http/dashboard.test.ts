// How the dashboard is served: one document for all its addresses, files that never change, and a policy under which nothing foreign runs.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { AnyElysia } from 'elysia'
import { buildApp } from '../../src/server/app'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { request } from '../support/request'

let database: TestDatabase
let app: AnyElysia
let shell: string

beforeAll(async () => {
  database = await cloneDatabase({ empty: true })
  app = buildApp(testContext(database).ctx)
  shell = (await request<string>(app, 'GET', '/app/')).body
})
afterAll(async () => await database.drop())

const assets = (): string[] => [...shell.matchAll(/(?:src|href)="([^"]+)"/g)].map(found => found[1]!)
const bytes = async (path: string, encoding: string): Promise<Response> =>
  await app.handle(new Request(`http://localhost${path}`, { headers: { 'accept-encoding': encoding } }))

test('/ leads a browser to it', async () => {
  const headers = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
  const answer = await request(app, 'GET', '/', { headers })
  expect([answer.status, answer.headers.get('location')]).toEqual([302, '/app/'])
})

test('search engines are asked to stay away, and find no page that they may keep', async () => {
  const { status, body, headers } = await request<string>(app, 'GET', '/robots.txt')
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  expect(body).toBe('User-agent: *\nDisallow: /\n')
  for (const path of ['/app/', '/docs', '/auth/login', '/forms/01a00000-0000-7000-8000-000000000000'])
    expect([
      path,
      (await request(app, 'GET', path, { headers: { accept: 'text/html' } })).headers.get('x-robots-tag'),
    ]).toEqual([path, 'noindex, nofollow'])
})

describe('the document', () => {
  test.each(['/app', '/app/', '/app/sign-in', '/app/0199aaaa-0000-7000-8000-000000000000/contacts/1'])(
    '%s is the same one',
    async path => {
      const { status, body, headers } = await request<string>(app, 'GET', path)
      expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
      expect(body).toBe(shell)
    },
  )

  test('holds no script and no style of its own, and nothing from elsewhere', () => {
    expect(shell).not.toMatch(/<script>|<style|style=|\son\w+=|https?:/)
    expect(assets().every(path => path.startsWith('/app/assets/'))).toBe(true)
    expect(assets().length).toBeGreaterThan(3)
  })

  test('may be asked for again without being sent again', async () => {
    const first = await request(app, 'GET', '/app/')
    const headers = { 'if-none-match': first.headers.get('etag')! }
    expect(first.headers.get('cache-control')).toBe('no-cache')
    expect((await request(app, 'GET', '/app/contacts', { headers })).status).toBe(304)
  })

  test('allows its own scripts and styles only, and no frame around it', async () => {
    const { headers } = await request(app, 'GET', '/app/')
    const policy = headers.get('content-security-policy') ?? ''
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
    ])
      expect(policy).toContain(rule)
    expect(policy).not.toMatch(/unsafe|\*|https?:/)
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  })

  test('knows the path that the instance is reached under', async () => {
    const { ctx } = testContext(database, { baseUrl: 'https://example.com/mail' })
    const { body } = await request<string>(buildApp(ctx), 'GET', '/app/')
    expect(body).toContain('src="/mail/app/assets/')
  })
})

describe('a file', () => {
  test('is compressed as the client likes it, and kept for good', async () => {
    const path = assets().find(each => each.endsWith('.js'))!
    const plain = Buffer.from(await (await bytes(path, 'identity')).arrayBuffer())
    const br = await bytes(path, 'gzip, deflate, br')
    const gzip = await bytes(path, 'gzip')
    expect([br, gzip].map(each => each.headers.get('content-encoding'))).toEqual(['br', 'gzip'])
    expect(brotliDecompressSync(await br.arrayBuffer())).toEqual(plain)
    expect(gunzipSync(await gzip.arrayBuffer())).toEqual(plain)
    expect(br.headers.get('cache-control')).toContain('immutable')
    expect(br.headers.get('content-type')).toStartWith('text/javascript')
  })

  test.each([
    ...['/app/assets/none.js', '/app/assets/index.html', '/app/assets/__proto__'],
    ...['/app/assets/..%2f..%2fpackage.json', '/app/assets/%2e%2e/%2e%2e/etc/passwd'],
  ])('%s is 404', async path => expect((await request(app, 'GET', path)).status).toBe(404))

  test('has no source map', async () => {
    for (const path of assets()) {
      expect(await (await bytes(path, 'identity')).text()).not.toContain('sourceMappingURL=')
      expect((await request(app, 'GET', `${path}.map`)).status).toBe(404)
    }
  })

  test('the typeface is served by the instance itself, and the part that every page needs is loaded at once', async () => {
    const style = assets().find(path => path.endsWith('.css'))!
    const named = [...(await (await bytes(style, 'identity')).text()).matchAll(/url\(([^)]+\.woff2)\)/g)]
    const fonts = named.map(([, name]) => new URL(name!, `http://localhost${style}`).pathname)
    expect(fonts.length).toBeGreaterThan(3)
    for (const path of fonts) {
      const answer = await bytes(path, 'br')
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'font/woff2'])
      const content = brotliDecompressSync(await answer.arrayBuffer())
      expect(content.subarray(0, 4).toString()).toBe('wOF2')
    }
    const preloaded = assets().filter(path => path.endsWith('.woff2'))
    expect(preloaded.map(path => fonts.includes(path))).toEqual([true])
    const { headers } = await request(app, 'GET', '/app/')
    expect(headers.get('content-security-policy')).toContain("font-src 'self'")
  })

  test('scripts of the first load, with all that they import at once, are preloaded and under 200 kB compressed', async () => {
    const named = assets().filter(path => path.endsWith('.js'))
    const needed = new Set<string>()
    const follow = async (path: string): Promise<void> => {
      if (needed.has(path)) return
      needed.add(path)
      const script = await (await bytes(path, 'identity')).text()
      const found = new Bun.Transpiler({ loader: 'js' }).scanImports(script)
      const imported = found.filter(({ kind }) => kind === 'import-statement')
      for (const { path: name } of imported) await follow(new URL(name, `http://localhost${path}`).pathname)
    }
    for (const path of named) await follow(path)
    expect([...needed].toSorted()).toEqual(named.toSorted())
    for (const encoding of ['br', 'gzip']) {
      const answers = await Promise.all([...needed].map(path => bytes(path, encoding)))
      expect(answers.map(answer => answer.headers.get('content-encoding'))).toEqual(named.map(() => encoding))
      const sizes = await Promise.all(answers.map(async answer => (await answer.arrayBuffer()).byteLength))
      const total = sizes.reduce((sum, size) => sum + size, 0)
      console.log(`first load: ${total} bytes of script (${encoding}) in ${sizes.length} files`)
      expect(total).toBeLessThan(200_000)
    }
  })
})

test('a mail is shown in a frame without an origin, where only our script runs', async () => {
  const { headers, body } = await request<string>(app, 'GET', '/app/mail-frame')
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self'")
  expect(policy).toMatch(/sandbox(?!.*allow-same-origin)/)
  expect(policy).toContain("frame-ancestors 'self'")
  expect(body.match(/<script/g)).toHaveLength(1)
})

test('in that frame images and fonts from elsewhere are loaded on request only', async () => {
  const directives = async (path: string) => {
    const { headers } = await request<string>(app, 'GET', path)
    const policy = headers.get('content-security-policy') ?? ''
    return policy.split('; ').filter(directive => /^(?:img|font|media)-src/.test(directive))
  }
  const { baseUrl } = testContext(database).ctx.config
  expect(await directives('/app/mail-frame')).toEqual([
    `img-src data: ${baseUrl}/uploads/`,
    'font-src data:',
    "media-src 'none'",
  ])
  expect(await directives('/app/mail-frame?images')).toEqual([
    'img-src data: *',
    'font-src * data:',
    'media-src *',
  ])
})
