// When calls to an endpoint that hangs wait, and who finds out that it is well again.
import { expect, test } from 'bun:test'
import { minute, second } from '../../../src/lib/time'
import type { WebhookResult } from '../../../src/platform/webhook/caller'
import { EndpointHangs, makeCircuits } from '../../../src/platform/webhook/circuit'

const url = 'https://hooks.example.com/'
const silent: WebhookResult = { outcome: 'unreachable', error: 'timeout', url }
const fine: WebhookResult = { outcome: 'answered', statusCode: 500, response: '', url }

function setting() {
  let now = Date.UTC(2026, 0, 1)
  const random = { fraction: () => 0 } as never
  const circuits = makeCircuits({ clock: { now: () => new Date(now) }, random })
  let made = 0
  /** One call; the milliseconds until it is to come back, where it was not made. */
  const call = async (endpoint: string, result: WebhookResult, tookMs = 10 * second) => {
    try {
      return await circuits.take(endpoint, async () => {
        made++
        now += tookMs
        return result
      })
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(EndpointHangs)
      return ((thrown as EndpointHangs).until as Date).getTime() - now
    }
  }
  const pass = (ms: number): void => {
    now += ms
  }
  return { call, circuits, pass, made: () => made }
}

test('after five calls in a row that hung, the others wait for one of them', async () => {
  const { call, pass, made } = setting()
  for (let index = 0; index < 5; index++) expect(await call('a', silent)).toEqual(silent)
  expect(await call('a', silent)).toBe(30 * second)
  expect(await call('b', fine)).toEqual(fine)
  pass(30 * second)
  expect(await call('a', silent)).toEqual(silent)
  expect(await call('a', silent)).toBe(minute)
  expect(made()).toBe(7)
  pass(minute)
  expect(await call('a', fine)).toEqual(fine)
  expect(await call('a', fine)).toEqual(fine)
})

test('of many that come back at the same moment one is made', async () => {
  const { call, circuits, pass } = setting()
  for (let index = 0; index < 5; index++) await call('a', silent)
  pass(minute)
  const answer = Promise.withResolvers<WebhookResult>()
  const probe = circuits.take('a', () => answer.promise)
  for (let index = 0; index < 20; index++) expect(await call('a', fine)).toBe(30 * second)
  answer.resolve(fine)
  expect(await probe).toEqual(fine)
  expect(await call('a', fine)).toEqual(fine)
})

test('the pause grows to ten minutes and no further', async () => {
  const { call, pass } = setting()
  for (let index = 0; index < 5; index++) await call('a', silent)
  const pauses: unknown[] = []
  for (let index = 0; index < 7; index++) {
    const pause = (await call('a', silent)) as number
    pauses.push(pause / second)
    pass(pause)
    await call('a', silent)
  }
  expect(pauses).toEqual([30, 60, 120, 240, 480, 600, 600])
})

test('an answer in between, or one that is turned away at once, opens nothing', async () => {
  const { call } = setting()
  for (let index = 0; index < 4; index++) await call('a', silent)
  await call('a', fine)
  for (let index = 0; index < 4; index++) await call('a', silent)
  for (let index = 0; index < 20; index++) expect(await call('a', silent, 5)).toEqual(silent)
})

test('a probe that was broken off leaves the next one its chance', async () => {
  const { call, circuits, pass } = setting()
  for (let index = 0; index < 5; index++) await call('a', silent)
  pass(minute)
  const broken = circuits.take('a', () => Promise.reject(new Error('stopped'))).catch(error => error.message)
  expect(await broken).toBe('stopped')
  expect(await call('a', fine)).toEqual(fine)
})
