// The JavaScript of the pages, run as it stands there; and what their examples must not teach.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signatureHeaders } from '../../src/platform/webhook/signature'
import { allPages, blocksOf, readPage } from '../support/page'

const snippets = allPages()
  .flatMap(blocksOf)
  // Whole programs are run by languages.test.ts.
  .filter(block => block.language === 'js' && block.text.includes('\nexport '))

interface Snippet {
  isGenuine(secret: string, headers: Record<string, string>, body: string, now?: number): boolean
}

let folder = ''
let snippet: Snippet
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'waxwing-snippet-'))
  const file = join(folder, 'snippet.mjs')
  writeFileSync(file, snippets[0]!.text)
  snippet = (await import(file)) as Snippet
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('there is one snippet to take over, and it is tried here', () => {
  expect(snippets.map(({ page }) => page)).toEqual(['docs/workflows.md'])
})

test('the check of a signature believes our calls and nothing else', () => {
  const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`
  const other = `whsec_${Buffer.from('another-secret-another-secret-32').toString('base64')}`
  const sentAt = new Date('2026-03-01T12:00:00Z')
  const body = '{"contact":{"email":"zoë@example.com"}}'
  const headers = signatureHeaders(secret, { id: 'call-1', sentAt, body })
  const now = sentAt.getTime() + 1_000
  const rotating = { ...headers, 'webhook-signature': `v1,AAAA ${headers['webhook-signature']}` }
  expect(snippet.isGenuine(secret, headers, body, now)).toBe(true)
  expect(snippet.isGenuine(secret, rotating, body, now)).toBe(true)
  expect(snippet.isGenuine(other, headers, body, now)).toBe(false)
  expect(snippet.isGenuine(secret, headers, `${body} `, now)).toBe(false)
  expect(snippet.isGenuine(secret, { ...headers, 'webhook-id': 'call-2' }, body, now)).toBe(false)
  expect(snippet.isGenuine(secret, headers, body, now + 600_000)).toBe(false)
  expect(snippet.isGenuine(secret, {}, body, now)).toBe(false)
})

describe('what only one message may know', () => {
  /** Whatever stands behind `"data":` on a page, but in answers and in what webhooks get: what they hold is ours. */
  function dataOf(page: string): unknown[] {
    const text = readPage(page)
    return [...text.matchAll(/(?<!"success": true,\s*)(?<!"timestamp": "[^"]*",\s*)"data":\s*(?=\{)/g)].map(
      ({ 0: { length }, index }) => JSON.parse(objectAt(text, index + length)),
    )
  }

  function objectAt(text: string, start: number): string {
    let depth = 0
    for (const { 0: token, index } of text.slice(start).matchAll(/"(?:[^"\\]|\\.)*"|[{}]/g)) {
      if (token === '{') depth++
      if (token === '}' && --depth === 0) return text.slice(start, start + index + 1)
    }
    throw new Error(`an object is not closed: ${text.slice(start, start + 80)}`)
  }

  const secretName = /reset|token|secret|code|passw|otp|pin$|magic|login/i
  const secretValue = /\/(?:reset|confirm|invite|login|magic)|[?&](?:token|code|key)=/i

  /** The names of members that look like secrets, by whether the example says that they are not to be kept. */
  function secretsIn(value: unknown, name = ''): Array<[name: string, isKept: boolean]> {
    if (typeof value === 'string') {
      const looksSecret = secretName.test(name) || secretValue.test(value)
      return looksSecret ? [[name, true]] : []
    }
    if (typeof value !== 'object' || value === null) return secretName.test(name) ? [[name, true]] : []
    if ('persistent' in value && value.persistent === false)
      return secretName.test(name) ? [[name, false]] : []
    return Object.entries(value).flatMap(([key, each]) => secretsIn(each, key))
  }

  test('is sent with "persistent": false in every example', () => {
    const found = allPages().flatMap(page =>
      dataOf(page).flatMap(data => secretsIn(data).map(([name, isKept]) => ({ page, name, isKept }))),
    )
    expect(found.filter(({ isKept }) => isKept)).toEqual([])
    expect(found).toContainEqual({ page: 'docs/sending.md', name: 'resetUrl', isKept: false })
  })

  test('is told by its name or by its value', () => {
    const kept = { name: 'Ada', links: [{ url: 'https://acme.example/reset/4f2a9c' }], loginCode: 123_456 }
    expect(secretsIn(kept)).toEqual([
      ['url', true],
      ['loginCode', true],
    ])
    expect(secretsIn({ token: { value: 'x', persistent: false } })).toEqual([['token', false]])
  })
})
