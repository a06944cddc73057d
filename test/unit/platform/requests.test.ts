// Long work leaves room for requests, all of it together.
import { expect, test } from 'bun:test'
import { givingWay, liveRequests } from '../../../src/platform/requests'

/** Works for that long while a request comes, or none; answers how long it was held up afterwards. */
async function rested(requests: ReturnType<typeof liveRequests>, ms: number, isAsked = true) {
  let ended = 0
  const hadRequests = await givingWay(requests, async () => {
    if (isAsked) requests.begin({ startedAt: performance.now() })
    await Bun.sleep(ms)
    ended = performance.now()
  })
  expect(hadRequests).toBe(isAsked)
  return performance.now() - ended
}

test('work rests four times as long as it took where requests came', async () => {
  const requests = liveRequests()
  expect(await rested(requests, 30)).toBeGreaterThan(100)
  await rested(requests, 0, false)
})

test('pieces of work at the same time rest for each other too', async () => {
  const requests = liveRequests()
  const three = await Promise.all(Array.from({ length: 3 }, () => rested(requests, 30)))
  for (const ms of three) expect(ms).toBeGreaterThan(300)
  await expect(givingWay(requests, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
})
