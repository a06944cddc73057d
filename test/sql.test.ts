// What the code says of the rows of its statements is what PostgreSQL says: columns, types, whether they may be null, and which texts a
// status may hold. Every statement in the template dialect is read from the source and described by the server, none is run.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { elsewhere, exceptions, stands } from './data/sql-claims'
import { compare } from './support/sql/compare'
import { type DescribedColumn, type Describer, openDescriber } from './support/sql/describe'
import { readSource, type Source, type Statement } from './support/sql/source'

/** The compiler reads the types of all that the program imports. */
const timeoutMs = 300_000

let source: Source
let describer: Describer

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
      differences.push(...compare(statement, described, source.checker))
    }
    expect(refused).toEqual([])
    // One that is no longer needed fails too.
    expect([...new Set(differences)].sort()).toEqual([...exceptions.keys()].sort())
  },
  timeoutMs,
)

async function describeAll({ at, variants }: Statement, refused: string[]): Promise<DescribedColumn[][]> {
  const all: DescribedColumn[][] = []
  for (const variant of variants)
    await describer.describe(variant).then(
      columns => void all.push(columns),
      error => void refused.push(`${at}: ${error.message}: ${variant.text}`),
    )
  return all
}
