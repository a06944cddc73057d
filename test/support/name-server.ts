// A name server for real programs under test: answers TXT and CNAME questions from a table, and "no such name" to everything else.
import { decode, encode } from 'dns-packet'

export interface PublishedRecord {
  type: string
  name: string
  value: string
}

export interface NameServer {
  /** As DNS_SERVERS wants it. */
  address: string
  publish(records: PublishedRecord[]): void
  /** What was published until now. */
  published: PublishedRecord[]
  stop(): void
}

export async function startNameServer(): Promise<NameServer> {
  const published: PublishedRecord[] = []
  const socket = await Bun.udpSocket({
    hostname: '127.0.0.1',
    socket: {
      data(from, packet, port, address) {
        from.send(answer(packet, published), port, address)
      },
    },
  })
  return {
    address: `127.0.0.1:${socket.port}`,
    published,
    publish: records => void published.push(...records),
    stop: () => socket.close(),
  }
}

const recursion = 0x0180
const noSuchName = 3

function answer(packet: Buffer, published: PublishedRecord[]): Buffer {
  const { id, questions } = decode(packet)
  const asked = questions?.[0]
  const found = published.filter(
    record => record.name === asked?.name.toLowerCase() && record.type === asked.type,
  )
  const answers = found.map(({ name, type, value }) =>
    type === 'CNAME'
      ? { type: 'CNAME' as const, name, data: value }
      : { type: 'TXT' as const, name, data: value.match(/.{1,200}/gs) ?? [] },
  )
  return encode({
    type: 'response',
    id,
    questions,
    answers,
    flags: recursion | (found.length > 0 ? 0 : noSuchName),
  })
}
