// What PostgreSQL knows of the columns that a statement gives back: their names and types, whether they may be null, and which texts
// they may hold. Each answer is derived from the analysed statement: from the catalogue for columns of tables, through subqueries and
// outer joins; what nothing is known of may be null and hold anything.
import type { Parameter } from './templates'
import { isNode, nodesOf, type TreeNode, type TreeValue } from './tree'

export interface Column {
  name: string
  mayBeNull: boolean
  /** True where the catalogue says so, not only the condition of this statement. */
  isNeverNull: boolean
  /** The texts that are possible; undefined where any is. */
  texts: ReadonlySet<string> | undefined
}

/** By `table.column`, in numbers. */
export interface Catalogue {
  notNull: ReadonlySet<string>
  texts: ReadonlyMap<string, ReadonlySet<string>>
  /** Names of functions and operators. */
  functions: ReadonlyMap<string, string>
  operators: ReadonlyMap<string, string>
}

/** A query and those around it, the innermost first. */
type Scope = readonly TreeNode[]
interface Found {
  expression: TreeNode
  scope: Scope
}

/** Functions that never answer null. */
const sureFunctions = new Set(
  'concat concat_ws json_build_array json_build_object jsonb_build_array jsonb_build_object'.split(' '),
)
/** Functions that answer null for null only. */
const totalFunctions = new Set(
  `abs current_setting has_function_privilege jsonb_path_query_array char_length cardinality ceil date_part date_trunc decode encode extract floor format format_type hashtext hashtextextended
   jsonb_array_length length lower octet_length pg_get_constraintdef pg_get_indexdef pg_relation_size pg_try_advisory_lock
   pg_try_advisory_xact_lock quote_ident round row_to_json starts_with strpos timezone to_char to_json to_jsonb to_timestamp upper
   uuid_v7 version array_append jsonb_set now statement_timestamp clock_timestamp current_database generate_series btrim left right replace`.split(
    /\s+/,
  ),
)
const partialOperators = new Set(['->', '->>', '#>', '#>>'])

export class Columns {
  private trustsConditions = true

  constructor(
    private readonly catalogue: Catalogue,
    private readonly parameters: readonly Parameter[],
  ) {}

  of(query: TreeNode): Column[] {
    return this.outputs(query).map(({ fields }) => {
      const found = { expression: fields.expr as TreeNode, scope: [query] }
      const texts = this.texts(found, query, Number(fields.resno))
      return {
        name: String(fields.resname),
        mayBeNull: this.isOpen(query, Number(fields.resno), true),
        isNeverNull: !this.isOpen(query, Number(fields.resno), false),
        texts,
      }
    })
  }

  private isOpen(query: TreeNode, number: number, trustsConditions: boolean): boolean {
    this.trustsConditions = trustsConditions
    return this.outputMayBeNull(query, [query], number, new Set())
  }

  private outputs({ fields }: TreeNode): TreeNode[] {
    const list = fields.commandType === '1' ? fields.targetList : fields.returningList
    return nodesOf(list).filter(entry => entry.fields.resjunk === 'false')
  }

  /** A query's column by its number, in each branch of a union. */
  private outputFounds(query: TreeNode, scope: Scope, number: number): Found[] {
    if (query.fields.setOperations === null) {
      const entry =
        this.outputs(query).find(({ fields }) => Number(fields.resno) === number) ??
        this.outputs(query)[number - 1]
      return entry ? [{ expression: entry.fields.expr as TreeNode, scope }] : []
    }
    return leaves(query.fields.setOperations).flatMap(index => {
      const branch = rangeOf(query, index)?.fields.subquery
      return isNode(branch) ? this.outputFounds(branch, [branch, ...scope], number) : []
    })
  }

  private outputMayBeNull(query: TreeNode, scope: Scope, number: number, seen: Set<TreeNode>): boolean {
    const founds = this.outputFounds(query, scope, number)
    return founds.length === 0 || founds.some(found => this.mayBeNull(found, seen))
  }

  private mayBeNull({ expression, scope }: Found, seen: Set<TreeNode>): boolean {
    const { kind, fields } = expression
    const anyOf = (list: TreeValue | undefined): boolean =>
      nodesOf(list).some(part => this.mayBeNull({ expression: part, scope }, seen))
    const allOf = (list: TreeValue | undefined): boolean =>
      nodesOf(list).every(part => this.mayBeNull({ expression: part, scope }, seen))
    switch (kind) {
      case 'CONST':
        return fields.constisnull === 'true'
      case 'PARAM':
        return this.parameters[Number(fields.paramid) - 1]?.isNullable ?? true
      case 'VAR':
        return this.variableMayBeNull({ expression, scope }, seen)
      case 'RELABELTYPE':
      case 'COERCEVIAIO':
      case 'ARRAYCOERCEEXPR':
      case 'COLLATEEXPR':
        return anyOf(fields.arg)
      case 'NULLTEST':
      case 'BOOLEANTEST':
      case 'DISTINCTEXPR':
      case 'ROWEXPR':
      case 'ARRAYEXPR':
      case 'SQLVALUEFUNCTION':
      case 'MERGESUPPORTFUNC':
        return false
      case 'BOOLEXPR':
      case 'SCALARARRAYOPEXPR':
        return anyOf(fields.args)
      case 'OPEXPR':
        return (
          partialOperators.has(this.catalogue.operators.get(String(fields.opno)) ?? '->') ||
          anyOf(fields.args)
        )
      case 'FUNCEXPR':
        return !this.isSure(fields) && (!this.isTotal(fields) || anyOf(fields.args))
      case 'COALESCEEXPR':
      case 'MINMAXEXPR':
        return allOf(fields.args)
      case 'CASEEXPR': {
        const results = nodesOf(fields.args).map(when => when.fields.result as TreeNode)
        return anyOf([...results, fields.defresult ?? null]) || !isNode(fields.defresult)
      }
      case 'AGGREF':
        return this.aggregateMayBeNull(expression, scope, seen)
      // A slice of a list is a list.
      case 'SUBSCRIPTINGREF':
        return nodesOf(fields.reflowerindexpr).length === 0 || anyOf(fields.refexpr)
      case 'WINDOWFUNC':
        return !['row_number', 'rank', 'count', 'dense_rank'].includes(
          this.catalogue.functions.get(String(fields.winfnoid)) ?? '',
        )
      case 'SUBLINK':
        return this.sublinkMayBeNull(expression, scope, seen)
      default:
        return true
    }
  }

  private isSure({ funcid }: TreeNode['fields']): boolean {
    return sureFunctions.has(this.catalogue.functions.get(String(funcid)) ?? '')
  }

  /** A cast keeps what is there. */
  private isTotal({ funcformat, funcid }: TreeNode['fields']): boolean {
    return funcformat !== '0' || totalFunctions.has(this.catalogue.functions.get(String(funcid)) ?? '')
  }

  private aggregateMayBeNull({ fields }: TreeNode, scope: Scope, seen: Set<TreeNode>): boolean {
    if (this.catalogue.functions.get(String(fields.aggfnoid)) === 'count') return false
    // A group has a row at least, all rows together may be none.
    if (nodesOf(scope[0]!.fields.groupClause).length === 0 || isNode(fields.aggfilter)) return true
    return nodesOf(fields.args).some(({ fields: { expr } }) =>
      this.mayBeNull({ expression: expr as TreeNode, scope }, seen),
    )
  }

  private sublinkMayBeNull({ fields }: TreeNode, scope: Scope, seen: Set<TreeNode>): boolean {
    const query = fields.subselect as TreeNode
    if (fields.subLinkType === '0' || fields.subLinkType === '6') return false
    const output = this.outputMayBeNull(query, [query, ...scope], 1, seen)
    if (fields.subLinkType === '4') return output || !hasOneRow(query)
    return (
      output ||
      nodesOf(isNode(fields.testexpr) ? fields.testexpr.fields.args : null)
        .filter(part => part.kind !== 'PARAM')
        .some(part => this.mayBeNull({ expression: part, scope }, seen))
    )
  }

  private variableMayBeNull(found: Found, seen: Set<TreeNode>): boolean {
    const { fields } = found.expression
    const scope = found.scope.slice(Number(fields.varlevelsup))
    const query = scope[0]!
    const given = assigned(query, fields)
    if (given && !seen.has(given))
      return (
        this.rangeMayBeNull(rangeOf(query, Number(fields.varno)), Number(fields.varattno), scope, seen) &&
        this.writtenMayBeNull(given, scope, new Set([...seen, given]))
      )
    if (this.trustsConditions && this.isTested(found.expression, query)) return false
    if (Array.isArray(fields.varnullingrels) && fields.varnullingrels.length > 1) return true
    const number = Number(fields.varattno)
    // The row itself, and system columns.
    if (number <= 0) return false
    return this.rangeMayBeNull(rangeOf(query, Number(fields.varno)), number, scope, seen)
  }

  /** What is written is made from the row as it was before. */
  private writtenMayBeNull({ fields }: TreeNode, scope: Scope, seen: Set<TreeNode>): boolean {
    return this.mayBeNull({ expression: fields.expr as TreeNode, scope }, seen)
  }

  private rangeMayBeNull(
    range: TreeNode | undefined,
    number: number,
    scope: Scope,
    seen: Set<TreeNode>,
  ): boolean {
    if (!range) return true
    const { fields } = range
    switch (fields.rtekind) {
      case '0':
        return !this.catalogue.notNull.has(`${fields.relid}.${number}`)
      case '1': {
        const query = fields.subquery as TreeNode
        return this.outputMayBeNull(query, [query, ...scope], number, seen)
      }
      case '2':
        return this.mayBeNull({ expression: nodesOf(fields.joinaliasvars)[number - 1]!, scope }, seen)
      case '3':
        return this.functionMayBeNull(fields, number)
      case '5':
        return (fields.values_lists as TreeValue[]).some(row =>
          this.mayBeNull({ expression: nodesOf(row)[number - 1]!, scope }, seen),
        )
      case '6':
        return this.cteMayBeNull(range, number, scope, seen)
      case '9':
        return this.mayBeNull({ expression: nodesOf(fields.groupexprs)[number - 1]!, scope }, seen)
      default:
        return true
    }
  }

  /** Elements of lists that the code gives are what its types say; several lists side by side have one length. */
  private functionMayBeNull(fields: TreeNode['fields'], number: number): boolean {
    const functions = nodesOf(fields.functions)
    if (number > functions.length && fields.funcordinality === 'true') return false
    if (this.nameOf(functions[0]) === 'generate_series') return false
    return this.listOf(fields, number)?.hasNullElements ?? true
  }

  /** The list that the code gives for `unnest`. */
  private listOf(fields: TreeNode['fields'], number: number): Parameter | undefined {
    const call = nodesOf(fields.functions)[number - 1]
    if (this.nameOf(call) !== 'unnest') return undefined
    let [list] = nodesOf((call!.fields.funcexpr as TreeNode).fields.args)
    while (list && list.kind !== 'PARAM') [list] = nodesOf(list.fields.arg)
    return list && this.parameters[Number(list.fields.paramid) - 1]
  }

  private nameOf(call: TreeNode | undefined): string | undefined {
    return isNode(call?.fields.funcexpr)
      ? this.catalogue.functions.get(String(call.fields.funcexpr.fields.funcid))
      : undefined
  }

  private cteMayBeNull(range: TreeNode, number: number, scope: Scope, seen: Set<TreeNode>): boolean {
    const found = cteOf(range, scope)
    // A recursive query adds nothing to what its other branch says.
    if (!found) return true
    if (seen.has(found.query)) return false
    return this.outputMayBeNull(
      found.query,
      [found.query, ...found.scope],
      number,
      new Set([...seen, found.query]),
    )
  }

  /** Whether the query lets rows through only where the column is not null. */
  private isTested({ fields }: TreeNode, query: TreeNode): boolean {
    return conditionsOf(query).some(part => {
      if (part.kind === 'NULLTEST' && part.fields.nulltesttype !== '1') return false
      if (!['NULLTEST', 'OPEXPR', 'SCALARARRAYOPEXPR'].includes(part.kind))
        return part.kind === 'VAR' && isSame(part.fields, fields)
      return nodesOf(part.kind === 'NULLTEST' ? part.fields.arg : part.fields.args).some(
        side => side.kind === 'VAR' && isSame(side.fields, fields),
      )
    })
  }

  private texts(found: Found, query: TreeNode, number: number): ReadonlySet<string> | undefined {
    if (query.fields.setOperations === null) return this.textsOf(found, new Set())
    return united(this.outputFounds(query, found.scope, number).map(one => this.textsOf(one, new Set())))
  }

  private textsOf({ expression, scope }: Found, seen: Set<TreeNode>): ReadonlySet<string> | undefined {
    const { kind, fields } = expression
    const all = (parts: TreeNode[]) =>
      united(parts.map(part => this.textsOf({ expression: part, scope }, seen)))
    switch (kind) {
      case 'CONST':
        return new Set(fields.constisnull === 'true' ? [] : [constantText(fields.constvalue)])
      case 'RELABELTYPE':
      case 'COLLATEEXPR':
        return all(nodesOf(fields.arg))
      case 'COALESCEEXPR':
        return all(nodesOf(fields.args))
      case 'NULLIFEXPR':
        return without(all(nodesOf(fields.args).slice(0, 1)), all(nodesOf(fields.args).slice(1)))
      case 'PARAM':
        return this.parameters[Number(fields.paramid) - 1]?.texts
      case 'COERCEVIAIO':
        return all(nodesOf(fields.arg))
      case 'CASEEXPR':
        return all([
          ...nodesOf(fields.args).map(when => when.fields.result as TreeNode),
          ...nodesOf(fields.defresult),
        ])
      case 'SUBLINK': {
        const query = fields.subselect as TreeNode
        return united(this.outputFounds(query, [query, ...scope], 1).map(one => this.textsOf(one, seen)))
      }
      case 'VAR': {
        const around = scope.slice(Number(fields.varlevelsup))
        const given = assigned(around[0]!, fields)
        if (given && !seen.has(given))
          return this.textsOf(
            { expression: given.fields.expr as TreeNode, scope: around },
            new Set([...seen, given]),
          )
        return this.rangeTexts(
          rangeOf(around[0]!, Number(fields.varno)),
          Number(fields.varattno),
          around,
          seen,
        )
      }
      default:
        return undefined
    }
  }

  private rangeTexts(
    range: TreeNode | undefined,
    number: number,
    scope: Scope,
    seen: Set<TreeNode>,
  ): ReadonlySet<string> | undefined {
    if (!range) return undefined
    const { fields } = range
    if (fields.rtekind === '0') return this.catalogue.texts.get(`${fields.relid}.${number}`)
    if (fields.rtekind === '3') return this.listOf(fields, number)?.texts
    const through = (query: TreeNode, around: Scope) =>
      united(
        this.outputFounds(query, [query, ...around], number).map(one =>
          this.textsOf(one, new Set([...seen, query])),
        ),
      )
    if (fields.rtekind === '1') return through(fields.subquery as TreeNode, scope)
    if (fields.rtekind === '9')
      return this.textsOf({ expression: nodesOf(fields.groupexprs)[number - 1]!, scope }, seen)
    const found = fields.rtekind === '6' ? cteOf(range, scope) : undefined
    if (!found) return undefined
    return seen.has(found.query) ? new Set() : through(found.query, found.scope)
  }
}

function without(
  texts: ReadonlySet<string> | undefined,
  others: ReadonlySet<string> | undefined,
): ReadonlySet<string> | undefined {
  return texts && new Set([...texts].filter(text => !others?.has(text)))
}

/** What the statement has just written into a column that it gives back; undefined where it has not. */
function assigned({ fields }: TreeNode, column: TreeNode['fields']): TreeNode | undefined {
  const isUpdate = fields.commandType === '2'
  const isInsert =
    fields.commandType === '3' && !(isNode(fields.onConflict) && fields.onConflict.fields.action === '2')
  if (!(isUpdate || isInsert) || column.varno !== fields.resultRelation) return undefined
  return nodesOf(fields.targetList).find(one => one.fields.resno === column.varattno)
}

function united(sets: Array<ReadonlySet<string> | undefined>): ReadonlySet<string> | undefined {
  const all = new Set<string>()
  for (const set of sets) {
    if (!set) return undefined
    for (const text of set) all.add(text)
  }
  return all
}

/** A text is stored behind four bytes of length. */
function constantText(value: TreeValue | undefined): string {
  const bytes = Array.isArray(value) ? value.map(Number) : []
  return Buffer.from(bytes.slice(4).map(byte => byte & 255)).toString()
}

function rangeOf(query: TreeNode, index: number): TreeNode | undefined {
  return nodesOf(query.fields.rtable)[index - 1]
}

function cteOf({ fields }: TreeNode, scope: Scope): { query: TreeNode; scope: Scope } | undefined {
  const around = scope.slice(Number(fields.ctelevelsup))
  const cte = nodesOf(around[0]?.fields.cteList).find(one => one.fields.ctename === fields.ctename)
  return cte && { query: cte.fields.ctequery as TreeNode, scope: around }
}

function leaves(operation: TreeValue | undefined): number[] {
  if (!isNode(operation)) return []
  if (operation.kind === 'RANGETBLREF') return [Number(operation.fields.rtindex)]
  return [...leaves(operation.fields.larg), ...leaves(operation.fields.rarg)]
}

/** Aggregates over all rows give one row, whatever there is. */
function hasOneRow({ fields }: TreeNode): boolean {
  return fields.hasAggs === 'true' && nodesOf(fields.groupClause).length === 0 && fields.havingQual === null
}

/** What holds of every row: the parts of WHERE, and of inner joins that no outer join is around. */
function conditionsOf(query: TreeNode): TreeNode[] {
  const split = (value: TreeValue | undefined): TreeNode[] =>
    nodesOf(value).flatMap(part =>
      part.kind === 'BOOLEXPR' && part.fields.boolop === 'and' ? split(part.fields.args) : [part],
    )
  const ofJoin = (value: TreeValue | undefined): TreeNode[] =>
    nodesOf(value).flatMap(part => {
      if (part.kind !== 'JOINEXPR') return []
      const { jointype, quals, larg, rarg } = part.fields
      if (jointype === '1') return ofJoin(larg)
      return jointype === '0' ? [...split(quals), ...ofJoin(larg), ...ofJoin(rarg)] : []
    })
  const tree = query.fields.jointree
  return isNode(tree) ? [...split(tree.fields.quals), ...ofJoin(tree.fields.fromlist)] : []
}

function isSame(a: TreeNode['fields'], b: TreeNode['fields']): boolean {
  return a.varno === b.varno && a.varattno === b.varattno && a.varlevelsup === '0'
}
