// `--report FILE`: a table of everything that an import refused, left as it is or could not take.
import { openSync, writeSync } from 'node:fs'
import { csvLine, guardCell } from '../../lib/csv'
import { SourceFault } from './record'
import type { ImportReport } from './report'

/** Written as it happens: there may be millions. Throws SourceFault for a file that can't be written. */
export function lossTable(path: string): NonNullable<ImportReport['onLoss']> {
  let file: number
  try {
    file = openSync(path, 'w', 0o600)
  } catch (error) {
    throw new SourceFault(`${path} cannot be written (${(error as { code?: string }).code ?? error})`)
  }
  writeSync(file, csvLine(['what', 'place', 'email', 'reason']))
  return (...cells) => {
    writeSync(file, csvLine(cells.map(guardCell)))
  }
}
