// The way to the first account of a new instance: a one-time token, and the words printed with it at the start. Pure.
import { day } from '../../lib/time'

/** A start prints a new token; older ones, perhaps still in somebody's terminal, end after this. */
export const setupTokenLifeMs = day

/**
 * What to print: why, and commands that work when pasted. `outbox` is the folder where mail ends up when nothing leaves the machine;
 * then, and only then, a new project may send at once.
 */
export function setupText(baseUrl: string, token: string, outbox?: string): string {
  const account = { email: 'you@example.com', password: 'choose-a-password', setupToken: token }
  // Behind the #, so that no log of a server or a proxy ever holds it.
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

function curl(rest: string, body: object): string {
  return `curl -sS ${rest} -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`
}
