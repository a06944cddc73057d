// Goes through a backup from its start to its end: counts and adds up what it passes, compares that with what was written, and
// hands the content to whoever wants it. With no visitor it only checks.
import { Type } from '@sinclair/typebox'
import { rowCounter } from './checksum'
import { fileWriter } from './files'
import {
  BackupFault,
  type BackupTrailer,
  fileName,
  fileSum,
  type SequenceValue,
  sequenceValues,
  type TableShape,
  type TableSum,
  tableShape,
  tableSum,
} from './format'
import type { BackupProgress } from './progress'
import { type BackupReader, type Frame, parse } from './reader'

export interface Visitor {
  /** Must read `rows` to the end; false leaves the table out (its rows are counted all the same). */
  rows?(table: TableShape, rows: AsyncGenerator<Uint8Array>): Promise<void> | false
  /** Files are written below it. */
  filesFolder?: string
  secrets?(content: unknown): Promise<void>
  sequences?(values: SequenceValue[]): Promise<void>
}

export interface BackupSums {
  tables: Record<string, TableSum>
  files: number
}

const damaged = 'the backup is damaged: its parts are out of order'

/** Throws a BackupFault where the file is not what was written. */
export async function walkBackup(
  backup: BackupReader,
  progress: BackupProgress,
  visitor: Visitor = {},
): Promise<BackupSums> {
  const sums: BackupSums = { tables: {}, files: 0 }
  const frames = backup.frames()
  for await (const { kind, content } of frames) {
    if (kind === 'table') {
      const table = parse(tableShape, content, damaged)
      sums.tables[table.name] = await passTable(table, frames, backup, progress, visitor)
    } else if (kind === 'file') {
      await passFile(visitor.filesFolder, parse(fileName, content, damaged).path, frames)
      sums.files++
    } else if (kind === 'secrets') await visitor.secrets?.(parse(Type.Unknown(), content, damaged))
    else if (kind === 'sequences') await visitor.sequences?.(parse(sequenceValues, content, damaged))
    else throw new BackupFault(damaged)
  }
  checkTrailer(backup, sums)
  return sums
}

async function passTable(
  table: TableShape,
  frames: AsyncGenerator<Frame>,
  backup: BackupReader,
  progress: BackupProgress,
  visitor: Visitor,
): Promise<TableSum> {
  const counter = rowCounter()
  const content = contentFrames(frames, 'tableEnd')
  async function* rows(): AsyncGenerator<Uint8Array> {
    for await (const block of content.blocks()) {
      counter.add(block)
      progress.show(table.name, counter.sum().rows, backup.read())
      yield block
    }
  }
  const visit = visitor.rows?.(table, rows())
  if (visit) await visit
  else for await (const _ of rows());
  const sum = counter.sum()
  if (!isSame(sum, parse(tableSum, content.end(), damaged)))
    throw new BackupFault(`the backup is damaged: the rows of ${table.name} differ from their checksum`)
  progress.done(table.name, sum.rows)
  return sum
}

async function passFile(
  folder: string | undefined,
  path: string,
  frames: AsyncGenerator<Frame>,
): Promise<void> {
  const writer = await fileWriter(folder, path)
  const content = contentFrames(frames, 'fileEnd')
  for await (const block of content.blocks()) await writer.write(block)
  await writer.finish(parse(fileSum, content.end(), damaged))
}

/** The blocks up to the frame that ends them. Frames are taken one by one, because leaving a loop over them would end them all. */
function contentFrames(
  frames: AsyncGenerator<Frame>,
  last: 'tableEnd' | 'fileEnd',
): { blocks(): AsyncGenerator<Uint8Array>; end(): Uint8Array } {
  let end: Uint8Array | undefined
  return {
    async *blocks() {
      for (;;) {
        const { value, done } = await frames.next()
        if (done) throw new BackupFault(damaged)
        if (value.kind === last) {
          end = value.content
          return
        }
        if (value.kind !== 'rows') throw new BackupFault(damaged)
        yield value.content
      }
    },
    end() {
      if (!end) throw new BackupFault(damaged)
      return end
    },
  }
}

/** Each table was compared with the frame after it; here, that none is missing. */
function checkTrailer(backup: BackupReader, sums: BackupSums): void {
  const trailer: BackupTrailer = backup.trailer()
  const names = new Set([...Object.keys(trailer.tables), ...backup.header.tables.map(table => table.name)])
  for (const name of names) {
    const [found, written] = [sums.tables[name], trailer.tables[name]]
    if (!found || !written || !isSame(found, written))
      throw new BackupFault(`the backup is damaged: the table ${name} is missing or differs from its end`)
  }
  if (sums.files !== trailer.files) throw new BackupFault('the backup is damaged: files are missing')
}

export function isSame(one: TableSum, other: TableSum): boolean {
  return one.rows === other.rows && one.bytes === other.bytes && one.checksum === other.checksum
}
