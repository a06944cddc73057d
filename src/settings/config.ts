// Environment -> frozen Config, by the table of options. Every fault is reported at once, in plain words, before anything is touched.
// The only file that sees the process's environment.
import { isIP } from 'node:net'
import { day, hour, minute, second } from '../lib/time'
import type { S3Settings } from '../platform/files/s3'
import type { LogLevel } from '../platform/log'
import type { StripeSettings } from '../platform/payments/stripe'
import { faultsOfBilling, stripeSettings } from './billing'
import { faultsOfOAuth, type OAuthSettings, oauthSettings } from './oauth'
import { options } from './options'
import { sesOptions } from './ses'
import type { Option } from './setting'
import { s3Options } from './storage'
import { faultsOfSubmission, type SubmissionConfig, submissionConfig } from './submission'

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
  readonly mailTransport: 'outbox' | 'smtp' | 'ses' | 'sendmail'
  readonly smtpUrl?: string
  readonly sendmailPath: string
  /** Undefined: mail comes in over HTTP only. */
  readonly submission?: SubmissionConfig
  /** How SES is reached, where it is configured. */
  readonly ses?: SesConfig
  /** Whose notifications are accepted; empty: of any topic. */
  readonly snsTopicArns: readonly string[]
  /** PEM; undefined: fetched from where a notification says, if that is Amazon's. */
  readonly snsSigningCertificate?: string
  readonly feedbackWebhookSecret?: string
  /** Undefined: uploads live in the data directory. */
  readonly s3?: S3Settings
  /** Undefined: bodies are kept. */
  readonly bodyRetentionMs?: number
  readonly dnsServers: string[]
  readonly domainCheckIntervalMs: number
  readonly disableSignups: boolean
  readonly maxProjectsPerUser: number
  readonly maxInvitationsPerDay: number
  readonly rateLimitPerMinute: number
  /** Of one statement of a request. */
  readonly statementTimeoutMs: number
  /** Undefined: the transport's own limit. 0: unlimited. */
  readonly sendRatePerSecond?: number
  readonly idempotencyKeyTtlMs: number
  readonly maxAttachmentBytes: number
  readonly maxMessageBytes: number
  /** The largest number: as much as there is room for. */
  readonly uploadBytesPerProject: number
  readonly autoProjectDisable: boolean
  readonly webhookAllowPrivate: boolean
  readonly trustProxy: boolean
  /** The providers that people may sign in with. */
  readonly oauth: OAuthSettings
  /** Undefined: billing is off. */
  readonly stripe?: StripeSettings
  readonly requireEmailVerification: boolean
  /** Sender of the platform's own mails. */
  readonly systemEmailFrom: string
  readonly metricsToken?: string
  /** Undefined: figures are served beside everything else, and by a worker not at all. */
  readonly metricsPort?: number
  readonly logLevel: LogLevel
  readonly logFormat: 'pretty' | 'json'
}

export interface SesConfig {
  readonly region: string
  /** Undefined: as AWS' own tools find them. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string }
  readonly endpoint?: string
  readonly configurationSet?: string
  readonly configurationSetNoTracking?: string
}

export type Environment = Record<string, string | undefined>

/** The environment of this process, a `.env` file of the working directory included. */
export function processEnvironment(): Environment {
  return process.env
}

/** What the machine tells that the environment does not. */
export interface Machine {
  cpus: number
  stderrIsTerminal: boolean
}

/** The configuration cannot be used; `faults` holds one line a problem. */
export class ConfigFault extends Error {
  constructor(readonly faults: string[]) {
    super(`configuration:\n${faults.map(fault => `  - ${fault}`).join('\n')}`)
  }
}

type Values = {
  [K in keyof typeof options]: (typeof options)[K] extends Option<infer T> ? T | undefined : never
}

/** Reads every option; throws one ConfigFault that names all problems. An empty or blank variable counts as unset. */
export function loadConfig(environment: Environment, machine: Machine): Config {
  const faults: string[] = []
  const values = Object.fromEntries(
    Object.values(options).map(option => [option.name, readOption(option, environment[option.name], faults)]),
  ) as Values
  for (const name of Object.keys(environment)) {
    if (!environment[name]?.trim()) continue
    if (name.startsWith('STRIPE_PRICE_') && !(name in options))
      faults.push(`${name} is set, but there is no such price; remove it`)
  }
  if (values.MAIL_TRANSPORT === 'smtp' && !environment.SMTP_URL?.trim())
    faults.push('MAIL_TRANSPORT is "smtp", which needs SMTP_URL (an smtp:// or smtps:// address)')
  if (values.METRICS_PORT && values.METRICS_PORT === (values.PORT ?? usualPort) && values.ROLE !== 'worker')
    faults.push(`METRICS_PORT is ${values.METRICS_PORT}, but that is the PORT of everything else`)
  faults.push(...faultsOfSubmission(values))
  faults.push(...faultsOfOAuth(values))
  faults.push(...faultsOfBilling(values, name => Boolean(environment[name]?.trim())))
  faults.push(...faultsOfSes(environment, values), ...faultsOfS3(environment, values))
  if (faults.length > 0) throw new ConfigFault(faults)
  return Object.freeze(resolve(values, machine))
}

function faultsOfSes(environment: Environment, values: Values): string[] {
  const isSet = (name: string): boolean => Boolean(environment[name]?.trim())
  const faults: string[] = []
  const { AWS_SES_ACCESS_KEY_ID: id, AWS_SES_SECRET_ACCESS_KEY: secret } = values
  if (values.MAIL_TRANSPORT === 'ses' && !isSet('AWS_SES_REGION'))
    faults.push('MAIL_TRANSPORT is "ses", which needs AWS_SES_REGION (such as eu-central-1)')
  if ((id === undefined) !== (secret === undefined))
    faults.push('AWS_SES_ACCESS_KEY_ID and AWS_SES_SECRET_ACCESS_KEY belong together; set both or neither')
  for (const name of Object.keys(sesOptions) as (keyof typeof sesOptions)[])
    if (values[name] !== undefined && !isSet('AWS_SES_REGION'))
      faults.push(`${name} is set, but AWS_SES_REGION is not`)
  return faults
}

function faultsOfS3(environment: Environment, values: Values): string[] {
  const isSet = (name: string): boolean => Boolean(environment[name]?.trim())
  const names = Object.keys(s3Options) as (keyof typeof s3Options)[]
  if (!isSet('S3_BUCKET'))
    return names
      .filter(name => values[name] !== undefined)
      .map(name => `${name} is set, but S3_BUCKET is not`)
  if (values.S3_BUCKET === undefined) return []
  return (['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const)
    .filter(name => !isSet(name))
    .map(name => `S3_BUCKET is set, which needs ${name}`)
}

function s3Config(values: Values): { s3?: S3Settings } {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values
  if (!bucket || !accessKeyId || !secretAccessKey) return {}
  const {
    S3_ENDPOINT: endpoint,
    S3_REGION: region,
    S3_PUBLIC_URL: publicUrl,
    S3_PREFIX: prefix = '',
  } = values
  return { s3: { bucket, accessKeyId, secretAccessKey, endpoint, region, publicUrl, prefix } }
}

const usualPort = 3000
const usualRetentionDays = 90

function sesConfig(values: Values): { ses?: SesConfig } {
  const {
    AWS_SES_REGION: region,
    AWS_SES_ACCESS_KEY_ID: accessKeyId,
    AWS_SES_SECRET_ACCESS_KEY: secret,
  } = values
  if (region === undefined) return {}
  return {
    ses: {
      region,
      credentials: accessKeyId && secret ? { accessKeyId, secretAccessKey: secret } : undefined,
      endpoint: values.AWS_SES_ENDPOINT,
      configurationSet: values.SES_CONFIGURATION_SET,
      configurationSetNoTracking: values.SES_CONFIGURATION_SET_NO_TRACKING,
    },
  }
}

function readOption(option: Option, variable: string | undefined, faults: string[]): unknown {
  const given = variable?.trim()
  if (!given) return undefined
  const parsed = option.parse(given)
  if ('value' in parsed) return parsed.value
  const shown = option.secret ? '***' : JSON.stringify(given.slice(0, 200))
  const why = parsed.fault ? ` (${parsed.fault})` : ''
  faults.push(`${option.name} is ${shown}, but it must be ${option.allowed}${why}`)
  return undefined
}

function resolve(values: Values, machine: Machine): Config {
  const port = values.PORT ?? usualPort
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
    jobConcurrency: values.JOB_CONCURRENCY ?? Math.min(64, Math.max(32, machine.cpus * 24)),
    mailTransport:
      values.MAIL_TRANSPORT ?? (values.SMTP_URL ? 'smtp' : values.AWS_SES_REGION ? 'ses' : 'outbox'),
    smtpUrl: values.SMTP_URL,
    sendmailPath: values.SENDMAIL_PATH ?? '/usr/sbin/sendmail',
    ...submissionConfig(values),
    ...sesConfig(values),
    ...s3Config(values),
    bodyRetentionMs: (values.EMAIL_BODY_RETENTION_DAYS ?? usualRetentionDays) * day || undefined,
    snsTopicArns: values.SNS_TOPIC_ARN ?? [],
    snsSigningCertificate: values.SNS_SIGNING_CERT_FILE,
    feedbackWebhookSecret: values.FEEDBACK_WEBHOOK_SECRET,
    dnsServers: values.DNS_SERVERS ?? [],
    domainCheckIntervalMs: values.DOMAIN_CHECK_INTERVAL ?? 5 * minute,
    disableSignups: values.DISABLE_SIGNUPS ?? true,
    maxProjectsPerUser: values.MAX_PROJECTS_PER_USER ?? 20,
    maxInvitationsPerDay: values.MAX_INVITATIONS_PER_DAY ?? 1_000,
    rateLimitPerMinute: values.RATE_LIMIT_PER_MINUTE ?? 1000,
    statementTimeoutMs: values.STATEMENT_TIMEOUT ?? 10 * second,
    sendRatePerSecond: values.SEND_RATE_PER_SECOND,
    idempotencyKeyTtlMs: values.IDEMPOTENCY_KEY_TTL_HOURS ?? 24 * hour,
    maxAttachmentBytes: values.MAX_ATTACHMENT_BYTES ?? 10 * 1024 ** 2,
    maxMessageBytes: values.MAX_MESSAGE_BYTES ?? 40 * 1024 ** 2,
    uploadBytesPerProject: (values.MAX_UPLOAD_BYTES_PER_PROJECT ?? 10 * 1024 ** 3) || Number.MAX_SAFE_INTEGER,
    autoProjectDisable: values.AUTO_PROJECT_DISABLE ?? true,
    webhookAllowPrivate: values.WEBHOOK_ALLOW_PRIVATE ?? false,
    trustProxy: values.TRUST_PROXY ?? false,
    oauth: oauthSettings(values),
    stripe: stripeSettings(values),
    requireEmailVerification: values.REQUIRE_EMAIL_VERIFICATION ?? false,
    systemEmailFrom: values.SYSTEM_EMAIL_FROM ?? defaultSender(baseUrl),
    metricsToken: values.METRICS_TOKEN,
    metricsPort: values.METRICS_PORT,
    logLevel: values.LOG_LEVEL ?? 'info',
    logFormat: values.LOG_FORMAT ?? (machine.stderrIsTerminal ? 'pretty' : 'json'),
  }
}

/** An IP address is no domain: such an instance sends as localhost until somebody says otherwise. */
function defaultSender(baseUrl: string): string {
  const { hostname } = new URL(baseUrl)
  return `no-reply@${isIP(hostname.replace(/^\[|\]$/g, '')) > 0 ? 'localhost' : hostname}`
}

/** The same configuration once the port that was taken is known (PORT=0). */
export function withPort(config: Config, port: number): Config {
  return Object.freeze({
    ...config,
    port,
    baseUrl: config.baseUrlGiven ? config.baseUrl : `http://localhost:${port}`,
  })
}

/** The settings that were given, as they were written; secrets in the open. */
export function givenSettings(environment: Environment): Record<string, string> {
  const names = Object.keys(options).filter(name => environment[name]?.trim())
  return Object.fromEntries(names.map(name => [name, environment[name]!.trim()]))
}

/** The same as fields of the line that is logged at the start; secrets masked. */
export function describeConfig(environment: Environment): Record<string, string> {
  const given = Object.entries(givenSettings(environment))
  const isSecret = (name: string): boolean => options[name as keyof typeof options].secret === true
  return Object.fromEntries(given.map(([name, text]) => [name, isSecret(name) ? '***' : text]))
}
