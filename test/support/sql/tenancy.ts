// Which tables of an analysed statement are read or changed without naming the project. A table names it where its project_id equals
// something from outside: a parameter, a row of a list, what a query around it or before it found; or the project_id of a table that does.
import { isNode, nodesOf, type TreeNode, type TreeValue } from './tree'

export interface Tenancy {
  /** By number of the table: its name, and the number of the column that names the project. */
  tables: ReadonlyMap<string, { name: string; column: string }>
  /** Numbers of the operators that mean equal. */
  equals: ReadonlySet<string>
}

/** Names of the tables, in the order of the statement. */
export function projectless(tree: TreeNode, tenancy: Tenancy): string[] {
  return queriesIn(tree).flatMap(query => unnamed(query, tenancy))
}

/** The query and all within it: subqueries, common table expressions. */
function queriesIn(value: TreeValue | undefined): TreeNode[] {
  if (Array.isArray(value)) return value.flatMap(queriesIn)
  if (!isNode(value)) return []
  const within = Object.values(value.fields).flatMap(queriesIn)
  return value.kind === 'QUERY' ? [value, ...within] : within
}

function unnamed(query: TreeNode, { tables, equals }: Tenancy): string[] {
  const { fields } = query
  const ranges = nodesOf(fields.rtable)
  const conflict = isNode(fields.onConflict) ? fields.onConflict.fields.exclRelIndex : undefined
  /** What is inserted brings its project along, and stands once more as `excluded`. */
  const inserted = fields.commandType === '3' ? [fields.resultRelation, conflict] : []
  const open = new Map<string, string>()
  for (const [index, { fields: range }] of ranges.entries()) {
    const table = range.rtekind === '0' ? tables.get(String(range.relid)) : undefined
    if (table && !inserted.includes(String(index + 1))) open.set(String(index + 1), table.name)
  }
  /** The table whose project the expression is, or what it is otherwise. */
  const sideOf = (side: TreeNode): string => {
    const at = resolved(side, ranges)
    if (at.kind !== 'VAR' || at.fields.varlevelsup !== '0') return 'outside'
    const range = ranges[Number(at.fields.varno) - 1]?.fields
    const table = range?.rtekind === '0' ? tables.get(String(range.relid)) : undefined
    if (!table) return 'outside'
    // By its place (ctid): a row that the statement has found before.
    const names = table.column === at.fields.varattno || at.fields.varattno === '-1'
    return names ? String(at.fields.varno) : 'another column'
  }
  const pairs = equalities(fields.jointree, equals).flatMap(([left, right]) => {
    if (!left || !right) return []
    const sides = [sideOf(left), sideOf(right)] as const
    return [sides, [sides[1], sides[0]] as const]
  })
  for (let before = -1; before !== open.size; ) {
    before = open.size
    for (const [one, other] of pairs) if (!open.has(other) && other !== 'another column') open.delete(one)
  }
  return [...open.values()].filter(name => name !== 'projects')
}

/** Both sides of what must be equal for a row to count: not what stands under `or` or `not`. */
function equalities(value: TreeValue | undefined, equals: ReadonlySet<string>): TreeNode[][] {
  if (Array.isArray(value)) return value.flatMap(each => equalities(each, equals))
  if (!isNode(value)) return []
  const { kind, fields } = value
  if (kind === 'FROMEXPR') return equalities([fields.fromlist ?? null, fields.quals ?? null], equals)
  if (kind === 'JOINEXPR')
    return equalities([fields.larg ?? null, fields.rarg ?? null, fields.quals ?? null], equals)
  if (kind === 'BOOLEXPR') return fields.boolop === 'and' ? equalities(fields.args, equals) : []
  if (kind === 'SUBLINK') return fields.subLinkType === '2' ? equalities(fields.testexpr, equals) : []
  const isEqual =
    (kind === 'OPEXPR' || (kind === 'SCALARARRAYOPEXPR' && fields.useOr === 'true')) &&
    equals.has(String(fields.opno))
  return isEqual ? [nodesOf(fields.args)] : []
}

/** Through columns of joins and changes of type. */
function resolved(side: TreeNode, ranges: readonly TreeNode[]): TreeNode {
  const { kind, fields } = side
  if (kind === 'RELABELTYPE') return resolved(fields.arg as TreeNode, ranges)
  if (kind !== 'VAR' || fields.varlevelsup !== '0') return side
  const range = ranges[Number(fields.varno) - 1]?.fields
  const alias = range?.rtekind === '2' ? nodesOf(range.joinaliasvars)[Number(fields.varattno) - 1] : undefined
  return alias ? resolved(alias, ranges) : side
}
