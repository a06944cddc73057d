// A resolver that answers from a table: for tests and for checks without a network. It tells the four kinds of answer apart
// as the real one does; a name that has any record, or lies above one that has, exists.
import { toQueryName, toReverseName } from './names'
import type { DnsAnswer, MxRecord, Resolver } from './resolver'

const maxAliases = 16

export interface MemoryRecords {
  mx: MxRecord
  ns: string
  txt: string
  cname: string
  a: string
  aaaa: string
  ptr: string
}

export type MemoryType = keyof MemoryRecords

export interface MemoryResolver extends Resolver {
  /** Replaces the records of this type at this name; none removes them. */
  set<T extends MemoryType>(name: string, type: T, ...records: Array<MemoryRecords[T]>): void
  /** Lets every question about this name fail for `reason` until it is undefined again. */
  fail(name: string, reason: string | undefined): void
  /** Lets every question fail, as when no server can be reached. */
  failAll(reason: string | undefined): void
  /** The questions so far, as `TYPE name`. */
  readonly asked: readonly string[]
}

export function memoryResolver(): MemoryResolver {
  const table = new Map<string, unknown[]>()
  const failures = new Map<string, string>()
  const asked: string[] = []
  const key = (name: string): string => toQueryName(name) ?? name
  const exists = (name: string): boolean =>
    [...table.keys()].some(entry => entry.endsWith(` ${name}`) || entry.endsWith(`.${name}`))
  const answer = async <T extends MemoryType>(
    type: T,
    text: string,
    hops = 0,
  ): Promise<DnsAnswer<MemoryRecords[T]>> => {
    if (hops > maxAliases) return { status: 'failed', reason: 'endless chain of aliases' }
    const name = key(text)
    asked.push(`${type.toUpperCase()} ${name}`)
    const failure = failures.get('*') ?? failures.get(name)
    if (failure !== undefined) return { status: 'failed', reason: failure }
    const records = table.get(`${type} ${name}`)
    if (records) return { status: 'found', records: records as Array<MemoryRecords[T]> }
    const [alias] = type === 'cname' ? [] : (table.get(`cname ${name}`) ?? [])
    if (typeof alias === 'string') return answer(type, alias, hops + 1)
    return { status: exists(name) ? 'nodata' : 'nxdomain' }
  }
  const setOrDelete = (name: string, reason: string | undefined): void => {
    if (reason === undefined) failures.delete(name)
    else failures.set(name, reason)
  }
  return {
    mx: name => answer('mx', name),
    ns: name => answer('ns', name),
    txt: name => answer('txt', name),
    cname: name => answer('cname', name),
    a: name => answer('a', name),
    aaaa: name => answer('aaaa', name),
    ptr: name => answer('ptr', toReverseName(name)),
    set(name, type, ...records) {
      const entry = `${type} ${key(name)}`
      if (records.length === 0) table.delete(entry)
      else table.set(entry, records)
    },
    fail: (name, reason) => setOrDelete(key(name), reason),
    failAll: reason => setOrDelete('*', reason),
    asked,
  }
}
