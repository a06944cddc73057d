// Which names a parsed template reads from outside. The library can do this too, but finds the line of every name by counting from the
// start, which took a minute for a template of 200 kB.
import { type Template, TypeGuards, toValueSync, Value, type ValueToken } from 'liquidjs'

type Argument = Value | ValueToken
type FilteredValue = Extract<ValueToken, { initial: unknown }>
type PropertyAccess = Extract<ValueToken, { props: unknown }>
type Names = Set<string>

/** The first name of every path, without those that the template assigns itself. */
export function namesRead(templates: readonly Template[]): string[] {
  const names: Names = new Set()
  visitAll(templates, names, { assigned: new Set(), blocks: [] })
  return [...names]
}

interface Scope {
  /** Valid from where they are assigned to the end. */
  assigned: Names
  /** Valid inside their block. */
  blocks: Names[]
}

function visitAll(templates: readonly Template[], names: Names, scope: Scope): void {
  for (const template of templates) visit(template, names, scope)
}

function visit(template: Template, names: Names, scope: Scope): void {
  const add = (name: string): void => {
    if (!scope.assigned.has(name) && !scope.blocks.some(block => block.has(name))) names.add(name)
  }
  for (const argument of template.arguments?.() ?? []) readArgument(argument, add)
  for (const { content } of template.localScope?.() ?? []) scope.assigned.add(content)
  if (!template.children) return
  const block = template.blockScope && new Set(template.blockScope())
  if (block) scope.blocks.push(block)
  visitAll(toValueSync(template.children(false, true)), names, scope)
  if (block) scope.blocks.pop()
}

type Add = (name: string) => void

function readArgument(argument: Argument, add: Add): void {
  if (argument instanceof Value) readValue(argument, add)
  else readToken(argument, add)
}

/** A value and the arguments of its filters, which may be named. */
function readValue({ initial, filters }: Value | FilteredValue, add: Add): void {
  for (const token of initial.postfix) readToken(token, add)
  for (const { args } of filters) for (const arg of args) readToken(Array.isArray(arg) ? arg[1] : arg, add)
}

function readToken(token: unknown, add: Add): void {
  if (TypeGuards.isRangeToken(token)) {
    readToken(token.lhs, add)
    readToken(token.rhs, add)
  } else if (TypeGuards.isFilteredValueToken(token)) readValue(token, add)
  else if (TypeGuards.isPropertyAccessToken(token)) readPath(token, add)
}

/** `a[b.c].d` reads `a` and `b`; `"text".size` reads nothing, because `size` belongs to the text. */
function readPath({ variable, props }: PropertyAccess, add: Add): void {
  if (variable) readToken(variable, add)
  for (const [index, prop] of props.entries()) {
    if (TypeGuards.isPropertyAccessToken(prop)) readPath(prop, add)
    else if (index === 0 && !variable && 'content' in prop) add(String(prop.content))
  }
}
