// Arrays go to PostgreSQL and come back as they were, whatever their elements hold.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { cloneDatabase, type TestDatabase } from '../../support/database'

let database: TestDatabase
beforeAll(async () => {
  database = await cloneDatabase({ empty: true, max: 3 })
})
afterAll(() => database.drop())

const id = '01890a5d-ac96-774b-bcce-b302099a8057'
const at = new Date('2026-03-01T12:00:00.123Z')
const awkward = ['', ' ', ',', '{}', '"', '\\', '\\"', 'NULL', 'null', 'a\nb\t', 'é漢😀', "o'brien", null]

test('text, with all that an array uses for itself', async () => {
  const [row] =
    await database.sql`select ${awkward}::text[] as value, cardinality(${awkward}::text[]) as size`
  expect(row).toEqual({ value: awkward, size: awkward.length } as never)
})

test('no elements, and one', async () => {
  const [row] =
    await database.sql`select ${[]}::text[] as none, ${['x']}::text[] as one, null::text[] as nothing`
  expect(row).toEqual({ none: [], one: ['x'], nothing: null } as never)
})

test('ids, numbers, booleans, times and JSON', async () => {
  const { sql } = database
  const [row] = await sql`
    select ${[id, null]}::uuid[] as ids, ${[1, -2]}::int[] as ints, ${[9_007_199_254_740_991]}::bigint[] as longs,
           ${[1.5]}::float8[] as floats, array[true, false] as flags, ${[at.toISOString()]}::timestamptz[] as times,
           ${[JSON.stringify({ a: '"\\' }), '[1]']}::jsonb[] as documents`
  expect(row).toEqual({
    ids: [id, null],
    ints: [1, -2],
    longs: [9_007_199_254_740_991],
    floats: [1.5],
    flags: [true, false],
    times: [at],
    documents: [{ a: '"\\' }, [1]],
  } as never)
})

test('an array found by an index condition', async () => {
  const rows = await database.sql`select n from generate_series(1, 5) as n where n = any(${[2, 4]}::int[])`
  expect(rows.map(row => row.n)).toEqual([2, 4])
})
