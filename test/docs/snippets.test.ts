// The JavaScript of the pages, run as it stands there.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { signatureHeaders } from '../../src/platform/webhook/signature'
import { allPages, blocksOf } from '../support/page'

const snippets = allPages()
  .flatMap(blocksOf)
  .filter(block => block.language === 'js')

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

test('there is one snippet, and it is tried here', () => {
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
