// What the product asks of the DNS. "No such name", "no such record" and "nobody answered" are different answers, because
// only the first two say something about the domain.

export type DnsAnswer<T> =
  | { status: 'found'; records: T[] }
  /** The name exists and has no record of this type. */
  | { status: 'nodata' }
  /** The name does not exist. */
  | { status: 'nxdomain' }
  /** No server gave an answer in time (SERVFAIL, REFUSED, timeout): nothing is known. */
  | { status: 'failed'; reason: string }

export interface MxRecord {
  exchange: string
  priority: number
}

export interface Resolver {
  mx(name: string): Promise<DnsAnswer<MxRecord>>
  ns(name: string): Promise<DnsAnswer<string>>
  /** One string a record: the character-strings of a record are joined without a separator (RFC 7208, section 3.3). */
  txt(name: string): Promise<DnsAnswer<string>>
  cname(name: string): Promise<DnsAnswer<string>>
  a(name: string): Promise<DnsAnswer<string>>
  aaaa(name: string): Promise<DnsAnswer<string>>
  ptr(name: string): Promise<DnsAnswer<string>>
}
