// What holds an email by the rules of its project: the clock of its contact, and how much that contact has been sent.
import { describe, expect, test } from 'bun:test'
import { weekWithout } from '../../../src/lib/local-time'
import { day } from '../../../src/lib/time'
import { freeAt, whyNotNow } from '../../../src/modules/sending/delivery/hold'
import type { DeliveryOutcome } from '../../../src/platform/transports/outcome'
import { sentenceOf } from '../../../src/platform/transports/reason'

const saidOf = (held: DeliveryOutcome | undefined) => held && sentenceOf(held)

describe('quiet hours from 22:00 to 07:00', () => {
  const noon = new Date('2026-03-02T12:00:00Z')
  const night = new Date('2026-03-02T23:30:00Z')
  const rules = (zone: string, whenHeld: 'SKIP' | 'LATER') => ({
    zone,
    quietHours: { from: '22:00', to: '07:00', whenHeld },
    window: undefined,
  })

  test.each([
    ['UTC', noon, undefined],
    ['UTC', night, 'skipped by quiet hours'],
    // 21:00 and 08:30 there.
    ['Asia/Tokyo', noon, undefined],
    ['Asia/Tokyo', night, undefined],
    // 01:00 and 12:30 there.
    ['Pacific/Auckland', noon, 'skipped by quiet hours'],
    ['Pacific/Auckland', night, undefined],
  ])('skip by the clock of the contact: %s at %p', (zone, now, error) => {
    expect(saidOf(whyNotNow(now, rules(zone, 'SKIP')))).toBe(error as string)
  })

  test.each([
    ['UTC', night, 'held by quiet hours until 2026-03-03T07:00:00.000Z'],
    ['Pacific/Auckland', noon, 'held by quiet hours until 2026-03-02T18:00:00.000Z'],
    ['Pacific/Auckland', night, undefined],
  ])('hold until they end there: %s at %p', (zone, now, error) => {
    expect(saidOf(whyNotNow(now, rules(zone, 'LATER')))).toBe(error as string)
  })

  test('are not what holds an email that waits for the hours of its campaign', () => {
    const window = weekWithout({ from: '00:00', to: '13:00' })
    expect(saidOf(whyNotNow(noon, { ...rules('UTC', 'LATER'), window }))).toBe(
      'held by the hours of the campaign until 2026-03-02T13:00:00.000Z',
    )
  })
})

describe('the cap', () => {
  const at = (days: number): number => Date.UTC(2026, 2, 1) + days * day
  const cap = { messages: 2, days: 7 }

  test('has room again when the newest of those that fill it counts no longer', () => {
    expect(freeAt({ a: at(1), b: at(3) }, cap, 'new')).toEqual(new Date(at(8)))
    // More than the cap allows, as after it was lowered.
    expect(freeAt({ a: at(1), b: at(3), c: at(6) }, cap, 'new')).toEqual(new Date(at(10)))
  })

  test('lets an email leave that has its place, and wakes those that wait in steps of five minutes', () => {
    expect(freeAt({ a: at(1), b: at(3) }, cap, 'a')).toBeUndefined()
    expect(freeAt({ a: at(1) + 1, b: at(3) }, cap, 'new')).toEqual(new Date(at(8) + 300_000))
  })
})
