// Environment -> frozen Config, by one table of options. Every fault is reported at once, in plain words, before anything is
// touched; the table is also what `waxwing help` and the README's list of settings are made from.
import { hour, minute, parseDuration } from './lib/time'
import type { LogLevel } from './platform/log'

export interface Config {
  readonly host: string
  readonly port: number
  readonly baseUrl: string
  /** False when `baseUrl` was made from the port. */
  readonly baseUrlGiven: boolean
  readonly dataDir: string
  readonly databaseUrl?: string
  readonly jwtSecret?: string
  readonly encryptionKey?: string
  readonly role: 'all' | 'api' | 'worker'
  readonly jobConcurrency: number
  readonly mailTransport: 'outbox' | 'smtp' | 'ses'
  readonly smtpUrl?: string
  readonly dnsServers: string[]
  readonly domainCheckIntervalMs: number
  readonly disableSignups: boolean
  readonly rateLimitPerMinute: number
  /** Undefined: the transport's own limit. 0: unlimited. */
  readonly sendRatePerSecond?: number
  readonly idempotencyKeyTtlMs: number
  readonly maxAttachmentBytes: number
  readonly maxMessageBytes: number
  readonly trustProxy: boolean
  readonly metricsToken?: string
  readonly logLevel: LogLevel
  readonly logFormat: 'pretty' | 'json'
}

export type Environment = Record<string, string | undefined>

/** What the machine tells that the environment does not. */
export interface Machine {
  cpus: number
  stderrIsTerminal: boolean
}

type Parsed<T> = { value: T } | { fault: string }

/** One setting: how it is spelt, what it may hold, and the sentence that explains it. */
export interface Option<T = unknown> {
  name: string
  /** As shown in help and README. */
  defaultText: string
  secret?: boolean
  meaning: string
  /** The allowed form, for the message about a wrong value. */
  allowed: string
  parse(text: string): Parsed<T>
}

const ok = <T>(value: T): Parsed<T> => ({ value })
const wrong = (fault = ''): Parsed<never> => ({ fault })

const text = (text: string): Parsed<string> => (text.trim() === '' ? wrong() : ok(text.trim()))
const boolean = (text: string): Parsed<boolean> =>
  text === 'true' || text === '1' ? ok(true) : text === 'false' || text === '0' ? ok(false) : wrong()
const integer =
  (min: number, max: number) =>
  (text: string): Parsed<number> => {
    const value = Number(text)
    return /^\d+$/.test(text) && value >= min && value <= max ? ok(value) : wrong()
  }
const oneOf =
  <T extends string>(...values: T[]) =>
  (text: string): Parsed<T> =>
    values.includes(text as T) ? ok(text as T) : wrong()
const duration = (text: string): Parsed<number> => {
  const ms = parseDuration(text)
  return ms === undefined || ms <= 0 ? wrong() : ok(ms)
}
const size = (text: string): Parsed<number> => {
  const match = /^(\d+(?:\.\d+)?)\s*(B|KB|MB|GB)?$/i.exec(text.trim())
  if (!match) return wrong()
  const factor = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }[(match[2] ?? 'B').toUpperCase()]!
  const bytes = Math.floor(Number(match[1]) * factor)
  return bytes > 0 ? ok(bytes) : wrong()
}
const url =
  (...protocols: string[]) =>
  (text: string): Parsed<string> => {
    if (!URL.canParse(text)) return wrong()
    return protocols.includes(new URL(text).protocol) ? ok(text.replace(/\/+$/, '')) : wrong()
  }
const secretText = (text: string): Parsed<string> => (text.length >= 16 ? ok(text) : wrong('it is too short'))
const servers = (text: string): Parsed<string[]> => {
  const list = text.split(',').map(part => part.trim())
  const pattern = /^(\d{1,3}(\.\d{1,3}){3}(:\d{1,5})?|[0-9a-f:]*:[0-9a-f:]+|\[[0-9a-f:]+\](:\d{1,5})?)$/i
  return list.every(server => pattern.test(server)) ? ok(list) : wrong()
}

const hours = (text: string): Parsed<number> => {
  const value = Number(text)
  return /^\d+(\.\d+)?$/.test(text) && value > 0 && value <= 8760 ? ok(Math.round(value * hour)) : wrong()
}

function option<T>(
  name: string,
  defaultText: string,
  allowed: string,
  parse: (text: string) => Parsed<T>,
  meaning: string,
  secret = false,
): Option<T> {
  return { name, defaultText, allowed, parse, meaning, secret }
}

const flag = 'true or false'
const bytes = 'bytes or a size such as 10MB'

/** Every setting that this version reads. */
export const options = {
  HOST: option('HOST', '0.0.0.0', 'an address or host name', text, 'Address that HTTP listens on'),
  PORT: option(
    'PORT',
    '3000',
    'a whole number from 0 to 65535',
    integer(0, 65_535),
    'Port that HTTP listens on; 0 takes a free one and prints it',
  ),
  BASE_URL: option(
    'BASE_URL',
    'http://localhost:<port>',
    'an http:// or https:// address',
    url('http:', 'https:'),
    'Public address, used in links inside mails',
  ),
  DATA_DIR: option('DATA_DIR', './data', 'a folder', text, 'Embedded database, outbox and generated secrets'),
  DATABASE_URL: option(
    'DATABASE_URL',
    'PostgreSQL inside, in DATA_DIR/postgres',
    'a postgres:// address',
    url('postgres:', 'postgresql:'),
    'An external PostgreSQL, 15 or newer',
    true,
  ),
  JWT_SECRET: option(
    'JWT_SECRET',
    'generated once, kept in DATA_DIR',
    'at least 16 characters',
    secretText,
    'Signs the session cookie and the links in mails',
    true,
  ),
  ENCRYPTION_KEY: option(
    'ENCRYPTION_KEY',
    'generated once, kept in DATA_DIR',
    'at least 16 characters',
    secretText,
    'Encrypts stored secrets',
    true,
  ),
  ROLE: option(
    'ROLE',
    'all',
    'all, api or worker',
    oneOf('all', 'api', 'worker'),
    'all, api (HTTP only) or worker (jobs and schedules only)',
  ),
  JOB_CONCURRENCY: option(
    'JOB_CONCURRENCY',
    'sized for the machine',
    'a whole number from 1 to 500',
    integer(1, 500),
    'Jobs that run at once in this instance',
  ),
  MAIL_TRANSPORT: option(
    'MAIL_TRANSPORT',
    'smtp when SMTP_URL is set, else outbox',
    'outbox or smtp',
    oneOf('outbox', 'smtp'),
    'How mail leaves',
  ),
  SMTP_URL: option(
    'SMTP_URL',
    '',
    'an smtp:// or smtps:// address',
    url('smtp:', 'smtps:'),
    'Relay: smtp(s)://user:password@host:port, with ?pool=5 and TLS options as query',
    true,
  ),
  DNS_SERVERS: option(
    'DNS_SERVERS',
    "the system's",
    'comma-separated ip[:port]',
    servers,
    'Name servers used for every look-up',
  ),
  DOMAIN_CHECK_INTERVAL: option(
    'DOMAIN_CHECK_INTERVAL',
    '5m',
    'a duration such as 30s or 5m',
    duration,
    'How often domains are re-checked',
  ),
  DISABLE_SIGNUPS: option('DISABLE_SIGNUPS', 'false', flag, boolean, 'Refuse sign-up once a user exists'),
  RATE_LIMIT_PER_MINUTE: option(
    'RATE_LIMIT_PER_MINUTE',
    '1000',
    'a whole number',
    integer(0, 10_000_000),
    'API requests a minute and project; 0 switches the limit off',
  ),
  SEND_RATE_PER_SECOND: option(
    'SEND_RATE_PER_SECOND',
    "the transport's own limit",
    'a whole number',
    integer(0, 1_000_000),
    'E-mails a second and project; 0 means unlimited',
  ),
  IDEMPOTENCY_KEY_TTL_HOURS: option(
    'IDEMPOTENCY_KEY_TTL_HOURS',
    '24',
    'hours, as a number',
    hours,
    'How long an Idempotency-Key is remembered',
  ),
  MAX_ATTACHMENT_BYTES: option(
    'MAX_ATTACHMENT_BYTES',
    '10MB',
    bytes,
    size,
    'All attachments of a message together',
  ),
  MAX_MESSAGE_BYTES: option('MAX_MESSAGE_BYTES', '40MB', bytes, size, 'A whole message'),
  TRUST_PROXY: option('TRUST_PROXY', 'false', flag, boolean, 'Take the client address from X-Forwarded-For'),
  METRICS_TOKEN: option(
    'METRICS_TOKEN',
    '',
    'at least 16 characters',
    secretText,
    'Bearer token that /metrics asks for',
    true,
  ),
  LOG_LEVEL: option(
    'LOG_LEVEL',
    'info',
    'debug, info, warn, error or silent',
    oneOf<LogLevel>('debug', 'info', 'warn', 'error', 'silent'),
    'Least level that is logged',
  ),
  LOG_FORMAT: option(
    'LOG_FORMAT',
    'pretty on a terminal, else json',
    'pretty or json',
    oneOf('pretty', 'json'),
    'Form of the log lines on stderr',
  ),
} as const

/** Settings that are documented for the product and not served by this version: setting one is a fault, never silence. */
export const plannedSettings = [
  'AWS_SES_REGION',
  'AWS_SES_ACCESS_KEY_ID',
  'AWS_SES_SECRET_ACCESS_KEY',
  'AWS_SES_ENDPOINT',
  'SES_CONFIGURATION_SET',
  'SES_CONFIGURATION_SET_NO_TRACKING',
  'SNS_TOPIC_ARN',
  'SNS_SIGNING_CERT_FILE',
  'EMAIL_BODY_RETENTION_DAYS',
  'WEBHOOK_ALLOW_PRIVATE',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_API_BASE',
  'GITHUB_OAUTH_CLIENT_ID',
  'GITHUB_OAUTH_CLIENT_SECRET',
  'GOOGLE_OAUTH_CLIENT_ID',
  'GOOGLE_OAUTH_CLIENT_SECRET',
  'S3_ENDPOINT',
  'S3_BUCKET',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_PUBLIC_URL',
  'AUTO_PROJECT_DISABLE',
  'REQUIRE_EMAIL_VERIFICATION',
  'SYSTEM_EMAIL_FROM',
]

/** The configuration cannot be used; `faults` holds one line a problem. */
export class ConfigFault extends Error {
  constructor(readonly faults: string[]) {
    super(`configuration:\n${faults.map(fault => `  - ${fault}`).join('\n')}`)
  }
}

type Values = {
  [K in keyof typeof options]: (typeof options)[K] extends Option<infer T> ? T | undefined : never
}

/** Reads every option; throws one ConfigFault that names all problems. An empty variable counts as unset. */
export function loadConfig(environment: Environment, machine: Machine): Config {
  const faults: string[] = []
  const values = Object.fromEntries(
    Object.values(options).map(option => [option.name, readOption(option, environment[option.name], faults)]),
  ) as Values
  for (const name of Object.keys(environment)) {
    if (!environment[name]) continue
    if (plannedSettings.includes(name) || name.startsWith('STRIPE_PRICE_'))
      faults.push(`${name} is set, but this version does not support it yet; remove it`)
  }
  if (values.MAIL_TRANSPORT === 'smtp' && !values.SMTP_URL)
    faults.push('MAIL_TRANSPORT is "smtp", which needs SMTP_URL (an smtp:// or smtps:// address)')
  if (faults.length > 0) throw new ConfigFault(faults)
  return Object.freeze(resolve(values, machine))
}

function readOption(option: Option, given: string | undefined, faults: string[]): unknown {
  if (given === undefined || given === '') return undefined
  const parsed = option.parse(given)
  if ('value' in parsed) return parsed.value
  const shown = option.secret ? '***' : JSON.stringify(given)
  faults.push(
    `${option.name} is ${shown}, but it must be ${option.allowed}${parsed.fault ? ` (${parsed.fault})` : ''}`,
  )
  return undefined
}

function resolve(values: Values, machine: Machine): Config {
  const port = values.PORT ?? 3000
  const baseUrl = values.BASE_URL ?? `http://localhost:${port}`
  return {
    host: values.HOST ?? '0.0.0.0',
    port,
    baseUrl,
    baseUrlGiven: values.BASE_URL !== undefined,
    dataDir: values.DATA_DIR ?? './data',
    databaseUrl: values.DATABASE_URL,
    jwtSecret: values.JWT_SECRET,
    encryptionKey: values.ENCRYPTION_KEY,
    role: values.ROLE ?? 'all',
    jobConcurrency: values.JOB_CONCURRENCY ?? Math.min(64, Math.max(16, machine.cpus * 8)),
    mailTransport: values.MAIL_TRANSPORT ?? (values.SMTP_URL ? 'smtp' : 'outbox'),
    smtpUrl: values.SMTP_URL,
    dnsServers: values.DNS_SERVERS ?? [],
    domainCheckIntervalMs: values.DOMAIN_CHECK_INTERVAL ?? 5 * minute,
    disableSignups: values.DISABLE_SIGNUPS ?? false,
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE ?? 1000,
    sendRatePerSecond: values.SEND_RATE_PER_SECOND,
    idempotencyKeyTtlMs: values.IDEMPOTENCY_KEY_TTL_HOURS ?? 24 * hour,
    maxAttachmentBytes: values.MAX_ATTACHMENT_BYTES ?? 10 * 1024 ** 2,
    maxMessageBytes: values.MAX_MESSAGE_BYTES ?? 40 * 1024 ** 2,
    trustProxy: values.TRUST_PROXY ?? false,
    metricsToken: values.METRICS_TOKEN,
    logLevel: values.LOG_LEVEL ?? 'info',
    logFormat: values.LOG_FORMAT ?? (machine.stderrIsTerminal ? 'pretty' : 'json'),
  }
}

/** The same configuration once the port that was taken is known (PORT=0). */
export function withPort(config: Config, port: number): Config {
  return Object.freeze({
    ...config,
    port,
    baseUrl: config.baseUrlGiven ? config.baseUrl : `http://localhost:${port}`,
  })
}

/** The given settings as lines for the log at start, secrets masked. */
export function describeConfig(environment: Environment): Record<string, string> {
  const given = Object.values(options).filter(option => environment[option.name])
  return Object.fromEntries(
    given.map(option => [option.name, option.secret ? '***' : environment[option.name]!]),
  )
}
