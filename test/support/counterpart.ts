/**
 * What a test talks to and not every machine has: a server, a language, a library. Undefined where it is missing, which skips the test;
 * with CI set an error, because a test that is skipped there goes unnoticed.
 */
export function counterpart<T>(name: string, found: T | false | null | undefined): T | undefined {
  if (found) return found
  if (process.env['CI']) throw new Error(`${name} is missing: with CI set, .ci/install installs it`)
  return undefined
}

export const installed = (name: string): string | undefined => counterpart(name, Bun.which(name))
