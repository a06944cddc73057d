// A corpus of calls against the receivers of reports, from strangers and from those who sign well, and of addresses that no webhook
// may be made to call. None holds up anybody.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { memoryResolver } from '../../src/mail/dns/memory'
import { networkWebhooks } from '../../src/platform/webhook/network'
import { signatureHeaders } from '../../src/platform/webhook/signature'
import { hostileNames, hostileUrls, signedCalls, strangersCalls } from '../data/hostile-webhooks'
import { type FeedbackWorld, makeFeedbackWorld } from '../support/feedback'
import { maxBlockMs, watchLoop } from '../support/longest-block'
import { type Answer, request } from '../support/request'
import { envelope } from '../support/sns'

const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`

let world: FeedbackWorld
beforeAll(async () => {
  world = await makeFeedbackWorld({ feedbackWebhookSecret: secret, mailTransport: 'outbox' })
  // What is loaded and compiled at the first use is no part of what a call costs.
  for (const call of signedCalls.slice(0, 8)) await signed(call.path, call.body.slice(0, 2_000))
})
afterAll(() => world.close())

const post = (path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> =>
  request(world.app, 'POST', path, {
    body: new Blob([body]).stream(),
    headers: { 'content-type': 'text/plain', ...headers },
  })

/** As SNS delivers the text, or as a relay signs it. */
function signed(path: string, body: string): Promise<Answer> {
  if (path === '/webhooks/sns') return post(path, JSON.stringify(envelope({ Message: body })))
  const call = { id: crypto.randomUUID(), sentAt: world.clock.now(), body }
  return post(path, body, signatureHeaders(secret, call))
}

test('the corpus is as large as it was', () => {
  expect(strangersCalls.length + signedCalls.length).toBeGreaterThanOrEqual(38)
  expect(hostileUrls.length).toBeGreaterThanOrEqual(40)
})

describe.each([
  ['a stranger', strangersCalls, post],
  ['somebody who signs well', signedCalls, signed],
] as const)('a receiver is not held up by %s', (_, calls, send) => {
  test.each(calls.map(call => [`${call.name} at ${call.path}`, call] as const))(
    'with %s',
    async (_, { path, body, status }) => {
      const watched = await watchLoop(world.app, () => send(path, body))
      expect(watched.result.status).toBe(status)
      expect(watched.longestMs).toBeLessThan(maxBlockMs)
      expect(watched.healthAnswers).toBeGreaterThan(0)
    },
  )
})

test.each(
  hostileUrls
    .map(url => url.slice(0, 60))
    .entries()
    .toArray(),
)('address %d is not called: %s', async at => {
  const dns = memoryResolver()
  for (const [name, address] of Object.entries(hostileNames))
    if (address.includes(':')) dns.set(name, 'aaaa', address)
    else dns.set(name, 'a', address)
  const caller = networkWebhooks({ dns, allowPrivate: false })
  const call = { url: hostileUrls[at]!, method: 'POST', headers: {}, ownHeaders: {}, body: '{}' } as const
  const { result, longestMs } = await watchLoop(world.app, () => caller.call(call))
  expect(result.outcome).toBe('refused')
  expect(longestMs).toBeLessThan(maxBlockMs)
})
