// From a connection to a relay that is ready for messages: TLS, greeting, EHLO, STARTTLS and AUTH. Every way it can go is a reply; nothing
// throws.
import { hostname } from 'node:os'
import type { SmtpStage } from '../message'
import type { AccessTokens } from './access-token'
import type { Connection, TlsSettings } from './connection'
import type { Extensions } from './message'
import type { SmtpOptions } from './options'
import type { StagedReply } from './reply'

export interface SmtpSessionOptions extends SmtpOptions {
  clientName: string
  /** Where the relay wants a token instead of a password. */
  accessToken?: AccessTokens
  /** PEM text of further trusted authorities. */
  ca?: string
}

type Introduced = { extensions: Extensions } | { fault: StagedReply }

/** TLS, greeting, EHLO, STARTTLS and AUTH as the options want them. */
export async function introduce(connection: Connection, options: SmtpSessionOptions): Promise<Introduced> {
  const { limits, security } = options
  if (security === 'implicit') {
    const fault = await connection.secure(tlsSettings(options), 'connect', limits.connectMs)
    if (fault) return { fault }
  }
  const greeting = await connection.read('greeting', limits.greetingMs)
  if (greeting.code !== 220) return { fault: greeting }
  let hello = await sayHello(connection, options)
  if ('fault' in hello) return hello
  if (security === 'required' || (security === 'opportunistic' && hello.extensions.has('STARTTLS'))) {
    const fault = await startTls(connection, options, hello.extensions)
    if (fault) return { fault }
    hello = await sayHello(connection, options)
    if ('fault' in hello) return hello
  }
  const fault = await authenticate(connection, options, hello.extensions)
  return fault ? { fault } : hello
}

function tlsSettings({ tls, ca }: SmtpSessionOptions): TlsSettings {
  const { caFile: _, ...settings } = tls
  return { ...settings, ...(ca === undefined ? {} : { ca }) }
}

export async function ask(
  connection: Connection,
  command: string,
  stage: SmtpStage,
  limitMs: number,
): Promise<StagedReply> {
  connection.write(`${command}\r\n`)
  return connection.read(stage, limitMs)
}

async function sayHello(
  connection: Connection,
  { clientName, limits }: SmtpSessionOptions,
): Promise<Introduced> {
  const reply = await ask(connection, `EHLO ${clientName}`, 'ehlo', limits.commandMs)
  if (reply.code === 250) return { extensions: readExtensions(reply) }
  if (reply.code !== 500 && reply.code !== 502 && reply.code !== 504) return { fault: reply }
  const old = await ask(connection, `HELO ${clientName}`, 'ehlo', limits.commandMs)
  return old.code === 250 ? { extensions: new Map() } : { fault: old }
}

function readExtensions({ lines = [] }: StagedReply): Extensions {
  const words = lines.slice(1).map(line => /^([A-Za-z0-9][A-Za-z0-9-]*)(?:[ =](.*))?$/.exec(line))
  return new Map(words.flatMap(match => (match ? [[match[1]!.toUpperCase(), match[2] ?? '']] : [])))
}

async function startTls(
  connection: Connection,
  options: SmtpSessionOptions,
  extensions: Extensions,
): Promise<StagedReply | undefined> {
  if (!extensions.has('STARTTLS')) {
    const response =
      'the relay offers no STARTTLS; with a password in SMTP_URL it is required (ignoreTLS=true allows plain text)'
    return { stage: 'starttls', response }
  }
  const reply = await ask(connection, 'STARTTLS', 'starttls', options.limits.commandMs)
  if (reply.code !== 220) return reply
  return connection.secure(tlsSettings(options), 'starttls', options.limits.connectMs)
}

async function authenticate(
  connection: Connection,
  options: SmtpSessionOptions,
  extensions: Extensions,
): Promise<StagedReply | undefined> {
  const offered = (extensions.get('AUTH') ?? '').toUpperCase().split(/\s+/)
  if (options.oauth) return await authenticateByToken(connection, options, offered)
  if (!options.credentials) return undefined
  const method = options.authMethod ?? (['PLAIN', 'LOGIN'] as const).find(name => offered.includes(name))
  if (!method) return { stage: 'auth', response: 'the relay offers neither AUTH PLAIN nor AUTH LOGIN' }
  const { user, password } = options.credentials
  const limitMs = options.limits.commandMs
  let reply: StagedReply
  if (method === 'PLAIN') {
    reply = await ask(connection, `AUTH PLAIN ${base64(`\0${user}\0${password}`)}`, 'auth', limitMs)
  } else {
    reply = await ask(connection, 'AUTH LOGIN', 'auth', limitMs)
    if (reply.code === 334) reply = await ask(connection, base64(user), 'auth', limitMs)
    if (reply.code === 334) reply = await ask(connection, base64(password), 'auth', limitMs)
  }
  return reply.code === 235 ? undefined : reply
}

/** XOAUTH2 of Google and Microsoft. A token that is refused may be an old one, so another is asked for once. */
async function authenticateByToken(
  connection: Connection,
  { oauth, accessToken, limits }: SmtpSessionOptions,
  offered: readonly string[],
): Promise<StagedReply | undefined> {
  if (!offered.includes('XOAUTH2'))
    return { stage: 'auth', response: 'the relay does not offer AUTH XOAUTH2' }
  let reply: StagedReply = { stage: 'auth', response: '' }
  for (const renew of [false, true]) {
    const token = await accessToken!(renew).catch((error: Error) => error)
    if (token instanceof Error)
      return {
        stage: 'auth',
        response: `no access token from ${new URL(oauth!.tokenUrl).host}: ${token.message}`,
      }
    const words = base64(`user=${oauth!.user}\x01auth=Bearer ${token}\x01\x01`)
    reply = await ask(connection, `AUTH XOAUTH2 ${words}`, 'auth', limits.commandMs)
    // What is wrong comes as a challenge, which has to be answered before the refusal (it says no more than "401").
    if (reply.code === 334) reply = await ask(connection, '', 'auth', limits.commandMs)
    reply.response = reply.response.replaceAll(words, '***').replaceAll(token, '***')
    if (reply.code === 235) return undefined
    if (reply.code !== 535) break
  }
  return reply
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/** Some relays repeat the failed command in their answer. */
export function withoutSecrets<T extends { response: string; lines?: string[] }>(
  reply: T,
  { credentials }: SmtpSessionOptions,
): T {
  if (!credentials) return reply
  const { user, password } = credentials
  const secrets = [base64(`\0${user}\0${password}`), base64(password), password].filter(
    secret => secret !== '',
  )
  const response = secrets.reduce((text, secret) => text.replaceAll(secret, '***'), reply.response)
  return { ...reply, response, lines: undefined }
}

/** The machine's name where it is a full one; otherwise the address literal that submission servers expect of clients. */
export function defaultClientName(): string {
  const name = hostname()
  return /^[\w-]+(\.[\w-]+)+$/.test(name) ? name : '[127.0.0.1]'
}
