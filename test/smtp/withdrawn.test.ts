// A message that is withdrawn: its run is over and another one may send it, so that none of it that the relay could take may follow.
import { expect, test } from 'bun:test'
import { mail, withZoo } from '../support/smtp-mail'
import { until } from '../support/until'

const withdrawn = { outcome: 'deferred', internal: true, withdrawn: true }

test('one that waits for a connection is not handed over, and the next one is', async () => {
  const run = new AbortController()
  await withZoo({ beforeAnswer: () => run.abort() }, async ({ zoo, relay }) => {
    const sends = [relay.send(mail()), relay.send({ ...mail(), signal: run.signal }), relay.send(mail())]
    const results = await Promise.all(sends)
    expect(results.map(({ outcome }) => outcome)).toEqual(['accepted', 'deferred', 'accepted'])
    expect(results[1]).toMatchObject(withdrawn)
    expect([zoo.messages.length, zoo.connections()]).toEqual([2, 1])
  })
})

test('one whose recipient was accepted is not handed over', async () => {
  const run = new AbortController()
  const answers = { data: { text: '354 go', afterMs: 100 } }
  await withZoo({ answers }, async ({ zoo, relay }) => {
    const sent = relay.send({ ...mail(), signal: run.signal })
    await until('DATA is said', () => zoo.commands.includes('DATA'))
    run.abort()
    expect(await sent).toMatchObject(withdrawn)
    expect(zoo.messages).toEqual([])
  })
})

test('a long one ends in the middle, which no relay takes for a message', async () => {
  const run = new AbortController()
  let pieces = 0
  const throttle = async <T>(work: () => T): Promise<T> => {
    if (++pieces === 3) run.abort()
    return work()
  }
  const raw = `Subject: long\r\n\r\n${'a line of the message\r\n'.repeat(200_000)}`
  await withZoo({}, async ({ zoo, relay }) => {
    expect(await relay.send({ ...mail({ raw }), throttle, signal: run.signal })).toMatchObject(withdrawn)
    expect(pieces).toBeGreaterThanOrEqual(3)
    expect(zoo.messages).toEqual([])
  })
})

test('one that the relay has is answered as usual', async () => {
  const run = new AbortController()
  await withZoo({ beforeAnswer: () => run.abort() }, async ({ zoo, relay }) => {
    expect(await relay.send({ ...mail(), signal: run.signal })).toMatchObject({ outcome: 'accepted' })
    expect(zoo.messages).toHaveLength(1)
  })
})
