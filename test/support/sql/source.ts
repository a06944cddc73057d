// Reads the statements out of the source: every template that is sent to the database, with the parts that functions add to it put in,
// once for each alternative. What it can't read it says, so that no statement is left out in silence.
import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { PgTable } from 'drizzle-orm/pg-core'
import ts from 'typescript5'
import { loadProgram, root, Unreadable } from './compiler'
import { joined, Templates, type Variant } from './templates'

/** What the code says of one column of the rows. */
export interface Claim {
  isOptional: boolean
  isNullable: boolean
  type: ts.Type
}

export interface Statement {
  /** `src/modules/x/queries.ts:12`. */
  at: string
  path: string
  variants: Variant[]
  /** Undefined where the code says nothing of the rows. */
  claims: Map<string, Claim> | undefined
  /** Whether the code looks at what comes back. */
  isRead: boolean
}

export interface Source {
  statements: Statement[]
  /** What is neither a statement nor reached from one, and what could not be read. */
  problems: string[]
  checker: ts.TypeChecker
}

/** A template, or the call of a function that makes one. */
type Sent = ts.TaggedTemplateExpression | ts.CallExpression

/** `stands` gives the text for parts that only a run knows, by `path: expression`, and for what a function makes, by `path: name()`. */
export async function readSource(stands: Readonly<Record<string, string>>): Promise<Source> {
  const tables = new Map<string, PgTable>()
  for (const path of new Bun.Glob('src/**/schema.ts').scanSync(root))
    for (const [name, table] of Object.entries(await import(join(root, path))))
      if (is(table, PgTable)) tables.set(name, table)
  return new Reader(loadProgram(), stands, tables).read()
}

const ofArguments = ts.TypeFlags.Instantiable | ts.TypeFlags.Any | ts.TypeFlags.Unknown

/** After so many variants without an alternative that is new there are none. */
const maxIdleRounds = 16

class Reader extends Templates {
  read(): Source {
    const problems: string[] = []
    const statements: Statement[] = []
    const templates = this.files().flatMap(file => this.templatesOf(file))
    for (const template of templates.filter(found => this.isStatement(found))) {
      try {
        statements.push(this.statement(template))
      } catch (error) {
        if (!(error instanceof Unreadable)) throw error
        problems.push(`${this.place(template)}: ${error.message}`)
      }
    }
    for (const template of templates)
      if (
        ts.isTaggedTemplateExpression(template) &&
        !this.reached.has(template) &&
        !this.isStoodFor(template)
      )
        problems.push(`${this.place(template)}: neither sent nor part of a statement that is`)
    for (const template of templates)
      if (template.typeArguments && this.isDrizzlePart(template))
        problems.push(`${this.place(template)}: a claim about a part of a statement; \`mapWith\` needs none`)
    for (const name of Object.keys(this.stands))
      if (!this.usedStands.has(name)) problems.push(`nothing reads as ${name}`)
    return { statements, problems, checker: this.checker }
  }

  private templatesOf(file: ts.SourceFile): Sent[] {
    const found: Sent[] = []
    const visit = (node: ts.Node): void => {
      if (ts.isTaggedTemplateExpression(node) && this.isSql(node)) found.push(node)
      // A statement that another function makes.
      if (
        ts.isCallExpression(node) &&
        ts.isIdentifier(node.expression) &&
        ts.isAwaitExpression(node.parent) &&
        !this.isOfPromise(node.expression) &&
        this.isSql(node)
      )
        found.push(node)
      ts.forEachChild(node, visit)
    }
    visit(file)
    return found
  }

  /** Known from its declaration, without the types of its arguments, which take the compiler long. */
  private isOfPromise(called: ts.Identifier): boolean {
    const fn = this.symbol(called).valueDeclaration
    if (!fn || !ts.isFunctionDeclaration(fn)) return false
    const isAsync = (ts.getCombinedModifierFlags(fn) & ts.ModifierFlags.Async) !== 0
    return isAsync || fn.type?.getText().startsWith('Promise<') === true
  }

  private isSql(node: Sent): boolean {
    return this.gives(node, type => this.isFragment(type))
  }

  /** Part of a function that something stands for, or given to one; or drizzle's. */
  private isStoodFor(node: ts.TaggedTemplateExpression): boolean {
    for (let at: ts.Node = node; at; at = at.parent) {
      if (ts.isFunctionDeclaration(at) && this.standOf(at) !== undefined) return true
      if (!ts.isCallExpression(at)) continue
      const fn = this.checker.getResolvedSignature(at)?.declaration
      if (fn && ts.isFunctionDeclaration(fn) && this.standOf(fn) !== undefined) return true
    }
    return this.isDrizzlePart(node)
  }

  private isDrizzlePart(node: Sent): boolean {
    return this.isDrizzle(node) && !this.isExecuted(node)
  }

  /** drizzle's own: parts of statements that its builder makes, and of tables. */
  private isDrizzle(node: Sent): boolean {
    return this.gives(node, type => type.symbol?.name === 'SQL')
  }

  /** By what the called function says that it returns; only where that depends on its arguments are their types worked out. */
  private gives(node: Sent, is: (type: ts.Type) => boolean): boolean {
    const called = this.checker.getTypeAtLocation(ts.isCallExpression(node) ? node.expression : node.tag)
    const signatures = called.getCallSignatures()
    // postgres.js has two; that for values says nothing of a template.
    const fitting = ts.isCallExpression(node) ? signatures : signatures.filter(isOfTemplate)
    const returned = fitting.map(signature => signature.getReturnType())
    const answers = new Set(returned.map(is))
    const isSure = answers.size === 1 && !returned.some(type => this.hasFlag(type, ofArguments))
    return isSure ? answers.has(true) : is(this.checker.getTypeAtLocation(node))
  }

  private isExecuted(node: ts.Node): boolean {
    const { parent } = node
    return (
      ts.isCallExpression(parent) &&
      ts.isPropertyAccessExpression(parent.expression) &&
      parent.expression.name.text === 'execute'
    )
  }

  /** What has a claim, is awaited, or is the answer of an async function. */
  private isStatement(node: Sent): boolean {
    if (this.isDrizzle(node)) return this.isExecuted(node)
    if (node.typeArguments) return true
    let { parent } = node
    while (
      ts.isParenthesizedExpression(parent) ||
      ts.isConditionalExpression(parent) ||
      ts.isPropertyAccessExpression(parent) ||
      (ts.isCallExpression(parent) && ts.isPropertyAccessExpression(parent.expression))
    )
      parent = parent.parent
    if (ts.isPropertyAccessExpression(node.parent) && ['then', 'catch'].includes(node.parent.name.text))
      return true
    return ts.isAwaitExpression(parent) || this.isAnswer(parent) || isPromised(parent)
  }

  private isAnswer(node: ts.Node): boolean {
    const fn = ts.isReturnStatement(node) ? ts.findAncestor(node, ts.isFunctionLike) : undefined
    return (
      fn !== undefined &&
      ts.isFunctionDeclaration(fn) &&
      (ts.getCombinedModifierFlags(fn) & ts.ModifierFlags.Async) !== 0
    )
  }

  private statement(node: Sent): Statement {
    const variants: Variant[] = []
    this.covered.clear()
    for (let idle = 0; idle < maxIdleRounds; this.round++) {
      this.isNew = variants.length === 0
      this.hasChosen = false
      this.choices = new Map()
      const variant = joined(this.fragment({ node, env: new Map() }))
      idle = this.isNew ? 0 : idle + 1
      if (this.isNew && !variants.some(({ text }) => text === variant.text)) variants.push(variant)
      // Every round is this one.
      if (!this.hasChosen) break
    }
    const path = this.pathOf(node.getSourceFile())
    return { at: this.place(node), path, variants, claims: this.claims(node), isRead: isRead(node) }
  }

  private claims(node: Sent): Map<string, Claim> | undefined {
    const [argument] =
      node.typeArguments ?? (ts.isCallExpression(node.parent) ? node.parent.typeArguments : undefined) ?? []
    if (!argument) return undefined
    const rows = this.checker.getTypeFromTypeNode(argument)
    const row = this.checker.isTupleType(rows)
      ? this.checker.getTypeArguments(rows as ts.TypeReference)[0]!
      : (rows.getNumberIndexType() ?? rows)
    const claims = new Map<string, Claim>()
    for (const property of this.checker.getNonNullableType(row).getProperties()) {
      const type = this.checker.getTypeOfSymbolAtLocation(property, node)
      const isOptional = (property.flags & ts.SymbolFlags.Optional) !== 0
      const isAnything = this.hasFlag(type, ts.TypeFlags.Any | ts.TypeFlags.Unknown)
      const bare = isAnything ? type : this.checker.getNonNullableType(type)
      claims.set(property.name, { type: bare, isOptional, isNullable: this.mayBeNull(type) })
    }
    return claims
  }
}

function isOfTemplate({ parameters: [first] }: ts.Signature): boolean {
  const type =
    first?.valueDeclaration && ts.isParameter(first.valueDeclaration) && first.valueDeclaration.type
  return type !== undefined && type !== false && /^TemplateStringsArray\b/.test(type.getText())
}

/** `(): Promise<unknown> => sql…` */
function isPromised(node: ts.Node): boolean {
  return ts.isArrowFunction(node) && node.type?.getText().startsWith('Promise') === true
}

function isRead(node: ts.Node): boolean {
  return !ts.isPropertyAccessExpression(node.parent) && !ts.isExpressionStatement(node.parent.parent)
}
