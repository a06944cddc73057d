// DNS messages as values: makes a query's bytes, and reads from an answer's bytes what it says about the question. Pure.
import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  type DecodedPacket,
  decode,
  encode,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
} from 'dns-packet'

export type QuestionType = 'A' | 'AAAA' | 'CNAME' | 'MX' | 'NS' | 'PTR' | 'TXT'

export interface Query {
  id: number
  name: string
  type: QuestionType
}

export type ReadAnswer =
  /** Not an answer to this question: someone else's, or garbage. To be ignored. */
  | { kind: 'foreign' }
  /** The answer did not fit into a datagram. */
  | { kind: 'truncated' }
  | { kind: 'found'; records: Answer[] }
  | { kind: 'nodata' }
  | { kind: 'nxdomain' }
  /** The server will not or cannot say. `noExtensions` when it may be EDNS that it does not understand. */
  | { kind: 'refused'; reason: string; noExtensions: boolean }

/** What the common path of the Internet carries without fragments (DNS flag day 2020). */
const datagramSize = 1232
const maxAliases = 16
const truncatedBit = 0x02
const noError = 0
const formatError = 1
const notImplemented = 4
const nameError = 3
const codes: Record<number, string> = { 1: 'FORMERR', 2: 'SERVFAIL', 4: 'NOTIMP', 5: 'REFUSED', 9: 'NOTAUTH' }

export function encodeQuery(query: Query, extensions: boolean): Buffer {
  return encode({
    type: 'query',
    id: query.id,
    flags: RECURSION_DESIRED,
    questions: [{ type: query.type, name: query.name, class: 'IN' }],
    additionals: extensions ? [extensionRecord()] : [],
  })
}

/** EDNS0 (RFC 6891): only says how large a datagram may be. */
function extensionRecord(): Answer {
  return {
    type: 'OPT',
    name: '.',
    udpPayloadSize: datagramSize,
    extendedRcode: 0,
    ednsVersion: 0,
    flags: 0,
    flag_do: false,
    options: [],
  }
}

export function readAnswer(query: Query, bytes: Buffer): ReadAnswer {
  if (bytes.length < 12 || bytes.readUInt16BE(0) !== query.id) return { kind: 'foreign' }
  const truncated = (bytes[2]! & truncatedBit) !== 0
  let packet: DecodedPacket
  try {
    packet = decode(bytes)
  } catch {
    // A server may cut a message in the middle of a record; what the whole one says is asked over TCP.
    return truncated ? { kind: 'truncated' } : { kind: 'foreign' }
  }
  if (packet.type !== 'response' || !asks(packet, query)) return { kind: 'foreign' }
  return truncated ? { kind: 'truncated' } : interpret(packet, query)
}

function asks(packet: DecodedPacket, query: Query): boolean {
  const [question, ...others] = packet.questions ?? []
  // Servers that do not read EDNS may send the header of a FORMERR back and nothing else.
  if (question === undefined) return resultCode(packet) === formatError
  const { type, name, class: klass } = question
  return others.length === 0 && type === query.type && sameName(name, query.name) && klass === 'IN'
}

function interpret(packet: DecodedPacket, query: Query): ReadAnswer {
  const code = resultCode(packet)
  if (code === nameError) return { kind: 'nxdomain' }
  if (code !== noError) {
    const noExtensions = code === formatError || code === notImplemented
    return { kind: 'refused', reason: codes[code] ?? `RCODE ${code}`, noExtensions }
  }
  const name = followAliases(packet, query)
  if (name === undefined) return { kind: 'refused', reason: 'endless chain of aliases', noExtensions: false }
  const records = answersFor(packet, name, query.type)
  if (records.length > 0) return { kind: 'found', records }
  if (settlesAbsence(packet, name !== query.name)) return { kind: 'nodata' }
  return { kind: 'refused', reason: 'the server only refers to others', noExtensions: false }
}

/** The name that the aliases in this answer lead to; undefined when they go in circles. */
function followAliases(packet: DecodedPacket, query: Query): string | undefined {
  let name = query.name
  if (query.type === 'CNAME') return name
  for (let hops = 0; hops <= maxAliases; hops++) {
    const [alias] = answersFor(packet, name, 'CNAME')
    if (alias === undefined || alias.type !== 'CNAME') return name
    name = alias.data
  }
  return undefined
}

/**
 * True when "no record" is this server's last word: it resolves for others, or it proves the absence with the zone's SOA.
 * A referral, or an alias that leaves the zones of a server without recursion, says nothing.
 */
function settlesAbsence(packet: DecodedPacket, followed: boolean): boolean {
  const flags = packet.flags ?? 0
  if ((flags & RECURSION_AVAILABLE) !== 0) return true
  if ((packet.authorities ?? []).some(record => record.type === 'SOA')) return true
  return !followed && (flags & AUTHORITATIVE_ANSWER) !== 0
}

function answersFor(packet: DecodedPacket, name: string, type: QuestionType): Answer[] {
  return (packet.answers ?? []).filter(record => record.type === type && sameName(record.name, name))
}

function resultCode(packet: DecodedPacket): number {
  return (packet.flags ?? 0) & 0x0f
}

function sameName(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase()
}
