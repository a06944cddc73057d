// Runs before the test files of a process (bunfig.toml). Two things cost much on purpose, and hardly a test is about them: the keys of
// domains and the hashes of passwords. Here they become cheap; `original` is the product's, for the tests that are about them. What
// applications answer is noted for the OpenAPI document. It loads nothing large: a test of a pure rule starts in a fraction of a second.
import { mock } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { plugin } from 'bun'
import * as password from '../../src/modules/accounts/users/password'
import * as key from '../../src/modules/sending/domains/key'
import { watched } from './answers-seen'
import { pooledKeyPairs } from './keys'

/** The modules as the product has them. */
export const original = { key: { ...key }, password: { ...password } }

/** An error if there is no such file: what is put in place of a path that nobody imports replaces nothing, and says nothing. */
const fileOf = (path: string): string => Bun.resolveSync(`../../src/${path}`, import.meta.dir)

mock.module(fileOf('modules/sending/domains/key'), () => ({
  ...original.key,
  makeKeyPair: pooledKeyPairs(original.key.makeKeyPair),
}))

const application = fileOf('http/application')

/** Every application of a test tells which statuses its operations answer. Only a file that makes one has it loaded. */
mock.module(application, () => {
  const product = require(`${application}?product`) as typeof import('../../src/http/application')
  const { makeApplication } = product
  type Given = Parameters<typeof makeApplication>
  return { ...product, makeApplication: (...given: Given) => watched(makeApplication(...given)) }
})

/** The least that argon2 takes: tests hash many passwords and protect none. */
export const cheapCost: password.PasswordCost = { memoryCost: 8, timeCost: 1 }
/** What `unknownPasswordHash` is in the product, at this cost. */
const hashOfNobody =
  '$argon2id$v=19$m=8,t=1,p=1$M9jG/gkLIEA8+saH1Ts5DFibcqZN1pJwm8N3OAU/v0s$tkHR6Q+BXc5513Y39vqFZB30avOOqrBjupmJFT+ee7E'

mock.module(fileOf('modules/accounts/users/password'), () => ({
  ...original.password,
  hashPassword: (text: string, cost = cheapCost) => original.password.hashPassword(text, cost),
  async verifyPassword(text: string, hash: string | null | undefined) {
    const matches = await original.password.verifyPassword(text, hash ?? hashOfNobody)
    return matches && typeof hash === 'string'
  },
}))

const around = JSON.stringify(join(import.meta.dir, 'around.ts'))
let areAssetsMade = Boolean(process.env['TEST_SERVER'])

/** They are files that the source imports, so they have to be there before it is loaded; scripts/test.ts made them for all workers. */
function makeAssets(): undefined {
  if (areAssetsMade) return
  areAssetsMade = true
  const script = join(import.meta.dir, '../../scripts/ensure-assets.ts')
  const { success } = Bun.spawnSync([process.execPath, script, '--program'], { stderr: 'inherit' })
  if (!success) throw new Error('the files that the source imports were not made')
}

plugin({
  name: 'around each test file',
  setup(build) {
    // On the first line and behind the last one: the lines of a failure stay those of the file.
    build.onLoad({ filter: /\/test\/.*\.test\.ts$/ }, ({ path }) => ({
      contents: `import * as around from ${around}; around.beforeFile(); ${readFileSync(path, 'utf8')}\naround.afterFile(import.meta.path)`,
      loader: 'ts',
    }))
    build.onResolve({ filter: /\.cache\/(postgres\.tar\.zst|dashboard\.pack|disposable\.txt)$/ }, makeAssets)
  },
})
