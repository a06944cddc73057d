// The way to the first account of a new instance: a one-time token, and the words printed with it at the start. Making and
// checking tokens is arithmetic only; service.ts keeps their hashes.
import { createHash } from 'node:crypto'
import { hexToken, type Random } from '../../lib/ids'
import { day } from '../../lib/time'

/** A start prints a new token; older ones, perhaps still in somebody's terminal, end after this. */
export const setupTokenLifeMs = day

export const setupTokenLength = 64

export function makeSetupToken(random: Random): string {
  return hexToken(random, setupTokenLength / 2)
}

export function hashSetupToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** What to print: why, and a command that works when pasted. */
export function setupText(baseUrl: string, token: string): string {
  const body = JSON.stringify({ email: 'you@example.com', password: 'choose-a-password', setupToken: token })
  return [
    'There is no account yet. Make the first one (with your own address and password):',
    `  curl -X POST ${baseUrl}/auth/signup -H 'Content-Type: application/json' -d '${body}'`,
  ].join('\n')
}
