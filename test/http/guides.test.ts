// The guides of docs/ as pages of the instance: all of them, with working links, in plain HTML.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { AnyElysia } from 'elysia'
import { buildApp } from '../../src/server/app'
import { request } from '../support/request'
import { makeWorld, type World } from '../support/world'

/** For people who change the program. */
const ownPages = ['README', 'decisions']
const names = readdirSync(join(import.meta.dir, '../../docs'))
  .filter(name => name.endsWith('.md'))
  .map(name => name.slice(0, -'.md'.length))
  .filter(name => !ownPages.includes(name))
const paths = ['/guides', ...names.map(name => `/guides/${name}`)]

let world: World
let app: AnyElysia
const pages = new Map<string, string>()
beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
  for (const path of paths) pages.set(path, (await request<string>(app, 'GET', path)).body)
})
afterAll(() => world.close())

const attributes = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, 'g'))].map(([, value]) => value!)

describe('the guides', () => {
  test.each(paths)('%s is a page without scripts', async path => {
    const { status, headers } = await request<string>(app, 'GET', path)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = headers.get('content-security-policy')!
    expect(policy).toStartWith("default-src 'none'; style-src 'sha256-")
    const html = pages.get(path)!
    const [, sheet] = /<style>([^<]*)<\/style>/.exec(html)!
    expect(policy).toContain(new Bun.CryptoHasher('sha256').update(sheet!).digest('base64'))
    expect(html).not.toMatch(/<script|<img|<link| style=| on[a-z]+="/)
    expect(html.split('<h1 ').length).toBe(2)
  })

  test('link to pages and headings that are there', async () => {
    const broken: string[] = []
    for (const [path, html] of pages) {
      const ids = attributes(html, 'id')
      if (new Set(ids).size < ids.length) broken.push(`${path}: an id twice`)
      for (const href of attributes(html, 'href')) {
        if (/^(https?|mailto):/.test(href)) continue
        const [target = '', anchor] = href.split('#')
        const page = target === '' ? html : pages.get(target)
        const isOther = ['/docs', '/app/'].includes(target)
        if (!isOther && !page) broken.push(`${path}: ${href}`)
        if (page && anchor && !attributes(page, 'id').includes(anchor)) broken.push(`${path}: ${href}`)
      }
    }
    expect(broken).toEqual([])
  })

  test('are all listed in the overview, by title', () => {
    const overview = pages.get('/guides')!
    for (const name of names) expect(overview).toContain(`href="/guides/${name}"`)
    expect(overview).not.toContain('.md</a>')
  })

  test('are named by /config, and linked from /docs', async () => {
    const { body } = await request(app, 'GET', '/config')
    expect(body.urls.wiki).toBe(`${world.ctx.config.baseUrl}/guides`)
    expect((await request<string>(app, 'GET', '/docs')).body).toContain('href="guides"')
  })

  test.each(['nope', 'decisions', 'README', 'images/paused.png', '..%2fpackage.json', '__proto__', 'a/b/c'])(
    '%s is none: 404 with a page',
    async name => {
      const { status, body, headers } = await request<string>(app, 'GET', `/guides/${name}`)
      expect([status, headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
      expect(body).toContain('<a href="/guides">list of guides</a>')
      expect(body).not.toContain(name)
    },
  )
})
