// When links in mails lead nowhere for those who get them, case by case; and what doctor says then.
import { expect, test } from 'bun:test'
import { deadLinks } from '../../../src/platform/transports/dead-links'
import { checkAddress } from '../../../src/server/checks/machine'
import type { Config } from '../../../src/settings/config'
import { testConfig } from '../../support/context'

const elsewhere = { mailTransport: 'smtp', smtpUrl: 'smtp://relay.example.net:587' } as const
const ses = { mailTransport: 'ses', ses: { region: 'eu-central-1' } } as const

test.each<[string, Partial<Config>, boolean]>([
  ['a relay on another machine', elsewhere, true],
  ['SES', ses, true],
  ['an explicit loopback address', { ...elsewhere, baseUrl: 'http://127.0.0.1:3000' }, true],
  ['the loopback address of IPv6', { ...elsewhere, baseUrl: 'http://[::1]:3000' }, true],
  ['a public address', { ...elsewhere, baseUrl: 'https://mail.example.com' }, false],
  ['a relay on this machine', { mailTransport: 'smtp', smtpUrl: 'smtp://127.0.0.1:1025' }, false],
  [
    'a stand-in for SES on this machine',
    { ...ses, ses: { ...ses.ses, endpoint: 'http://localhost:1' } },
    false,
  ],
  ['the outbox', { mailTransport: 'outbox' }, false],
])('%s', (_, changes, isDead) => {
  const words = deadLinks(testConfig(changes))
  expect(words !== undefined).toBe(isDead)
  if (words) expect(words).toContain('set BASE_URL')
})

test('doctor warns with the same sentence', () => {
  const config = testConfig(elsewhere)
  expect(checkAddress(config)).toEqual({ level: 'warn', about: 'public address', words: deadLinks(config)! })
})
