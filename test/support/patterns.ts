// Every regular expression of a folder of sources: literals, `new RegExp`, and the `pattern` of schemas.
import { type Expression, type Node, type Program, parseSync, Visitor } from 'oxc-parser'

export interface Pattern {
  /** File and line. */
  place: string
  /** Undefined where the text can't be told without running the program. */
  source: string | undefined
  flags: string
}

interface SourceFile {
  name: string
  text: string
  program: Program
}

export async function patternsOf(folder: string): Promise<Pattern[]> {
  const names = [...new Bun.Glob('**/*.{ts,tsx}').scanSync(folder)].sort()
  const files = await Promise.all(
    names.map(async name => {
      const text = await Bun.file(`${folder}/${name}`).text()
      return { name, text, program: parseSync(name, text).program }
    }),
  )
  const constants = constantsOf(files)
  return files.flatMap(file => patternsIn(file, constants))
}

type Constants = Map<string, Expression>

/** By name alone: two constants of one name that build expressions would be a fault of style anyway. */
function constantsOf(files: readonly SourceFile[]): Constants {
  const constants: Constants = new Map()
  for (const { program } of files)
    new Visitor({
      VariableDeclarator({ id, init }) {
        if (id.type === 'Identifier' && init) constants.set(id.name, init)
      },
    }).visit(program)
  return constants
}

function patternsIn({ name, text, program }: SourceFile, constants: Constants): Pattern[] {
  const found: Pattern[] = []
  const add = ({ start }: Node, source: string | undefined, flags = ''): void =>
    void found.push({ place: `${name}:${text.slice(0, start).split('\n').length}`, source, flags })
  const built = (node: Node, callee: Expression, args: readonly Node[]): void => {
    if (callee.type !== 'Identifier' || callee.name !== 'RegExp') return
    const [source, flags] = args.map(argument => textOf(argument, constants))
    add(node, source, args.length > 1 ? flags : '')
  }
  new Visitor({
    Literal(node) {
      if ('regex' in node) add(node, node.regex.pattern, node.regex.flags)
    },
    NewExpression: node => built(node, node.callee, node.arguments),
    CallExpression: node => built(node, node.callee, node.arguments),
    Property({ key, value }) {
      if (key.type !== 'Identifier' || key.name !== 'pattern') return
      const source = textOf(value, constants)
      if (source !== undefined) add(value, source)
    },
  }).visit(program)
  return found
}

/** The text of an expression that is made of literals and named constants. */
function textOf(node: Node, constants: Constants): string | undefined {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? node.value : undefined
    case 'Identifier': {
      const init = constants.get(node.name)
      return init && textOf(init, constants)
    }
    case 'BinaryExpression': {
      const parts = [textOf(node.left, constants), textOf(node.right, constants)]
      return node.operator === '+' && !parts.includes(undefined) ? parts.join('') : undefined
    }
    case 'TemplateLiteral': {
      const holes = node.expressions.map(each => textOf(each, constants))
      if (holes.includes(undefined)) return undefined
      return node.quasis.map(({ value }, at) => (value.cooked ?? '') + (holes[at] ?? '')).join('')
    }
    default:
      return undefined
  }
}
