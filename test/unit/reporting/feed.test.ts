// The rules of the feed: which events a type is made of, and where a page begins.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { encodeCursor } from '../../../src/lib/cursor'
import {
  cursorOf,
  decodePosition,
  idBound,
  lowestIdAt,
  type Position,
  readMoment,
} from '../../../src/modules/oversight/reporting/position'
import {
  activityTypes,
  readTypes,
  typeOfEvent,
  wantedOf,
} from '../../../src/modules/oversight/reporting/types'
import { testRandom } from '../../support/context'

describe('types', () => {
  test.each([
    ['email.sent', 'email.sent'],
    ['email.delivery', 'email.delivered'],
    ['email.open', 'email.opened'],
    ['email.click', 'email.clicked'],
    ['email.bounce', 'email.bounced'],
    ['email.complaint', 'email.complaint'],
    ['email.received', 'email.received'],
    ['contact.subscribed', 'contact.subscribed'],
    ['contact.unsubscribed', 'contact.unsubscribed'],
    ['segment.vip.entry', 'event.triggered'],
    ['email.opened', 'event.triggered'],
    ['constructor', 'event.triggered'],
  ])('an event named %s is %s', (name, type) => {
    expect(typeOfEvent(name)).toBe(type as never)
  })

  test.each([
    [undefined, activityTypes.length],
    ['', activityTypes.length],
    [' , ', activityTypes.length],
    ['email.sent', 1],
    ['email.sent,email.sent, email.opened ', 2],
    ['email.sent,nonsense', 1],
    ['campaign.scheduled', undefined],
    ['EMAIL.SENT', undefined],
  ])('types=%s', (text, size) => {
    expect(readTypes(text)?.size).toBe(size as never)
  })

  test('all types want all events; those that are left out are excepted', () => {
    const all = new Set(activityTypes)
    expect(wantedOf(all)).toEqual({ events: 'all', started: true, completed: true })
    expect(wantedOf(new Set(['email.opened', 'contact.subscribed'] as const))).toEqual({
      events: { only: ['email.open', 'contact.subscribed'] },
      started: false,
      completed: false,
    })
    all.delete('email.sent')
    expect(wantedOf(all).events).toEqual({ except: ['email.sent'] })
    expect(wantedOf(new Set(['workflow.started'] as const)).events).toBeUndefined()
  })

  test('an event is wanted by exactly the filters that have its type', () => {
    const name = fc.constantFrom(
      'email.sent',
      'email.open',
      'contact.unsubscribed',
      'bought',
      'segment.a.exit',
    )
    fc.assert(
      fc.property(name, fc.subarray([...activityTypes]), (event, types) => {
        const { events } = wantedOf(new Set(types))
        const isIn =
          events === 'all' ||
          (events !== undefined &&
            ('only' in events ? events.only.includes(event) : !events.except.includes(event)))
        expect(isIn).toBe(types.includes(typeOfEvent(event)))
      }),
    )
  })
})

describe('places', () => {
  const moment = fc.integer({ min: 0, max: Date.UTC(2300, 0) })
  const position = fc.record({
    at: moment.map(ms => new Date(ms)),
    rank: fc.constantFrom(0 as const, 1 as const),
    id: moment.map(ms => testRandom.uuid(new Date(ms))),
  })

  test('a cursor brings its position back', () => {
    fc.assert(
      fc.property(position, each => expect(decodePosition(encodeCursor(cursorOf(each)))).toEqual(each)),
    )
    expect(decodePosition(undefined)).toBeUndefined()
    expect(decodePosition('')).toBeUndefined()
  })

  test.each([null, 12, '12', '1.2', '-1.0', '1e3.0', '99999999999999999.0', '253402300800000.0', ''])(
    'a cursor with %p is refused',
    value => {
      const id = '01900000-0000-7000-8000-000000000000'
      expect(() => decodePosition(encodeCursor({ value, id }))).toThrow('The cursor is not valid')
    },
  )

  test('the bound of ids says the same as the order by time and id', () => {
    const near = fc.integer({ min: -3, max: 3 })
    fc.assert(
      fc.property(
        position,
        near,
        fc.option(near, { nil: undefined }),
        (after: Position, apart, untilApart) => {
          const at = Math.max(0, after.at.getTime() + apart)
          const event = { at, id: testRandom.uuid(new Date(at)) }
          const until =
            untilApart === undefined ? undefined : new Date(Math.max(0, after.at.getTime() + untilApart))
          const isBehind = at < after.at.getTime() || (at === after.at.getTime() && event.id < after.id)
          expect(event.id < idBound(after, until)!).toBe(
            isBehind && (until === undefined || at <= until.getTime()),
          )
        },
      ),
    )
    expect(idBound(undefined, undefined)).toBeUndefined()
  })

  test('an id that is no UUID v7 of its time bounds nothing away', () => {
    const at = new Date('2026-03-01T12:00:00.000Z')
    const low = { at, id: '00000000-0000-4000-8000-000000000000', rank: 0 as const }
    const high = { at, id: 'ffffffff-0000-4000-8000-000000000000', rank: 0 as const }
    expect(idBound(low, undefined)).toBe(lowestIdAt(at.getTime()))
    expect(idBound(high, undefined)).toBe(lowestIdAt(at.getTime() + 1))
  })

  test('moments beyond what ids can say are the first and the last one', () => {
    expect(readMoment('-271821-04-20', 'startDate')).toEqual(new Date(0))
    expect(readMoment('+275760-09-13', 'startDate')?.getUTCFullYear()).toBe(9999)
    expect(readMoment('', 'startDate')).toBeUndefined()
    expect(() => readMoment('soon', 'startDate')).toThrow('startDate is not a date')
  })
})
