// What the code says of the rows of its statements is what PostgreSQL says: columns, types, whether they may be null, and which texts a
// status may hold. Every statement in the template dialect is read from the source and described by the server, none is run. And each
// statement over a table of projects names its project.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { projectless, projectlessBuilders } from './data/projectless'
import { exceptions } from './data/sql-claims'
import { cloneDatabase, type TestDatabase } from './support/database'
import type { Checked } from './support/sql/check'
import { type Describer, openDescriber } from './support/sql/describe'
import type { Parameter } from './support/sql/templates'

/** The compiler reads the types of all that the program imports. */
const timeoutMs = 300_000

let database: TestDatabase
let describer: Describer
let checked: Checked

beforeAll(async () => {
  database = await cloneDatabase({ max: 1 })
  describer = await openDescriber(database.url)
  checked = await checkStatements(database.url)
}, timeoutMs)

afterAll(async () => {
  await describer?.close()
  await database?.drop()
})

/** The engine takes the machine for one with so much, and collects garbage before it has taken all of it. */
const memoryBytes = 1_000_000_000

async function checkStatements(url: string): Promise<Checked> {
  const program = join(import.meta.dir, 'support/sql/check.ts')
  const env = { ...process.env, BUN_JSC_forceRAMSize: String(memoryBytes) }
  const child = Bun.spawn([process.execPath, program, url], { env, stdout: 'pipe', stderr: 'inherit' })
  const said = await new Response(child.stdout).text()
  if ((await child.exited) !== 0) throw new Error('the statements were not read')
  return JSON.parse(said)
}

const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort()

test('every template is read, as a statement or as a part of one', () => {
  expect(checked.problems).toEqual([])
  expect(checked.statements).toBeGreaterThan(300)
})

test('every statement gives what the code says of it', () => {
  expect(checked.refused).toEqual([])
  // One that is no longer needed fails too.
  expect(sorted(checked.differences)).toEqual(sorted(exceptions.keys()))
})

test('every statement over a table of projects names the project, or is known not to', () => {
  expect(sorted(checked.projectless)).toEqual(sorted(projectless.keys()))
})

test('every function of the builder over a table of projects knows the project, or is known not to', () => {
  expect(checked.built.looked).toBeGreaterThan(80)
  expect(sorted(checked.built.found)).toEqual(sorted(projectlessBuilders.keys()))
})

const unknown: Parameter = { kind: 'unknown', isNullable: false, hasNullElements: false, texts: undefined }

const planted: Array<[string, string[]]> = [
  ['select 1 from contacts where project_id = $1 and id = $2', []],
  ['select 1 from contacts where id = $1', ['contacts']],
  ['select 1 from contacts where project_id = $1 or id = $2', ['contacts']],
  ['select 1 from contacts where project_id <> $1', ['contacts']],
  ['select 1 from contacts where (project_id, id) in (select * from unnest($1::uuid[], $2::uuid[]))', []],
  ['select 1 from contacts c join events e on e.contact_id = c.id where c.project_id = $1', ['events']],
  ['select 1 from contacts c join events e on e.project_id = c.project_id where c.project_id = $1', []],
  [
    'select 1 from contacts c join events e on e.project_id = c.project_id where c.id = $1',
    ['contacts', 'events'],
  ],
  ['select 1 from contacts c join events e using (project_id) where project_id = $1', []],
  ['select 1 from projects p join contacts c on c.project_id = p.id where p.id = $1', []],
  ['select 1 from projects p where exists (select from contacts c where c.project_id = p.id)', []],
  ['update contacts set version = 1 where id = $1', ['contacts']],
  ['with old as (delete from contacts where id = $1 returning *) select 1 from old', ['contacts']],
  [
    'insert into contact_totals (project_id) values ($1) on conflict (project_id) do update set contacts = 1',
    [],
  ],
]

test.each(planted)('%s', async (text, tables) => {
  const parameters = Array.from(text.matchAll(/\$\d/g), () => unknown)
  expect((await describer.describe({ text, parameters })).projectless.sort()).toEqual(tables)
})
