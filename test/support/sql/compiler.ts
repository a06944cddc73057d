// The program as the TypeScript compiler sees it.
import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript5'

export const root = join(import.meta.dir, '../../..')

export function loadProgram(): ts.Program {
  const config = ts.readConfigFile(join(root, 'tsconfig.json'), path => readFileSync(path, 'utf8'))
  const options = ts.parseJsonConfigFileContent({ ...config.config, include: ['src'] }, ts.sys, root)
  // Types of browsers are none of statements either, and a fifth of all declarations.
  options.options.lib = ['lib.esnext.d.ts']
  const host = ts.createCompilerHost(options.options)
  const read = host.getSourceFile
  host.getSourceFile = (name, ...how) =>
    withoutSql.test(name) ? ts.createSourceFile(name, '', ts.ScriptTarget.Latest) : read(name, ...how)
  return ts.createProgram(options.fileNames, options.options, host)
}

/** Packages with half of all declarations, none of which is a type of a statement or of its rows, and examples; they are left unread. */
const withoutSql =
  /\/docs\/openapi-examples.json$|\/node_modules\/(stripe|@aws-sdk|@smithy|imapflow|@modelcontextprotocol|zod|oauth4webapi|typescript5\/lib\/typescript.d)/

/** What the check can't find out, with the place. */
export class Unreadable extends Error {}

/** What all readers ask of the compiler. */
export class Compiler {
  readonly checker: ts.TypeChecker

  constructor(protected readonly program: ts.Program) {
    this.checker = program.getTypeChecker()
  }

  protected files(): ts.SourceFile[] {
    return this.program
      .getSourceFiles()
      .filter(file => !file.isDeclarationFile && file.fileName.startsWith(join(root, 'src/')))
      .filter(file => !this.pathOf(file).startsWith('src/dashboard/'))
  }

  protected isFragment(type: ts.Type): boolean {
    if (type.isUnion()) return type.types.some(part => this.isFragment(part))
    const name = (type.aliasSymbol ?? type.symbol)?.name
    return (
      [
        'PendingQuery',
        'Fragment',
        'Part',
        'Helper',
        'SQL',
        'PgColumn',
        'PgTable',
        'PgTableWithColumns',
      ].includes(name ?? '') ||
      (type.isIntersection() && type.types.some(part => this.isFragment(part)))
    )
  }

  protected hasFlag(type: ts.Type, flags: ts.TypeFlags): boolean {
    return (
      (type.flags & flags) !== 0 || (type.isUnion() && type.types.some(part => (part.flags & flags) !== 0))
    )
  }

  protected mayBeNull(type: ts.Type): boolean {
    return this.hasFlag(type, ts.TypeFlags.Null | ts.TypeFlags.Any | ts.TypeFlags.Unknown)
  }

  protected isTable(node: ts.Expression): boolean {
    return this.checker.getTypeAtLocation(node).symbol?.name.startsWith('PgTable') ?? false
  }

  /** drizzle's `contacts` or `contacts.id`, by the names that their types carry. */
  protected columnOrTable(node: ts.Expression): string | undefined {
    const type = this.checker.getTypeAtLocation(node)
    const inner = type.getProperty('_')
    if (!inner) return undefined
    const about = this.checker.getTypeOfSymbolAtLocation(inner, node)
    const read = (name: string): string | undefined => {
      const property = about.getProperty(name)
      const found = property && this.checker.getTypeOfSymbolAtLocation(property, node)
      return found?.isStringLiteral() ? found.value : undefined
    }
    const [name, table] = [read('name'), read('tableName')]
    return name && (table ? `"${table}"."${name}"` : `"${name}"`)
  }

  protected symbol(node: ts.Node): ts.Symbol {
    const parent = node.parent
    const symbol =
      parent && ts.isShorthandPropertyAssignment(parent)
        ? this.checker.getShorthandAssignmentValueSymbol(parent)
        : this.checker.getSymbolAtLocation(node)
    if (!symbol) throw new Unreadable(`nothing is known of ${node.getText()}`)
    return symbol.flags & ts.SymbolFlags.Alias ? this.checker.getAliasedSymbol(symbol) : symbol
  }

  protected isOurs(node: ts.Node): boolean {
    return this.pathOf(node.getSourceFile()).startsWith('src/')
  }

  protected pathOf(file: ts.SourceFile): string {
    return relative(root, file.fileName)
  }

  protected place(node: ts.Node): string {
    const file = node.getSourceFile()
    return `${this.pathOf(file)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
  }
}
