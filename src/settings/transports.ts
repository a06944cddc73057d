// The format of TRANSPORTS_FILE: read at startup, so that a wrong list is a fault of the configuration.
import { readFileSync, statSync } from 'node:fs'
import { parseTransports, type WayEntry } from '../platform/mail/ways/list'
import { accept, type Format, format, reject } from './formats'

const maxBytes = 256 * 1024

export const transportsFile: Format<readonly WayEntry[]> = format(
  'a JSON file that lists transports',
  path => {
    const text = readBounded(path)
    if (text === undefined) return reject('there is no such file, or it cannot be read')
    if (text.length > maxBytes) return reject('it is larger than 256 kB')
    try {
      return accept(parseTransports(text))
    } catch (error) {
      return reject((error as Error).message)
    }
  },
)

function readBounded(path: string): string | undefined {
  try {
    return statSync(path).size > maxBytes ? ' '.repeat(maxBytes + 1) : readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** How mail leaves as far as the rest of the program asks: whether SES signs for senders, and whether anything leaves at all. */
export function mainKind(entries: readonly WayEntry[]): WayEntry['kind'] {
  return (['ses', 'smtp'] as const).find(kind => entries.some(entry => entry.kind === kind)) ?? 'sendmail'
}
