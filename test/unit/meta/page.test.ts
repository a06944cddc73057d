// The page of the API: named schemas are opened, also inside of one another, sending comes first, and each operation has its code.
import { expect, test } from 'bun:test'
import examples from '../../../docs/openapi-examples.json'
import type { Schema } from '../../../src/http/openapi/schema'
import { memberOf } from '../../../src/modules/api/meta/members'
import { renderApiPage } from '../../../src/modules/api/meta/page'
import type { Described } from '../../../src/modules/api/meta/reference'
import { languages, sampleOf } from '../../../src/modules/api/meta/samples'

const body = { to: 'ada@example.com', data: { name: "O'Neill `&` <b>" } }

const document: Described = {
  info: { title: 'Waxwing', version: '1', description: 'Mail' },
  servers: [{ url: 'https://mail.example' }],
  tags: [{ name: 'Users' }, { name: 'Public API', description: 'What applications call.' }],
  paths: {
    '/users/@me': { get: { tags: ['Users'], security: [{ session: [] }], responses: {} } },
    '/v1/verify': { post: { tags: ['Public API'], responses: {} } },
    '/v1/send': {
      post: {
        tags: ['Public API'],
        summary: 'Send',
        security: [{ secretKey: [] }],
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Send' }, example: body } },
        },
        responses: {
          200: {
            description: 'Done',
            content: { 'application/json': { schema: { type: 'object' }, example: { success: true } } },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Send: {
        type: 'object',
        required: ['to'],
        properties: {
          to: { type: 'string', format: 'email' },
          attachments: { type: 'array', items: { $ref: '#/components/schemas/Attachment' } },
          filter: { $ref: '#/components/schemas/Tree' },
        },
      },
      Attachment: { type: 'object', properties: { filename: { type: 'string', maxLength: 255 } } },
      Tree: { type: 'object', properties: { inner: { $ref: '#/components/schemas/Tree' } } },
    },
  },
}

test('members of named schemas are shown, nested ones below them, and a schema in itself once', () => {
  const page = renderApiPage(document)
  expect(page).toContain('<code>to</code></td><td>string (email)</td><td>required')
  expect(page).toContain('<code>attachments[].filename</code>')
  expect(page).toContain('<code>filter.inner</code>')
  expect(page).not.toContain('filter.inner.inner')
})

test('bounds follow the words, as a sentence of their own where those are one', () => {
  const noteOf = (schema: object) => memberOf('x', schema as Schema, false, {}).notes
  const bounds = { type: 'string', minLength: 1, maxLength: 255 }
  expect(noteOf({ ...bounds, description: 'Kept for 24 hours.' })).toBe(
    'Kept for 24 hours. 1 to 255 characters.',
  )
  expect(noteOf({ ...bounds, description: 'A name' })).toBe('A name; 1 to 255 characters')
  expect(noteOf({ type: 'string', description: 'Kept for 24 hours.' })).toBe('Kept for 24 hours.')
  expect(noteOf(bounds)).toBe('1 to 255 characters')
})

test('sending comes first, with its example and what is answered', () => {
  const page = renderApiPage(document)
  expect(page.indexOf('What applications call.')).toBeGreaterThan(0)
  expect(page.indexOf('<code>/v1/send</code>')).toBeLessThan(page.indexOf('<code>/users/@me</code>'))
  expect(page.indexOf('<code>/v1/send</code>')).toBeLessThan(page.indexOf('<code>/v1/verify</code>'))
  expect(page).toContain('&quot;success&quot;: true')
  expect(page).not.toContain('<b>&quot;')
})

test('each operation that a key may call has code in all languages; others have none', () => {
  const page = renderApiPage(document)
  for (const language of languages) expect(page.split(`<summary>${language}</summary>`)).toHaveLength(2)
})

test('the code asks what the description says', () => {
  const samples = languages.map(language =>
    sampleOf(language, { url: 'https://mail.example/v1/send', method: 'POST', key: 'sk_key', body }),
  )
  for (const sample of samples) {
    expect(sample).toContain('https://mail.example/v1/send')
    expect(sample).toContain('Bearer sk_key')
  }
  expect(samples[0]).toContain(String.raw`O'\''Neill`)
  const bare = sampleOf('curl', { url: 'https://mail.example/contacts', method: 'GET', key: 'sk_key' })
  expect(bare).toBe("curl https://mail.example/contacts \\\n  -H 'Authorization: Bearer sk_key'")
})

test('the example of sending can be tried as it is: it needs nothing that a new project lacks', () => {
  expect(Object.keys(examples['POST /v1/send'][200].request)).toEqual(['from', 'to', 'subject', 'body'])
})

test('what a parameter is stands beside its name, in whichever place the document says it', () => {
  const limit = {
    name: 'limit',
    in: 'query',
    description: 'How many',
    schema: { type: 'integer', maximum: 100 },
  }
  const path = { '/contacts': { get: { tags: ['Users'], parameters: [limit], responses: {} } } }
  expect(renderApiPage({ ...document, paths: path })).toContain('How many; at most 100')
})
