// Runs before the test files of a process (bunfig.toml). Two things cost much on purpose, and hardly a test is about them: the keys of
// domains and the hashes of passwords. Here they become cheap; `original` is the product's, for the tests that are about them. What
// applications answer is noted for the OpenAPI document. Around each file it looks for what that file leaves behind.
import { afterAll, beforeAll, mock } from 'bun:test'
import { join } from 'node:path'
import * as application from '../../src/http/application'
import * as key from '../../src/modules/domains/key'
import * as password from '../../src/modules/users/password'
import { watched, writeSeen } from './answers-seen'
import { pooledKeyPairs } from './keys'
import { leftovers, takeStock } from './leftovers'

/** The modules as the product has them. */
export const original = { key: { ...key }, password: { ...password } }

const modules = join(import.meta.dir, '../../src/modules')

mock.module(join(modules, 'domains/key.ts'), () => ({
  ...original.key,
  makeKeyPair: pooledKeyPairs(original.key.makeKeyPair),
}))

/** Every application of a test tells which statuses its operations answer. */
const { makeApplication } = application
mock.module(join(import.meta.dir, '../../src/http/application.ts'), () => ({
  ...application,
  makeApplication: (...given: Parameters<typeof makeApplication>) => watched(makeApplication(...given)),
}))

/** The least that argon2 takes: tests hash many passwords and protect none. */
export const cheapCost: password.PasswordCost = { memoryCost: 8, timeCost: 1 }
/** What `unknownPasswordHash` is in the product, at this cost. */
const hashOfNobody =
  '$argon2id$v=19$m=8,t=1,p=1$M9jG/gkLIEA8+saH1Ts5DFibcqZN1pJwm8N3OAU/v0s$tkHR6Q+BXc5513Y39vqFZB30avOOqrBjupmJFT+ee7E'

mock.module(join(modules, 'users/password.ts'), () => ({
  ...original.password,
  hashPassword: (text: string, cost = cheapCost) => original.password.hashPassword(text, cost),
  async verifyPassword(text: string, hash: string | null | undefined) {
    const matches = await original.password.verifyPassword(text, hash ?? hashOfNobody)
    return matches && typeof hash === 'string'
  },
}))

let before: Map<string, unknown>
beforeAll(() => {
  before = takeStock()
})
afterAll(() => {
  writeSeen()
  const left = leftovers(before, takeStock())
  if (left.length > 0) throw new Error(`this file leaves behind what others can see: ${left.join(', ')}`)
})
