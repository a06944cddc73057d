// Writes a statement out of its template, with the parts that other functions add to it put in.
import type { PgTable } from 'drizzle-orm/pg-core'
import ts from 'typescript5'
import { insertTexts } from '../../../src/platform/db/insert-rows'
import { givenName, insertedRows } from '../../data/sql-claims'
import { Unreadable } from './compiler'
import { type Env, type Thunk, Values } from './values'

/** A value that goes along as `$1`; what the driver says of its type, and whether the code lets it be null. */
export interface Parameter {
  kind: 'Date' | 'boolean' | 'bytes' | 'bigint' | 'unknown'
  isNullable: boolean
  hasNullElements: boolean
  /** The texts that the code's type allows, for a list that of its elements; undefined for any. */
  texts: ReadonlySet<string> | undefined
}

/** A statement as one run of the code would send it. */
export interface Variant {
  text: string
  parameters: Parameter[]
}

export type Piece = string | Parameter

export class Templates extends Values {
  protected readonly reached = new Set<ts.Node>()

  constructor(
    program: ts.Program,
    stands: Readonly<Record<string, string>>,
    /** By the names that schema.ts gives them. */
    private readonly tables: ReadonlyMap<string, PgTable>,
  ) {
    super(program, stands)
  }

  protected template(node: ts.TaggedTemplateExpression, env: Env): Piece[] {
    this.reached.add(node)
    const { template } = node
    if (ts.isNoSubstitutionTemplateLiteral(template)) return [template.text]
    return [
      template.head.text,
      ...template.templateSpans.flatMap(span => [...this.hole(span.expression, env), span.literal.text]),
    ]
  }

  protected hole(node: ts.Expression, env: Env): Piece[] {
    const type = this.checker.getTypeAtLocation(node)
    return this.isFragment(type) ? this.fragment({ node, env }) : [this.parameter(type)]
  }

  protected parameter(type: ts.Type): Parameter {
    const bare = this.checker.getNonNullableType(type)
    const element = this.checker.isArrayType(bare) ? bare.getNumberIndexType() : undefined
    return {
      kind: this.kindOf(bare),
      isNullable: this.hasFlag(type, ts.TypeFlags.Null | ts.TypeFlags.Undefined | ts.TypeFlags.Unknown),
      hasNullElements: element !== undefined && this.mayBeNull(element),
      texts: textsOf(element ? this.checker.getNonNullableType(element) : bare),
    }
  }

  protected kindOf(type: ts.Type): Parameter['kind'] {
    if (type.symbol?.name === 'Date') return 'Date'
    if (['Buffer', 'Uint8Array'].includes(type.symbol?.name ?? '')) return 'bytes'
    if (type.flags & ts.TypeFlags.BooleanLike || this.checker.typeToString(type) === 'boolean')
      return 'boolean'
    return type.flags & ts.TypeFlags.BigIntLike ? 'bigint' : 'unknown'
  }

  protected fragment(thunk: Thunk): Piece[] {
    const { node, env } = this.force(thunk)
    const stand = this.stand(node)
    if (stand !== undefined) return [stand]
    if (ts.isTaggedTemplateExpression(node)) return this.template(node, env)
    if (ts.isCallExpression(node)) return this.call(node, env)
    const name =
      ts.isPropertyAccessExpression(node) || ts.isIdentifier(node) ? this.columnOrTable(node) : undefined
    if (name) return [name]
    throw new Unreadable(`cannot read ${this.pathOf(node.getSourceFile())}: ${node.getText()}`)
  }

  /** `sql(name)`, `sql.unsafe(text)`, `list.reduce((all, part) => …)`. */
  protected call(node: ts.CallExpression, env: Env): Piece[] {
    const [first, second] = node.arguments
    const callee = this.callee(node, env)
    const stand = callee && this.standOf(callee.fn)
    if (stand === insertedRows) return this.rows(node.arguments, env)
    if (stand === givenName) return [`"${this.text({ node: second!, env })}"`]
    if (stand !== undefined) return [stand]
    if (ts.isPropertyAccessExpression(node.expression)) {
      const { name, expression } = node.expression
      if (name.text === 'reduce')
        return this.reduced(this.list({ node: expression, env }), first!, second, env)
      if (name.text === 'unsafe') return [this.text({ node: first!, env })]
    } else if (first && this.isFragment(this.checker.getTypeAtLocation(node)))
      return [`"${this.text({ node: first, env })}"`]
    throw new Unreadable(`cannot read ${this.pathOf(node.getSourceFile())}: ${node.getText()}`)
  }

  private rows([, table, names]: readonly ts.Expression[], env: Env): Piece[] {
    const found = this.tables.get(table!.getText())
    if (!found) throw new Unreadable(`no schema.ts has a table ${table!.getText()}`)
    const list = this.list({ node: names!, env }).map(name => this.text(name))
    const { head, shape } = insertTexts(found, list)
    const given: Parameter = { kind: 'unknown', isNullable: false, hasNullElements: false, texts: undefined }
    return [`${head} from json_to_recordset(`, given, `::json) as r(${shape})`]
  }

  protected reduced(
    items: Thunk[],
    step: ts.Expression,
    start: ts.Expression | undefined,
    env: Env,
  ): Piece[] {
    const fn = this.force({ node: step, env })
    if (!ts.isArrowFunction(fn.node)) throw new Unreadable('a fold without its function')
    const [all, one] = fn.node.parameters
    const rest = start ? items : items.slice(1)
    let result: Thunk = start ? { node: start, env } : items[0]!
    for (const item of rest) {
      const bound = new Map(fn.env).set(this.symbol(all!.name), result).set(this.symbol(one!.name), item)
      result = { node: fn.node.body, env: bound }
    }
    return this.fragment(result)
  }

  protected list(thunk: Thunk): Thunk[] {
    const { node, env } = this.force(thunk)
    if (ts.isArrayLiteralExpression(node))
      return node.elements.flatMap(element =>
        ts.isSpreadElement(element)
          ? this.spread({ node: element.expression, env })
          : [{ node: element, env }],
      )
    if (
      ts.isCallExpression(node) &&
      ts.isPropertyAccessExpression(node.expression) &&
      node.expression.name.text === 'map'
    ) {
      const fn = this.force({ node: node.arguments[0]!, env })
      if (ts.isArrowFunction(fn.node)) {
        const { body, parameters } = fn.node
        const members = this.entries(node.expression.expression, env)
        if (members) {
          const names = (parameters[0]!.name as ts.ArrayBindingPattern)
            .elements as ts.NodeArray<ts.BindingElement>
          return members.map(pair => {
            const bound = new Map(fn.env)
            names.forEach(({ name }, index) => void bound.set(this.symbol(name), pair[index]!))
            return { node: body, env: bound }
          })
        }
        const items = this.list({ node: node.expression.expression, env })
        return items.map(item => ({ node: body, env: this.bind(fn.env, parameters[0]!, item) }))
      }
    }
    // Of a list that only a run knows, two elements like any.
    return [thunk, thunk]
  }

  /** `Object.entries(object)`: each name with its value. */
  protected entries(node: ts.Expression, env: Env): Array<[name: Thunk, value: Thunk]> | undefined {
    if (!ts.isCallExpression(node) || node.expression.getText() !== 'Object.entries') return undefined
    const members = this.members(this.objectOf({ node: node.arguments[0]!, env }))
    return [...members].map(([name, value]) => [{ node: ts.factory.createStringLiteral(name), env }, value])
  }

  /** `...(condition ? [part] : [])`: every part is there once, whatever the alternative. */
  protected spread({ node, env }: Thunk): Thunk[] {
    const bare = ts.isParenthesizedExpression(node) ? node.expression : node
    if (!ts.isConditionalExpression(bare)) return this.list({ node: bare, env })
    return [bare.whenTrue, bare.whenFalse].flatMap(side => this.list({ node: side, env }))
  }

  /** A text that is written in the source, or one of those that its type allows. */
  protected text(thunk: Thunk): string {
    const { node } = this.force(thunk)
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text
    const stand = this.stand(node)
    if (stand !== undefined) return stand
    const type = this.checker.getTypeAtLocation(node)
    const options = (type.isUnion() ? type.types : [type]).flatMap(part =>
      part.isStringLiteral() ? [part.value] : [],
    )
    if (options.length === 0)
      throw new Unreadable(`only a run knows ${this.pathOf(node.getSourceFile())}: ${node.getText()}`)
    return this.chosen(node, options)
  }
}

function textsOf(type: ts.Type): ReadonlySet<string> | undefined {
  const options = type.isUnion() ? type.types : [type]
  const texts = options.flatMap(option => (option.isStringLiteral() ? [option.value] : []))
  return texts.length === options.length ? new Set(texts) : undefined
}

export function joined(pieces: Piece[]): Variant {
  const parameters: Parameter[] = []
  const text = pieces
    .map(piece => (typeof piece === 'string' ? piece : `$${parameters.push(piece)}`))
    .join('')
  return { text, parameters }
}
