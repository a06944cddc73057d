// Asks the server what a statement gives back, without running it.
import { type DatabaseClient, openDatabase, openDatabaseSession } from '../../../src/platform/db/client'
import { type Catalogue, type Column, Columns } from './columns'
import type { Parameter, Variant } from './templates'
import { projectless, type Tenancy } from './tenancy'
import { parseTree } from './tree'

export interface DescribedColumn extends Column {
  /** The type's name, as in `timestamptz[]`. */
  type: string
}

export interface Described {
  columns: DescribedColumn[]
  /** Tables of projects that the statement reads or changes without naming the project. */
  projectless: string[]
}

export interface Describer {
  /** Throws what the server says against the statement. */
  describe(variant: Variant): Promise<Described>
  close(): Promise<void>
}

/** What the driver tells the server of a value's type, by a value of it; null says nothing. */
const samples: Record<Parameter['kind'], unknown> = {
  Date: new Date(0),
  boolean: true,
  bytes: Buffer.alloc(0),
  bigint: 1n,
  unknown: null,
}

/** On the migrated database at `url`, which stays as it is. */
export async function openDescriber(url: string): Promise<Describer> {
  const told: string[] = []
  const client = openDatabase(url, {
    max: 1,
    onNotice: ({ message, detail }) => void (message?.startsWith('parse tree') && told.push(detail ?? '')),
  })
  const { types, ...catalogue } = await readCatalogue(client.sql)
  const tenancy = await readTenancy(client.sql)
  // A pool's session could end between two questions, and its settings with it.
  const { sql, close } = openDatabaseSession(client.sql, {
    debug_print_parse: 'on',
    debug_pretty_print: 'off',
    client_min_messages: 'log',
  })

  return {
    async describe({ text, parameters }) {
      told.length = 0
      const values = parameters.map(({ kind }) => samples[kind]) as never[]
      const { columns } = await sql.unsafe(text, values, { prepare: true }).describe()
      const tree = parseTree(told[0]!)
      const analysed = columns.length === 0 ? [] : new Columns(catalogue, parameters).of(tree)
      return {
        columns: analysed.map((column, index) => ({ ...column, type: types.get(columns[index]!.type)! })),
        projectless: projectless(tree, tenancy),
      }
    },
    close: async () => {
      await Promise.all([close(), client.close()])
    },
  }
}

type Sql = DatabaseClient['sql']

async function readCatalogue(sql: Sql): Promise<Catalogue & { types: ReadonlyMap<number, string> }> {
  const columns = await sql<{ key: string }[]>`
    select attrelid::text || '.' || attnum as key from pg_attribute where attnotnull and attnum > 0`
  const functions = await sql<
    { key: string; name: string }[]
  >`select oid::text as key, proname as name from pg_proc`
  const operators = await sql<
    { key: string; name: string }[]
  >`select oid::text as key, oprname as name from pg_operator`
  const types = await sql<
    { key: number; name: string }[]
  >`select oid::int as key, format_type(oid, null) as name from pg_type`
  return {
    notNull: new Set(columns.map(({ key }) => key)),
    texts: await readTexts(sql),
    functions: new Map(functions.map(({ key, name }) => [key, name])),
    operators: new Map(operators.map(({ key, name }) => [key, name])),
    types: new Map(types.map(({ key, name }) => [key, name])),
  }
}

async function readTenancy(sql: Sql): Promise<Tenancy> {
  const tables = await sql<{ key: string; name: string; column: string }[]>`
    select attrelid::int::text as key, relname as name, attnum::text as column
      from pg_attribute join pg_class on pg_class.oid = attrelid
     where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
       and attname = case relname when 'projects' then 'id' else 'project_id' end and attnotnull`
  const equals = await sql<
    { key: string }[]
  >`select oid::int::text as key from pg_operator where oprname = '='`
  return {
    tables: new Map(tables.map(({ key, ...table }) => [key, table])),
    equals: new Set(equals.map(({ key }) => key)),
  }
}

/** Columns that a check binds to a list of texts, whatever else the row holds. */
async function readTexts(sql: Sql): Promise<Map<string, ReadonlySet<string>>> {
  const checks = await sql<{ table: string; definition: string }[]>`
    select conrelid::text as table, pg_get_constraintdef(oid) as definition from (
      select conrelid::oid, oid from pg_constraint where contype = 'c') as found`
  const numbers = await sql<{ key: string; name: string }[]>`
    select attrelid::text || '.' || attnum as key, attrelid::text || '.' || attname as name from pg_attribute where attnum > 0`
  const keyOf = new Map(numbers.map(({ key, name }) => [name, key]))
  const texts = new Map<string, ReadonlySet<string>>()
  for (const { table, definition } of checks.filter(check => !/ OR |CASE|NOT |= \(/.test(check.definition)))
    for (const [, name, list] of definition.matchAll(/(\w+) = ANY \(ARRAY\[([^\]]*)\]\)/g)) {
      const values = Array.from(list!.matchAll(/'([^']*)'/g), found => found[1]!)
      texts.set(keyOf.get(`${table}.${name}`)!, new Set(values))
    }
  return texts
}
