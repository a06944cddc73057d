// The Idempotency-Key header: which values are keys, and what the answer to a used one says.
import { describe, expect, test } from 'bun:test'
import { AppError } from '../../../src/lib/errors'
import { keyReused, readIdempotencyKey } from '../../../src/modules/api/v1/idempotency'

function statusOf(header: string): number | undefined {
  try {
    readIdempotencyKey(header)
    return undefined
  } catch (error) {
    return error instanceof AppError ? error.status : -1
  }
}

describe('a key', () => {
  test('is optional', () => {
    expect(readIdempotencyKey(null)).toBeUndefined()
  })

  for (const key of ['a', ' ', 'with space ~!', 'x'.repeat(255)])
    test(`may be ${JSON.stringify(key.slice(0, 20))} (${key.length} characters)`, () => {
      expect(readIdempotencyKey(key)).toBe(key)
    })

  for (const key of ['', 'x'.repeat(256), 'tab\t', 'line\n', 'é', '\x7f', '\x1f', 'a\0b'])
    test(`may not be ${JSON.stringify(key.slice(0, 20))} (${key.length} characters)`, () => {
      expect(statusOf(key)).toBe(400)
    })
})

describe('a used key', () => {
  const earlier = {
    method: 'POST',
    path: '/v1/send',
    statusCode: 200,
    result: { emails: ['x'] },
    createdAt: new Date('2026-03-01T12:00:00.000Z'),
  }

  test('is refused with what the first request was', () => {
    const error = keyReused('order-7', earlier)
    expect([error.status, error.code]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED'])
    expect(error.message).toContain('order-7')
    expect(error.suggestion).toContain('new key')
    expect(error.details).toMatchObject({
      key: 'order-7',
      originalRequest: 'POST /v1/send',
      originalRequestAt: '2026-03-01T12:00:00.000Z',
      originalStatusCode: 200,
    })
  })

  test('is refused without what came of the first request where that is not for this caller', () => {
    const details = keyReused('order-7', { ...earlier, result: undefined }).details
    expect(details).toMatchObject({ originalRequest: 'POST /v1/send' })
    expect(details).not.toHaveProperty('originalResult')
  })

  test('is refused too when the first request is not known any more', () => {
    expect(keyReused('order-7', undefined).details).toEqual({ key: 'order-7' })
  })
})
