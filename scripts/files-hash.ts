// A hash of files, to find out whether something made from them is still current.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Hashes the names and contents of all files that match `patterns`, except those that match `without`. */
export function hashOfFiles(root: string, patterns: readonly string[], without?: RegExp): string {
  const paths = patterns.flatMap(pattern => [...new Bun.Glob(pattern).scanSync(root)])
  const hasher = new Bun.CryptoHasher('sha256')
  for (const path of paths.filter(path => !without?.test(path)).sort())
    hasher.update(path).update(readFileSync(join(root, path)))
  return hasher.digest('hex').slice(0, 16)
}
