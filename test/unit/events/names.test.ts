// Reserved names and slugs, one row a rule.
import { describe, expect, test } from 'bun:test'
import { isReservedName, nameFault, segmentEvent, slugOf } from '../../../src/modules/audience/events/names'

describe('reserved', () => {
  test.each([
    'email.sent',
    'email.',
    'email.anything',
    'contact.subscribed',
    'contact.unsubscribed',
    'segment.vip.entry',
    'segment.vip.exit',
    'segment.entry',
    'segment.a.b.exit',
  ])('%s belongs to the service', name => {
    expect(isReservedName(name)).toBe(true)
    expect(nameFault(name)).toMatchObject({ field: 'event', code: 'reserved_event', received: name })
  })

  test.each([
    'contact.created',
    'segment.created',
    'segment.x.updated',
    'segment.premium',
    'emails.sent',
    'contacts.subscribed',
    'segments.entry',
    'email',
    'Email.sent',
    'contact.subscribed ',
    'order placed',
    'a:b@c/d-e',
    'é',
    'x'.repeat(255),
  ])('%s is free', name => {
    expect(isReservedName(name)).toBe(false)
    expect(nameFault(name)).toBeUndefined()
  })
})

describe('a name is refused', () => {
  test.each([
    ['when empty', '', 'too_small'],
    ['when too long', 'x'.repeat(256), 'too_big'],
    ['with NUL', 'a\0', 'invalid_string'],
    ['with broken Unicode', '\ud800', 'invalid_string'],
  ])('%s', (_, name, code) => {
    expect(nameFault(name)).toMatchObject({ field: 'event', code })
  })
})

describe('the slug of a segment', () => {
  test.each([
    ['VIP Customers', 'vip-customers'],
    ['A & B!', 'a-b'],
    ['  snake_case  -- and   more ', 'snake_case-and-more'],
    ['-x-', 'x'],
    ['Büro', 'bro'],
    ['客户', ''],
  ])('%p is %p', (name, slug) => {
    expect(slugOf(name)).toBe(slug)
  })

  test('falls back to the id where nothing is left', () => {
    expect(segmentEvent({ id: 'abc', name: '客户' }, 'entry')).toBe('segment.abc.entry')
    expect(segmentEvent({ id: 'abc', name: 'VIP' }, 'exit')).toBe('segment.vip.exit')
  })
})
