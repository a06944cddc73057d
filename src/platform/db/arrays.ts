// Arrays of PostgreSQL's own types, in both directions. The driver would learn them by a query on each new connection, and a
// connection that is cut during that query ends the whole process, because nobody waits for the query's answer.
import type postgres from 'postgres'

/** Type numbers of elements and of their arrays; fixed in PostgreSQL's catalogue. */
const arrayTypes: ReadonlyArray<[element: number, array: number]> = [
  [16, 1000], // bool
  [20, 1016], // int8
  [21, 1005], // int2
  [23, 1007], // int4
  [25, 1009], // text
  [114, 199], // json
  [700, 1021], // float4
  [701, 1022], // float8
  [1043, 1015], // varchar
  [1082, 1182], // date
  [1114, 1115], // timestamp
  [1184, 1185], // timestamptz
  [1700, 1231], // numeric
  [2950, 2951], // uuid
  [3802, 3807], // jsonb
]

/** Elements are read and written as their own type is. */
export function registerArrays({ parsers, serializers }: postgres.Sql['options']): void {
  for (const [element, array] of arrayTypes) {
    const parse = parsers[element]
    parsers[array] = (text: string) => parseArray(text, parse)
    serializers[array] = (value: unknown) =>
      Array.isArray(value) ? formatArray(value, serializers[element]) : value
  }
}

function formatArray(items: readonly unknown[], serialize?: (value: unknown) => unknown): string {
  const format = (item: unknown): string => {
    if (item === null || item === undefined) return 'null'
    return `"${String(serialize ? serialize(item) : item).replace(/[\\"]/g, '\\$&')}"`
  }
  return `{${items.map(format).join(',')}}`
}

/** One dimension: `{a,"b,\"c",NULL}`. */
export function parseArray(text: string, parse?: (text: string) => unknown): unknown[] {
  const items: unknown[] = []
  // A quoted element, with what it escapes, or a plain one; each followed by a comma or the end.
  for (const [, quoted, plain] of text.slice(1, -1).matchAll(/(?:"((?:[^"\\]|\\.)*)"|([^,]+))(?:,|$)/gs)) {
    const element = quoted === undefined ? plain! : quoted.replace(/\\(.)/gs, '$1')
    items.push(quoted === undefined && plain === 'NULL' ? null : parse ? parse(element) : element)
  }
  return items
}
