// The resolver over the network. Asks the servers in turn, each with its own time limit, and says what the answer means; it
// keeps nothing (callers cache) and never throws. Bun's own resolver is not used because it splits long TXT records, which
// are exactly DKIM keys, and does not distinguish "no such record" from "no such name".
import type { Answer } from 'dns-packet'
import type { Random } from '../../lib/ids'
import { type Accept, ExchangeFailure, exchangeOverTcp, exchangeOverUdp } from './exchange'
import { encodeQuery, type Query, type QuestionType, type ReadAnswer, readAnswer } from './message'
import { toQueryName, toReverseName } from './names'
import type { DnsAnswer, Resolver } from './resolver'
import { type NameServer, parseServer, systemServers } from './servers'

export interface NetworkResolverOptions {
  /** `ip[:port]` or `[v6]:port`; undefined or empty: those of /etc/resolv.conf. */
  servers: string[] | undefined
  /** For one question to one server. */
  timeoutMs: number
  /** How often the list of servers is gone through. */
  tries: number
  random: Random
}

type Lookup = (name: string, type: QuestionType) => Promise<DnsAnswer<Answer>>
type Settled = Exclude<ReadAnswer, { kind: 'foreign' | 'truncated' }>

export function networkResolver(options: NetworkResolverOptions): Resolver {
  const listed = (options.servers ?? []).map(parseServer).filter(server => server !== undefined)
  const servers = async (): Promise<NameServer[]> => (listed.length > 0 ? listed : systemServers())
  const lookup: Lookup = async (name, type) => {
    const asked = toQueryName(name)
    if (asked === undefined) return { status: 'nxdomain' }
    return askInTurn(await servers(), { name: asked, type }, options)
  }
  return {
    mx: async name => map(await lookup(name, 'MX'), toMx),
    ns: async name => map(await lookup(name, 'NS'), toName),
    txt: async name => map(await lookup(name, 'TXT'), toText),
    cname: async name => map(await lookup(name, 'CNAME'), toName),
    a: async name => map(await lookup(name, 'A'), toName),
    aaaa: async name => map(await lookup(name, 'AAAA'), toName),
    ptr: async name => map(await lookup(toReverseName(name), 'PTR'), toName),
  }
}

/** The first answer that settles the question wins; otherwise every server's last excuse is reported. */
async function askInTurn(
  servers: NameServer[],
  question: Omit<Query, 'id'>,
  options: NetworkResolverOptions,
): Promise<DnsAnswer<Answer>> {
  const reasons = new Map<NameServer, string>()
  for (let round = 0; round < Math.max(1, options.tries); round++) {
    for (const server of servers) {
      const reading = await ask(server, question, options)
      if (reading.kind === 'found') return { status: 'found', records: reading.records }
      if (reading.kind !== 'refused') return { status: reading.kind }
      reasons.set(server, reading.reason)
    }
  }
  return { status: 'failed', reason: [...new Set(reasons.values())].join(', ') }
}

async function ask(
  server: NameServer,
  question: Omit<Query, 'id'>,
  options: NetworkResolverOptions,
): Promise<Settled> {
  const query = { ...question, id: Buffer.from(options.random.bytes(2)).readUInt16BE(0) }
  try {
    const reading = await exchange(server, query, true, options.timeoutMs)
    if (reading.kind !== 'refused' || !reading.noExtensions) return reading
    // An old server that does not know EDNS: the plain question of RFC 1035.
    return await exchange(server, query, false, options.timeoutMs)
  } catch (error) {
    if (!(error instanceof ExchangeFailure)) throw error
    return { kind: 'refused', reason: error.message, noExtensions: false }
  }
}

async function exchange(
  server: NameServer,
  query: Query,
  extensions: boolean,
  timeoutMs: number,
): Promise<Settled> {
  const bytes = encodeQuery(query, extensions)
  const accept: Accept<Exclude<ReadAnswer, { kind: 'foreign' }>> = received => {
    const reading = readAnswer(query, received)
    return reading.kind === 'foreign' ? undefined : reading
  }
  const short = await exchangeOverUdp(server, bytes, timeoutMs, accept)
  if (short.kind !== 'truncated') return short
  const long = await exchangeOverTcp(server, bytes, timeoutMs, accept)
  return long.kind === 'truncated'
    ? { kind: 'refused', reason: 'truncated over TCP', noExtensions: false }
    : long
}

function map<T>(answer: DnsAnswer<Answer>, read: (record: Answer) => T | undefined): DnsAnswer<T> {
  if (answer.status !== 'found') return answer
  return { status: 'found', records: answer.records.map(read).filter(value => value !== undefined) }
}

/** Names come without a trailing dot; the root (a "null MX", RFC 7505) is the empty text. */
const host = (name: string): string => name.toLowerCase().replace(/\.$/, '')

function toName(record: Answer): string | undefined {
  return 'data' in record && typeof record.data === 'string' ? host(record.data) : undefined
}

function toMx(record: Answer): { exchange: string; priority: number } | undefined {
  if (record.type !== 'MX') return undefined
  return { exchange: host(record.data.exchange), priority: record.data.preference ?? 0 }
}

function toText(record: Answer): string | undefined {
  if (record.type !== 'TXT') return undefined
  const strings = Array.isArray(record.data) ? record.data : [record.data]
  return Buffer.concat(strings.map(part => Buffer.from(part))).toString('utf8')
}
