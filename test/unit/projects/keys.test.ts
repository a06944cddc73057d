// How API keys look and how they are told apart.
import { expect, test } from 'bun:test'
import { hashKey, kindOfKey, makeKey, makeWebhookSecret } from '../../../src/modules/accounts/projects/keys'
import { testRandom } from '../../support/context'

const hex = '0123456789abcdef'.repeat(4)

test('a made key has its prefix and 64 lower-case hex characters', () => {
  expect(makeKey('public', testRandom)).toMatch(/^pk_[0-9a-f]{64}$/)
  expect(makeKey('secret', testRandom)).toMatch(/^sk_[0-9a-f]{64}$/)
})

test('no two made keys are equal', () => {
  const keys = Array.from({ length: 200 }, () => makeKey('secret', testRandom))
  expect(new Set(keys).size).toBe(200)
})

test.each([
  ['a public key', `pk_${hex}`, 'public'],
  ['a secret key', `sk_${hex}`, 'secret'],
  ['another prefix', `xk_${hex}`, undefined],
  ['an upper-case prefix', `PK_${hex}`, undefined],
  ['upper-case hex', `pk_${hex.toUpperCase()}`, undefined],
  ['one character too few', `pk_${hex.slice(1)}`, undefined],
  ['one character too many', `pk_${hex}0`, undefined],
  ['a trailing line break', `pk_${hex}\n`, undefined],
  ['no prefix', hex, undefined],
  ['nothing', '', undefined],
] as const)('the kind of %s', (_, key, kind) => {
  expect(kindOfKey(key)).toBe(kind)
})

test('the hash of a key is SHA-256 in hex', () => {
  const known = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
  expect(hashKey('abc')).toBe(known)
})

test('a webhook secret is what Standard Webhooks libraries take', () => {
  const secret = makeWebhookSecret(testRandom)
  expect(secret).toStartWith('whsec_')
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
})
