// What the code says of the rows of its statements is what PostgreSQL says: columns, types, whether they may be null, and which texts a
// status may hold. Every statement in the template dialect is read from the source and described by the server, none is run. And each
// statement over a table of projects names its project.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { projectless, projectlessBuilders } from './data/projectless'
import { elsewhere, exceptions, stands } from './data/sql-claims'
import { projectlessBuilt } from './support/sql/built'
import { compare } from './support/sql/compare'
import { root } from './support/sql/compiler'
import { type Described, type Describer, openDescriber } from './support/sql/describe'
import { readSource, type Source, type Statement } from './support/sql/source'
import type { Parameter } from './support/sql/templates'

/** The compiler reads the types of all that the program imports. */
const timeoutMs = 300_000

let source: Source
let describer: Describer
/** Statements that read or change a table of projects without naming the project. */
const unnamed = new Set<string>()

beforeAll(async () => {
  source = await readSource(stands)
  describer = await openDescriber()
}, timeoutMs)

afterAll(async () => await describer.close())

test('every template is read, as a statement or as a part of one', () => {
  expect(source.problems).toEqual([])
  expect(source.statements.length).toBeGreaterThan(300)
})

test(
  'every statement gives what the code says of it',
  async () => {
    const refused: string[] = []
    const differences: string[] = []
    for (const statement of source.statements.filter(({ path }) => !elsewhere.includes(path))) {
      const described = await describeAll(statement, refused)
      differences.push(
        ...compare(
          statement,
          described.map(({ columns }) => columns),
          source.checker,
        ),
      )
      for (const { projectless: tables } of described)
        for (const table of tables) unnamed.add(`${statement.path} ${table}`)
    }
    expect(refused).toEqual([])
    // One that is no longer needed fails too.
    expect([...new Set(differences)].sort()).toEqual([...exceptions.keys()].sort())
  },
  timeoutMs,
)

test('every statement over a table of projects names the project, or is known not to', () => {
  expect([...unnamed].sort()).toEqual([...projectless.keys()].sort())
})

test('every function of the builder over a table of projects knows the project, or is known not to', async () => {
  const paths = new Bun.Glob('src/{cli,modules,platform,server}/**/*.ts').scanSync(root)
  const { looked, found } = await projectlessBuilt(paths)
  expect(looked).toBeGreaterThan(80)
  expect([...new Set(found)].sort()).toEqual([...projectlessBuilders.keys()].sort())
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

async function describeAll({ at, variants }: Statement, refused: string[]): Promise<Described[]> {
  const all: Described[] = []
  for (const variant of variants)
    await describer.describe(variant).then(
      columns => void all.push(columns),
      error => void refused.push(`${at}: ${error.message}: ${variant.text}`),
    )
  return all
}
