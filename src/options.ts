// The table of settings: how each is spelt, what it may hold, and the sentence that explains it. `waxwing help` and the README's
// list are made from it. Parsing one value is pure and says in words what is wrong with it.
import { isIP } from 'node:net'
import { day, hour, parseDuration, second } from './lib/time'
import { parseServer } from './platform/dns/servers'
import type { LogLevel } from './platform/log'
import { parseSmtpUrl } from './platform/mail/smtp-options'

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

const text = (text: string): Parsed<string> => ok(text)
const hostName = (text: string): Parsed<string> => {
  const host = text.replace(/^\[(.*)\]$/, '$1')
  return isIP(host) > 0 || /^[\w-]+(\.[\w-]+)*$/.test(host) ? ok(host) : wrong()
}
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
const duration =
  (min: number, max: number) =>
  (text: string): Parsed<number> => {
    const ms = parseDuration(text)
    return ms === undefined || ms < min || ms > max ? wrong() : ok(ms)
  }
const size = (text: string): Parsed<number> => {
  const match = /^(\d+(?:\.\d+)?)\s*(B|KB|MB|GB)?$/i.exec(text)
  if (!match) return wrong()
  const factor = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 }[(match[2] ?? 'B').toUpperCase()]!
  const bytes = Math.floor(Number(match[1]) * factor)
  return bytes >= 1 && bytes <= 1024 ** 3 ? ok(bytes) : wrong()
}
const hours = (text: string): Parsed<number> => {
  const value = Number(text)
  return /^\d+(\.\d+)?$/.test(text) && value > 0 && value <= 8760 ? ok(Math.ceil(value * hour)) : wrong()
}
const secretText = (text: string): Parsed<string> => {
  if (text.length < 16) return wrong('it is too short')
  return text.length > 1_000 ? wrong('it is too long') : ok(text)
}
/** Sent in a header, where neither blanks nor letters beyond ASCII survive. */
const tokenText = (text: string): Parsed<string> =>
  /^[\x21-\x7e]*$/.test(text)
    ? secretText(text)
    : wrong('it holds blanks or letters that a header cannot carry')
const servers = (text: string): Parsed<string[]> => {
  const list = text.split(',').map(part => part.trim())
  return list.every(server => parseServer(server)) ? ok(list) : wrong()
}

/** Links are made by adding a path, so the address must end where the path begins. */
function baseUrl(text: string): Parsed<string> {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return wrong()
  const url = new URL(text)
  if (url.search || url.hash || url.username || url.password)
    return wrong('without user, ?query and #fragment, because paths are added to it')
  return ok(text.replace(/\/+$/, ''))
}

function databaseUrl(text: string): Parsed<string> {
  if (!/^postgres(ql)?:\/\//.test(text) || !URL.canParse(text)) return wrong()
  const url = new URL(text)
  const socket = url.searchParams.get('host')
  if (url.hostname === '' && !socket) return wrong('the host is missing')
  if (socket !== null && !socket.startsWith('/')) return wrong('?host= takes the folder of a unix socket')
  return ok(text)
}

function smtpUrl(text: string): Parsed<string> {
  if (!/^smtps?:\/\//i.test(text)) return wrong()
  try {
    parseSmtpUrl(text)
    return ok(text)
  } catch (error) {
    // The message names the faulty part and never shows the address, which holds a password.
    return wrong((error as Error).message.replace(/^SMTP_URL: /, ''))
  }
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
const bytes = 'a size up to 1GB, such as 10MB or 500000 (bytes)'

/** Every setting that this version reads. */
export const options = {
  HOST: option(
    'HOST',
    '0.0.0.0',
    'an IP address or host name, without a port',
    hostName,
    'Address that HTTP listens on',
  ),
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
    baseUrl,
    'Public address, used in links inside mails',
  ),
  DATA_DIR: option('DATA_DIR', './data', 'a folder', text, 'Embedded database, outbox and generated secrets'),
  DATABASE_URL: option(
    'DATABASE_URL',
    'PostgreSQL inside, in DATA_DIR/postgres',
    'postgres://user:password@host:port/database',
    databaseUrl,
    'An external PostgreSQL, 15 or newer',
    true,
  ),
  JWT_SECRET: option(
    'JWT_SECRET',
    'generated once, kept in DATA_DIR',
    '16 to 1000 characters',
    secretText,
    'Signs the session cookie and the links in mails',
    true,
  ),
  ENCRYPTION_KEY: option(
    'ENCRYPTION_KEY',
    'generated once, kept in DATA_DIR',
    '16 to 1000 characters',
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
    text => (text === 'ses' ? wrong('ses is not part of this version') : oneOf('outbox', 'smtp')(text)),
    'How mail leaves',
  ),
  SMTP_URL: option(
    'SMTP_URL',
    '',
    'an smtp:// or smtps:// address',
    smtpUrl,
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
    'a duration from 1s to 7d, such as 30s or 5m',
    duration(second, 7 * day),
    'How often domains are re-checked',
  ),
  DISABLE_SIGNUPS: option('DISABLE_SIGNUPS', 'false', flag, boolean, 'Refuse sign-up once a user exists'),
  RATE_LIMIT_PER_MINUTE: option(
    'RATE_LIMIT_PER_MINUTE',
    '1000',
    'a whole number from 0 to 10000000',
    integer(0, 10_000_000),
    'API requests a minute and project; 0 switches the limit off',
  ),
  SEND_RATE_PER_SECOND: option(
    'SEND_RATE_PER_SECOND',
    "the transport's own limit",
    'a whole number from 0 to 1000000',
    integer(0, 1_000_000),
    'E-mails a second and project; 0 means unlimited',
  ),
  IDEMPOTENCY_KEY_TTL_HOURS: option(
    'IDEMPOTENCY_KEY_TTL_HOURS',
    '24',
    'hours as a number, at most 8760',
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
  WEBHOOK_ALLOW_PRIVATE: option(
    'WEBHOOK_ALLOW_PRIVATE',
    'false',
    flag,
    boolean,
    'Let webhooks of workflows reach private and loopback addresses',
  ),
  TRUST_PROXY: option('TRUST_PROXY', 'false', flag, boolean, 'Take the client address from X-Forwarded-For'),
  METRICS_TOKEN: option(
    'METRICS_TOKEN',
    '',
    '16 to 1000 characters',
    tokenText,
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
