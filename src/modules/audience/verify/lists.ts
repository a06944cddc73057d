// The word lists about domains: what the packages contain and what they miss. Read when first used and kept as bytes (2.4 MB), so that an
// instance that verifies nothing pays nothing. scripts/disposable-domains.ts makes the list of disposable ones from the packages.
import freePath from 'freemail/data/free.txt' with { type: 'file' }
import disposablePath from '../../../../.cache/disposable.txt' with { type: 'file' }
import forwardingText from './lists/forwarding.txt' with { type: 'text' }
import personalText from './lists/personal.txt' with { type: 'text' }

/** Each looks up exactly this spelling of a domain. */
export interface DomainLists {
  isDisposable(domain: string): boolean
  isForwarding(domain: string): boolean
  isPersonal(domain: string): boolean
}

/** The lists, read once; if that fails, the next caller tries again. */
export function makeDomainLists(): () => Promise<DomainLists> {
  let reading: Promise<DomainLists> | undefined
  return () => {
    reading ??= readLists().catch(error => {
      reading = undefined
      throw error
    })
    return reading
  }
}

async function readLists(): Promise<DomainLists> {
  const paths = [disposablePath, freePath]
  const [disposable, free] = await Promise.all(paths.map(path => Bun.file(path).bytes()))
  const forwarding = new Set(forwardingText.trim().split('\n'))
  const personal = new Set(personalText.trim().split('\n'))
  return {
    isDisposable: domain => hasLine(disposable!, domain),
    isForwarding: domain => forwarding.has(domain),
    isPersonal: domain => personal.has(domain) || hasLine(free!, domain),
  }
}

const lineFeed = 0x0a

/** Whether `word` is a whole line of `lines`, which are sorted by their bytes. */
export function hasLine(lines: Uint8Array, word: string): boolean {
  const wanted = new TextEncoder().encode(word)
  let low = 0
  let high = lines.length
  while (low < high) {
    const start = startOfLine(lines, low, (low + high) >> 1)
    const end = endOfLine(lines, start)
    const order = Buffer.compare(lines.subarray(start, end), wanted)
    if (order === 0) return true
    if (order < 0) low = end + 1
    else high = start
  }
  return false
}

/** Where the line that contains the byte at `at` begins; no line begins before `low`. */
function startOfLine(lines: Uint8Array, low: number, at: number): number {
  let start = at
  while (start > low && lines[start - 1] !== lineFeed) start--
  return start
}

function endOfLine(lines: Uint8Array, from: number): number {
  const found = lines.indexOf(lineFeed, from)
  return found === -1 ? lines.length : found
}
