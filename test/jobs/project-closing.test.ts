// Clearing a project: nothing of it is left and nothing of another is touched, whatever table it is in, wherever the program dies,
// and whoever is still at work on it.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { projectKinds } from '../../src/modules/accounts/projects/kinds'
import { ownedTables } from '../../src/modules/accounts/projects/owned-tables'
import { deletePage, type PageEnd } from '../../src/modules/accounts/projects/queries'
import { wipeProject } from '../../src/modules/accounts/projects/service'
import type { Context } from '../../src/platform/context'
import { buildApp } from '../../src/server/app'
import { jobHandlers } from '../../src/server/jobs'
import { testContext } from '../support/context'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { drain } from '../support/drain'
import { type MadeProject, makeProject } from '../support/make'
import { countAll, dropChecks, fillAll, notEmpty, tablesOfProjects } from '../support/possessions'
import { request } from '../support/request'

let database: TestDatabase
let world: ReturnType<typeof testContext>
beforeAll(async () => {
  database = await cloneDatabase()
  await dropChecks(database)
  world = testContext(database, { rateLimitPerMinute: 0 })
})
afterAll(() => database.drop())

const never = new AbortController().signal

describe('the list of what a project owns', () => {
  test('names every table that has a project_id, and no other', async () => {
    const listed = [...ownedTables.map(each => each.table), 'jobs'].sort()
    expect(listed).toEqual(await tablesOfProjects(database))
  })

  test('pages in the order of an index that the project leads', async () => {
    const indexes = await database.sql<{ table: string; columns: string[]; falling: number[] }[]>`
      select i.indrelid::regclass::text as table, string_to_array(i.indoption::text, ' ')::int[] as falling,
             array(select a.attname from unnest(i.indkey) with ordinality k(number, place)
                     join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.number
                    order by k.place)::text[] as columns
        from pg_index i join pg_class c on c.oid = i.indexrelid join pg_am m on m.oid = c.relam
       where i.indpred is null and m.amname = 'btree'`
    const unled = ownedTables
      .filter(({ goesWith }) => goesWith === undefined)
      .filter(({ table, by, falls }) => {
        const order = ['project_id', ...by]
        return !indexes.some(
          index =>
            index.table === table &&
            index.columns.length >= Math.min(2, order.length) &&
            index.columns.every((column, place) => place >= order.length || column === order[place]) &&
            // 0 rises, 3 falls with nulls at the beginning.
            index.falling.slice(1).every((option, place) => place >= by.length || option === (falls ? 3 : 0)),
        )
      })
    expect(unled.map(each => each.table)).toEqual([])
  })

  test('finds each row of each table page by page', async () => {
    const project = await makeProject(world)
    const other = await makeProject(world)
    for (const { id } of [project, other]) await fillAll(database, id, 5)
    const before = await countAll(database, other.id)
    for (const table of ownedTables.filter(each => each.goesWith === undefined)) {
      let after: PageEnd | undefined
      let pages = 0
      do {
        after = await deletePage(world.ctx, { ...table, batch: 2 }, project.id, after)
      } while (after !== undefined && ++pages < 10)
    }
    // Without an order a page can't be gone on behind, so it is begun again: see `clearTable`.
    expect(notEmpty(await countAll(database, project.id))).toEqual([])
    expect(await countAll(database, other.id)).toEqual(before)
  })
})

describe('clearing', () => {
  let project: MadeProject
  let other: MadeProject
  beforeEach(async () => {
    project = await makeProject(world)
    other = await makeProject(world)
    for (const { id } of [project, other]) await fillAll(database, id, 3)
    world.files.files.clear()
    for (const { id } of [project, other]) world.files.files.set(`${id}/1-a.png`, new Uint8Array(1))
  })

  const close = (closing: 'RESET' | 'DELETE') => database.sql`
    update projects set closing = ${closing}, closed_at = ${world.clock.now()} where id = ${project.id}`
  const row = async () => (await database.sql`select closing from projects where id = ${project.id}`)[0]

  test('for a reset keeps what belongs to the project itself', async () => {
    const others = await countAll(database, other.id)
    await close('RESET')
    expect(await wipeProject(world.ctx, project.id, { signal: never })).toBe('done')
    const kept = ownedTables.filter(each => each.onReset === 'keep').map(each => each.table)
    expect(notEmpty(await countAll(database, project.id))).toEqual(kept.sort())
    expect(await row()).toEqual({ closing: null })
    expect(await countAll(database, other.id)).toEqual(others)
    expect([...world.files.files.keys()]).toEqual([`${other.id}/1-a.png`])
  })

  test('for a deletion leaves nothing at all', async () => {
    const others = await countAll(database, other.id)
    await close('DELETE')
    expect(await wipeProject(world.ctx, project.id, { signal: never })).toBe('done')
    expect(notEmpty(await countAll(database, project.id))).toEqual([])
    expect(await row()).toBeUndefined()
    expect(await countAll(database, other.id)).toEqual(others)
  })

  test.each(['RESET', 'DELETE'] as const)('survives a crash in every transaction of a %s', async closing => {
    const others = await countAll(database, other.id)
    await close(closing)
    let deaths = 0
    for (let lives = 1; ; lives++) {
      try {
        expect(await wipeProject(dyingAfter(world.ctx, lives), project.id, { signal: never })).toBe('done')
        break
      } catch (error) {
        if (!(error instanceof Died)) throw error
        deaths++
        expect((await row())?.['closing']).toBe(closing)
      }
    }
    expect(deaths).toBeGreaterThan(ownedTables.length / 2)
    const left = closing === 'DELETE' ? [] : ownedTables.filter(each => each.onReset === 'keep')
    expect(notEmpty(await countAll(database, project.id))).toEqual(left.map(each => each.table).sort())
    expect(await row()).toEqual(closing === 'DELETE' ? undefined : { closing: null })
    expect(await countAll(database, other.id)).toEqual(others)
  })

  test('that comes late does not touch an open project', async () => {
    const before = await countAll(database, project.id)
    expect(await wipeProject(world.ctx, project.id, { signal: never })).toBe('done')
    expect(await countAll(database, project.id)).toEqual(before)
  })

  test('stops where the project was opened under its hands', async () => {
    await close('RESET')
    let pages = 0
    const ctx = beforeEachTransaction(world.ctx, async () => {
      if (++pages === 3)
        await database.sql`update projects set closing = null, closed_at = null where id = ${project.id}`
    })
    expect(await wipeProject(ctx, project.id, { signal: never })).toBe('later')
    expect(pages).toBe(3)
    expect(notEmpty(await countAll(database, project.id))).toContain('events')
  })

  test('gives way to a deletion that comes in the middle of a reset', async () => {
    await close('RESET')
    let pages = 0
    const ctx = beforeEachTransaction(world.ctx, async () => {
      if (++pages === 5) await close('DELETE')
    })
    expect(await wipeProject(ctx, project.id, { signal: never })).toBe('later')
    expect(await wipeProject(world.ctx, project.id, { signal: never })).toBe('done')
    expect(notEmpty(await countAll(database, project.id))).toEqual([])
  })

  test('is not over while a job that may write is running', async () => {
    await close('DELETE')
    const run = {
      id: world.ctx.random.uuid(world.clock.now()),
      runner: world.ctx.random.uuid(world.clock.now()),
    }
    await database.sql`
      insert into jobs (id, kind, args, band, state, run_at, attempt, max_attempts, locked_by, created_at)
      values (${run.id}, 'event.rollUp', '{}', 'system', 'running', now(), 1, 3, ${run.runner}, now())`
    expect(await wipeProject(world.ctx, project.id, { signal: never, patienceMs: 30 })).toBe('later')
    // It writes what it had read before.
    await fillAll(database, project.id, 1)
    await database.sql`delete from jobs where id = ${run.id}`
    expect(await wipeProject(world.ctx, project.id, { signal: never, patienceMs: 30 })).toBe('done')
    expect(notEmpty(await countAll(database, project.id))).toEqual([])
  })

  test('looks a second time for what came after a deletion', async () => {
    await close('DELETE')
    await wipeProject(world.ctx, project.id, { signal: never })
    await database.sql`insert into events (id, project_id, name, created_at)
      values (${Bun.randomUUIDv7()}, ${project.id}, 'late', now())`
    world.clock.advance(11 * 60_000)
    await drain(world.ctx, jobHandlers(world.ctx))
    expect(notEmpty(await countAll(database, project.id))).toEqual([])
  })
})

class Died extends Error {}

/** A process that dies in the middle of its `lives`-th transaction. */
function dyingAfter(ctx: Context, lives: number): Context {
  let left = lives
  return intercepted(ctx, async work => {
    const result = await work()
    if (--left === 0) throw new Died()
    return result
  })
}

function beforeEachTransaction(ctx: Context, act: () => Promise<unknown>): Context {
  return intercepted(ctx, work => work(), act)
}

/** `inside` runs what a transaction does, in it; `first` comes before the transaction begins. */
function intercepted(
  ctx: Context,
  inside: (work: () => Promise<unknown>) => Promise<unknown>,
  first: () => Promise<unknown> = async () => {},
): Context {
  const { sql } = database
  const begin = async (work: (tx: unknown) => Promise<unknown>) => {
    await first()
    return await sql.begin(tx => inside(() => work(tx)))
  }
  const watched = new Proxy(sql, {
    get: (target, name) => (name === 'begin' ? begin : Reflect.get(target, name)),
  })
  return { ...ctx, sql: watched }
}

describe('over HTTP', () => {
  test('a job that is never run again is queued by the sweep', async () => {
    const project = await makeProject(world)
    await database.sql`update projects set closing = 'DELETE', closed_at = ${world.clock.now()} where id = ${project.id}`
    const { enqueue } = await import('../../src/platform/jobs/enqueue')
    await enqueue(world.ctx, projectKinds.resumeWipe, {})
    await drain(world.ctx, jobHandlers(world.ctx))
    world.clock.advance(60_000)
    await drain(world.ctx, jobHandlers(world.ctx))
    expect(await database.sql`select 1 from projects where id = ${project.id}`).toHaveLength(0)
    expect((await request(buildApp(world.ctx), 'GET', '/contacts', { key: project.secretKey })).status).toBe(
      401,
    )
  })
})
