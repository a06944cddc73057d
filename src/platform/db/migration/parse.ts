// What a migration's text says about how it is to be run. Lines at its top that begin with `-- waxwing:` say it:
//
//   -- waxwing: stepwise                       each statement by itself, so that an index can be built while others write
//   -- waxwing: backfill emails by id          one statement, run by a job for page after page of that table's keys ($1)
//   -- waxwing: minimum release 0.2.0          older programs can't work with what it leaves (a contract step)
//   -- waxwing: after backfill 0003_fill_hour  that one has to have filled every row before this one begins
import { createHash } from 'node:crypto'
import { commentsBefore, statementsOf, wordsOf } from './statements'

export interface Migration {
  tag: string
  sql: string
}

export interface Backfill {
  table: string
  key: string
  /** Takes a page's keys as $1. */
  statement: string
}

export interface ParsedMigration extends Migration {
  hash: string
  statements: string[]
  isStepwise: boolean
  backfill?: Backfill
  minimumRelease?: string
  /** Tags of backfills that must have ended. */
  after: string[]
}

/** Throws for a line that is meant for us and that we do not understand. */
export function parseMigration({ tag, sql }: Migration): ParsedMigration {
  const parsed: ParsedMigration = {
    tag,
    sql,
    hash: migrationHash(sql),
    statements: statementsOf(sql),
    isStepwise: false,
    after: [],
  }
  for (const line of commentsBefore(sql))
    if (line.startsWith('waxwing:')) readDirective(parsed, line.slice(8).trim())
  if (parsed.backfill && parsed.statements.length !== 1)
    throw new Error(`migration ${tag}: a backfill is one statement`)
  return parsed
}

function readDirective(parsed: ParsedMigration, line: string): void {
  const [first, second, third, fourth] = line.split(' ')
  if (line === 'stepwise') parsed.isStepwise = true
  else if (first === 'backfill' && third === 'by' && fourth)
    parsed.backfill = { table: second!, key: fourth, statement: parsed.statements[0] ?? '' }
  else if (first === 'minimum' && second === 'release' && /^\d+\.\d+\.\d+$/.test(third ?? ''))
    parsed.minimumRelease = third
  else if (first === 'after' && second === 'backfill' && third) parsed.after.push(third)
  else throw new Error(`migration ${parsed.tag}: "-- waxwing: ${line}" is not understood`)
}

/** The same on every machine, whatever ends its lines. */
export function migrationHash(text: string): string {
  return createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('hex')
}

/** A statement of a stepwise migration. */
export type MigrationStep =
  | { type: 'makeIndex'; name: string; statement: string }
  | { type: 'dropIndex'; statement: string }
  /** Neither can be in a transaction together with the note that it is done; this one can. `isGentle`: others read and write meanwhile. */
  | { type: 'plain'; statement: string; isGentle: boolean }

/**
 * What a stepwise migration may contain: only what leaves tables and columns as they are, because a backup that is made half-way
 * has to fit what the finished migrations make.
 */
export function readMigrationStep(tag: string, statement: string): MigrationStep {
  const words = wordsOf(statement).replaceAll('"', '')
  const made = /^create (?:unique )?index concurrently (\S+) on \S/i.exec(words)
  if (made) return { type: 'makeIndex', name: made[1]!, statement }
  if (/^drop index concurrently if exists \S+$/i.test(words)) return { type: 'dropIndex', statement }
  if (/^alter table \S+ validate constraint \S+$/i.test(words))
    return { type: 'plain', statement, isGentle: true }
  if (/^alter table \S+ /i.test(words) && isSmallChange(words))
    return { type: 'plain', statement, isGentle: false }
  throw new Error(
    `migration ${tag}: "${words.slice(0, 80)}" can't be a step: create index concurrently, drop index concurrently if exists, ` +
      'add constraint … not valid, validate constraint, drop constraint if exists, alter column … set not null, set (…)',
  )
}

function isSmallChange(words: string): boolean {
  const change = words.split(' ').slice(3).join(' ').toLowerCase()
  if (change.startsWith('add constraint '))
    return change.endsWith(' not valid') || / using index \S+$/.test(change)
  return /^(?:set|reset) \(|^drop constraint if exists \S+$|^alter column \S+ (?:set|drop) not null$/.test(
    change,
  )
}
