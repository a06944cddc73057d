// The field errors a client sees, by table: what was sent, and which items come back.
import { describe, expect, test } from 'bun:test'
import { Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { Elysia, t } from 'elysia'
import { mapError } from '../../../src/http/map-error'
import { fieldErrors } from '../../../src/http/validation'
import type { FieldError } from '../../../src/lib/errors'

const address = Type.String({ format: 'email', maxLength: 320 })
const party = Type.Object({ name: Type.Optional(Type.String({ maxLength: 10 })), email: address })
const recipient = Type.Union([address, party])

const sample = Type.Object({
  to: Type.Union([address, party, Type.Array(recipient, { minItems: 1, maxItems: 2 })]),
  subject: Type.Optional(Type.String({ minLength: 1, maxLength: 5 })),
  code: Type.Optional(Type.String({ pattern: '^[^\\n]*$' })),
  count: Type.Optional(Type.Integer({ minimum: 1, maximum: 10 })),
  ratio: Type.Optional(Type.Number({ exclusiveMinimum: 0 })),
  flag: Type.Optional(Type.Boolean()),
  kind: Type.Optional(Type.Union([Type.Literal('A'), Type.Literal('B')])),
  note: Type.Optional(Type.Union([Type.String({ maxLength: 3 }), Type.Null()])),
  id: Type.Optional(Type.String({ format: 'uuid' })),
  data: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { maxProperties: 2 })),
  attachments: Type.Optional(Type.Array(Type.Object({ filename: Type.String() }), { maxItems: 1 })),
  own: Type.Optional(Type.String({ maxLength: 1, error: 'One letter, please' })),
})

const app = new Elysia({ normalize: 'typebox' })
  .onError({ as: 'global' }, ({ error, code, set, query }) => {
    const mapped = mapError(error, code, query)
    set.status = mapped.status
    return { errors: mapped.errors, code: mapped.code }
  })
  .post('/body', () => 'ok', { body: sample })
  .get('/query', ({ query }) => query, {
    query: Type.Object({
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 50 })),
      flag: Type.Optional(Type.Boolean()),
      kind: Type.Optional(Type.Union([Type.Literal('A'), Type.Literal('B')])),
    }),
  })
  .get('/elysia', ({ query }) => query, { query: t.Object({ page: t.Optional(t.Numeric({ minimum: 1 })) }) })
  .get('/path/:id', () => 'ok', { params: Type.Object({ id: Type.String({ format: 'uuid' }) }) })
  .get('/answer', () => ({ wrong: true }) as never, { response: Type.Object({ right: Type.Boolean() }) })

async function send(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; errors: FieldError[]; code: string }> {
  const headers = { 'content-type': 'application/json' }
  const init = { method, headers, body: body === undefined ? undefined : JSON.stringify(body) }
  const response = await app.handle(new Request(`http://localhost${path}`, init))
  const text = await response.text()
  return { status: response.status, ...(text.startsWith('{') ? JSON.parse(text) : {}) }
}

const to = 'ada@example.com'

const rows: Array<[string, unknown, Array<[field: string, code: string, received?: string]>]> = [
  ['a body that is missing', undefined, [['', 'invalid_type', 'undefined']]],
  ['a body that is a list', [], [['', 'invalid_type', 'array']]],
  ['a required field that is missing', {}, [['to', 'invalid_type', 'undefined']]],
  ['a union with a value of no branch', { to: 5 }, [['to', 'invalid_type', 'number']]],
  ['a union with null', { to: null }, [['to', 'invalid_type', 'null']]],
  ['a malformed address', { to: 'nobody' }, [['to', 'invalid_string']]],
  ['a malformed address in an object', { to: { email: 'nobody' } }, [['to.email', 'invalid_string']]],
  ['a missing address in an object', { to: {} }, [['to.email', 'invalid_type', 'undefined']]],
  ['a mistyped name in an object', { to: { email: to, name: 5 } }, [['to.name', 'invalid_type', 'number']]],
  ['a malformed address in a list', { to: [to, 'nobody'] }, [['to.1', 'invalid_string']]],
  [
    'a malformed address of an object in a list',
    { to: [{ email: 'x' }] },
    [['to.0.email', 'invalid_string']],
  ],
  ['an empty list', { to: [] }, [['to', 'too_small']]],
  ['a list that is too long', { to: [to, to, to] }, [['to', 'too_big']]],
  ['a number in a list', { to: [7] }, [['to.0', 'invalid_type', 'number']]],
  ['text that is too short', { to, subject: '' }, [['subject', 'too_small']]],
  ['text that is too long', { to, subject: 'abcdef' }, [['subject', 'too_big']]],
  ['text of a form that is not allowed', { to, code: 'a\nb' }, [['code', 'invalid_string']]],
  ['a number instead of text', { to, subject: 5 }, [['subject', 'invalid_type', 'number']]],
  ['text instead of an integer', { to, count: '0' }, [['count', 'invalid_type', 'string']]],
  ['text instead of an integer in range', { to, count: '5' }, [['count', 'invalid_type', 'string']]],
  ['a fraction instead of an integer', { to, count: 1.5 }, [['count', 'invalid_type', 'number']]],
  ['a number that is too small', { to, count: 0 }, [['count', 'too_small']]],
  ['a number that is too big', { to, count: 11 }, [['count', 'too_big']]],
  ['a number at an open bound', { to, ratio: 0 }, [['ratio', 'too_small']]],
  ['text instead of a boolean', { to, flag: 'true' }, [['flag', 'invalid_type', 'string']]],
  ['a word that is not listed', { to, kind: 'C' }, [['kind', 'invalid_enum_value']]],
  ['a nullable text that is too long', { to, note: 'abcd' }, [['note', 'too_big']]],
  ['a nullable text of the wrong type', { to, note: 4 }, [['note', 'invalid_type', 'number']]],
  ['an id that is none', { to, id: 'x' }, [['id', 'invalid_string']]],
  ['a list instead of an object', { to, data: [1] }, [['data', 'invalid_type', 'array']]],
  ['too many members', { to, data: { a: 1, b: 1, c: 1 } }, [['data', 'too_big']]],
  [
    'a field of a list item',
    { to, attachments: [{ filename: 1 }] },
    [['attachments.0.filename', 'invalid_type', 'number']],
  ],
  [
    'two faults in two fields',
    { to: 'x', count: 0 },
    [
      ['to', 'invalid_string'],
      ['count', 'too_small'],
    ],
  ],
]

describe('a faulty body is 422 with one item a field', () => {
  test.each(rows)('%s', async (_name, body, expected) => {
    const { status, errors, code } = await send('POST', '/body', body)
    expect({ status, code }).toEqual({ status: 422, code: 'VALIDATION_ERROR' })
    const seen = errors.map(item => [
      item.field,
      item.code,
      ...('received' in item ? [item.received as string] : []),
    ])
    expect(seen as unknown).toEqual(expected)
    for (const item of errors) expect(item.message.length).toBeGreaterThan(3)
  })

  test('a schema may say it in its own words', async () => {
    const { errors } = await send('POST', '/body', { to, own: 'ab' })
    expect(errors).toEqual([{ field: 'own', message: 'One letter, please', code: 'too_big' }])
  })

  test('a list of words is named in the message', async () => {
    const { errors } = await send('POST', '/body', { to, kind: 'C' })
    expect(errors[0]?.message).toBe('Must be one of: A, B')
  })

  test('a good body passes', async () => {
    expect((await send('POST', '/body', { to: [{ email: to }], note: null, kind: 'A' })).status).toBe(200)
  })
})

const addresses: Array<[string, string, string, string]> = [
  ['a query number below its bound', '/query?page=0', 'page', 'too_small'],
  ['a query number above its bound', '/query?page=51', 'page', 'too_big'],
  ['a query text that is no number', '/query?page=x', 'page', 'invalid_type'],
  ['a query text that is no boolean', '/query?flag=perhaps', 'flag', 'invalid_type'],
  ['a Numeric below its bound', '/elysia?page=0', 'page', 'too_small'],
  ['a Numeric that is no number', '/elysia?page=x', 'page', 'invalid_type'],
  ['a path id that is no UUID', '/path/x', 'id', 'invalid_string'],
]

describe('a faulty address is 422', () => {
  test.each(addresses)('%s', async (_name, path, field, code) => {
    const { status, errors } = await send('GET', path)
    expect({ status, items: errors.map(item => [item.field, item.code]) }).toEqual({
      status: 422,
      items: [[field, code]],
    })
  })
})

test('a query word that is not listed is 400, as in every list', async () => {
  const { status, errors } = await send('GET', '/query?kind=C')
  expect([status, errors[0]]).toMatchObject([400, { field: 'kind', code: 'invalid_enum_value' }])
})

test('an answer that breaks its own schema is our fault: 500', async () => {
  const { status, code, errors } = await send('GET', '/answer')
  expect({ status, code, errors }).toEqual({
    status: 500,
    code: 'INTERNAL_SERVER_ERROR',
    errors: undefined as never,
  })
})

test('a form is said in words or by examples, never as a pattern', () => {
  const schema = Type.Object({
    at: Type.String({ pattern: '^[0-9]{2}:[0-9]{2}$', examples: ['21:00'] }),
    word: Type.String({ pattern: '^(a|b)$', enum: ['a', 'b'] }),
    other: Type.String({ pattern: '^[a-z]$' }),
  })
  expect(fieldErrors(Value.Errors(schema, { at: '9', word: '9', other: '9' }))).toEqual([
    { field: 'at', message: 'Must look like 21:00', code: 'invalid_string' },
    { field: 'word', message: 'Must be one of: a, b', code: 'invalid_string' },
    { field: 'other', message: 'Has characters or a form that is not allowed', code: 'invalid_string' },
  ])
})
