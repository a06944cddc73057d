// Imports of CSV files: taking a file in, and reporting the state of its import. The file is stored before the job that reads it.

import { decodeText, readHeading } from '../../../../lib/csv'
import { badRequest, notFound, tooMany } from '../../../../lib/errors'
import { isUuid } from '../../../../lib/ids'
import { after } from '../../../../lib/time'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { enqueue } from '../../../../platform/jobs/enqueue'
import { perInstance } from '../../../../platform/per-context'
import { longWorkQueue } from '../../../../platform/requests'
import { anyChange, type LiveRule } from '../../../accounts/projects'
import { bulkStarts, listAsked, listDue } from '../hooks'
import { headingWarnings, withHeadings } from '../import-columns'
import { type JobStanding, wholePercent } from '../job-state'
import { contactKinds } from '../kinds'
import { countOpenImports, type ImportView, insertImport, selectImport, undoImportForMs } from '../queries'
import type { ConsentOrigin, ImportOptions } from '../schema'
import { storeImportFile } from './import-file'
import { findTopicsNamed } from './import-topics'
import { readStanding } from './standing'

export interface UploadedFile {
  name: string
  type: string
  bytes: Uint8Array
}

const limits = {
  /** Lines of a file; 5 MB of rows without content would be millions. */
  lines: 500_000,
  /** Imports of a project that wait or run: each holds its file in the database. */
  open: 20,
} as const

export interface ImportChoices {
  by?: ConsentOrigin
  /** Ids of topics that everybody in the file wants. */
  topics?: readonly string[]
  /** Headings in place of those of the file. */
  columns?: readonly string[] | undefined
  options?: Partial<ImportOptions>
  rule?: LiveRule
}

/** What an import does where nobody chooses. */
const usualOptions: ImportOptions = {
  types: [],
  skipsMisfits: false,
  existing: 'update',
  subscribes: true,
  consentSource: null,
  consentDate: null,
  segmentId: null,
}

const noRoom = () => tooMany(`At most ${limits.open} imports may wait at a time`, 60)

/** Five megabytes are read, compressed and written to the write-ahead log, for which others' commits wait: one file at a time. */
const storingTurns = perInstance(() =>
  longWorkQueue<string>({ places: 1, maxPerKey: limits.open, full: noRoom }),
)

/** Throws 429 while many imports are waiting. */
export async function requireImportRoom(ctx: Context, projectId: string): Promise<void> {
  if ((await countOpenImports(ctx, projectId)) >= limits.open) throw noRoom()
}

/** Stores the file and queues its import; returns the id of its job. 400 for anything that is not a CSV, 429 while many are waiting. */
export async function startImport(
  ctx: Context,
  projectId: string,
  file: UploadedFile,
  choices: ImportChoices = {},
): Promise<string> {
  await requireImportRoom(ctx, projectId)
  return await storingTurns(ctx)(ctx.requests, projectId, () => storeImport(ctx, projectId, file, choices))
}

async function storeImport(
  ctx: Context,
  projectId: string,
  file: UploadedFile,
  { by, topics = [], columns, options = {}, rule = anyChange }: ImportChoices,
): Promise<string> {
  const content = columns ? withHeadings(readFile(file), columns) : readFile(file)
  const heading = readHeading(content)
  const warnings = 'fault' in heading ? [] : headingWarnings(heading.cells)
  const known = await findTopicsNamed(ctx, projectId, topics)
  for (const asked of topics) if (known.get(asked) !== asked) throw notFound('Topic', asked)
  const chosen = { ...usualOptions, ...options }
  const { segmentId } = chosen
  const id = newId(ctx)
  await storeImportFile(ctx, projectId, id, content)
  await inTransaction(ctx, async tx => {
    const isLive = async () =>
      (await callHook(tx, bulkStarts, { projectId })).includes(true) ||
      (segmentId !== null && (await callHook(tx, listDue, { projectId, segmentId })).includes(true))
    await rule(tx, { isLive })
    if (segmentId) await callHook(tx, listAsked, { projectId, segmentId })
    const jobId = await enqueue(tx, contactKinds.import, { importId: id }, { projectId })
    const filename = storableName(file.name)
    // The row says where consent came from, which is the file, and the caller who brought it.
    const origin = by && { ...by, source: 'import' as const }
    const stored = { filename, size: content.length, warnings }
    const given = { id, projectId, jobId: jobId!, ...stored, origin, topics, options: chosen }
    await insertImport(tx, given, tx.clock.now())
  })
  return id
}

function readFile({ name, type, bytes }: UploadedFile): Buffer {
  if (!isCsv(name, type))
    throw badRequest('The file must be of type text/csv or have a name that ends in .csv')
  const content = decodeText(bytes)
  if (!content) throw badRequest('The file must be text in UTF-8')
  if (countLines(content) > limits.lines) throw badRequest(`The file must have at most ${limits.lines} lines`)
  return content
}

/** Either is enough. */
function isCsv(name: string, type: string): boolean {
  return /^text\/csv\b/i.test(type) || name.toLowerCase().endsWith('.csv')
}

/** By search and not byte by byte: this is done where requests wait. */
function countLines(content: Buffer): number {
  return countOf(content, 10) || countOf(content, 13)
}

function countOf(content: Buffer, lineEnd: number): number {
  let lines = 0
  for (let at = content.indexOf(lineEnd); at >= 0; at = content.indexOf(lineEnd, at + 1)) lines++
  return lines
}

function storableName(name: string): string {
  return name.replaceAll('\0', '').slice(0, 255).toWellFormed()
}

export interface ImportStatus extends JobStanding {
  job: ImportView
  progress: number
  /** Null where it can't be undone any more. */
  undoableUntil: Date | null
}

/** 404 for an unknown id and for another project's. */
export async function getImport(ctx: Context, projectId: string, id: string): Promise<ImportStatus> {
  const found = isUuid(id) ? await readStanding(ctx, () => selectImport(ctx, projectId, id)) : undefined
  if (!found) throw notFound('Job', id)
  const { record: job, standing } = found
  const progress = standing.state === 'completed' ? 100 : wholePercent(job.position, job.size)
  const { undo, keepsChanges, finishedAt } = job
  const until = keepsChanges && !undo ? after(finishedAt ?? ctx.clock.now(), undoImportForMs) : null
  const undoableUntil = until && until > ctx.clock.now() ? until : null
  return { ...standing, job, progress, undoableUntil }
}
