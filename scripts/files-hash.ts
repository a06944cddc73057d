// A hash over files, to know whether something that was made from them is still current.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Names and contents of all files that fit `patterns`, apart from those that fit `without`. */
export function hashOfFiles(root: string, patterns: readonly string[], without?: RegExp): string {
  const paths = patterns.flatMap(pattern => [...new Bun.Glob(pattern).scanSync(root)])
  const hasher = new Bun.CryptoHasher('sha256')
  for (const path of paths.filter(path => !without?.test(path)).sort())
    hasher.update(path).update(readFileSync(join(root, path)))
  return hasher.digest('hex').slice(0, 16)
}
