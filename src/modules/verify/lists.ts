// The word lists about domains: what the packages contain and what they miss. Read when first used and kept as bytes (2.5 MB), so that an
// instance that verifies nothing pays nothing. `lists/disposable.txt` is updated by scripts/disposable-domains.ts.
import disposablePath from 'freemail/data/disposable.txt' with { type: 'file' }
import freePath from 'freemail/data/free.txt' with { type: 'file' }
import moreDisposablePath from './lists/disposable.txt' with { type: 'file' }
import forwardingText from './lists/forwarding.txt' with { type: 'text' }
import notDisposableText from './lists/not-disposable.txt' with { type: 'text' }
import personalText from './lists/personal.txt' with { type: 'text' }
import { hasLine } from './sorted-lines'

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
  const paths = [disposablePath, moreDisposablePath, freePath]
  const [disposable, more, free] = await Promise.all(paths.map(path => Bun.file(path).bytes()))
  const notDisposable = new Set(notDisposableText.trim().split('\n'))
  const forwarding = new Set(forwardingText.trim().split('\n'))
  const personal = new Set(personalText.trim().split('\n'))
  return {
    isDisposable: domain =>
      !notDisposable.has(domain) && (hasLine(disposable!, domain) || hasLine(more!, domain)),
    isForwarding: domain => forwarding.has(domain),
    isPersonal: domain => personal.has(domain) || hasLine(free!, domain),
  }
}
