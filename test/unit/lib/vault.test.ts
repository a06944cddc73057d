// What travels is signed by a plain HMAC, so that links of earlier versions stay valid whatever makes it.
import { expect, test } from 'bun:test'
import { createHmac, hkdfSync } from 'node:crypto'
import fc from 'fast-check'
import { makeVault } from '../../../src/lib/vault'
import { testRandom } from '../../support/context'

const jwtSecret = 'a-secret-of-the-environment'
const vault = makeVault({ jwtSecret, encryptionKey: 'a-key-of-the-environment' }, testRandom)

test('whatever is signed for whatever purpose, in whatever order, it is the same HMAC', () => {
  const reference = (purpose: string, payload: string): string =>
    createHmac('sha256', Buffer.from(hkdfSync('sha256', jwtSecret, 'waxwing', `sign:${purpose}`, 32)))
      .update(payload)
      .digest('base64url')
      .slice(0, 22)
  fc.assert(
    fc.property(
      fc.constantFrom('a', 'b', 'tracking-own'),
      fc.string({ unit: 'grapheme' }),
      (purpose, payload) => {
        const signature = vault.sign(purpose, payload)
        expect(signature).toBe(reference(purpose, payload))
        expect(vault.verify(purpose, payload, signature)).toBe(true)
        expect(vault.verify(`${purpose}.`, payload, signature)).toBe(false)
      },
    ),
  )
})
