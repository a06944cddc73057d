// The pure rules of the platform by table: body bounds, origins, what a thrown thing becomes.
import { describe, expect, test } from 'bun:test'
import { checkBody } from '../../../src/http/body-check'
import { bodyLimit } from '../../../src/http/body-limit'
import { corsHeaders } from '../../../src/http/cors'
import { mapError } from '../../../src/http/map-error'
import { AppError, conflict } from '../../../src/lib/errors'
import { Unstarted } from '../../../src/platform/workers/pool'
import { expectLinear } from '../../support/cost'

const megabyte = 1024 ** 2

describe('the bound of a body', () => {
  const json = 'application/json'
  const form = 'application/x-www-form-urlencoded'
  const files = 'multipart/form-data; boundary=b'
  test.each([
    ['/v1/send', json, Math.ceil((40 * megabyte) / 3) * 4 + megabyte],
    ['/v1/send', form, 16_384],
    ['/v1/send/', json, 262_144],
    ['/v1/track', json, 131_072],
    ['/v1/track/', json, 131_072],
    ['/events/track', json, 131_072],
    ['/contacts', json, 262_144],
    ['/contacts', files, 16_384],
    ['/contacts/lookup', json, 2 * megabyte],
    ['/campaigns/0', json, 2 * megabyte],
    ['/contacts/import', files, 5 * megabyte + 65_536],
    ['/uploads/image', files, 10 * megabyte + 65_536],
    ['/webhooks/sns', 'text/plain', 2 * megabyte],
    ['/webhooks/mailgun', form, 2 * megabyte],
    ['/unsubscribe/0', form, 16_384],
    ['/subscription/0/0', json, 16_384],
  ])('of %s as %s is %d bytes', (path, type, limit) => {
    expect(bodyLimit({ maxMessageBytes: 40 * megabyte }, path, type)).toBe(limit)
  })
})

describe('a parsed body', () => {
  test('of members without end is refused before they are looked at', () => {
    const ones = (count: number): number[] => new Array<number>(count).fill(1)
    expect(checkBody(ones(20_000))).toBeUndefined()
    expect(checkBody(ones(20_001))).toMatchObject({ field: '', code: 'too_big' })
    expect(checkBody({ to: ones(5_000_000) })).toMatchObject({ field: 'to', code: 'too_big' })
    expect(checkBody(new Array(1_000).fill(ones(30)))?.code).toBe('too_big')
  })

  const nested = (levels: number): unknown => {
    let value: unknown = 1
    for (let i = 0; i < levels; i++) value = i % 2 ? [value] : { a: value }
    return value
  }
  test('may be a hundred levels deep and not one more, and depth itself breaks nothing', () => {
    expect(checkBody(nested(100))).toBeUndefined()
    expect(checkBody(nested(101))?.code).toBe('too_big')
    expect(checkBody(nested(200_000))?.code).toBe('too_big')
  })
  test('of any usual shape passes', () => {
    for (const value of [null, undefined, 5, 'a\0b', true, {}, [], { a: [null, 'é', '😀'] }])
      expect(checkBody(value)).toBeUndefined()
  })
  test('with many members is walked in linear time', () => {
    expectLinear(length => {
      expect(checkBody(Array.from({ length }, (_, i) => ({ i, text: 'x' })))).toBeUndefined()
    }, 6_000)
  })
})

describe('the CORS headers', () => {
  const ask = (path: string, origin: string | null, method = 'GET') =>
    corsHeaders(
      { path, origin, method, host: null, authorization: null, cookie: null },
      'https://mail.example.com',
    )
  const origin = 'access-control-allow-origin'
  test.each([
    ['/v1', 'https://x.example', '*'],
    ['/v1/send', null, '*'],
    ['/v10/send', 'https://x.example', undefined],
    ['/contacts', 'https://mail.example.com', 'https://mail.example.com'],
    ['/contacts', 'https://mail.example.com.evil.example', undefined],
    ['/contacts', 'http://mail.example.com', undefined],
    ['/contacts', 'null', undefined],
    ['/contacts', null, undefined],
  ] as Array<[string, string | null, string | undefined]>)('of %s for %p allow %p', (path, from, allowed) => {
    expect(ask(path, from)[origin]).toBe(allowed as string)
  })
  test('never combine credentials with the star', () => {
    expect(
      ask('/v1/send', 'https://mail.example.com', 'OPTIONS')['access-control-allow-credentials'],
    ).toBeUndefined()
  })
})

describe('what was thrown becomes', () => {
  const coded = (code: string) => Object.assign(new Error('connect ECONNREFUSED 10.0.0.5:5432'), { code })
  const parse = (cause?: unknown) => new Error('Bad Request', { cause })
  test.each([
    ['an AppError', conflict('taken'), 'UNKNOWN', 409, 'CONFLICT'],
    [
      'an AppError inside a parser',
      parse(new AppError(413, 'PAYLOAD_TOO_LARGE', 'big')),
      'PARSE',
      413,
      'PAYLOAD_TOO_LARGE',
    ],
    ['a malformed body', parse(), 'PARSE', 400, 'VALIDATION_ERROR'],
    ['an unknown route', new Error('NOT_FOUND'), 'NOT_FOUND', 404, 'RESOURCE_NOT_FOUND'],
    ['a refused connection', coded('ECONNREFUSED'), 'UNKNOWN', 503, 'SERVICE_UNAVAILABLE'],
    ['a server that starts', coded('57P03'), 'UNKNOWN', 503, 'SERVICE_UNAVAILABLE'],
    ['too many connections', coded('53300'), 'UNKNOWN', 503, 'SERVICE_UNAVAILABLE'],
    ['a deadlock', coded('40P01'), 'UNKNOWN', 503, 'SERVICE_UNAVAILABLE'],
    [
      'one behind the builder',
      new Error('Failed query', { cause: coded('57P01') }),
      'UNKNOWN',
      503,
      'SERVICE_UNAVAILABLE',
    ],
    ['NUL in text', coded('22021'), 'UNKNOWN', 400, 'VALIDATION_ERROR'],
    ['a unique violation nobody expected', coded('23505'), 'UNKNOWN', 500, 'INTERNAL_SERVER_ERROR'],
    ['a string', 'boom', 'UNKNOWN', 500, 'INTERNAL_SERVER_ERROR'],
    ['nothing', undefined, 'UNKNOWN', 500, 'INTERNAL_SERVER_ERROR'],
    ['no thread to be had', new Unstarted('10.0.0.5'), 'UNKNOWN', 503, 'SERVICE_UNAVAILABLE'],
  ] as Array<[string, unknown, string, number, string]>)('%s', (_name, error, stage, status, code) => {
    const mapped = mapError(error, stage)
    expect({ status: mapped.status, code: mapped.code }).toEqual({ status, code } as never)
    expect(mapped.message).not.toContain('10.0.0.5')
  })
})
