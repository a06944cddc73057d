// The words of the column `subscribed`, and those that nobody knows.
import { expect, test } from 'bun:test'
import { readConsent } from '../../../src/modules/contacts/consent-words'

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
  ['unsubscribed', false],
  ['', undefined],
  ['  ', undefined],
])('%p', (text, subscribed) => {
  expect(readConsent(text)).toEqual({ subscribed })
})

test.each(['maybe', 'x', '2', 'pending', 'n/a', 'true!', 'constructor'])('%p is refused', text => {
  expect(readConsent(text)).toEqual({ fault: `subscribed: "${text}" is neither yes nor no` })
})
