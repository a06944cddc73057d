// A stepwise migration: its statements one by one, each noted when it is done, so that one that was killed goes on where it was. A
// step that can't share a transaction with its note finds out by itself whether it was done.
import type postgres from 'postgres'
import { type MigrationStep, migrationHash, type ParsedMigration, readMigrationStep } from './parse'
import { dropIndexOfParts, type IndexStep, makeIndexOfParts, statementsForParts } from './parts'
import { inBoundedTransaction, type MigrationSession, refuseUnlocked } from './session'
import { wordsOf } from './statements'

export async function runSteps(session: MigrationSession, migration: ParsedMigration): Promise<void> {
  const steps = migration.statements.map(statement => readMigrationStep(migration.tag, statement))
  const done = await readSteps(session.sql, migration)
  for (const [index, step] of steps.entries()) {
    if (done.has(index)) continue
    session.log.info({ migration: migration.tag, step: index + 1, of: steps.length }, 'migration step')
    await runStep(session, migration, index, step)
  }
}

/** Throws if a step that was done has another text now. */
async function readSteps(sql: postgres.Sql, { tag, statements }: ParsedMigration): Promise<Set<number>> {
  const rows = await sql<
    { step: number; hash: string }[]
  >`select step, hash from schema_steps where tag = ${tag}`
  for (const { step, hash } of rows)
    if (migrationHash(wordsOf(statements[step] ?? '')) !== hash)
      throw new Error(`migration ${tag} was begun with another text; it must not be edited`)
  return new Set(rows.map(({ step }) => step))
}

async function runStep(
  session: MigrationSession,
  { tag, statements }: ParsedMigration,
  index: number,
  step: MigrationStep,
): Promise<void> {
  const note = async (sql: postgres.Sql | postgres.TransactionSql): Promise<void> => {
    await sql`insert into schema_steps (tag, step, hash) values (${tag}, ${index}, ${migrationHash(wordsOf(statements[index]!))})`
  }
  if (step.type !== 'plain') {
    await refuseUnlocked(session.sql)
    if (step.type === 'dropIndex') await dropIndex(session, step.statement)
    else if (!(await makeIndexOfParts(session, step, one => makeIndex(session, one))))
      await makeIndex(session, step)
    await note(session.sql)
    return
  }
  await inBoundedTransaction(session, `${tag}, step ${index + 1}`, async tx => {
    // It holds nobody up while it waits, and what it waits for may take long.
    if (step.isGentle) await tx`select set_config('lock_timeout', '0', true)`
    for (const statement of await statementsForParts(tx, step.statement)) await tx.unsafe(statement)
    await note(tx)
  })
}

/** An index that was left half-built is of no use and dropped first; a whole one was made by a run that died before its note. */
async function makeIndex({ sql, log }: MigrationSession, step: IndexStep): Promise<void> {
  const [found] = await sql<{ name: string; valid: boolean }[]>`
    select indexrelid::regclass::text as name, indisvalid as valid from pg_index
     where indexrelid = to_regclass(quote_ident(${step.name}))`
  if (found?.valid) return
  if (found) {
    log.warn({ index: found.name }, 'an index was left half-built; it is made again')
    await sql.unsafe(`drop index concurrently ${found.name}`)
  }
  await sql.unsafe(step.statement)
}

async function dropIndex(session: MigrationSession, statement: string): Promise<void> {
  if (!(await dropIndexOfParts(session, statement))) await session.sql.unsafe(statement)
}

/** The same inside somebody's transaction, where nobody else has to be considered: all at once. */
export async function runStepsAtOnce(
  tx: postgres.TransactionSql,
  { tag, statements }: ParsedMigration,
): Promise<void> {
  await tx`delete from schema_steps where tag = ${tag}`
  for (const statement of statements) {
    const { type } = readMigrationStep(tag, statement)
    await tx.unsafe(type === 'plain' ? statement : statement.replace(/\bconcurrently\b/i, ''))
  }
}
