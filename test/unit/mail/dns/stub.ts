// A name server of a few lines for the client's tests: each test says, packet by packet, how it misbehaves.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { createServer, type Server } from 'node:net'
import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  type DecodedPacket,
  decode,
  encode,
  RECURSION_AVAILABLE,
} from 'dns-packet'

export interface Received {
  packet: DecodedPacket
  transport: 'udp' | 'tcp'
  from: { address: string; port: number }
}

/** Bytes to send, in order; none is a dropped packet. */
export type Behaviour = (query: Received, count: number) => Buffer[]

export interface StubServer {
  /** As DNS_SERVERS wants it. */
  address: string
  received: Received[]
  close(): Promise<void>
}

export const resolves = AUTHORITATIVE_ANSWER | RECURSION_AVAILABLE

/** An answer to `query`; `changes` are for the tests of what must not be believed. */
export function reply(
  query: DecodedPacket,
  answers: Answer[],
  changes: Partial<DecodedPacket> & { rcode?: number } = {},
): Buffer {
  const { rcode = 0, flags = resolves, ...rest } = changes
  return encode({
    type: 'response',
    id: query.id,
    questions: query.questions,
    answers,
    ...rest,
    flags: flags | rcode,
  })
}

export const record = {
  a: (name: string, data: string): Answer => ({ type: 'A', name, ttl: 60, data }),
  cname: (name: string, data: string): Answer => ({ type: 'CNAME', name, ttl: 60, data }),
  txt: (name: string, ...strings: string[]): Answer => ({ type: 'TXT', name, ttl: 60, data: strings }),
  mx: (name: string, preference: number, exchange: string): Answer => ({
    type: 'MX',
    name,
    ttl: 60,
    data: { preference, exchange },
  }),
  soa: (name: string): Answer => ({
    type: 'SOA',
    name,
    ttl: 60,
    data: { mname: `ns.${name}`, rname: `root.${name}` },
  }),
}

export async function startStub(behaviour: Behaviour, host = '127.0.0.1'): Promise<StubServer> {
  const received: Received[] = []
  const handle = (bytes: Buffer, transport: 'udp' | 'tcp', from: Received['from']): Buffer[] => {
    const query = { packet: decode(bytes), transport, from }
    received.push(query)
    return behaviour(query, received.length)
  }
  const tcp = createServer(socket => {
    socket.on('error', () => {})
    socket.on('data', (bytes: Buffer) => {
      const from = { address: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 }
      for (const answer of handle(bytes.subarray(2), 'tcp', from)) {
        const length = Buffer.alloc(2)
        length.writeUInt16BE(answer.length)
        // In two pieces, as a stream may bring it.
        socket.write(length)
        socket.write(answer)
      }
    })
  })
  const { udp, port } = await bindBoth(host, tcp)
  udp.on('message', (bytes: Buffer, from: RemoteInfo) => {
    for (const answer of handle(bytes, 'udp', from)) udp.send(answer, from.port, from.address)
  })
  return {
    address: host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`,
    received,
    close: async () => {
      await new Promise<void>(resolve => udp.close(() => resolve()))
      await new Promise<void>(resolve => tcp.close(() => resolve()))
    },
  }
}

/** One port that is free for both protocols; whoever has it for TCP already makes us try another. */
async function bindBoth(host: string, tcp: Server): Promise<{ udp: Socket; port: number }> {
  for (;;) {
    const udp = createSocket(host.includes(':') ? 'udp6' : 'udp4')
    await new Promise<void>(resolve => udp.bind(0, host, resolve))
    const { port } = udp.address()
    const free = await new Promise<boolean>(resolve => {
      tcp.once('error', () => resolve(false))
      tcp.listen(port, host, () => resolve(true))
    })
    if (free) return { udp, port }
    udp.close()
  }
}
