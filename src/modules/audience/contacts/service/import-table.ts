// The file of an import before its rows are applied: what its first row names, and of which types its columns are.
import { readHeading } from '../../../../lib/csv'
import type { Context } from '../../../../platform/context'
import { throttleLongWork } from '../../../../platform/requests'
import { type ColumnTypes, makeColumnTypes } from '../import-cells'
import { type ImportColumns, readHeader } from '../import-columns'
import { selectFieldTypes } from '../queries'
import type { ImportOptions } from '../schema'
import type { ImportFile } from './import-file'
import { findTopicsNamed } from './import-topics'

export interface ImportTable {
  file: ImportFile
  delimiter: string
  columns: ImportColumns
  /** Where the rows begin, and the line ends before that. */
  start: number
  lines: number
  /** Ids of topics by what the header calls them. */
  topics: ReadonlyMap<string, string>
  /** Of the columns for which nobody chose a type, and whose fields the project does not know. */
  types: ColumnTypes
}

/** `position`: what is before it is done. Answers why the file as a whole can't be imported, where that is so. */
export async function openImportTable(
  ctx: Context,
  projectId: string,
  file: ImportFile,
  position: number,
  types: ImportOptions['types'],
  signal: AbortSignal,
): Promise<ImportTable | { fault: string }> {
  const heading = readHeading(file.head.bytes, file.head.hasMore)
  if ('fault' in heading) return heading
  const { delimiter, end: start, lines } = heading
  const columns = readHeader(heading.cells, types)
  if ('fault' in columns) return columns
  const names = columns.topics.map(({ topic }) => topic)
  const topics = await findTopicsNamed(ctx, projectId, names)
  const unknown = names.find(name => !topics.has(name))
  if (unknown !== undefined) return { fault: `There is no topic ${JSON.stringify(unknown)}: make it first` }
  const remaining = { file, delimiter, start: Math.max(position, start) }
  const found = await findTypes(ctx, remaining, await unknownFields(ctx, projectId, columns), signal)
  return { file, delimiter, columns, start, lines, topics, types: found }
}

type Field = ImportColumns['fields'][number]

async function unknownFields(ctx: Context, projectId: string, { fields }: ImportColumns): Promise<Field[]> {
  const plain = fields.filter(({ isJson, type }) => !isJson && !type)
  const names = plain.map(({ name }) => name)
  const known = await selectFieldTypes(ctx, projectId, names)
  return plain.filter(({ name }) => !known.has(name))
}

/** Rows per piece: a few milliseconds. */
const rowsAtATime = 500

/** By all cells that are not imported yet: a field is known by its first value, so what is done says nothing more of those. */
async function findTypes(
  ctx: Context,
  { file, delimiter, start }: Pick<ImportTable, 'file' | 'delimiter' | 'start'>,
  fields: readonly Field[],
  signal: AbortSignal,
): Promise<ColumnTypes> {
  const types = makeColumnTypes()
  for (let at = start; at < file.size && fields.some(({ name }) => !types.isText(name)); ) {
    signal.throwIfAborted()
    await throttleLongWork(ctx.requests, async () => {
      const piece = await file.read(at, { delimiter, limit: rowsAtATime })
      for (const { cells } of piece.records)
        for (const { index, name } of fields) types.add(name, cells[index]?.trim() ?? '')
      at = piece.end
    })
  }
  return types
}
