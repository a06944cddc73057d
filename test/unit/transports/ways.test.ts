// Several transports: what a list may say, which mail each entry is for, which answers let a message go by the next one, and for how long
// one that fails is passed over.
import { describe, expect, test } from 'bun:test'
import { minute, second } from '../../../src/lib/time'
import type { SendResult } from '../../../src/mail/message'
import { toSendResult } from '../../../src/mail/smtp/reply'
import { memoryTransport } from '../../../src/platform/transports/memory'
import { outcomeOfFault } from '../../../src/platform/transports/ses-outcome'
import { type MailFacts, matcherOf } from '../../../src/platform/transports/several/conditions'
import { coolingTime, makeCooling } from '../../../src/platform/transports/several/cooling'
import { severalTransports } from '../../../src/platform/transports/several/several'
import { failsAsWhole, movesOn } from '../../../src/platform/transports/several/verdict'
import { parseTransports } from '../../../src/settings/transport-list'
import { manualClock } from '../../support/context'
import { blocksOf } from '../../support/page'

const relay = { name: 'relay', smtp: 'smtp://me:geheim@relay.example:587' }
const project = '0190a1b2-0000-7000-8000-000000000001'

describe('a list', () => {
  test('is read in its order, each condition in the spelling that is compared', () => {
    const list = [
      { ...relay, mail: ['marketing'], projects: [project.toUpperCase()], from: ['ACME.example'], rate: 5 },
      { name: 'ses', ses: true, to: ['*.bücher.example', 'gmail.com'] },
      { name: 'here', sendmail: '/usr/sbin/sendmail', warmUp: { firstDay: 50, factor: 1.5, target: 9_000 } },
    ]
    expect(parseTransports(JSON.stringify(list))).toEqual([
      {
        ...{ name: 'relay', kind: 'smtp', target: relay.smtp, mail: ['marketing'], projects: [project] },
        ...{ from: ['acme.example'], rate: 5 },
      },
      { name: 'ses', kind: 'ses', to: ['*.xn--bcher-kva.example', 'gmail.com'] },
      {
        ...{ name: 'here', kind: 'sendmail', target: '/usr/sbin/sendmail' },
        warmUp: { firstDay: 50, factor: 1.5, target: 9_000 },
      },
    ])
  })

  const many = Array.from({ length: 17 }, (_, n) => ({ ...relay, name: `r${n}` }))
  test.each<[what: string, list: unknown, words: string]>([
    ['nothing', '', 'it holds no JSON array'],
    ['an object', {}, 'it holds no JSON array'],
    ['none', [], 'it must list 1 to 16 transports'],
    ['too many', many, 'it must list 1 to 16 transports'],
    ['no object', [7], 'transport 1: name must be'],
    ['a name in capitals', [{ ...relay, name: 'Relay' }], 'transport 1 ("Relay"): name must be'],
    ['an unknown field', [{ ...relay, url: 'x' }], 'transport 1 ("relay"): unknown field "url"'],
    ['no way', [{ name: 'a' }], 'transport 1 ("a"): it needs one of smtp'],
    ['two ways', [{ ...relay, ses: true }], 'it needs one of smtp'],
    ['a faulty address', [{ name: 'a', smtp: 'http://x' }], 'smtp must be smtp://host:port'],
    ['a faulty option', [{ name: 'a', smtp: 'smtp://a.example?pool=0' }], 'smtp pool must be'],
    ['a relative command', [{ name: 'a', sendmail: 'sendmail' }], 'sendmail must be a path'],
    ['settings of SES', [{ name: 'a', ses: { region: 'x' } }], 'ses must be true'],
    ['an unknown class', [relay, { ...relay, name: 'b', mail: ['bulk'] }], 'transport 2 ("b"): mail takes'],
    ['an empty condition', [{ ...relay, to: [] }], 'to must be a list of 1 to 200'],
    ['no domain', [{ ...relay, to: ['a@b.example'] }], 'to takes domains'],
    ['no project', [{ ...relay, projects: ['acme'] }], 'projects takes ids'],
    ['half a message a second', [{ ...relay, rate: 0.5 }], 'rate must be a whole number'],
    ['no plan', [{ ...relay, warmUp: 50 }], 'firstDay of warmUp must be'],
    [
      'a plan that does not grow',
      [{ ...relay, warmUp: { firstDay: 50, factor: 1, target: 90 } }],
      'factor of warmUp must be a number from 1.1',
    ],
    [
      'a target below the first day',
      [{ ...relay, warmUp: { firstDay: 50, factor: 2, target: 49 } }],
      'target of warmUp must be a whole number from firstDay',
    ],
    [
      'more in a plan',
      [{ ...relay, warmUp: { firstDay: 50, factor: 2, target: 50, days: 3 } }],
      'warmUp has firstDay, factor and target',
    ],
    ['a name twice', [relay, relay], 'two transports are called "relay"'],
    [
      'conditions everywhere',
      [{ ...relay, mail: ['marketing'] }],
      'one transport must have no conditions, so that there is a way for every message',
    ],
    [
      'SES twice',
      [
        { name: 'a', ses: true },
        { name: 'b', ses: true },
      ],
      'two transports are SES',
    ],
  ])('with %s is refused with words, and no password', (_, list, words) => {
    const read = () => parseTransports(JSON.stringify(list))
    expect(read).toThrow(words)
    expect(read).not.toThrow('geheim')
  })

  test('is the example of the page', () => {
    const block = blocksOf('docs/transports.md').find(({ language }) => language === 'json')!
    expect(parseTransports(block.text).map(({ name, kind }) => [name, kind])).toEqual([
      ['bulk', 'smtp'],
      ['office', 'sendmail'],
      ['main', 'smtp'],
      ['spare', 'ses'],
    ])
  })

  test('that is no JSON is not quoted', () => {
    expect(() => parseTransports('[{"smtp":"smtp://me:geheim@x"')).toThrow(/^it holds no JSON$/)
  })
})

describe('a condition', () => {
  const facts: MailFacts = {
    id: '1',
    kind: 'transactional',
    projectId: project,
    from: 'hello@acme.example',
    to: 'Ada@Mail.Example.com',
  }
  const letter: MailFacts = { id: '2', kind: 'instance', from: facts.from, to: facts.to }
  test.each<[what: string, conditions: object, mail: MailFacts, isMet: boolean]>([
    ['none', {}, facts, true],
    ['its class', { mail: ['marketing', 'transactional'] }, facts, true],
    ['another class', { mail: ['marketing'] }, facts, false],
    ['the class of a letter', { mail: ['instance'] }, letter, true],
    ['its project', { projects: [project] }, facts, true],
    ['a letter, which has none', { projects: [project] }, letter, false],
    ['the domain of its sender', { from: ['acme.example'] }, facts, true],
    ['another sender', { from: ['acme.test'] }, facts, false],
    ['the domain of its recipient', { to: ['mail.example.com'] }, facts, true],
    ['names below a domain', { to: ['*.example.com'] }, facts, true],
    ['the domain itself, not those below', { to: ['example.com'] }, facts, false],
    ['names below its own domain', { to: ['*.mail.example.com'] }, facts, false],
    ['a domain that ends alike', { to: ['*.ample.com'] }, facts, false],
    ['both, of which one is not met', { from: ['acme.example'], to: ['gmail.com'] }, facts, false],
  ])('%s: %j', (_, conditions, mail, isMet) => {
    expect(matcherOf({ name: 'a', kind: 'ses', ...conditions })(mail)).toBe(isMet)
  })
})

const ok: SendResult = { outcome: 'accepted', delivered: true, response: '250 ok' }
const reply = (stage: string, code?: number, enhanced?: string, response = `${code} words`): SendResult =>
  toSendResult({ stage, code, enhanced, response } as Parameters<typeof toSendResult>[0])
const bySes = (fault: object): SendResult =>
  outcomeOfFault({ name: 'Error', message: 'x', ...fault }, 'a@b.example')

describe('an answer', () => {
  test.each<[what: string, answer: SendResult, asWhole: boolean, moves: boolean]>([
    ['taken', ok, false, false],
    ['no connection', reply('connect'), true, true],
    ['a greeting that says no', reply('greeting', 554), true, true],
    ['421 to the greeting', reply('greeting', 421), true, true],
    ['a wrong password', reply('auth', 535, '5.7.8'), true, true],
    ['sign-in that is asked for at MAIL', reply('mail', 530, '5.7.0'), true, true],
    ['421 in place of an answer', reply('rcpt', 421, '4.7.0'), true, true],
    ['a connection that broke before the message', reply('rcpt'), true, true],
    ['a full relay', reply('mail', 452, '4.3.1'), true, true],
    ['a relay that takes nothing now', reply('final', 451, '4.3.2'), true, true],
    [
      'a quota of SES over SMTP',
      reply('final', 454, undefined, '454 Daily message quota exceeded'),
      true,
      true,
    ],
    ['a quota of Gmail', reply('data', 550, '5.4.5'), true, true],
    ['a limit in words', reply('mail', 450, '4.7.1', '450 4.7.1 hourly limit reached'), true, true],
    ['too many recipients', reply('rcpt', 452, '4.5.3'), false, false],
    ['a full mailbox', reply('rcpt', 452, '4.2.2', '452 4.2.2 over quota'), false, false],
    ['a full mailbox, told after the message', reply('final', 452, '4.2.2', '452 over quota'), false, false],
    ['greylisting', reply('rcpt', 450, '4.7.1', '450 4.7.1 come back later'), false, false],
    ['an address that does not exist', reply('rcpt', 550, '5.1.1'), false, false],
    ['content that is refused', reply('final', 554, '5.7.1'), false, false],
    ['an answer that was lost', reply('final'), true, false],
    ['a connection that broke in the message', reply('body'), true, false],
    ['421 after the message', reply('final', 421, '4.3.2'), true, true],
    ['an SES that is not there', bySes({ code: 'ECONNREFUSED' }), true, true],
    ['an SES that broke off', bySes({ code: 'ECONNRESET' }), true, false],
    ['an SES that ran out of time', bySes({ name: 'TimeoutError' }), true, false],
    ['credentials of SES', bySes({ name: 'AccessDeniedException', status: 403 }), true, true],
    ['the quota of SES', bySes({ message: 'Daily message quota exceeded', status: 429 }), true, true],
    ['a fault inside SES', bySes({ name: 'InternalServiceError', status: 500 }), true, false],
    ['too many calls of SES', bySes({ name: 'TooManyRequestsException', status: 429 }), false, false],
    ['a message that SES rejects', bySes({ name: 'MessageRejected', status: 400 }), false, false],
    ['a fault of ours', { outcome: 'deferred', internal: true, response: 'internal error' }, false, false],
  ])('%s: the transport %# ', (_, answer, asWhole, moves) => {
    expect([failsAsWhole(answer), movesOn(answer)]).toEqual([asWhole, moves])
  })
})

describe('a transport that fails', () => {
  const down = reply('connect')
  const setUp = () => {
    const clock = manualClock()
    return { clock, route: makeCooling(clock) }
  }

  test('cools for ten seconds, then twice as long each time, and never longer than ten minutes', () => {
    expect([1, 2, 3, 7, 8, 50].map(coolingTime)).toEqual([
      10 * second,
      20 * second,
      40 * second,
      10 * minute,
      10 * minute,
      10 * minute,
    ])
    const { clock, route } = setUp()
    for (const pause of [10, 20, 40]) {
      route.enter()(down)
      expect(route.isOpen()).toBe(false)
      clock.advance(pause * second - 1)
      expect(route.isOpen()).toBe(false)
      clock.advance(1)
      expect(route.isOpen()).toBe(true)
    }
  })

  test('is tried by one message at a time, and is back as soon as it takes one', () => {
    const { clock, route } = setUp()
    route.enter()(down)
    clock.advance(10 * second)
    const probe = route.enter()
    expect(route.isOpen()).toBe(false)
    expect(route.health()).toMatchObject({ failures: 1, fault: 'undefined words' })
    probe(ok)
    expect(route.isOpen()).toBe(true)
    expect(route.health()).toEqual({ failures: 0 })
    route.enter()(down)
    clock.advance(10 * second)
    expect(route.isOpen()).toBe(true)
  })

  test('counts once for all that were under way, whatever becomes of those', () => {
    const { clock, route } = setUp()
    const [first, second_, third] = [route.enter(), route.enter(), route.enter()]
    first(down)
    second_(down)
    third(ok)
    expect(route.health()).toMatchObject({
      failures: 1,
      coolsUntil: new Date(clock.now().getTime() + 10 * second),
    })
  })

  test('is back when a message got through that had no other way', () => {
    const { route } = setUp()
    route.enter()(down)
    route.enter()(down)
    expect(route.health().failures).toBe(1)
    route.enter()(ok)
    expect(route.isOpen()).toBe(true)
  })
})

describe('another list', () => {
  const entry = (name: string, rate?: number) => ({
    name,
    kind: 'smtp' as const,
    target: `smtp://${name}.example`,
    rate,
  })

  test('keeps what is unchanged, with what is known of it, and closes what is gone', async () => {
    const closed: string[] = []
    const make = ({ name }: { name: string }) => ({
      ...memoryTransport(),
      close: async () => void closed.push(name),
    })
    const list = [entry('first'), entry('second')].map(one => ({ entry: one, transport: make(one) }))
    const mail = severalTransports(list, manualClock())
    mail.routes.all[1]!.enter()({ outcome: 'deferred', response: 'no connection', stage: 'connect' })
    const failing = mail.routes.all[1]!
    await mail.replace([entry('third'), entry('second'), entry('first', 5)], make)
    expect(mail.routes.all.map(({ entry: { name } }) => name)).toEqual(['third', 'second', 'first'])
    expect(mail.routes.all[1]).toBe(failing)
    expect(failing.health().failures).toBe(1)
    expect(closed).toEqual(['first'])
    const to = {
      id: '1',
      kind: 'transactional',
      from: 'a@a.example',
      to: 'b@b.example',
    } as unknown as MailFacts
    expect(mail.routes.for(to)).toHaveLength(3)
  })
})
