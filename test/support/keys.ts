// RSA key pairs for tests: real ones, but few. Making one takes about 80 ms of a processor and each project of a test has a domain,
// so a few pairs are made once, kept in .cache, and handed out in turn.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { KeyPair } from '../../src/modules/sending/domains/key'

/** More than any test has domains whose keys must differ. */
const poolSize = 16

const folder = join(import.meta.dir, '../../.cache/test-keys')

/** A `makeKeyPair` of which `poolSize` answers in a row differ; `make` makes those that no process has made yet. */
export function pooledKeyPairs(make: () => Promise<KeyPair>): () => Promise<KeyPair> {
  const pool: Promise<KeyPair>[] = []
  let taken = 0
  return () => {
    const place = taken++ % poolSize
    pool[place] ??= readOrMake(place, make)
    return pool[place]
  }
}

async function readOrMake(place: number, make: () => Promise<KeyPair>): Promise<KeyPair> {
  const file = join(folder, `key-${place}.json`)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const pair = await make()
  mkdirSync(folder, { recursive: true })
  // Two processes may make the same one: each writes a whole file, and the last stays.
  const partial = `${file}.${process.pid}`
  writeFileSync(partial, JSON.stringify(pair))
  renameSync(partial, file)
  return pair
}
