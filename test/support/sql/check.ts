// A program of its own: reads every statement of the source, has the server describe it, and prints what is wrong. The compiler takes most
// of a gigabyte, which a process that other test files share would keep.
import { elsewhere, stands } from '../../data/sql-claims'
import { projectlessBuilt } from './built'
import { compare } from './compare'
import { root } from './compiler'
import { type Described, type Describer, openDescriber } from './describe'
import { readSource, type Statement } from './source'

export interface Checked {
  statements: number
  /** Templates that could not be read. */
  problems: string[]
  /** What the server says against statements. */
  refused: string[]
  /** What the code says of rows and the server does not. */
  differences: string[]
  /** Statements that read or change a table of projects without naming the project. */
  projectless: string[]
  /** The same of functions that use the builder, and at how many was looked. */
  built: { looked: number; found: string[] }
}

async function check(url: string): Promise<Checked> {
  const { statements, problems, checker } = await readSource(stands)
  const checked: Checked = {
    ...{ statements: statements.length, problems },
    ...{ refused: [], differences: [], projectless: [] },
    built: await projectlessBuilt(new Bun.Glob('src/{cli,modules,platform,server}/**/*.ts').scanSync(root)),
  }
  const describer = await openDescriber(url)
  for (const statement of statements.filter(({ path }) => !elsewhere.includes(path))) {
    const described = await describeAll(describer, statement, checked.refused)
    const columns = described.map(each => each.columns)
    checked.differences.push(...compare(statement, columns, checker))
    for (const { projectless } of described)
      checked.projectless.push(...projectless.map(table => `${statement.path} ${table}`))
  }
  await describer.close()
  return checked
}

async function describeAll(
  describer: Describer,
  { at, variants }: Statement,
  refused: string[],
): Promise<Described[]> {
  const all: Described[] = []
  for (const variant of variants)
    await describer.describe(variant).then(
      columns => void all.push(columns),
      error => void refused.push(`${at}: ${error.message}: ${variant.text}`),
    )
  return all
}

if (import.meta.main) process.stdout.write(JSON.stringify(await check(process.argv[2]!)))
