// The memory transport answers as scripted and keeps what it was given.
import { expect, test } from 'bun:test'
import type { FinishedMessage, SendResult } from '../../../src/mail/message'
import { memoryTransport } from '../../../src/platform/transports/memory'

const message = (id: string): FinishedMessage => ({
  id,
  envelope: { from: 'a@x.test', to: 'b@y.test' },
  raw: Buffer.from(id),
})
const deferred: SendResult = { outcome: 'deferred', response: '450 later', code: 450 }

test('scripted outcomes come in order, then everything is accepted', async () => {
  const mail = memoryTransport()
  mail.script(deferred, ({ id }) => ({ outcome: 'refused', blame: 'address', response: `550 ${id}` }))
  const outcomes = [
    await mail.send(message('1')),
    await mail.send(message('2')),
    await mail.send(message('3')),
  ]
  expect(outcomes.map(result => result.outcome)).toEqual(['deferred', 'refused', 'accepted'])
  expect(outcomes[1]!.response).toBe('550 2')
  expect(mail.sent.map(({ id }) => id)).toEqual(['3'])
  expect(mail.attempts.map(({ id }) => id)).toEqual(['1', '2', '3'])
})

test('a standing answer lasts until it is cleared', async () => {
  const mail = memoryTransport()
  mail.always(deferred)
  await mail.send(message('1'))
  expect((await mail.send(message('2'))).outcome).toBe('deferred')
  mail.clear()
  expect(mail.attempts).toEqual([])
  expect((await mail.send(message('3'))).outcome).toBe('accepted')
})

test('verify fails as scripted', async () => {
  const mail = memoryTransport({ name: 'smtp', signsItself: false })
  mail.breakVerify('no relay')
  await expect(mail.verify()).rejects.toThrow('no relay')
  mail.breakVerify(undefined)
  expect(await mail.verify()).toContain('memory')
  expect([mail.name, mail.signsItself]).toEqual(['smtp', false])
})
