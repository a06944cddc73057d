// Follows an expression to what makes its value, as far as the source tells: through names, calls, members and conditions.
import ts from 'typescript5'
import { Compiler, Unreadable } from './compiler'

/** What names stand for inside a function that was called. */
export type Env = ReadonlyMap<ts.Symbol, Thunk>
export interface Thunk {
  node: ts.Node
  env: Env
}

export class Values extends Compiler {
  readonly usedStands = new Set<string>()
  /** What this variant has chosen, by what the choice is about, and what all variants of the statement have. */
  protected choices = new Map<string, number>()

  protected readonly covered = new Map<string, Set<number>>()

  protected isNew = false

  /** Whether this round met a place with more than one option. */
  protected hasChosen = false

  protected round = 0

  constructor(
    program: ts.Program,
    protected readonly stands: Readonly<Record<string, string>>,
  ) {
    super(program)
  }

  protected stand(node: ts.Node): string | undefined {
    const name = `${this.pathOf(node.getSourceFile())}: ${node.getText()}`
    if (this.stands[name] !== undefined) this.usedStands.add(name)
    return this.stands[name]
  }

  /** Text for all that a function makes, by `path: name()`. */
  protected standOf(fn: ts.SignatureDeclaration): string | undefined {
    const name = `${this.pathOf(fn.getSourceFile())}: ${fn.name?.getText()}()`
    if (this.stands[name] !== undefined) this.usedStands.add(name)
    return this.stands[name]
  }

  /** One of the options, those first that no variant has had; the same wherever one variant meets the same question. */
  protected chosen<T>(question: ts.Node | string, options: T[]): T {
    const key = typeof question === 'string' ? question : `${this.place(question)} ${question.getText()}`
    const had = this.covered.get(key) ?? new Set()
    this.covered.set(key, had)
    const before = this.choices.get(key)
    const open = options.findIndex((_, index) => !had.has(index))
    const next =
      before ?? (open >= 0 ? open : Number(Bun.hash(`${key} ${this.round}`) % BigInt(options.length)))
    this.choices.set(key, next)
    if (options.length > 1) this.hasChosen = true
    if (options.length > 1 && !had.has(next)) this.isNew = true
    had.add(next)
    return options[next]!
  }

  /** Follows names, calls, members and conditions to what makes the value. */
  protected force(thunk: Thunk): Thunk {
    for (let at = thunk, steps = 0; ; steps++) {
      if (ts.isStringLiteral(at.node)) return at
      if (steps > 50) throw new Unreadable(`goes in circles: ${thunk.node.getText()}`)
      const next = this.stand(at.node) === undefined ? this.step(at) : undefined
      if (!next) return at
      at = next
    }
  }

  protected step({ node, env }: Thunk): Thunk | undefined {
    if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isNonNullExpression(node))
      return { node: node.expression, env }
    if (ts.isConditionalExpression(node) && this.isLeftOut(node.condition, env))
      return { node: node.whenFalse, env }
    if (ts.isConditionalExpression(node))
      return { node: this.chosen(node.condition.getText(), [node.whenTrue, node.whenFalse]), env }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
      return { node: this.chosen(node, [node.left, node.right]), env }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.AmpersandAmpersandToken)
      return { node: node.right, env }
    if (ts.isIdentifier(node)) return this.named(node, env)
    if (ts.isPropertyAccessExpression(node))
      return this.member(this.objectOf({ node: node.expression, env }), node.name.text)
    if (ts.isElementAccessExpression(node))
      return this.anyMember(this.objectOf({ node: node.expression, env }))
    if (ts.isCallExpression(node)) return this.returned(node, env)
    return undefined
  }

  protected named(node: ts.Identifier, env: Env): Thunk | undefined {
    const symbol = this.symbol(node)
    const bound = env.get(symbol)
    if (bound) return bound
    const declaration = symbol.valueDeclaration
    if (!declaration || !this.isOurs(declaration)) return undefined
    if (ts.isVariableDeclaration(declaration) && declaration.initializer && ts.isIdentifier(declaration.name))
      return this.isTable(declaration.initializer) ? undefined : { node: declaration.initializer, env }
    return ts.isParameter(declaration) ? this.argument(declaration) : undefined
  }

  /** A member that the object that was given does not have. */
  protected isLeftOut(node: ts.Expression, env: Env): boolean {
    const symbol = ts.isIdentifier(node) ? this.symbol(node) : undefined
    const declaration = symbol?.valueDeclaration
    return (
      declaration !== undefined &&
      ts.isBindingElement(declaration) &&
      !env.has(symbol!) &&
      [...declaration.parent.elements].some(
        each => ts.isBindingElement(each) && ts.isIdentifier(each.name) && env.has(this.symbol(each.name)),
      )
    )
  }

  /** A part of a statement that callers give. */
  protected argument(parameter: ts.ParameterDeclaration): Thunk | undefined {
    const { parent } = parameter
    if (!ts.isFunctionDeclaration(parent) || !this.isFragment(this.checker.getTypeAtLocation(parameter)))
      return undefined
    const index = parent.parameters.indexOf(parameter)
    const given = this.callsOf(parent).flatMap(call => call.arguments[index] ?? [])
    return given.length > 0 ? { node: this.chosen(parameter, given), env: new Map() } : undefined
  }

  protected callsOf(fn: ts.FunctionDeclaration): ts.CallExpression[] {
    const name = fn.name!.text
    const found: ts.CallExpression[] = []
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === name)
        if (this.checker.getResolvedSignature(node)?.declaration === fn) found.push(node)
      ts.forEachChild(node, visit)
    }
    for (const file of this.files()) if (file.text.includes(name)) visit(file)
    return found
  }

  protected objectOf(thunk: Thunk): Thunk | undefined {
    const found = this.force(thunk)
    return ts.isObjectLiteralExpression(found.node) ? found : undefined
  }

  protected member(object: Thunk | undefined, name: string): Thunk | undefined {
    return this.members(object).get(name)
  }

  /** Of an object and those that are spread in it; the last of a name counts. */
  protected members(object: Thunk | undefined): Map<string, Thunk> {
    const found = new Map<string, Thunk>()
    if (!object || !ts.isObjectLiteralExpression(object.node)) return found
    const { env } = object
    for (const property of object.node.properties) {
      if (ts.isSpreadAssignment(property))
        for (const [name, value] of this.members(this.objectOf({ node: property.expression, env })))
          found.set(name, value)
      if (ts.isPropertyAssignment(property))
        found.set(property.name.getText(), { node: property.initializer, env })
      if (ts.isShorthandPropertyAssignment(property))
        found.set(property.name.text, { node: property.name, env })
    }
    return found
  }

  protected anyMember(object: Thunk | undefined): Thunk | undefined {
    if (!object || !ts.isObjectLiteralExpression(object.node)) return undefined
    const values = object.node.properties.flatMap(found =>
      ts.isPropertyAssignment(found) ? [found.initializer] : [],
    )
    return values.length > 0 ? { node: this.chosen(object.node, values), env: object.env } : undefined
  }

  protected returned(node: ts.CallExpression, env: Env): Thunk | undefined {
    const callee = this.callee(node, env)
    if (!callee?.fn.body || this.standOf(callee.fn) !== undefined) return undefined
    let inner = callee.env
    callee.fn.parameters.forEach((parameter, index) => {
      const value = node.arguments[index] ?? parameter.initializer
      if (value) inner = this.bind(inner, parameter, { node: value, env })
    })
    if (!ts.isBlock(callee.fn.body)) return { node: callee.fn.body, env: inner }
    const results = returnsOf(callee.fn.body)
    return results.length > 0 ? { node: this.chosen(callee.fn.body, results), env: inner } : undefined
  }

  protected callee(
    node: ts.CallExpression,
    env: Env,
  ): { fn: ts.FunctionLikeDeclaration; env: Env } | undefined {
    const found = this.force({ node: node.expression, env })
    if (ts.isArrowFunction(found.node)) return { fn: found.node, env: found.env }
    if (ts.isPropertyAccessExpression(node.expression)) return undefined
    const declaration = this.checker.getResolvedSignature(node)?.declaration
    return declaration && ts.isFunctionDeclaration(declaration) && this.isOurs(declaration)
      ? { fn: declaration, env: new Map() }
      : undefined
  }

  protected bind(env: Env, parameter: ts.ParameterDeclaration, value: Thunk): Env {
    const bound = new Map(env)
    if (ts.isIdentifier(parameter.name)) return bound.set(this.symbol(parameter.name), value)
    if (!ts.isObjectBindingPattern(parameter.name)) return bound
    for (const element of parameter.name.elements) {
      const object = this.objectOf(value)
      const found = this.member(object, (element.propertyName ?? element.name).getText())
      if (found && ts.isIdentifier(element.name)) bound.set(this.symbol(element.name), found)
    }
    return bound
  }
}

function returnsOf(body: ts.Block): ts.Expression[] {
  const found: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression)
    if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit)
  }
  visit(body)
  return found
}
