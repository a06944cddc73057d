// A record with something that can't be stored is taken without it: its no, its suppression and its old link are kept, and the report says
// what was left out.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PeerRecord, SourceRecord } from '../../src/cli/import/record'
import { reportText } from '../../src/cli/import/report'
import { csvSource } from '../../src/cli/import/sources/csv'
import { listmonkFile } from '../../src/cli/import/sources/listmonk'
import { listmonkDatabase } from '../../src/cli/import/sources/listmonk-database'
import { cloneDatabase, type TestDatabase } from '../support/database'
import { type ImportWorld, importWorld } from '../support/import'
import { listmonkTables } from '../support/listmonk'
import type { MadeProject } from '../support/make'
import { makeWorld, type World } from '../support/world'

let world: World
let imports: ImportWorld
let other: TestDatabase
let folder = ''
let project: MadeProject

beforeAll(async () => {
  world = await makeWorld()
  imports = importWorld(world, () => project)
  other = await cloneDatabase({ empty: true, max: 1 })
  await other.sql.unsafe(listmonkTables)
  folder = mkdtempSync(join(tmpdir(), 'waxwing-import-'))
})
beforeEach(async () => {
  project = await world.newProject()
})
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await other.drop()
  await world.close()
})

const written = (...lines: string[]): string => {
  const path = join(folder, `${project.id}.csv`)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

function person(name: string, values: Record<string, unknown>, more: Partial<PeerRecord> = {}): SourceRecord {
  return {
    place: name,
    email: `${name}@x.test`,
    texts: {},
    values,
    subscribed: undefined,
    lists: [],
    ...more,
  }
}

const sourceOf = (records: readonly SourceRecord[]) => ({
  async *read() {
    yield* records
  },
})

let deep: unknown = 'x'
for (let level = 0; level < 60; level++) deep = { deep }

test('a blocklisted subscriber whose attributes can not be stored is suppressed, and has its old link', async () => {
  await other.sql`begin`
  try {
    for (const [name, attribs] of Object.entries({
      blocked: { '': 'x', city: 'Bonn' },
      bounced: { big: 'x'.repeat(200_000), city: 'Ulm' },
      left: { deep, city: 'Kiel' },
    }))
      await other.sql`update subscribers set attribs = ${other.sql.json(attribs as never)} where email = ${`${name}@example.com`}`
    await other.sql`commit`
    const dry = await imports.run(listmonkDatabase(other.url), { isDryRun: true })
    const report = await imports.run(listmonkDatabase(other.url))
    expect(report).toEqual(dry)
    expect(report).toMatchObject({ read: 6, created: 6, refused: 0, suppressed: 2 })
    expect(report.oldLinks.people).toBe(6)
    const states = (await imports.people()).map(([email, subscribed, data]) => [
      email,
      subscribed,
      data['city'],
    ])
    expect(states).toEqual([
      ['blocked@example.com', false, 'Bonn'],
      ['bounced@example.com', false, 'Ulm'],
      ['confirmed@example.com', true, undefined],
      ['left@example.com', false, 'Kiel'],
      ['single@example.com', true, 'Oslo'],
      ['waiting@example.com', false, undefined],
    ])
    expect([...report.without.reasons.keys()]).toEqual([
      'the field "deep" is left out: Must be nested at most 20 levels deep',
      'the field "" is left out: A key must not be empty',
      'the field "big" is left out: Must be at most 65536 bytes as JSON',
    ])
    expect(reportText(report, false)).toContain(
      'subscriber 5 (blocked@example.com): the field "" is left out: A key must not be empty',
    )
  } finally {
    await other.sql`update subscribers set attribs = '{}'`
  }
})

test('a no counts for a contact that has no room for more, and for one with too many fields', async () => {
  const more = (no: number) => Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${no}-${n}`, 1]))
  await imports.call('POST', '/contacts', {
    email: 'full@x.test',
    subscribed: true,
    data: { a: 'x'.repeat(40_000) },
  })
  const report = await imports.run(
    sourceOf([
      person('full', { b: 'y'.repeat(40_000) }, { subscribed: false, optedOutAt: 'unknown' }),
      person('many', { ...more(1), ...more(2) }, { subscribed: false, optedOutAt: 'unknown' }),
    ]),
  )
  expect(report).toMatchObject({ created: 1, updated: 1, refused: 0 })
  expect((await imports.people()).map(([email, subscribed]) => [email, subscribed])).toEqual([
    ['full@x.test', false],
    ['many@x.test', false],
  ])
  expect(report.without.examples.map(({ place, reason }) => `${place}: ${reason}`)).toEqual([
    'full: its fields are left out: data: Must be at most 65536 bytes as JSON',
    'many: its fields are left out: Must have at most 500 keys',
  ])
})

test('names that Waxwing fills in itself, and empty texts, are in the report', async () => {
  const report = await imports.run(
    sourceOf([
      person('a', { email: 'b@x.test', id: 7, ...JSON.parse('{"__proto__": "x"}'), nick: '', city: 'Bonn' }),
    ]),
  )
  expect((await imports.people())[0]![2]).toEqual({ city: 'Bonn' })
  expect([...report.without.reasons.keys()]).toEqual([
    'the field "email" is left out: Waxwing fills in this name itself',
    'the field "id" is left out: Waxwing fills in this name itself',
    'the field "__proto__" is left out: Waxwing fills in this name itself',
    'the field "nick" is left out: it is empty',
  ])
})

test('a file of listmonk with attributes and lists that can not be read keeps the state', async () => {
  const path = written(
    'uuid,email,name,attributes,status,lists',
    '5f5c2a57-8f0c-4c62-9c1b-0a0f2f2f2c01,a@x.test,A,"{""city"": ",blocklisted,[{',
    '5f5c2a57-8f0c-4c62-9c1b-0a0f2f2f2c02,b@x.test,B,{},enabled,[{',
  )
  const report = await imports.run(listmonkFile(path, { enabled: true }))
  expect(report).toMatchObject({ created: 1, refused: 1, suppressed: 1 })
  expect(report.oldLinks.people).toBe(1)
  expect(await imports.suppressions()).toEqual([['a@x.test', 'manual', 'listmonk: blocklisted']])
  expect([...report.without.reasons.keys()]).toEqual([
    'its attributes are left out: they are not a JSON object',
    'its lists are left out: they are neither names nor JSON',
  ])
})

test('a row of a table with a no is taken, whatever its other cells say', async () => {
  await imports.call('POST', '/topics', { name: 'News' })
  await imports.call('POST', '/topics', { name: 'Offers' })
  const path = written(
    'email,subscribed,optedOutAt,topic:News,topic:Offers',
    'date@x.test,no,once,,',
    'topic@x.test,yes,,perhaps,no',
    'nothing@x.test,,once,,',
  )
  const report = await imports.run(csvSource(path, { map: new Map() }), { missingTopics: 'refuse' })
  expect(report).toMatchObject({ created: 2, refused: 1 })
  expect((await imports.people()).map(([email, subscribed]) => [email, subscribed])).toEqual([
    ['date@x.test', false],
    ['topic@x.test', true],
  ])
  expect([...report.without.reasons.keys()]).toEqual([
    'optedOutAt: "once" is not a date like 2026-01-31T12:00:00Z',
    'topic:News: subscribed: "perhaps" is neither yes nor no',
  ])
  const { id } = (await imports.call('GET', '/contacts?search=topic@')).body.data[0]
  const { data } = (await imports.call('GET', `/contacts/${id}/topics`)).body
  expect(
    data.map((one: Record<string, unknown>) => [one['name'], one['subscribed'], one['decidedAt'] !== null]),
  ).toEqual([
    ['News', false, false],
    ['Offers', false, true],
  ])
})
