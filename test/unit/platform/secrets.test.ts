// Secrets of an instance: made once, kept privately, and tied to the database.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeVault } from '../../../src/lib/vault'
import { claimSecrets, loadSecrets, type Secrets, secretFiles } from '../../../src/platform/secrets'
import { testContext, testRandom } from '../../support/context'
import { cloneDatabase, type TestDatabase } from '../../support/database'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'secrets-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

let counter = 0
const newFolder = () => join(folder, `data-${counter++}`)
const mode = async (path: string) => (await stat(path)).mode & 0o777

describe('loading', () => {
  test('secrets are made once, differ, and are kept for their owner only', async () => {
    const dataDir = newFolder()
    const made = await loadSecrets({ dataDir }, testRandom)
    expect(made.jwtSecret).toMatch(/^[0-9a-f]{64}$/)
    expect(made.encryptionKey).not.toBe(made.jwtSecret)
    expect(await loadSecrets({ dataDir }, testRandom)).toEqual(made)
    expect((await readdir(dataDir)).sort()).toEqual(Object.values(secretFiles).sort())
    for (const name of Object.values(secretFiles)) expect(await mode(join(dataDir, name))).toBe(0o600)
  })

  test('many starts at once end with the same secrets', async () => {
    const dataDir = newFolder()
    const loaded = await Promise.all(Array.from({ length: 20 }, () => loadSecrets({ dataDir }, testRandom)))
    expect(new Set(loaded.map(secrets => JSON.stringify(secrets))).size).toBe(1)
    expect(await readdir(dataDir)).toHaveLength(2)
  })

  test('what the environment gives is used and nothing is written', async () => {
    const dataDir = newFolder()
    const given = { jwtSecret: 'a-secret-of-the-environment', encryptionKey: 'a-key-of-the-environment' }
    expect(await loadSecrets({ dataDir, ...given }, testRandom)).toEqual(given)
    expect(await stat(dataDir).catch(error => error.code)).toBe('ENOENT')
  })

  test('a file that others may read is closed to them', async () => {
    const dataDir = newFolder()
    const made = await loadSecrets({ dataDir }, testRandom)
    await chmod(join(dataDir, secretFiles.jwtSecret), 0o644)
    expect(await loadSecrets({ dataDir }, testRandom)).toEqual(made)
    expect(await mode(join(dataDir, secretFiles.jwtSecret))).toBe(0o600)
  })

  test('a damaged file is refused by name and stays as it is', async () => {
    const dataDir = newFolder()
    await loadSecrets({ dataDir }, testRandom)
    const path = join(dataDir, secretFiles.encryptionKey)
    await writeFile(path, 'short\n')
    await expect(loadSecrets({ dataDir }, testRandom)).rejects.toThrow(/encryption-key must hold a secret/)
    expect(await readFile(path, 'utf8')).toBe('short\n')
  })

  test('a folder that cannot be is a clear error', async () => {
    const path = join(folder, 'a-file')
    await writeFile(path, '')
    await expect(loadSecrets({ dataDir: path }, testRandom)).rejects.toThrow(
      /jwt-secret can't be read \(ENOTDIR\)/,
    )
  })
})

describe('binding a database', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await cloneDatabase()
  })
  afterAll(() => database.drop())

  const first: Secrets = { jwtSecret: 'first-jwt-secret-0123', encryptionKey: 'first-encryption-key-0123' }
  const claim = (secrets: Secrets): Promise<void> => {
    const { ctx } = testContext(database)
    return claimSecrets({ ...ctx, vault: makeVault(secrets, testRandom) })
  }

  test('the first start binds it, and every start with the same secrets passes, also many at once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => claim(first)))
    await claim(first)
    const rows = await database.sql`select * from instance`
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain('first-')
  })

  test.each([
    [
      'JWT_SECRET',
      { ...first, jwtSecret: 'second-jwt-secret-0123' },
      /^this database was written with another JWT_SECRET;/,
    ],
    ['ENCRYPTION_KEY', { ...first, encryptionKey: 'second-encryption-key' }, /another ENCRYPTION_KEY;/],
    [
      'both',
      { jwtSecret: 'second-jwt-secret-0123', encryptionKey: 'second-encryption-key' },
      /another JWT_SECRET and another ENCRYPTION_KEY;/,
    ],
  ] as const)('a start with a foreign %s is refused and says so', async (_, secrets, message) => {
    await claim(first)
    await expect(claim(secrets)).rejects.toThrow(message)
    await claim(first)
  })
})
