// The resolver against servers that drop, cut, delay and lie.
import { afterEach, describe, expect, test } from 'bun:test'
import { TRUNCATED_RESPONSE } from 'dns-packet'
import type { Random } from '../../../../src/lib/ids'
import { networkResolver } from '../../../../src/mail/dns/client'
import type { Resolver } from '../../../../src/mail/dns/resolver'
import { type Behaviour, record, reply, resolves, type StubServer, startStub } from './stub'

const random: Random = {
  bytes: length => crypto.getRandomValues(new Uint8Array(length)),
  fraction: () => 0.5,
  uuid: () => crypto.randomUUID(),
}
const name = 'mail.example'
const address = (data: string) => record.a(name, data)
const stubs: StubServer[] = []

async function stub(behaviour: Behaviour, host?: string): Promise<StubServer> {
  const server = await startStub(behaviour, host)
  stubs.push(server)
  return server
}

/** Where an answer is expected it may take as long as the machine is busy. */
const patient = 60_000
/** Where silence is waited for, and no answer comes after it. */
const hasty = 60
/** Where an answer comes after silence: as long as both may take. */
const perTry = 2_000

function resolver(servers: string[], options: { timeoutMs?: number; tries?: number } = {}): Resolver {
  return networkResolver({ servers, timeoutMs: patient, tries: 1, random, ...options })
}

afterEach(async () => {
  for (const server of stubs.splice(0)) await server.close()
})

describe('what an answer means', () => {
  const rows: Array<[string, Behaviour, unknown]> = [
    [
      'records are found',
      q => [reply(q.packet, [address('192.0.2.1')])],
      { status: 'found', records: ['192.0.2.1'] },
    ],
    ['no such name', q => [reply(q.packet, [], { rcode: 3 })], { status: 'nxdomain' }],
    ['no such record from a recursive server', q => [reply(q.packet, [])], { status: 'nodata' }],
    [
      'no such record, proven by the SOA',
      q => [reply(q.packet, [], { flags: 0, authorities: [record.soa('example')] })],
      { status: 'nodata' },
    ],
    [
      'a referral says nothing about the name',
      q => [reply(q.packet, [], { flags: 0 })],
      { status: 'failed', reason: 'the server only refers to others' },
    ],
    ['SERVFAIL', q => [reply(q.packet, [], { rcode: 2 })], { status: 'failed', reason: 'SERVFAIL' }],
    ['REFUSED', q => [reply(q.packet, [], { rcode: 5 })], { status: 'failed', reason: 'REFUSED' }],
    ['a dropped question', () => [], { status: 'failed', reason: 'timeout' }],
    [
      'an alias is followed within the answer, in any order and case',
      q => [
        reply(q.packet, [
          record.a('c.example', '192.0.2.9'),
          record.cname('B.example', 'c.example'),
          record.cname('MAIL.example', 'b.EXAMPLE'),
        ]),
      ],
      { status: 'found', records: ['192.0.2.9'] },
    ],
    [
      'records of another name are not believed',
      q => [reply(q.packet, [record.a('evil.example', '192.0.2.6')])],
      { status: 'nodata' },
    ],
    [
      'aliases in a circle',
      q => [reply(q.packet, [record.cname(name, 'b.example'), record.cname('b.example', name)])],
      { status: 'failed', reason: 'endless chain of aliases' },
    ],
    [
      'an alias to a name that does not exist',
      q => [reply(q.packet, [record.cname(name, 'gone.example')], { rcode: 3 })],
      { status: 'nxdomain' },
    ],
    [
      'an alias that leaves a server without recursion',
      q => [reply(q.packet, [record.cname(name, 'other.test')], { flags: resolves & ~0x80 })],
      { status: 'failed', reason: 'the server only refers to others' },
    ],
  ]
  test.each(rows)('%s', async (_, behaviour, expected) => {
    const server = await stub(behaviour)
    const isSilent = (expected as { reason?: string }).reason === 'timeout'
    const dns = resolver([server.address], isSilent ? { timeoutMs: hasty } : {})
    expect(await dns.a(name)).toEqual(expected as never)
  })
})

describe('what is not believed', () => {
  const rows: Array<[string, Behaviour]> = [
    ['another id', q => [reply(q.packet, [address('192.0.2.66')], { id: (q.packet.id! + 1) & 0xffff })]],
    [
      'another question',
      q => [reply(q.packet, [address('192.0.2.66')], { questions: [{ type: 'A', name: 'evil.example' }] })],
    ],
    [
      'another type',
      q => [reply(q.packet, [address('192.0.2.66')], { questions: [{ type: 'AAAA', name }] })],
    ],
    ['no question at all', q => [reply(q.packet, [address('192.0.2.66')], { questions: [] })]],
    ['the question itself sent back', q => [reply(q.packet, [address('192.0.2.66')], { type: 'query' })]],
    ['garbage', () => [Buffer.from('not dns'), Buffer.alloc(300, 0xff)]],
    [
      'garbage with the right id',
      q => [Buffer.concat([reply(q.packet, []).subarray(0, 2), Buffer.alloc(40, 0x3d)])],
    ],
  ]
  test.each(rows)('%s is ignored and the true answer still counts', async (_, lie) => {
    const server = await stub((q, n) => [...lie(q, n), reply(q.packet, [address('192.0.2.1')])])
    expect(await resolver([server.address]).a(name)).toEqual({ status: 'found', records: ['192.0.2.1'] })
  })

  test.each(rows)('%s alone is no answer', async (_, lie) => {
    const server = await stub(lie)
    expect(await resolver([server.address], { timeoutMs: hasty }).a(name)).toEqual({
      status: 'failed',
      reason: 'timeout',
    })
  })

  test('an answer from another source is ignored', async () => {
    const other = await stub(() => [])
    const { createSocket } = await import('node:dgram')
    const forger = createSocket('udp4')
    const server = await stub(q => {
      forger.send(reply(q.packet, [address('192.0.2.66')]), q.from.port, q.from.address)
      return []
    })
    const answer = await resolver([server.address], { timeoutMs: 100 }).a(name)
    forger.close()
    expect(answer).toEqual({ status: 'failed', reason: 'timeout' })
    expect(other.received).toHaveLength(0)
  })
})

describe('long answers', () => {
  const key = `v=DKIM1; k=rsa; p=${'A'.repeat(400)}`
  const whole = () => record.txt(name, key.slice(0, 255), key.slice(255))

  test('a cut answer is asked again over TCP', async () => {
    const server = await stub(q =>
      q.transport === 'udp'
        ? [reply(q.packet, [], { flags: resolves | TRUNCATED_RESPONSE })]
        : [reply(q.packet, [whole(), record.txt(name, 'other')])],
    )
    expect(await resolver([server.address]).txt(name)).toEqual({ status: 'found', records: [key, 'other'] })
    expect(server.received.map(q => q.transport)).toEqual(['udp', 'tcp'])
  })

  test('an answer cut in the middle of a record is asked again over TCP', async () => {
    const server = await stub(q => {
      const bytes = reply(q.packet, [whole()], {
        flags: resolves | (q.transport === 'udp' ? TRUNCATED_RESPONSE : 0),
      })
      return [q.transport === 'udp' ? bytes.subarray(0, 200) : bytes]
    })
    expect(await resolver([server.address]).txt(name)).toEqual({ status: 'found', records: [key] })
  })

  test('a TCP side that never answers ends in a time limit', async () => {
    const server = await stub(q =>
      q.transport === 'udp' ? [reply(q.packet, [], { flags: resolves | TRUNCATED_RESPONSE })] : [],
    )
    expect(await resolver([server.address], { timeoutMs: hasty }).txt(name)).toEqual({
      status: 'failed',
      reason: 'timeout',
    })
  })
})

describe('several servers and tries', () => {
  test('the next server is asked after SERVFAIL and after silence', async () => {
    const broken = await stub(q => [reply(q.packet, [], { rcode: 2 })])
    const silent = await stub(() => [])
    const good = await stub(q => [reply(q.packet, [address('192.0.2.1')])])
    const dns = resolver([broken.address, silent.address, good.address], { timeoutMs: perTry })
    expect(await dns.a(name)).toEqual({ status: 'found', records: ['192.0.2.1'] })
    expect([broken, silent, good].map(server => server.received.length)).toEqual([1, 1, 1])
  })

  test('"no such name" is an answer: the next server is not asked', async () => {
    const first = await stub(q => [reply(q.packet, [], { rcode: 3 })])
    const second = await stub(q => [reply(q.packet, [address('192.0.2.1')])])
    expect(await resolver([first.address, second.address]).a(name)).toEqual({ status: 'nxdomain' })
    expect(second.received).toHaveLength(0)
  })

  test('a lost packet is made good by the next try, with another id and from another port', async () => {
    const server = await stub((q, count) => (count === 1 ? [] : [reply(q.packet, [address('192.0.2.1')])]))
    const answer = await resolver([server.address], { timeoutMs: perTry, tries: 2 }).a(name)
    expect(answer).toEqual({ status: 'found', records: ['192.0.2.1'] })
    const [first, second] = server.received
    expect(first!.from.port).not.toBe(second!.from.port)
    expect(first!.packet.id).not.toBe(second!.packet.id)
  })

  test('every server down: the reasons are told, and nothing is thrown', async () => {
    const gone = await startStub(() => [])
    await gone.close()
    const refusing = await stub(q => [reply(q.packet, [], { rcode: 5 })])
    expect(await resolver([gone.address, refusing.address]).a(name)).toEqual({
      status: 'failed',
      reason: 'ECONNREFUSED, REFUSED',
    })
  })

  test('a server without EDNS is asked the plain question', async () => {
    const server = await stub(q =>
      (q.packet.additionals ?? []).length > 0
        ? [reply(q.packet, [], { rcode: 1, questions: [] })]
        : [reply(q.packet, [address('192.0.2.1')])],
    )
    expect(await resolver([server.address]).a(name)).toEqual({ status: 'found', records: ['192.0.2.1'] })
  })

  test('a server on IPv6 is asked too', async () => {
    const server = await stub(q => [reply(q.packet, [address('192.0.2.1')])], '::1')
    expect(await resolver([server.address]).a(name)).toEqual({ status: 'found', records: ['192.0.2.1'] })
  })

  test('200 questions at once each get their own answer', async () => {
    const server = await stub(q => {
      const asked = q.packet.questions![0]!.name
      return [reply(q.packet, [record.txt(asked, `this is ${asked}`)])]
    })
    const dns = resolver([server.address])
    const names = Array.from({ length: 200 }, (_, index) => `n${index}.example`)
    const answers = await Promise.all(names.map(each => dns.txt(each)))
    expect(answers).toEqual(names.map(each => ({ status: 'found', records: [`this is ${each}`] })))
  })
})

describe('questions', () => {
  test('asks for datagrams of 1232 bytes and for recursion, international names as punycode', async () => {
    const server = await stub(q => [reply(q.packet, [])])
    await resolver([server.address]).txt('_DMARC.Bücher.example.')
    const { packet } = server.received[0]!
    expect(packet.questions).toEqual([{ name: '_dmarc.xn--bcher-kva.example', type: 'TXT', class: 'IN' }])
    expect(packet.additionals).toMatchObject([{ type: 'OPT', udpPayloadSize: 1232 }])
    expect(packet.flag_rd).toBe(true)
  })

  const impossible = [
    '',
    '.',
    'a..example',
    `${'x'.repeat(64)}.example`,
    `${'long.'.repeat(60)}example`,
    'a b.example',
  ]
  test.each(impossible)('%p can be no name and is not asked', async text => {
    const server = await stub(q => [reply(q.packet, [])])
    expect(await resolver([server.address]).a(text)).toEqual({ status: 'nxdomain' })
    expect(server.received).toHaveLength(0)
  })

  test('mail servers come with their priority, lower-case and without a dot; a null MX is empty', async () => {
    const server = await stub(q => [
      reply(q.packet, [record.mx(name, 10, 'MX1.Example'), record.mx(name, 0, '.')]),
    ])
    const records = [
      { exchange: 'mx1.example', priority: 10 },
      { exchange: '', priority: 0 },
    ]
    expect(await resolver([server.address]).mx(name)).toEqual({ status: 'found', records })
  })

  test('addresses are asked in the reverse tree', async () => {
    const server = await stub(q => [reply(q.packet, [])])
    const dns = resolver([server.address])
    await dns.ptr('192.0.2.1')
    await dns.ptr('2001:db8::1')
    expect(server.received.map(q => q.packet.questions![0]!.name)).toEqual([
      '1.2.0.192.in-addr.arpa',
      `1.${'0.'.repeat(23)}8.b.d.0.1.0.0.2.ip6.arpa`,
    ])
  })
})
