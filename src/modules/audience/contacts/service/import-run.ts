// The job of an import: reads the file a piece at a time and applies each in one transaction together with the position after it. A run
// that dies is continued after the last piece that was committed; of two runs at once, one waits for the other's lock on the record.
import type { CsvPiece } from '../../../../lib/csv'
import { AppError } from '../../../../lib/errors'
import { boundedQueue } from '../../../../lib/semaphore'
import { second } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import type { JobRun } from '../../../../platform/jobs/kind'
import { Snooze } from '../../../../platform/jobs/outcome'
import { perInstance } from '../../../../platform/per-context'
import { throttleLongWork } from '../../../../platform/requests'
import type { Consent } from '../consent-words'
import type { ContactEntry } from '../entries'
import { suppressionsImported } from '../hooks'
import { type ImportRow, onlyNo, onlyTopics, type RowTopics, readRow, storableCell } from '../import-rows'
import { fieldTypeOf } from '../import-types'
import { emptyPatch } from '../patch'
import {
  advanceImport,
  deleteImportParts,
  finishImport,
  type HeldImport,
  learnFieldTypes,
  lockImport,
  recordImportTopics,
  selectFieldTypes,
} from '../queries'
import type { FieldType, ImportFault, LeftOutRow } from '../schema'
import { importContacts } from './import-apply'
import { addToSegment, agreementOf, importEntries } from './import-choices'
import { openImportFile } from './import-file'
import { holdUnchanged, requireNoUndo, UndoRuns } from './import-order'
import { type ImportTable, openImportTable } from './import-table'
import { decideTopicsOf } from './import-topics'

/**
 * Rows per transaction, and how many times as long as they took it rests where a request came meanwhile. Shorter pieces hold requests up
 * for less. Where somebody only asks now and then how far it has got, it need not rest for longer than it worked.
 */
const usualPace = { rows: 500, rests: 1 }
const paceWhileBusy = { rows: 100, rests: 4 }
/** Rows that are listed of each kind; more than that are counted. */
const listedRows = 1_000

/** Rows after which a run makes room for other jobs: a few large files must not fill all slots for minutes. */
const rowsInTurn = 10_000

/** One import per project at a time, and two in all: each holds its file in memory, and many at once are done no sooner. */
const importTurns = perInstance(() =>
  boundedQueue<string>({ places: 2, maxPerKey: 1, full: () => new Snooze(2 * second) }),
)

/** For jobs: runs it if nothing else of the project is being imported here; otherwise throws Snooze. */
export function runImportInTurn(ctx: Context, projectId: string, id: string, run: JobRun): Promise<void> {
  return importTurns(ctx)(projectId, () => runImport(ctx, projectId, id, run))
}

/** Ends well, or with the instruction to go on later. */
export async function runImport(ctx: Context, projectId: string, id: string, run: JobRun): Promise<void> {
  const ending = await attempt({ ctx, projectId, id }, run)
  if (ending === 'waiting') throw new Snooze(2 * second)
  if (ending === 'unfinished') throw new Snooze(0)
}

async function attempt(target: Target, run: JobRun): Promise<Ending> {
  try {
    const ending = await importFile(target, run)
    const failure = typeof ending === 'string' ? null : ending.failure
    if (ending !== 'unfinished' && ending !== 'waiting') await finish(target, failure)
    return ending
  } catch (error) {
    if (error instanceof UndoRuns) return 'waiting'
    if (run.isLastAttempt && !run.signal.aborted) {
      const reason = 'An unexpected error stopped the import; the rows that are counted are done'
      await finish(target, reason)
    }
    throw error
  }
}

/** Ends it, well or with the reason why not, and drops the file. */
async function finish({ ctx, projectId, id }: Target, failure: string | null): Promise<void> {
  await inTransaction(ctx, async tx => {
    await finishImport(tx, projectId, id, failure, tx.clock.now())
    await deleteImportParts(tx, projectId, id)
  })
}

/** `waiting`: for an undo to end. `failure`: why the file as a whole can't be imported. */
type Ending = 'done' | 'unfinished' | 'waiting' | { failure: string }

interface Target {
  ctx: Context
  projectId: string
  id: string
}

/** While its rows are applied. */
interface Applying extends Target {
  topics: ImportTable['topics']
  /** Fields that the project does not know, whose type a person chose. */
  newFields: ReadonlyArray<{ name: string; type: FieldType }>
}

async function importFile(target: Target, run: JobRun): Promise<Ending> {
  const file = await openImportFile(target.ctx, target.projectId, target.id)
  if (!file) return 'done'
  const begun = await currentPosition(target)
  if (begun === undefined) return 'done'
  const { types = [] } = begun.options ?? {}
  const source = await openImportTable(target.ctx, target.projectId, file, begun.position, types, run.signal)
  if ('fault' in source) return { failure: source.fault }
  const { requests } = target.ctx
  let pace = usualPace
  for (let rows = 0; rows < rowsInTurn; rows += pace.rows) {
    run.signal.throwIfAborted()
    const position = await currentPosition(target)
    if (position === undefined) return 'done'
    const from = Math.max(position.position, source.start)
    if (from >= file.size) return position.rows === 0 ? { failure: 'The file has no rows' } : 'done'
    pace = requests.isBusy() ? paceWhileBusy : usualPace
    const before = position.position === from ? position : { position: from, lines: source.lines }
    const skipsMisfits = position.options?.skipsMisfits ?? false
    const piece = { before, limit: pace.rows, skipsMisfits }
    await throttleLongWork(requests, () => applyPiece(target, source, piece), pace)
  }
  return 'unfinished'
}

async function currentPosition(target: Target): Promise<HeldImport | undefined> {
  return inTransaction(target.ctx, tx => lockImport(tx, target.projectId, target.id))
}

/** An offset in the file, and the line ends before it. */
interface Place {
  position: number
  lines: number
}

interface ReadRow {
  row: ImportRow
  /** Where it begins, as people count: the first line is 1. */
  line: number
  /** The place after it. */
  end: Place
}

interface Piece {
  before: Place
  limit: number
  skipsMisfits: boolean
}

async function applyPiece(
  target: Target,
  source: ImportTable,
  { before: from, limit, skipsMisfits }: Piece,
): Promise<void> {
  const piece = await source.file.read(from.position, { delimiter: source.delimiter, limit })
  const names = source.columns.fields.map(field => field.name)
  const known = await selectFieldTypes(target.ctx, target.projectId, names)
  const typeOf = (name: string) => known.get(name) ?? source.types.of(name)
  const rows = readRows(piece, from.lines, cells => readRow(cells, source.columns, typeOf, { skipsMisfits }))
  const newFields = source.columns.fields.flatMap(({ name, type }) =>
    type && !known.has(name) ? [{ name, type: fieldTypeOf(type) }] : [],
  )
  const end = { position: piece.end, lines: from.lines + piece.lines }
  await applyRows({ ...target, topics: source.topics, newFields }, from.position, rows, end)
}

function readRows(
  { records, fault, end, lines }: CsvPiece,
  before: number,
  read: (cells: readonly string[]) => ImportRow,
): ReadRow[] {
  if (fault) {
    const row: ImportRow = { email: '', error: fault.reason }
    return [{ row, line: before + fault.line + 1, end: { position: end, lines: before + lines } }]
  }
  return records.map(each => ({
    row: read(each.cells),
    line: before + each.line + 1,
    end: { position: each.end, lines: before + each.lines },
  }))
}

/**
 * Applies rows that end at `end`. A batch that is refused as a whole (a contact's data would become too large) is halved until
 * the row to blame is left alone; everything else is imported.
 */
async function applyRows(target: Applying, from: number, rows: ReadRow[], end: Place): Promise<void> {
  try {
    await commitRows(target, from, rows, end)
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    if (rows.length === 1) return await commitRows(target, from, [blame(rows[0]!, error)], end)
    const middle = Math.floor(rows.length / 2)
    const border = rows[middle - 1]!.end
    await applyRows(target, from, rows.slice(0, middle), border)
    await applyRows(target, border.position, rows.slice(middle), end)
  }
}

function blame({ row, ...place }: ReadRow, error: AppError): ReadRow {
  const email = 'entry' in row ? row.entry.email : row.email
  const first = error.errors?.[0]
  const words = first ? `${first.field}: ${first.message}` : error.message
  if (!('entry' in row) || row.entry.patch === emptyPatch) return { row: { email, error: words }, ...place }
  if (row.entry.subscribed === false)
    return { row: { ...row, entry: { ...row.entry, patch: emptyPatch }, error: onlyNo(words) }, ...place }
  return { row: onlyTopics(email, row.topics, words), ...place }
}

/** Does nothing where another run has been here already. */
async function commitRows(target: Applying, from: number, rows: ReadRow[], end: Place): Promise<void> {
  const { projectId, id } = target
  await inTransaction(target.ctx, async tx => {
    await requireNoUndo(tx, projectId, id)
    const held = await lockImport(tx, projectId, id)
    if (!held || held.position > from) return
    const placed = numberEntries(rows)
    await learnTypes(tx, target, placed)
    const results = await importContacts(tx, projectId, ...importEntries(held, id, placed))
    await suppress(tx, projectId, placed)
    const topics = {
      ...{ ids: target.topics, chosen: held.topics ?? [], origin: held.origin ?? undefined },
      ...{ importId: id, agreed: agreementOf(held) },
    }
    const said = placed.map(each => ({ said: each.topics, saysNo: each.entry.subscribed === false }))
    const decided = await decideTopicsOf(tx, projectId, said, results, topics)
    if (held.options && decided.written.length > 0)
      await recordImportTopics(tx, projectId, id, decided.written)
    const warnings = await addToSegment(tx, projectId, held.options?.segmentId, results)
    if (held.options) await holdUnchanged(tx, projectId, id, results)
    const created = results.filter(result => result.isNew).length
    const written = results.filter(result => result.isWritten).length
    const leftOut = placed.filter((_, index) => results[index]!.isLeftOut || decided.leftOut[index])
    const misfits = placed.flatMap(each =>
      (each.misfits ?? []).map(field => ({ ...toLeftOut(each), field: storableCell(field) })),
    )
    await advanceImport(tx, projectId, id, {
      ...end,
      created,
      updated: results.length - created,
      unchanged: results.length - written,
      failed: rows.length - placed.length,
      faults: faultsOf(rows).slice(0, Math.max(0, listedRows - held.faults)),
      leftOut: leftOut.length,
      leftOutRows: leftOut.slice(0, Math.max(0, listedRows - held.leftOutRows)).map(toLeftOut),
      misfits: misfits.length,
      misfitCells: misfits.slice(0, Math.max(0, listedRows - held.misfitCells)),
      warnings,
    })
  })
}

/** In the first piece that has a value of it, whatever the value became. */
async function learnTypes(
  tx: Context,
  { projectId, newFields }: Applying,
  placed: readonly NumberedEntry[],
): Promise<void> {
  const seen = newFields.filter(({ name }) =>
    placed.some(({ entry }) => Object.hasOwn(entry.patch?.set ?? {}, name)),
  )
  if (seen.length > 0) await learnFieldTypes(tx, projectId, seen)
}

async function suppress(tx: Context, projectId: string, placed: readonly NumberedEntry[]): Promise<void> {
  const addresses = placed.flatMap(({ entry: { email }, suppressed }) =>
    suppressed ? [{ email, ...suppressed }] : [],
  )
  if (addresses.length > 0) await callHook(tx, suppressionsImported, { projectId, addresses })
}

interface NumberedEntry {
  entry: ContactEntry
  misfits?: string[]
  suppressed?: NonNullable<Consent['suppressed']>
  topics: RowTopics
  row: number
}

function numberEntries(rows: readonly ReadRow[]): NumberedEntry[] {
  return rows.flatMap(({ row, line }) => ('entry' in row ? [{ ...row, row: line }] : []))
}

function toLeftOut({ entry, row }: NumberedEntry): LeftOutRow {
  return { row, email: entry.email }
}

function faultsOf(rows: readonly ReadRow[]): ImportFault[] {
  return rows.flatMap(({ row, line }) => {
    if (row.error === undefined) return []
    const email = 'entry' in row ? row.entry.email : row.email
    return [{ email, error: row.error, row: line }]
  })
}
