// HTML of megabytes whose text is costly to make: a send of it is answered while others are served, and the text is the same.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { makeApplication } from '../../src/http/application'
import { metaRoutes } from '../../src/modules/api/meta/routes'
import { v1Routes } from '../../src/modules/api/v1/routes'
import { maxBlockMs, watchLoop } from '../support/longest-block'
import { type Answer, request } from '../support/request'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let app: ReturnType<typeof makeApplication>
beforeAll(async () => {
  world = await makeWorld()
  app = makeApplication(world.ctx, [ctx => metaRoutes(ctx, () => app), v1Routes])
})
beforeAll(async () => {
  // What is loaded and compiled at the first use is no part of what a body costs.
  for (const text of ['Hello', fill('<b>Hello</b> ')]) await prepared(text)()
})
afterAll(() => world.close())

const fill = (piece: string, bytes = 4_500_000): string => piece.repeat(Math.floor(bytes / piece.length))
const letter = (body: string) => ({ to: 'ada@example.com', from: sender, subject: 'Hello', body })

/** Makes the request, and then sends it: what making it costs is no part of what receiving it does. */
function prepared(body: string): () => Promise<Answer> {
  const blob = new Blob([JSON.stringify(letter(body))])
  const headers = { 'content-type': 'application/json' }
  return () =>
    request(app, 'POST', '/v1/send', { key: world.project.secretKey, body: blob.stream(), headers })
}

test.each([
  ['paragraphs with links', fill('<p><a href=x>')],
  ['tags in one line', fill('<div>')],
  ['open tags', fill('<')],
  ['entities', fill('&amp;')],
  ['items', fill('<li>a')],
  // More of them take about as long as a rendering has, so that the answer would depend on the machine.
  ['line breaks that are kept', `<pre>${fill('a\n', 3_000_000)}`],
  ['braces that are text', fill('&#123;&#123;')],
])('a body of %s', async (_, body) => {
  const send = prepared(body)
  Bun.gc(true)
  const { result, longestMs } = await watchLoop(app, send)
  expect(result.status).toBe(200)
  expect(longestMs).toBeLessThan(maxBlockMs)
})

test('the text of a long body is the one that a short body has, with its Liquid', async () => {
  const padding = `<!--${'x'.repeat(200_000)}-->`
  const body = `<h1>Hello {{ email }}</h1><p>{% if email %}<a href="https://acme.example">Shop</a>{% endif %}</p>`
  const ids = [await world.sendOne({ body }), await world.sendOne({ body: `${body}${padding}` })]
  await world.drain()
  const texts = (await world.received()).map(({ text }) => text)
  expect(ids).toHaveLength(2)
  expect(texts.at(-1)).toBe(texts.at(-2)!)
  expect(texts.at(-1)).toContain('Shop (https://acme.example)')
})
