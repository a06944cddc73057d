// What tools of the MCP server say: why a message has not arrived, and answers within their bounds.
import { expect, test } from 'bun:test'
import {
  explainMessage,
  type MessageFacts,
  maxAnswerLength,
  withinBounds,
} from '../../../src/modules/api/mcp/answer'

const facts = (given: Partial<MessageFacts>): MessageFacts => ({
  status: 'PENDING',
  error: null,
  nextAttemptAt: null,
  scheduledFor: null,
  deliveredAt: null,
  tries: [],
  ...given,
})
const deferred = { outcome: 'deferred', response: '451 4.7.1 greylisted', startedAt: '2026-03-01T12:00:00Z' }

test.each([
  ['not tried yet', {}, 'It waits to be sent.'],
  ['for later', { scheduledFor: '2026-04-01T00:00:00Z' }, 'It is to leave on 2026-04-01'],
  [
    'deferred',
    { nextAttemptAt: '2026-03-01T12:02:00Z', tries: [deferred] },
    'another try on 2026-03-01T12:02:00Z. The last one ended with: 451 4.7.1 greylisted',
  ],
  ['under way', { status: 'SENDING' }, 'It waits to be sent.'],
  ['taken over', { status: 'DELIVERED', deliveredAt: '2026-03-01' }, 'took it over on 2026-03-01'],
  ['with the provider', { status: 'SENT' }, 'A mail server took it over. If it is not in the inbox'],
  ['opened', { status: 'OPENED' }, 'It arrived'],
  ['clicked', { status: 'CLICKED' }, 'It arrived'],
  ['bounced', { status: 'BOUNCED', error: '550 No such user' }, 'It came back: 550 No such user.'],
  ['bounced without a word', { status: 'BOUNCED', tries: [deferred] }, 'It came back: 451'],
  ['complained about', { status: 'COMPLAINED' }, 'called it spam'],
  [
    'failed',
    { status: 'FAILED', error: 'The address is suppressed' },
    'not sent: The address is suppressed.',
  ],
  ['failed without a word', { status: 'FAILED' }, 'no reason was recorded'],
  ['skipped', { status: 'SKIPPED', error: 'unsubscribed' }, 'It was not sent: unsubscribed.'],
  ['inbound', { status: 'RECEIVED' }, 'mail that came in'],
  ['of a state that is new', { status: 'ELSEWHERE' }, 'Its status is ELSEWHERE.'],
] as const)('a message that is %s', (_, given, words) => {
  expect(explainMessage(facts(given as Partial<MessageFacts>))).toContain(words)
})

test('what fits stays as it is; long texts are cut, the longest first', () => {
  const small = { a: 'x'.repeat(20_000), b: [1, null, true] }
  expect(withinBounds(small)).toEqual(small)
  const body = 'y'.repeat(100_000)
  const cut = withinBounds({ body, name: 'kept' }) as { body: string; name: string }
  expect([cut.name, cut.body.length < 20_100, cut.body.endsWith('(80000 characters more)')]).toEqual([
    'kept',
    true,
    true,
  ])
  const many = withinBounds(Array.from({ length: 50 }, () => ({ body })))
  expect(JSON.stringify(many, null, 1).length).toBeLessThanOrEqual(maxAnswerLength)
  expect(withinBounds(Array.from({ length: 50_000 }, () => 'a word'))).toHaveProperty('cut')
})

test('a text is never cut within a character', () => {
  const { body } = withinBounds({ body: `${'z'.repeat(19_999)}😀${'z'.repeat(90_000)}` }) as { body: string }
  expect(body.isWellFormed()).toBe(true)
})
