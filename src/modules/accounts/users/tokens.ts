// One-time tokens as they travel in links: how long they are, how they are made, and the hash that is stored. A token is 256 random bits,
// so a plain SHA-256 is enough: there is nothing to guess.
import { createHash } from 'node:crypto'
import { hexToken, type Random } from '../../../lib/ids'
import { day, hour } from '../../../lib/time'

export const tokenLength = 64

/** How long a link in a mail is valid. */
export const tokenLifeMs = hour

export function makeToken(random: Random): string {
  return hexToken(random, tokenLength / 2)
}

export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** The pages that links lead to. */
export type LinkPage = 'verify-email' | 'reset-password' | 'invitation'

/** The address of a page with its token. */
export function tokenLink(baseUrl: string, page: LinkPage, token: string): string {
  return `${baseUrl}/auth/${page}?token=${token}`
}

/** Each start prints a new token; older ones, perhaps still in somebody's terminal, expire after this. */
export const setupTokenLifeMs = day

/**
 * The text to print: why, and commands that work when pasted. `outbox` is the folder where mail is put when nothing leaves the machine;
 * only then may a new project send at once.
 */
export function setupText(baseUrl: string, token: string, outbox?: string): string {
  const account = { email: 'you@example.com', password: 'choose-a-password', setupToken: token }
  // After the #, so that no server or proxy ever logs it.
  const page = `There is no account yet. Make the first one here:\n\n${baseUrl}/app/sign-up#${token}`
  const signUp = curl(`-c cookies.txt ${baseUrl}/auth/signup`, account)
  if (outbox === undefined)
    return `${page}\n\nor from a terminal (with your own address and password):\n\n  ${signUp}`
  const mail = {
    from: 'hello@acme.example',
    to: 'ada@example.com',
    subject: 'Hello {{name}}',
    body: '<p>It works, {{name}}.</p>',
    data: { name: 'Ada' },
  }
  const project = curl(`-b cookies.txt ${baseUrl}/users/@me/projects`, { name: 'Acme' })
  return [
    page,
    '',
    'or from a terminal (with your own address and password), with a project and a mail:',
    '',
    `  ${signUp}`,
    `  key=$(${project} | sed 's/.*"secret":"\\([^"]*\\)".*/\\1/')`,
    `  ${curl(`${baseUrl}/v1/send -H "Authorization: Bearer $key"`, mail)}`,
    '',
    `The mail is then a file in ${outbox}`,
  ].join('\n')
}

function curl(remaining: string, body: object): string {
  return `curl -sS ${remaining} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
}
