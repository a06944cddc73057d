// The words of the column `subscribed`, and those that nobody knows.
import { expect, test } from 'bun:test'
import { readConsent } from '../../../src/modules/audience/contacts/consent-words'

test.each<[string, boolean | undefined]>([
  ['true', true],
  [' YES ', true],
  ['1', true],
  ['Ja', true],
  ['oui', true],
  ['SÍ', true],
  ['WAHR', true],
  ['はい', true],
  ['subscribed', true],
  ['False', false],
  ['no', false],
  ['0', false],
  ['nein', false],
  ['Não', false],
  ['не', false],
  ['Unconfirmed', false],
  ['active', true],
  ['', undefined],
  ['  ', undefined],
])('%p', (text, subscribed) => {
  expect(readConsent({ subscribed: [text] })).toEqual({ subscribed })
})

test.each(['maybe', 'x', '2', 'pending', 'n/a', 'true!', 'constructor'])('%p is refused', text => {
  expect(readConsent({ subscribed: [text] })).toEqual({
    fault: `subscribed: "${text}" is neither yes nor no`,
  })
})

test.each<[string, 'bounce' | 'complaint' | 'manual' | undefined]>([
  ['Unsubscribed', undefined],
  ['opted-out', undefined],
  ['Bounced', 'bounce'],
  ['hard_bounce', 'bounce'],
  ['Marked as spam', 'complaint'],
  ['complained', 'complaint'],
  ['blocklisted', 'manual'],
  ['Blacklisted', 'manual'],
])('%p is an opt-out of an unknown time', (word, reason) => {
  expect(readConsent({ subscribed: [word] })).toEqual({
    ...{ subscribed: false, optedOutAt: 'unknown' },
    ...(reason ? { suppressed: { reason, word } } : {}),
  })
})

test('of several columns the no counts, and a suppression more than that', () => {
  const at = new Date('2021-03-04T00:00:00Z')
  expect(readConsent({ subscribed: ['yes', 'no'] })).toEqual({ subscribed: false })
  expect(readConsent({ subscribed: ['1'], optedOutAt: ['2021-03-04'] })).toEqual({
    subscribed: false,
    optedOutAt: at,
  })
  expect(readConsent({ subscribed: ['1'], optedOutAt: ['1'] })).toEqual({
    subscribed: false,
    optedOutAt: 'unknown',
  })
  expect(readConsent({ subscribed: ['1'], optedOutAt: ['0'], suppressed: ['no'] })).toEqual({
    subscribed: true,
  })
  expect(readConsent({ subscribed: ['1'], suppressed: ['1'], optedOutAt: ['2021-03-04'] })).toEqual({
    ...{ subscribed: false, optedOutAt: at },
    suppressed: { reason: 'manual', word: 'suppressed' },
  })
  expect(readConsent({ subscribed: ['perhaps'], suppressed: ['bounced'] })).toMatchObject({
    ...{ subscribed: false, suppressed: { reason: 'bounce' } },
    without: ['subscribed: "perhaps" is neither yes nor no'],
  })
  expect(readConsent({ suppressed: ['perhaps'] })).toEqual({
    fault: 'suppressed: "perhaps" is neither yes nor no, nor a reason like bounced',
  })
})
