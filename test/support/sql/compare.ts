// Compares what the code says of a statement's rows with what the server says.
import ts from 'typescript5'
import type { DescribedColumn } from './describe'
import type { Claim, Statement } from './source'

/** Types that the driver reads as numbers, and so on (platform/db/client.ts). */
const read: Record<string, string[]> = {
  number: ['smallint', 'integer', 'bigint', 'real', 'double precision', 'oid'],
  string: [
    'text',
    'character varying',
    'character',
    'uuid',
    'name',
    'numeric',
    'regclass',
    'pg_lsn',
    'xid',
    'interval',
    '"char"',
    'inet',
    'cstring',
    'tid',
  ],
  boolean: ['boolean'],
  Date: ['date', 'timestamp with time zone', 'timestamp without time zone'],
  Buffer: ['bytea'],
  json: ['json', 'jsonb'],
  undefined: ['void'],
}
const readAs = new Map(Object.entries(read).flatMap(([as, names]) => names.map(name => [name, as] as const)))

/** Each difference, as `src/modules/x/queries.ts column: …`; without a line, which every edit moves. */
export function compare(
  { path, claims, isRead }: Statement,
  variants: ReadonlyArray<readonly DescribedColumn[]>,
  checker: ts.TypeChecker,
): string[] {
  const found = variants.flatMap(columns => {
    if (!claims)
      return isRead
        ? columns.filter(isMeaningful).map(({ name }) => `${name}: the code says nothing of it`)
        : []
    return compareColumns(columns, claims, checker)
  })
  const loose = [...(claims ?? [])]
    .filter(([name, claim]) => claim.isNullable && !isAnything(claim.type) && isNeverNull(name, variants))
    .map(([name]) => `${name}: is never null`)
  return [...new Set([...found, ...loose])].map(difference => `${path} ${difference}`)
}

/** `select 1` only asks whether there is a row. */
function isMeaningful({ name, type }: DescribedColumn): boolean {
  return name !== '?column?' && type !== 'void'
}

function isNeverNull(name: string, variants: ReadonlyArray<readonly DescribedColumn[]>): boolean {
  return variants.every(columns => columns.find(column => column.name === name)?.isNeverNull ?? false)
}

function compareColumns(
  columns: readonly DescribedColumn[],
  claims: ReadonlyMap<string, Claim>,
  checker: ts.TypeChecker,
): string[] {
  const differences = columns.flatMap(column => {
    const claim = claims.get(column.name)
    const found = claim ? compareColumn(column, claim, checker) : ['the code knows no such column']
    return found.map(difference => `${column.name}: ${difference}`)
  })
  const missing = [...claims].filter(
    ([name, { isOptional }]) => !isOptional && !columns.some(column => column.name === name),
  )
  return [...differences, ...missing.map(([name]) => `${name}: the statement gives no such column`)]
}

function compareColumn(column: DescribedColumn, claim: Claim, checker: ts.TypeChecker): string[] {
  const { type, mayBeNull, texts } = column
  const found: string[] = []
  if (mayBeNull && !claim.isNullable) found.push('may be null')
  if (!fits(type, claim.type, checker)) found.push(`is ${type}, not ${checker.typeToString(claim.type)}`)
  else found.push(...compareTexts(texts, claim.type, readAs.get(type)))
  return found
}

/** A text that is said to be one of some must be one of those. */
function compareTexts(texts: DescribedColumn['texts'], claim: ts.Type, as: string | undefined): string[] {
  const claimed = (claim.isUnion() ? claim.types : [claim]).flatMap(part =>
    part.isStringLiteral() ? [part.value] : [],
  )
  if (claimed.length === 0 || as !== 'string') return []
  if (!texts) return ['may hold any text']
  const further = [...texts].filter(text => !claimed.includes(text))
  return further.length > 0 ? [`may hold ${further.join(', ')} too`] : []
}

function isAnything(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0
}

function fits(type: string, claim: ts.Type, checker: ts.TypeChecker): boolean {
  if (type.endsWith('[]')) {
    const element = claim.getNumberIndexType()
    return element !== undefined && fits(type.slice(0, -2), checker.getNonNullableType(element), checker)
  }
  const as = readAs.get(type)
  if (as === 'json') return !mentionsDate(claim, checker, new Set())
  if (claim.isUnion()) return claim.types.every(part => fits(type, part, checker))
  if (as === 'Date' || as === 'Buffer') return claim.symbol?.name === as
  const flags = {
    number: ts.TypeFlags.NumberLike,
    string: ts.TypeFlags.StringLike,
    boolean: ts.TypeFlags.BooleanLike,
    undefined: ts.TypeFlags.VoidLike,
  }
  return as !== undefined && (claim.flags & flags[as as keyof typeof flags]) !== 0
}

/** In JSON a date is a text. */
function mentionsDate(type: ts.Type, checker: ts.TypeChecker, seen: Set<ts.Type>): boolean {
  if (seen.has(type) || seen.size > 200) return false
  seen.add(type)
  if (type.symbol?.name === 'Date') return true
  if (type.isUnionOrIntersection()) return type.types.some(part => mentionsDate(part, checker, seen))
  if (!(type.flags & ts.TypeFlags.Object)) return false
  const element = type.getNumberIndexType() ?? type.getStringIndexType()
  if (element) return mentionsDate(element, checker, seen)
  return type.getProperties().some(property => mentionsDate(checker.getTypeOfSymbol(property), checker, seen))
}
