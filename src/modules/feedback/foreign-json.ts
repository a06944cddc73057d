// JSON of strangers. Pure.
import { storable } from '../../lib/storable'

/** The value of a JSON text with every text in it fit for the database; undefined where it is none. */
export function parseForeignJson(text: string): unknown {
  try {
    return JSON.parse(text, (_, value) => (typeof value === 'string' ? storable(value) : value))
  } catch {
    return undefined
  }
}
