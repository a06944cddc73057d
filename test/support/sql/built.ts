// Statements that drizzle's builder makes: which functions read or change a table of projects without having heard of a project. What a
// condition says is not looked into, because it is put together from parts; what the function knows is.
import { join } from 'node:path'
import { is } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import ts from 'typescript5'
import { root } from './compiler'

const verbs = new Set(['from', 'update', 'delete', 'innerJoin', 'leftJoin'])

/** As `path table function`. */
export async function projectlessBuilt(
  paths: Iterable<string>,
): Promise<{ looked: number; found: string[] }> {
  const tables = await tablesOfProjects()
  const found: string[] = []
  let looked = 0
  for (const path of paths) {
    const file = ts.createSourceFile(
      path,
      await Bun.file(join(root, path)).text(),
      ts.ScriptTarget.Latest,
      true,
    )
    const visit = (node: ts.Node): void => {
      const table = tableOf(node, tables)
      const fn = table && ts.findAncestor(node, ts.isFunctionDeclaration)
      if (fn) {
        looked++
        if (!/projectIds?\b/.test(fn.getText())) found.push(`${path} ${table} ${fn.name!.text}`)
      }
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  return { looked, found }
}

function tableOf(node: ts.Node, tables: ReadonlyMap<string, string>): string | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined
  const [table] = node.arguments
  const isVerb = verbs.has(node.expression.name.text) && table && ts.isIdentifier(table)
  return isVerb ? tables.get(table.text) : undefined
}

/** Their names in the database by those in schema.ts. */
async function tablesOfProjects(): Promise<Map<string, string>> {
  const tables = new Map<string, string>()
  for (const path of new Bun.Glob('src/**/schema.ts').scanSync(root))
    for (const [name, table] of Object.entries(await import(join(root, path)))) {
      if (!is(table, PgTable)) continue
      const config = getTableConfig(table)
      if (config.columns.some(column => column.name === 'project_id' && column.notNull))
        tables.set(name, config.name)
    }
  return tables
}
