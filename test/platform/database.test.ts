// The one client that serves both dialects, and transactions.
import { afterAll, describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { bigint, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import type postgres from 'postgres'
import { type Context, inTransaction } from '../../src/platform/context'
import { json, time } from '../../src/platform/db/columns'
import { isConnectionFault, violates } from '../../src/platform/db/errors'
import { testContext } from '../support/context'
import { cloneDatabase } from '../support/database'

const database = await cloneDatabase()
const { ctx } = testContext(database)
afterAll(() => database.drop())

const things = pgTable('things', {
  id: uuid('id').primaryKey(),
  name: text('name'),
  data: json<unknown>('data'),
  amount: bigint('amount', { mode: 'number' }),
  at: time('at'),
})
await ctx.sql`create table things (id uuid primary key, name text unique, data jsonb, amount bigint, at timestamptz(3))`

const at = new Date('2026-02-03T04:05:06.789Z')
const values: Array<[string, unknown]> = [
  ['an object', { a: 1, b: { c: [true, null, 'x'] } }],
  ['a list', [1, 2, 3]],
  ['a number', 7],
]

describe('both dialects read and write the same values', () => {
  test.each(values)('%s as JSON', async (_, data) => {
    const byBuilder = ctx.random.uuid(at)
    const byText = ctx.random.uuid(at)
    await ctx.db.insert(things).values({ id: byBuilder, data, amount: 2 ** 40, at })
    await ctx.sql`insert into things (id, data, amount, at)
                  values (${byText}, ${JSON.stringify(data)}::jsonb, ${2 ** 40}, ${at})`
    for (const id of [byBuilder, byText]) {
      const [built] = await ctx.db.select().from(things).where(eq(things.id, id))
      const [raw] = await ctx.sql`select * from things where id = ${id}`
      expect(built).toEqual({ id, name: null, data, amount: 2 ** 40, at })
      expect(raw as unknown).toEqual({ id, name: null, data, amount: 2 ** 40, at })
    }
    const kinds =
      await ctx.sql`select distinct jsonb_typeof(data) as kind from things where id in ${ctx.sql([byBuilder, byText])}`
    expect(kinds).toHaveLength(1)
  })

  test('lists of ids and texts are parameters', async () => {
    const [row] =
      await ctx.sql`select ${['a', 'b']}::text[] as texts, cardinality(${[ctx.random.uuid(at)]}::uuid[]) as ids`
    expect(row).toMatchObject({ texts: ['a', 'b'], ids: 1 })
  })
})

test('bytes go as they are, and not as text: a file of 5 MB as hex held up everybody for 40 ms', async () => {
  const { serializers } = (database.sql as postgres.Sql).options
  const asText = serializers[17]
  let texts = 0
  serializers[17] = (value: unknown) => {
    texts++
    return asText?.(value)
  }
  try {
    const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))
    // The first time it is prepared, then it is not.
    for (const bytes of [
      everyByte,
      Buffer.alloc(0),
      Buffer.alloc(2_000_000, everyByte),
      new Uint8Array([0, 255]),
    ]) {
      const [row] = await ctx.sql`
        select ${bytes}::bytea as bytes, ${'ä'}::text as text, ${null}::text as nothing, ${7}::int as number`
      expect(Buffer.compare(row!['bytes'], bytes)).toBe(0)
      expect(row).toMatchObject({ text: 'ä', nothing: null, number: 7 })
    }
  } finally {
    serializers[17] = asText!
  }
  expect(texts).toBe(0)
})

test('a commit waits for no large file of the write-ahead log to be made', async () => {
  const [row] = await ctx.sql`select current_setting('wal_segment_size') as size`
  expect(row!['size']).toBe('4MB')
})

test('large values keep their place among what is written before and after them', async () => {
  const sizes = [65_000, 65_535, 65_536, 1_000_000]
  const read = (tx: Context, n: number) =>
    tx.sql`select ${n}::int as n, ${Buffer.alloc(n, n)}::bytea as bytes, ${'é'.repeat(n / 2)}::text as text,
                  ${Buffer.alloc(n, 'x')}::bytea as more, ${'z'.repeat(5_000)}::text as last`
  const answers = await inTransaction(ctx, tx =>
    // Written one behind the other, on one connection; the first of them before it is prepared.
    Promise.all([0, 1].flatMap(() => sizes.flatMap(size => [tx.sql`select 1 as n`, read(tx, size)]))),
  )
  for (const [at, [row]] of answers.entries()) {
    if (at % 2 === 0) {
      expect(row).toEqual({ n: 1 })
      continue
    }
    const n = sizes[(at >> 1) % sizes.length]!
    expect(row!['n']).toBe(n)
    expect(Buffer.compare(row!['bytes'], Buffer.alloc(n, n))).toBe(0)
    expect(Buffer.compare(row!['more'], Buffer.alloc(n, 'x'))).toBe(0)
    expect([row!['text'] === 'é'.repeat(n / 2), row!['last'] === 'z'.repeat(5_000)]).toEqual([true, true])
  }
})

test('bytes of a statement that is tried again, because a migration changed its plan, are the same', async () => {
  await ctx.sql`create table planned (id int)`
  await ctx.sql`insert into planned values (1)`
  const bytes = Buffer.from([0, 92, 120, 255])
  const read = () => ctx.sql`select ${bytes}::bytea as bytes, p.* from planned p`
  await read()
  await ctx.sql`alter table planned add column more int`
  const [row] = await read()
  expect([Object.keys(row!), Buffer.from(row!['bytes'])]).toEqual([['bytes', 'id', 'more'], bytes])
})

describe('a transaction', () => {
  test('holds what both dialects write, and drops both on an error', async () => {
    const id = ctx.random.uuid(at)
    const failed = inTransaction(ctx, async tx => {
      await tx.db.insert(things).values({ id })
      await tx.sql`update things set amount = 1 where id = ${id}`
      throw new Error('no')
    })
    expect(failed).rejects.toThrow('no')
    await failed.catch(() => {})
    expect(await ctx.db.select().from(things).where(eq(things.id, id))).toHaveLength(0)
  })

  test('runs what was put off until after the commit only when there is one, and a nested one joins it', async () => {
    const ran: string[] = []
    await inTransaction(ctx, tx =>
      inTransaction(tx, async inner => {
        inner.afterCommit(() => ran.push('after'))
        ran.push('inside')
      }),
    )
    await inTransaction(ctx, async tx => {
      tx.afterCommit(() => ran.push('never'))
      throw new Error('no')
    }).catch(() => {})
    expect(ran).toEqual(['inside', 'after'])
  })

  test('that loses a deadlock is run again, and its work happens once', async () => {
    const [a, b] = [ctx.random.uuid(at), ctx.random.uuid(at)]
    await ctx.sql`insert into things (id, amount) values (${a}, 0), (${b}, 0)`
    let tries = 0
    const bothHoldOne = Promise.withResolvers<void>()
    const crosswise = (first: string, second: string): Promise<void> =>
      inTransaction(ctx, async tx => {
        await tx.sql`update things set amount = amount + 1 where id = ${first}`
        if (++tries === 2) bothHoldOne.resolve()
        await bothHoldOne.promise
        await tx.sql`update things set amount = amount + 1 where id = ${second}`
      })
    await Promise.all([crosswise(a, b), crosswise(b, a)])
    expect(tries).toBeGreaterThan(2)
    const rows = await ctx.db.execute(sql`select amount from things where id in (${a}, ${b})`)
    expect(rows.map(row => row['amount'])).toEqual([2, 2])
  })
})

describe('errors of the database', () => {
  test('a broken unique index is told by its name, whichever dialect met it', async () => {
    await ctx.sql`insert into things (id, name) values (${ctx.random.uuid(at)}, 'taken')`
    const raw = await ctx.sql`insert into things (id, name) values (${ctx.random.uuid(at)}, 'taken')`.catch(
      error => error,
    )
    const built = await ctx.db
      .insert(things)
      .values({ id: ctx.random.uuid(at), name: 'taken' })
      .catch(error => error)
    for (const error of [raw, built]) {
      expect(violates(error, 'things_name_key')).toBe(true)
      expect(violates(error, 'things_pkey')).toBe(false)
      expect(isConnectionFault(error)).toBe(false)
    }
  })

  test('a terminated connection is a connection fault', async () => {
    const error = await ctx.sql`select pg_terminate_backend(pg_backend_pid())`.catch(fault => fault)
    expect(isConnectionFault(error)).toBe(true)
  })
})
