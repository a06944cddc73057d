// SMTP_URL -> options of the SMTP transport. Query names follow nodemailer's URL form. Error messages never show the URL,
// because it holds a password.
import { isLoopbackHost } from '../../lib/loopback'
import { isSafeTokenUrl, tokenUrlOf, type WellKnownServer, wellKnownServer } from './service'

export interface SmtpLimits {
  connectMs: number
  greetingMs: number
  /** For each command up to the reply to DATA. */
  commandMs: number
  /**
   * For the first answer on a connection that has carried messages: where none comes, it is most likely cut, and a fresh one is tried,
   * which waits as long as it takes.
   */
  reusedMs: number
  /** For each piece of the message, without progress. */
  bodyMs: number
  /** From the final dot to the answer; long, because giving up early means sending twice (RFC 5321, 4.5.3.2.6). */
  finalMs: number
  /** After this much of that wait another connection may take its place, so that some that were cut don't hold up all mail. */
  overdueMs: number
  /** A pooled connection is closed after this much idleness. */
  idleMs: number
}

export interface SmtpTls {
  rejectUnauthorized: boolean
  /** Name that the certificate must have; for IP addresses the address itself. */
  servername: string
  /** Path of a PEM file of further trusted authorities. */
  caFile?: string
  minVersion?: 'TLSv1.2' | 'TLSv1.3'
}

/** Signing in by a token that is renewed, instead of a password. */
export interface SmtpOAuth {
  user: string
  clientId: string
  /** Public clients have none. */
  clientSecret?: string
  refreshToken: string
  tokenUrl: string
}

export interface SmtpOptions {
  host: string
  port: number
  /** `implicit` from the first byte (smtps), `required` or `opportunistic` by STARTTLS, `off` never. */
  security: 'implicit' | 'required' | 'opportunistic' | 'off'
  tls: SmtpTls
  credentials?: { user: string; password: string }
  authMethod?: 'PLAIN' | 'LOGIN'
  oauth?: SmtpOAuth
  /** Connections at most. */
  pool: number
  /** Messages a connection carries before it is replaced. */
  maxMessages: number
  /** What EHLO says we are. */
  clientName?: string
  limits: SmtpLimits
}

const defaultLimits: SmtpLimits = {
  connectMs: 30_000,
  greetingMs: 60_000,
  commandMs: 120_000,
  reusedMs: 15_000,
  bodyMs: 120_000,
  finalMs: 300_000,
  overdueMs: 30_000,
  idleMs: 30_000,
}

const known = [
  'pool',
  'maxConnections',
  'maxMessages',
  'secure',
  'requireTLS',
  'ignoreTLS',
  'tls.rejectUnauthorized',
  'tls.servername',
  'tls.ca',
  'tls.minVersion',
  'authMethod',
  'service',
  'auth',
  'clientId',
  'clientSecret',
  'refreshToken',
  'tokenUrl',
  'name',
  'connectionTimeout',
  'greetingTimeout',
  'socketTimeout',
]

/** Throws an Error whose message names the faulty part of SMTP_URL and what is allowed. */
export function parseSmtpUrl(text: string): SmtpOptions {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^smtps?:$/.test(url.protocol)) throw fault(form)
  const query = url.searchParams
  const unknown = [...query.keys()].find(name => !known.includes(name))
  if (unknown !== undefined) throw fault(`unknown option "${unknown}"; there are ${known.join(', ')}`)
  const service = readService(query)
  const host = service?.host ?? url.hostname.replace(/^\[(.*)\]$/, '$1')
  if (host === '') throw fault(form)
  const implicit = url.protocol === 'smtps:' || (truth(query, 'secure') ?? service?.secure ?? false)
  const given = readCredentials(url)
  const oauth = readOAuth(query, given, host)
  const credentials = oauth ? undefined : given
  const security = implicit ? 'implicit' : readSecurity(query, given !== undefined, host)
  return {
    host,
    port: url.port === '' ? (service?.port ?? (implicit ? 465 : 587)) : Number(url.port),
    security,
    tls: readTls(query, security, host),
    credentials,
    authMethod: choice(query, 'authMethod', ['PLAIN', 'LOGIN']),
    ...(oauth ? { oauth } : {}),
    pool: poolSize(query),
    maxMessages: count(query, 'maxMessages', 1_000_000) ?? 500,
    clientName: clientName(query),
    limits: readLimits(query),
  }
}

const form =
  'must be smtp://host:port or smtps://host:port; in user and password, write special characters percent-encoded (/ as %2F, @ as %40)'

/** The host of the address, which only holds user and password then, gives way to that of the provider. */
function readService(query: URLSearchParams): WellKnownServer | undefined {
  const name = query.get('service')
  if (name === null) return undefined
  const server = wellKnownServer(name)
  if (!server) throw fault(`service ${JSON.stringify(name)} is not known; write its host and port instead`)
  return server
}

const oauthNames = ['clientId', 'clientSecret', 'refreshToken', 'tokenUrl'] as const

function readOAuth(
  query: URLSearchParams,
  given: SmtpOptions['credentials'],
  host: string,
): SmtpOAuth | undefined {
  if (choice(query, 'auth', ['oauth2']) === undefined) {
    const idle = oauthNames.find(name => query.has(name))
    if (idle) throw fault(`${idle} belongs to auth=oauth2`)
    return undefined
  }
  if (!given?.user || given.password) throw fault('auth=oauth2 takes user@host, and no password')
  const tokenUrl = query.get('tokenUrl') ?? tokenUrlOf(host)
  if (!tokenUrl) throw fault('auth=oauth2 needs tokenUrl, where this provider renews access tokens')
  if (!isSafeTokenUrl(tokenUrl)) throw fault('tokenUrl must be an https:// address')
  const [clientId, refreshToken] = [query.get('clientId'), query.get('refreshToken')]
  if (!clientId || !refreshToken) throw fault('auth=oauth2 needs clientId and refreshToken')
  const clientSecret = query.get('clientSecret') ?? undefined
  return { user: given.user, clientId, clientSecret, refreshToken, tokenUrl }
}

function readCredentials(url: URL): SmtpOptions['credentials'] {
  if (url.username === '' && url.password === '') return undefined
  try {
    const [user, password] = [decodeURIComponent(url.username), decodeURIComponent(url.password)]
    if (user.includes('\0') || password.includes('\0')) throw new Error('NUL')
    return { user, password }
  } catch {
    throw fault('user or password is not percent-encoded correctly')
  }
}

/** With a password on the way, a relay elsewhere must offer TLS: otherwise whoever strips STARTTLS reads it. */
function readSecurity(
  query: URLSearchParams,
  hasPassword: boolean,
  host: string,
): 'required' | 'opportunistic' | 'off' {
  const required = truth(query, 'requireTLS')
  const ignored = truth(query, 'ignoreTLS')
  if (required && ignored) throw fault('requireTLS and ignoreTLS contradict each other')
  if (ignored) return 'off'
  return (required ?? (hasPassword && !isLoopbackHost(host))) ? 'required' : 'opportunistic'
}

/**
 * Certificates are checked wherever TLS is sure to be used. Opportunistic STARTTLS can be stripped by anyone who could forge a
 * certificate, so checking would protect nothing and only lose the encryption (RFC 7435).
 */
function readTls(query: URLSearchParams, security: SmtpOptions['security'], host: string): SmtpTls {
  return {
    rejectUnauthorized:
      truth(query, 'tls.rejectUnauthorized') ?? (security === 'implicit' || security === 'required'),
    servername: query.get('tls.servername') ?? host,
    caFile: query.get('tls.ca') ?? undefined,
    minVersion: choice(query, 'tls.minVersion', ['TLSv1.2', 'TLSv1.3']),
  }
}

function readLimits(query: URLSearchParams): SmtpLimits {
  const socketMs = count(query, 'socketTimeout', 3_600_000)
  return {
    connectMs: count(query, 'connectionTimeout', 3_600_000) ?? defaultLimits.connectMs,
    greetingMs: count(query, 'greetingTimeout', 3_600_000) ?? defaultLimits.greetingMs,
    commandMs: socketMs ?? defaultLimits.commandMs,
    reusedMs: defaultLimits.reusedMs,
    bodyMs: socketMs ?? defaultLimits.bodyMs,
    finalMs: socketMs ?? defaultLimits.finalMs,
    overdueMs: defaultLimits.overdueMs,
    idleMs: defaultLimits.idleMs,
  }
}

function poolSize(query: URLSearchParams): number {
  const words: Record<string, number> = { true: 5, '': 5, false: 1 }
  const word = words[query.get('pool') ?? 'true']
  return count(query, 'maxConnections', 500) ?? word ?? count(query, 'pool', 500)!
}

function clientName(query: URLSearchParams): string | undefined {
  const name = query.get('name')
  if (name !== null && !/^[\w.:[\]-]{1,255}$/.test(name)) throw fault('name must be a host name')
  return name ?? undefined
}

function truth(query: URLSearchParams, name: string): boolean | undefined {
  return choice(query, name, ['true', 'false']) === undefined ? undefined : query.get(name) === 'true'
}

function choice<T extends string>(query: URLSearchParams, name: string, allowed: T[]): T | undefined {
  const given = query.get(name)
  if (given === null) return undefined
  const found = allowed.find(value => value.toLowerCase() === given.toLowerCase())
  if (found === undefined) throw fault(`${name} must be ${allowed.join(' or ')}`)
  return found
}

function count(query: URLSearchParams, name: string, max: number): number | undefined {
  const given = query.get(name)
  if (given === null) return undefined
  const value = Number(given)
  if (!/^\d+$/.test(given) || value < 1 || value > max)
    throw fault(`${name} must be a whole number from 1 to ${max}`)
  return value
}

function fault(message: string): Error {
  return new Error(`SMTP_URL: ${message}`)
}
