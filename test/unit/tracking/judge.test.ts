// Person or program: each rule by itself, and that a rule never reaches further than it says.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { minute, second } from '../../../src/lib/time'
import { isKnownMachine, isPrefetch } from '../../../src/tracking/agents'
import { classifyHits, type Hit, type Suspect } from '../../../src/tracking/classify'
import { expectLinear } from '../../support/cost'

const arrivedAt = new Date('2026-03-01T12:00:00.000Z')
const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

/** A click by a person, a minute after the message came, unless `changes` says otherwise. */
function hit(changes: Partial<Omit<Hit, 'at'>> & { at?: number } = {}): Hit {
  const { at = minute, ...rest } = changes
  const link = rest.kind === undefined || rest.kind === 'click' ? 'https://a.example/' : ''
  return {
    kind: 'click',
    link,
    client: 'a',
    userAgent: firefox,
    ...rest,
    at: new Date(arrivedAt.getTime() + at),
  }
}

const reasons = (hits: Hit[], arrived: Date | null = arrivedAt, suspects: Suspect[] = []) =>
  classifyHits(hits, arrived, suspects).judged.map(one => one.reason)

describe('a hit', () => {
  test.each<[string, Hit[], Array<string | undefined>]>([
    ['by a person', [hit()], [undefined]],
    ['by a person without a User-Agent', [hit({ userAgent: '' })], [undefined]],
    ['by a scanner that says so', [hit({ userAgent: 'Mozilla/5.0 (compatible; Proofpoint)' })], ['agent']],
    [
      'by the picture proxy of Gmail',
      [hit({ kind: 'open', userAgent: 'Mozilla/5.0 (via ggpht.com GoogleImageProxy)' })],
      [undefined],
    ],
    ["by Apple's prefetch of pictures", [hit({ kind: 'open', userAgent: 'Mozilla/5.0' })], ['agent']],
    ['on a link by an odd browser', [hit({ userAgent: 'Mozilla/5.0' })], [undefined]],
    ['before the message arrived', [hit({ at: -2 * second })], ['early']],
    ['2.999 seconds after it', [hit({ at: 3 * second - 1 })], ['early']],
    ['3 seconds after it', [hit({ at: 3 * second })], [undefined]],
    [
      'beside one on the hidden link, 30 s away, by anybody',
      [hit({ client: 'b' }), hit({ kind: 'trap', at: 90 * second })],
      ['walk'],
    ],
    [
      '30 s and more before the hidden link, by somebody else',
      [hit({ client: 'b' }), hit({ kind: 'trap', at: 90 * second + 1 })],
      [undefined],
    ],
    [
      'long before the hidden link, by the same client',
      [hit(), hit({ kind: 'trap', at: 100 * second })],
      ['walk'],
    ],
    ['beside a HEAD of the same client', [hit(), hit({ kind: 'probe' })], ['probe']],
    ['beside a HEAD of another client', [hit(), hit({ kind: 'probe', client: 'b' })], [undefined]],
    ['on two links at once', [hit(), hit({ link: 'b' })], [undefined, undefined]],
    [
      'on three links within two seconds',
      ['a', 'b', 'c'].map((link, n) => hit({ link, client: link, at: minute + n * second })),
      ['burst', 'burst', 'burst'],
    ],
    [
      'on three links in more than two seconds',
      ['a', 'b', 'c'].map((link, n) => hit({ link, at: minute + n * 1_001 })),
      [undefined, undefined, undefined],
    ],
    [
      'on one link many times',
      Array.from({ length: 5 }, () => hit()),
      Array.from({ length: 5 }, () => undefined),
    ],
  ])('%s', (_, hits, expected) => {
    expect(reasons(hits)).toEqual(expected as never)
  })

  test('before anybody knows that the message arrived is early', () => {
    expect(reasons([hit()], null)).toEqual(['early'])
  })

  test('by whom was found out before is no person, until the time is over', () => {
    const until = new Date(arrivedAt.getTime() + 2 * minute)
    const suspects = [{ client: 'a', until }]
    expect(reasons([hit({ at: 2 * minute })], arrivedAt, suspects)).toEqual(['walk'])
    expect(reasons([hit({ at: 2 * minute + 1 })], arrivedAt, suspects)).toEqual([undefined])
    expect(reasons([hit({ client: 'b' })], arrivedAt, suspects)).toEqual([undefined])
    expect(reasons([hit({ client: 'b' })], arrivedAt, [{ client: '', until }])).toEqual(['walk'])
  })
})

test('a walk over all links by GET and HEAD, twice, in any order and at any pace, has no person in it', () => {
  const walk = fc.integer({ min: 1, max: 12 }).chain(links => {
    const steps = [0, 1].flatMap(() =>
      ['trap', ...Array.from({ length: links }, (_, n) => `https://a.example/${n}`)].flatMap(link =>
        (['GET', 'HEAD'] as const).map(method => ({ link, method })),
      ),
    )
    return fc.tuple(
      fc.shuffledSubarray(steps, { minLength: steps.length }),
      fc.integer({ min: 0, max: 1_000 }),
      fc.boolean(),
    )
  })
  fc.assert(
    fc.property(walk, ([steps, pace, isOneClient]) => {
      const hits = steps.map(({ link, method }, n) => {
        const kind = link === 'trap' ? 'trap' : method === 'HEAD' ? 'probe' : 'click'
        return hit({
          kind,
          link,
          client: isOneClient ? 'a' : `c${n}`,
          at: minute + n * pace * (isOneClient ? 1 : 0.5),
        })
      })
      expect(reasons(hits).filter(reason => reason === undefined)).toEqual([])
    }),
  )
})

test('many hits are judged in linear time', () => {
  expectLinear(length => {
    const hits = Array.from({ length }, (_, n) => hit({ link: `https://a.example/${n}`, at: minute + n }))
    expect(new Set(reasons(hits))).toEqual(new Set(['burst']))
  }, 20_000)
})

test.each<[string, boolean]>([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0',
    false,
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    false,
  ],
  [
    'Mozilla/5.0 (Linux; Android 13; CUBOT NOTE 21) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Mobile',
    false,
  ],
  ['Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17328; Pro)', false],
  ['YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html', false],
  ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', true],
  ['Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)', true],
  ['curl/8.5.0', true],
  ['python-requests/2.32', true],
  ['Barracuda Sentinel (EE)', true],
  ['SomeNewBot/1.0', true],
])('%.40s is a known program: %p', (agent, expected) => {
  expect(isKnownMachine(agent)).toBe(expected)
  expect(isPrefetch(agent)).toBe(false)
})
