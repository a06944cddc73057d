// The job of an import: reads the file a piece at a time and applies each in one transaction together with the position after it. A run
// that dies is continued after the last piece that was committed; of two runs at once, one waits for the other's lock on the record.
import { type CsvOptions, type CsvPiece, delimiterOf, readCsv } from '../../../lib/csv'
import { AppError } from '../../../lib/errors'
import { boundedTurns } from '../../../lib/semaphore'
import { second } from '../../../lib/time'
import { type Context, inTransaction } from '../../../platform/context'
import type { JobRun } from '../../../platform/jobs/handlers'
import { Snooze } from '../../../platform/jobs/outcome'
import { perInstance } from '../../../platform/per-context'
import { givingWay } from '../../../platform/requests'
import type { ContactEntry } from '../entries'
import { type ImportColumns, type ImportRow, type RowTopics, readHeader, readRow } from '../import-rows'
import { advanceImport, deleteImportParts, finishImport, lockImport, selectBooleanFields } from '../queries'
import type { ImportFault, LeftOutRow } from '../schema'
import { importContacts } from './import-apply'
import { type ImportFile, openImportFile } from './import-file'
import { decideTopicsOf, findTopicsNamed } from './import-topics'

/**
 * Rows per transaction, and how many times as long as they took it rests where a request came meanwhile. Shorter pieces hold requests up
 * for less. Where somebody only asks now and then how far it has got, it need not rest for longer than it worked.
 */
const usualPace = { rows: 500, rests: 1 }
const besideRequests = { rows: 100, rests: 4 }
/** Rows that are listed of each kind; more than that are counted. */
const listedRows = 1_000

/** Rows after which a run makes room for other jobs: a few large files must not fill all slots for minutes. */
const rowsInTurn = 10_000

/** One import per project at a time, and two in all: each holds its file in memory, and many at once are done no sooner. */
const importTurns = perInstance(() =>
  boundedTurns<string>({ places: 2, maxPerKey: 1, full: () => new Snooze(2 * second) }),
)

/** For jobs: runs it if nothing else of the project is being imported here; otherwise throws Snooze. */
export function runImportInTurn(ctx: Context, projectId: string, id: string, run: JobRun): Promise<void> {
  return importTurns(ctx)(projectId, () => runImport(ctx, projectId, id, run))
}

/** Ends well, or with the instruction to go on later. */
export async function runImport(ctx: Context, projectId: string, id: string, run: JobRun): Promise<void> {
  const ending = await attempt({ ctx, projectId, id }, run)
  if (ending === 'unfinished') throw new Snooze(0)
}

async function attempt(target: Target, run: JobRun): Promise<Ending> {
  try {
    const ending = await importFile(target, run)
    const failure = typeof ending === 'string' ? null : ending.failure
    if (ending !== 'unfinished') await finish(target, failure)
    return ending
  } catch (error) {
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

/** `failure`: why the file as a whole can't be imported. */
type Ending = 'done' | 'unfinished' | { failure: string }

interface Target {
  ctx: Context
  projectId: string
  id: string
}

/** While its rows are applied. */
interface Applying extends Target {
  topics: Source['topics']
}

interface Source {
  file: ImportFile
  delimiter: CsvOptions['delimiter']
  columns: ImportColumns
  /** Where the rows begin. */
  start: number
  /** Ids of topics by what the header calls them. */
  topics: ReadonlyMap<string, string>
}

async function importFile(target: Target, run: JobRun): Promise<Ending> {
  const file = await openImportFile(target.ctx, target.projectId, target.id)
  if (!file) return 'done'
  const source = await openSource(target, file)
  if ('fault' in source) return { failure: source.fault }
  const { requests } = target.ctx
  let pace = usualPace
  for (let rows = 0; rows < rowsInTurn; rows += pace.rows) {
    run.signal.throwIfAborted()
    const position = await currentPosition(target)
    if (position === undefined) return 'done'
    const from = Math.max(position.position, source.start)
    if (from >= file.size) return position.rows === 0 ? { failure: 'The file has no rows' } : 'done'
    pace = requests.comeSteadily() ? besideRequests : usualPace
    await givingWay(requests, () => applyPiece(target, source, from, pace.rows), pace)
  }
  return 'unfinished'
}

async function openSource(target: Target, file: ImportFile): Promise<Source | { fault: string }> {
  const { bytes, hasMore } = file.head
  const delimiter = delimiterOf(bytes)
  const header = readCsv(bytes, 0, { delimiter, limit: 1, hasMore })
  if (header.fault !== undefined) return { fault: `The first row can't be read: ${header.fault}` }
  const [first] = header.records
  if (!first) return { fault: 'The file is empty' }
  const columns = readHeader(first.cells)
  if ('fault' in columns) return columns
  const names = columns.topics.map(({ topic }) => topic)
  const topics = await findTopicsNamed(target.ctx, target.projectId, names)
  const unknown = names.find(name => !topics.has(name))
  if (unknown !== undefined) return { fault: `There is no topic ${JSON.stringify(unknown)}: make it first` }
  return { file, delimiter, columns, start: first.end, topics }
}

async function currentPosition(target: Target): Promise<{ position: number; rows: number } | undefined> {
  return inTransaction(target.ctx, tx => lockImport(tx, target.projectId, target.id))
}

/** A row of the file and the offset after it. */
interface ReadRow {
  row: ImportRow
  end: number
}

async function applyPiece(target: Target, source: Source, from: number, limit: number): Promise<void> {
  const piece = await source.file.read(from, { delimiter: source.delimiter, limit })
  const names = source.columns.fields.map(field => field.name)
  const booleans = await selectBooleanFields(target.ctx, target.projectId, names)
  const rows = readRows(piece, source.columns, name => booleans.has(name))
  await applyRows({ ...target, topics: source.topics }, from, rows, piece.end)
}

function readRows(piece: CsvPiece, columns: ImportColumns, isBoolean: (name: string) => boolean): ReadRow[] {
  if (piece.fault !== undefined) return [{ row: { email: '', error: piece.fault }, end: piece.end }]
  return piece.records.map(({ cells, end }) => ({ row: readRow(cells, columns, isBoolean), end }))
}

/**
 * Applies rows that end at `end`. A batch that is refused as a whole (a contact's data would become too large) is halved until
 * the row to blame is left alone; everything else is imported.
 */
async function applyRows(target: Applying, from: number, rows: ReadRow[], end: number): Promise<void> {
  try {
    await commitRows(target, from, rows, end)
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error
    if (rows.length === 1) return await commitRows(target, from, [blame(rows[0]!, error)], end)
    const middle = Math.floor(rows.length / 2)
    const border = rows[middle - 1]!.end
    await applyRows(target, from, rows.slice(0, middle), border)
    await applyRows(target, border, rows.slice(middle), end)
  }
}

function blame({ row, end }: ReadRow, error: AppError): ReadRow {
  const email = 'entry' in row ? row.entry.email : row.email
  const first = error.errors?.[0]
  return { row: { email, error: first ? `${first.field}: ${first.message}` : error.message }, end }
}

/** Does nothing where another run has been here already. */
async function commitRows(target: Applying, from: number, rows: ReadRow[], end: number): Promise<void> {
  const { projectId, id } = target
  await inTransaction(target.ctx, async tx => {
    const held = await lockImport(tx, projectId, id)
    if (!held || held.position > from) return
    const placed = numberEntries(rows, held.rows)
    const entries = placed.map(({ entry }) => entry)
    const origin = held.origin ?? undefined
    const results = await importContacts(tx, projectId, entries, origin)
    const topics = { ids: target.topics, chosen: held.topics ?? [], origin }
    const said = placed.map(each => ({ said: each.topics, saysNo: each.entry.subscribed === false }))
    const stayOut = await decideTopicsOf(tx, projectId, said, results, topics)
    const created = results.filter(result => result.isNew).length
    const leftOut = placed.filter((_, index) => results[index]!.isLeftOut || stayOut[index])
    await advanceImport(tx, projectId, id, {
      position: end,
      created,
      updated: results.length - created,
      failed: rows.length - placed.length,
      faults: faultsOf(rows, held.rows).slice(0, Math.max(0, listedRows - held.faults)),
      leftOut: leftOut.length,
      leftOutRows: leftOut.slice(0, Math.max(0, listedRows - held.leftOutRows)).map(toLeftOut),
    })
  })
}

interface NumberedEntry {
  entry: ContactEntry
  topics: RowTopics
  row: number
}

/** Rows are numbered as people see them: the header is row 1. */
function numberOf(index: number, before: number): number {
  return before + index + 2
}

function numberEntries(rows: readonly ReadRow[], before: number): NumberedEntry[] {
  return rows.flatMap(({ row }, index) => ('entry' in row ? [{ ...row, row: numberOf(index, before) }] : []))
}

function toLeftOut({ entry, row }: NumberedEntry): LeftOutRow {
  return { row, email: entry.email }
}

function faultsOf(rows: readonly ReadRow[], before: number): ImportFault[] {
  return rows.flatMap(({ row }, index) => ('error' in row ? [{ ...row, row: numberOf(index, before) }] : []))
}
