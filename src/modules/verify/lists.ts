// The word lists about domains: what the packages contain and what they miss. Read when first used and kept as bytes (2.4 MB), so that an
// instance that verifies nothing pays nothing. scripts/disposable-domains.ts makes the list of disposable ones from the packages.
import freePath from 'freemail/data/free.txt' with { type: 'file' }
import disposablePath from '../../../.cache/disposable.txt' with { type: 'file' }
import forwardingText from './lists/forwarding.txt' with { type: 'text' }
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
