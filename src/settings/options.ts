// The table of settings: how each is spelt, what it may hold, and the sentence that explains it. `waxwing help` and the README's
// list are made from it. Parsing one value is pure and says in words what is wrong with it.
import { day, minute, second } from '../lib/time'
import type { LogLevel } from '../platform/log'
import { billingOptions } from './billing'
import { feedbackOptions } from './feedback'
import { oauthOptions } from './oauth'
import { sesOptions } from './ses'
import { option } from './setting'
import { retentionOptions, s3Options, uploadOptions } from './storage'
import {
  baseUrl,
  boolean,
  databaseUrl,
  duration,
  hostName,
  hours,
  integer,
  oneOf,
  secretText,
  servers,
  size,
  smtpUrl,
  systemSender,
  text,
  tokenText,
} from './values'

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
    'smtp when SMTP_URL is set, ses when AWS_SES_REGION is, else outbox',
    'outbox, smtp or ses',
    oneOf('outbox', 'smtp', 'ses'),
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
  ...sesOptions,
  ...feedbackOptions,
  ...oauthOptions,
  ...billingOptions,
  ...s3Options,
  ...uploadOptions,
  ...retentionOptions,
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
  DISABLE_SIGNUPS: option(
    'DISABLE_SIGNUPS',
    'true',
    flag,
    boolean,
    'Once there is an account, let in only who is invited; false lets in everybody',
  ),
  RATE_LIMIT_PER_MINUTE: option(
    'RATE_LIMIT_PER_MINUTE',
    '1000',
    'a whole number from 0 to 10000000',
    integer(0, 10_000_000),
    'API requests a minute and project; 0 switches the limit off',
  ),
  STATEMENT_TIMEOUT: option(
    'STATEMENT_TIMEOUT',
    '10s',
    'a duration from 100ms to 10m, such as 10s or 1m',
    duration(second / 10, 10 * minute),
    'How long one database statement of a request may take before it is answered with 503',
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
  AUTO_PROJECT_DISABLE: option(
    'AUTO_PROJECT_DISABLE',
    'true',
    flag,
    boolean,
    'Suspend a project whose bounce or complaint rate turns critical',
  ),
  METRICS_TOKEN: option(
    'METRICS_TOKEN',
    '',
    '16 to 1000 characters',
    tokenText,
    'Bearer token that /metrics asks for; without it, only clients on this machine are answered',
    true,
  ),
  REQUIRE_EMAIL_VERIFICATION: option(
    'REQUIRE_EMAIL_VERIFICATION',
    'false',
    flag,
    boolean,
    'Users must prove their address before they may use a project',
  ),
  SYSTEM_EMAIL_FROM: option(
    'SYSTEM_EMAIL_FROM',
    'no-reply@ + host of BASE_URL',
    'an e-mail address',
    systemSender,
    'Sender of mails of the platform (resets, verifications, invitations)',
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
