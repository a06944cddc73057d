// `waxwing import loops FILE`: the CSV of the audience of Loops, whose API finds single contacts only. Its columns are the properties
// of a contact; of those, mailing lists have to be named by --map.
import type { ImportSource, PeerRecord } from '../record'
import { fieldName } from '../rows'
import { type CsvChoices, csvSource } from './csv'

export function loopsFile(path: string, map: CsvChoices['map']): ImportSource {
  return csvSource(path, { map, known: { nameOf, finish, needs: ['subscribed'] } })
}

function nameOf(heading: string): string {
  const name = fieldName(heading)
  if (name === 'createdAt') return 'signedUpAt'
  return name === 'id' ? '' : name
}

/** Everybody is subscribed there until they unsubscribe. */
function finish(record: PeerRecord): PeerRecord {
  return record.subscribed === false ? { optedOutAt: 'unknown', ...record } : record
}
