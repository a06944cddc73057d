// The key pair of a domain as the product makes it; other tests take theirs from a pool.
import { expect, test } from 'bun:test'
import { createPrivateKey, createPublicKey } from 'node:crypto'
import { makeKeyPair } from '../../../src/modules/sending/domains/key'
import { original } from '../../support/preload'

test('a pair is RSA-2048, its halves belong together, and no two are alike', async () => {
  const [one, other] = [await original.key.makeKeyPair(), await original.key.makeKeyPair()]
  const privateKey = createPrivateKey(one.privateKey)
  expect(one.privateKey).toStartWith('-----BEGIN PRIVATE KEY-----\n')
  expect([privateKey.asymmetricKeyType, privateKey.asymmetricKeyDetails?.modulusLength]).toEqual([
    'rsa',
    2048,
  ])
  const published = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  expect(published.toString('base64')).toBe(one.publicKey)
  expect(other).not.toEqual(one)
})

test('the pool hands out as many different pairs as a test has domains', async () => {
  const pairs = await Promise.all(Array.from({ length: 16 }, () => makeKeyPair()))
  expect(new Set(pairs.map(pair => pair.publicKey)).size).toBe(16)
})
