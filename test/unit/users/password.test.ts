// How passwords are hashed and compared.
import { expect, test } from 'bun:test'
import { cheapCost, original } from '../../support/preload'

const { hashPassword, passwordCost, unknownPasswordHash, verifyPassword } = original.password

const hash = await hashPassword('correct horse', cheapCost)

test.each([
  ['the password', 'correct horse', hash, true],
  ['another one', 'correct house', hash, false],
  ['another casing', 'Correct horse', hash, false],
  ['nothing', '', hash, false],
  ['any password of an account without one', 'correct horse', null, false],
  ['any password of an unknown account', 'correct horse', undefined, false],
])('%s: matches %p', async (_, password, stored, matches) => {
  expect(await verifyPassword(password, stored)).toBe(matches)
})

test('the same password hashes differently each time', async () => {
  expect(await hashPassword('correct horse', cheapCost)).not.toBe(hash)
})

test('a password is the same in both Unicode spellings', async () => {
  const composed = await hashPassword('pässword', cheapCost)
  expect(await verifyPassword('pa\u0308ssword', composed)).toBe(true)
})

test('characters beyond 72 bytes count', async () => {
  const long = await hashPassword(`${'x'.repeat(100)}a`, cheapCost)
  expect(await verifyPassword(`${'x'.repeat(100)}b`, long)).toBe(false)
})

test('an unknown account costs what a known one costs', async () => {
  const costs = (text: string) => text.split('$').slice(1, 4)
  const real = await hashPassword('correct horse')
  expect(costs(unknownPasswordHash)).toEqual(costs(real))
  expect(costs(real)).toEqual([
    'argon2id',
    'v=19',
    `m=${passwordCost.memoryCost},t=${passwordCost.timeCost},p=1`,
  ])
})
