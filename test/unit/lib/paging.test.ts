// Paging by number and by cursor, by table.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { cursorDate, cursorText, decodeCursor, encodeCursor } from '../../../src/lib/cursor'
import { AppError } from '../../../src/lib/errors'
import { cursorList, direction, limitOf, offsetList, pageOf, sortKey } from '../../../src/lib/paging'

const id = '019a0000-0000-7000-8000-000000000001'

describe('a page', () => {
  test.each([
    [{}, { page: 1, pageSize: 20, offset: 0 }],
    [
      { page: 3, pageSize: 10 },
      { page: 3, pageSize: 10, offset: 20 },
    ],
    [
      { page: 0, pageSize: 0 },
      { page: 1, pageSize: 1, offset: 0 },
    ],
    [{ pageSize: 101 }, { page: 1, pageSize: 100, offset: 0 }],
  ])('asked for as %p', (query, page) => {
    expect(pageOf(query)).toEqual(page)
  })
  test('knows how many there are', () => {
    const { totalPages } = offsetList([], pageOf({}), 41)
    expect([totalPages, offsetList([], pageOf({}), 0).totalPages]).toEqual([3, 0])
  })
  test('falls back for sort keys and directions it does not know', () => {
    expect([
      sortKey('name', ['name', 'id'], 'id'),
      sortKey('x', ['name', 'id'], 'id'),
      sortKey(undefined, ['id'], 'id'),
    ]).toEqual(['name', 'id', 'id'])
    expect([direction('asc'), direction('ASC'), direction(undefined, 'asc')]).toEqual(['asc', 'desc', 'asc'])
  })
  test.each([
    [undefined, 20],
    [50, 50],
    [1_000, 100],
    [-5, 1],
    [2.7, 2],
  ])('limit %p counts as %d', (asked, limit) => {
    expect(limitOf(asked)).toBe(limit)
  })
})

describe('a cursor list', () => {
  const rows = [1, 2, 3].map(n => ({ n }))
  const list = (limit: number) =>
    cursorList(
      rows,
      limit,
      9,
      row => row.n,
      row => ({ value: row.n, id }),
    )
  test('ends with null', () => {
    expect(list(3)).toEqual({ data: [1, 2, 3], cursor: null, hasMore: false, total: 9 })
  })
  test('shows one row less than it fetched and points at the last one shown', () => {
    const { data, cursor, hasMore } = list(2)
    expect({ data, hasMore }).toEqual({ data: [1, 2], hasMore: true })
    expect(decodeCursor(cursor!)).toEqual({ value: 2, id })
  })
})

describe('a cursor', () => {
  test('comes back as it was', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'grapheme' }),
          fc.double({ noNaN: true, noDefaultInfinity: true }),
          fc.constant(null),
        ),
        value => {
          const cursor = { value: Object.is(value, -0) ? 0 : value, id }
          fc.pre(encodeCursor(cursor).length <= 2_000)
          expect(decodeCursor(encodeCursor(cursor))).toEqual(cursor)
        },
      ),
    )
  })
  test('is nothing when none was sent', () => {
    expect([decodeCursor(undefined), decodeCursor('')]).toEqual([undefined, undefined])
  })
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  test.each([
    ['text', 'nonsense'],
    ['other characters', 'a b'],
    ['another shape', encode({ value: 1, id })],
    ['too few members', encode([1])],
    ['an id that is none', encode([1, 'x'])],
    ['an object as value', encode([{}, id])],
    ['endless text', 'A'.repeat(5_000)],
  ])('made of %s is 400', (_name, text) => {
    expect(() => decodeCursor(text)).toThrow(AppError)
  })
  test('of the wrong type for its list is 400', () => {
    expect(() => cursorDate({ value: 'yesterday-ish', id })).toThrow(AppError)
    expect(() => cursorDate({ value: 5, id })).toThrow(AppError)
    expect(() => cursorText({ value: 5, id })).toThrow(AppError)
    expect(() => cursorText({ value: 'a\0', id })).toThrow(AppError)
    expect(cursorDate({ value: '2026-03-01T12:00:00.000Z', id }).getTime()).toBe(Date.UTC(2026, 2, 1, 12))
  })
  test('never makes the parser do anything but answer or refuse', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        try {
          decodeCursor(text)
        } catch (error) {
          expect(error).toBeInstanceOf(AppError)
        }
      }),
    )
  })
})
