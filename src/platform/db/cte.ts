// Common table expressions as values: what reads one is given it, with columns that the compiler knows, and a name is given where it is read from.
import type postgres from 'postgres'

/** Part of a statement in the dialect of `ctx.sql`. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

export interface Cte<Column extends string, Part = Fragment> {
  /** Its definition, to follow `with`. */
  readonly as: Part
  /** What others read from. */
  readonly name: Part
  readonly columns: Readonly<Record<Column, Part>>
}

/** `ctx.sql`, or the tag of drizzle. */
type Tag<Part> = (text: TemplateStringsArray, ...parts: Part[]) => Part

/** `body` puts the list of the columns behind its `select` or `returning`. */
export function cte<Column extends string, Part>(
  sql: NoInfer<Tag<Part>>,
  name: string,
  columns: Readonly<Record<Column, Part>>,
  body: (columns: Part) => Part,
): Cte<Column, Part> {
  const list = Object.entries<Part>(columns)
    .map(([column, value]) => sql`${value} as ${identifier(sql, column)}`)
    .reduce((all, one) => sql`${all}, ${one}`)
  const named = identifier(sql, name)
  return { name: named, columns, as: sql`${named} as materialized (${body(list)})` }
}

function identifier<Part>(sql: Tag<Part>, name: string): Part {
  const text = [`"${name}"`]
  return sql(Object.assign(text, { raw: text }))
}
