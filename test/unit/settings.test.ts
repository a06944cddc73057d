// Every setting by table: what is taken, what is refused and in which words; and the texts that are made from the table.
import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { renderIndex } from '../../scripts/index-migrations'
import { withSettings } from '../../scripts/settings'
import { help } from '../../src/cli/commands'
import {
  allSettings,
  type Config,
  ConfigFault,
  describeConfig,
  givenSettings,
  loadConfig,
  misspelledSettings,
  settingNamed,
  withPort,
} from '../../src/settings/config'
import { settings } from '../../src/settings/table'

const machine = { cpus: 2, stderrIsTerminal: false }
const root = join(import.meta.dir, '../..')

/** The faults of an environment; empty when it is taken. */
function faultsOf(environment: Record<string, string>): string[] {
  try {
    loadConfig(environment, machine)
    return []
  } catch (error) {
    if (!(error instanceof ConfigFault)) throw error
    return error.faults
  }
}

const secret = 'a secret of more than sixteen'
const region = 'eu-central-1'
const folder = mkdtempSync(join(tmpdir(), 'waxwing-settings-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const relayList = join(folder, 'transports.json')
writeFileSync(relayList, '[{ "name": "main", "smtp": "smtp://relay.example:25" }]')

/** What the object store is when nothing but its bucket and keys are given. */
const store = {
  bucket: 'images',
  accessKeyId: 'AKIA1',
  secretAccessKey: 'hidden-word',
  endpoint: undefined,
  region: undefined,
  publicUrl: undefined,
  prefix: '',
}
const storeKeys = { S3_ACCESS_KEY_ID: 'AKIA1', S3_SECRET_ACCESS_KEY: 'hidden-word' }
const stripeSecrets = { STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_WEBHOOK_SECRET: 'whsec_12' }
/** Billing when nothing but its secrets is given. */
const stripe = {
  secretKey: 'sk_test_1',
  webhookSecret: 'whsec_12',
  usagePrice: undefined,
  onboardingPrice: undefined,
  meterEventName: 'emails',
  apiBase: undefined,
}
/** SendGrid's, from the tests of its own library. */
const ecKey =
  'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEDr2LjtURuePQzplybdC+u4CwrqDqBaWjcMMsTbhdbcwHBcepxo7yAQGhHPTnlvFYPAZFceEu/1FwCM/QmGUhA=='
const feedbackSecret = 'whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3'
const oidcClient = { OIDC_ISSUER: 'https://id.example.com', OIDC_CLIENT_ID: 'an-id' }
/** Sign-in by OpenID Connect where nothing but issuer and client are given. */
const oidc = {
  issuer: 'https://id.example.com',
  clientId: 'an-id',
  clientSecret: undefined,
  label: 'id.example.com',
  domains: [],
  trustsAddresses: false,
  signUp: false,
}
/** A mailbox with what is usual. */
const mailbox = {
  host: 'imap.acme.example',
  port: 993,
  implicitTls: true,
  needsTls: false,
  user: 'bounces@acme.example',
  password: 'hidden:word',
  folder: 'INBOX',
  doneFolder: undefined,
  caFile: undefined,
}
/** Mail by SMTP where nothing but its listeners is given. */
const submission = (...listeners: Array<{ host?: string; port: number; implicitTls?: boolean }>) => ({
  listeners: listeners.map(one => ({ host: '0.0.0.0', implicitTls: false, ...one })),
  plainOnLoopback: false,
})
const certificateFile = join(root, 'test/data/sns/certificate.pem')

interface Row {
  name: string
  key: keyof Config
  good: [given: string, value: unknown][]
  bad: string[]
  /** Settings that it can't stand without. */
  beside?: Record<string, string>
}

const rows: Row[] = [
  {
    name: 'HOST',
    key: 'host',
    good: [
      ['::1', '::1'],
      ['[::1]', '::1'],
      [' 127.0.0.1 ', '127.0.0.1'],
      ['mail-1.internal', 'mail-1.internal'],
    ],
    bad: ['localhost:3000', 'http://localhost', 'a b', '300.1.1.1:1'],
  },
  {
    name: 'PORT',
    key: 'port',
    good: [
      ['0', 0],
      ['65535', 65_535],
    ],
    bad: ['65536', '-1', '3000.5', '1e3', 'http'],
  },
  {
    name: 'BASE_URL',
    key: 'baseUrl',
    good: [
      ['https://mail.example.com/', 'https://mail.example.com'],
      ['http://10.0.0.1:8080/waxwing//', 'http://10.0.0.1:8080/waxwing'],
    ],
    bad: [
      'mail.example.com',
      'ftp://x.example',
      'https:/x.example',
      'https://x.example/?a=1',
      'https://x.example/#a',
      'https://u:p@x.example',
    ],
  },
  { name: 'DATA_DIR', key: 'dataDir', good: [['/var/lib/waxwing', '/var/lib/waxwing']], bad: [] },
  {
    name: 'DATABASE_URL',
    key: 'databaseUrl',
    good: [
      'postgres://u:p@db.example:5432/waxwing',
      'postgresql://db/x',
      'postgres:///x?host=/run/postgresql',
      'postgres://db/x?sslmode=require',
    ].map(url => [url, url]),
    bad: [
      'mysql://u:hidden-word@db/x',
      'postgres:hidden-word',
      'postgres:///x',
      'db.example',
      'postgres://db/x?host=relative',
    ],
  },
  { name: 'JWT_SECRET', key: 'jwtSecret', good: [[secret, secret]], bad: ['hidden-word', 'x'.repeat(1_001)] },
  { name: 'ENCRYPTION_KEY', key: 'encryptionKey', good: [[secret, secret]], bad: ['hidden-word'] },
  {
    name: 'ROLE',
    key: 'role',
    good: [
      ['all', 'all'],
      ['api', 'api'],
      ['worker', 'worker'],
    ],
    bad: ['web', 'API'],
  },
  {
    name: 'JOB_CONCURRENCY',
    key: 'jobConcurrency',
    good: [
      ['1', 1],
      ['500', 500],
    ],
    bad: ['0', '501', 'many'],
  },
  {
    name: 'MAIL_TRANSPORT',
    key: 'mailTransport',
    good: [
      ['outbox', 'outbox'],
      ['sendmail', 'sendmail'],
    ],
    bad: ['SES', 'postfix'],
  },
  {
    name: 'TRANSPORTS_FILE',
    key: 'transports',
    good: [[relayList, [{ name: 'main', kind: 'smtp', target: 'smtp://relay.example:25' }]]],
    bad: ['/nowhere/transports.json', '/', import.meta.path],
  },
  {
    name: 'SENDMAIL_PATH',
    key: 'sendmailPath',
    good: [['/opt/bin/msmtp', '/opt/bin/msmtp']],
    bad: ['sendmail', './sendmail'],
  },
  {
    name: 'AWS_SES_REGION',
    key: 'ses',
    good: ['eu-central-1', 'us-gov-west-1', 'ap-southeast-5'].map(region => [region, { region }]),
    bad: ['Frankfurt', 'eu', 'https://email.eu-central-1.amazonaws.com'],
  },
  {
    name: 'AWS_SES_ACCESS_KEY_ID',
    key: 'ses',
    good: [['AKIA1', { region, credentials: { accessKeyId: 'AKIA1', secretAccessKey: 's' } }]],
    bad: [],
    beside: { AWS_SES_REGION: region, AWS_SES_SECRET_ACCESS_KEY: 's' },
  },
  {
    name: 'AWS_SES_SECRET_ACCESS_KEY',
    key: 'ses',
    good: [
      ['hidden-word', { region, credentials: { accessKeyId: 'AKIA1', secretAccessKey: 'hidden-word' } }],
    ],
    bad: [],
    beside: { AWS_SES_REGION: region, AWS_SES_ACCESS_KEY_ID: 'AKIA1' },
  },
  {
    name: 'AWS_SES_ENDPOINT',
    key: 'ses',
    good: [['http://127.0.0.1:8005', { region, endpoint: 'http://127.0.0.1:8005' }]],
    bad: ['127.0.0.1:8005', 'ftp://x.example', 'https://u:p@x.example'],
    beside: { AWS_SES_REGION: region },
  },
  {
    name: 'SES_CONFIGURATION_SET',
    key: 'ses',
    good: [['reports-1', { region, configurationSet: 'reports-1' }]],
    bad: ['two words', 'a/b'],
    beside: { AWS_SES_REGION: region },
  },
  {
    name: 'SES_CONFIGURATION_SET_NO_TRACKING',
    key: 'ses',
    good: [['quiet', { region, configurationSetNoTracking: 'quiet' }]],
    bad: ['two words'],
    beside: { AWS_SES_REGION: region },
  },
  {
    name: 'AUTO_PROJECT_DISABLE',
    key: 'autoProjectDisable',
    good: [
      ['true', true],
      ['false', false],
    ],
    bad: ['no'],
  },
  {
    name: 'SMTP_URL',
    key: 'smtpUrl',
    good: [
      'smtp://relay.example',
      'smtps://user:pa%24s@relay.example:465',
      'smtp://user:p@relay.example:587?pool=20&requireTLS=true&tls.rejectUnauthorized=false',
      'smtp://[::1]:2525?ignoreTLS=true',
      'smtp://u:p@service?service=Mailgun',
      'smtp://me@x?service=gmail&auth=oauth2&clientId=a&refreshToken=b',
    ].map(url => [url, url]),
    bad: [
      'relay.example:587',
      'http://relay.example',
      'smtp://',
      'smtp://u:hidden-word@relay.example?pools=5',
      'smtp://u:hidden-word@x?service=nobody',
      'smtp://me@x?service=gmail&auth=oauth2&clientId=a&refreshToken=',
      'smtp://u:hidden-word@relay.example?pool=0',
      'smtp://u:hidden-word@relay.example?requireTLS=yes',
      'smtp://u:%E0%A4%A@relay.example',
    ],
  },
  {
    name: 'DNS_SERVERS',
    key: 'dnsServers',
    good: [
      ['9.9.9.9', ['9.9.9.9']],
      ['127.0.0.1:5353, ::1,[2620:fe::fe]:53', ['127.0.0.1:5353', '::1', '[2620:fe::fe]:53']],
    ],
    bad: ['dns.example', '999.1.1.1', '1.1.1.1:0', '1.1.1.1:70000', '1.1.1.1,,2.2.2.2'],
  },
  {
    name: 'DOMAIN_CHECK_INTERVAL',
    key: 'domainCheckIntervalMs',
    good: [
      ['30s', 30_000],
      ['1.5m', 90_000],
      ['7d', 604_800_000],
    ],
    bad: ['5', '500ms', '8d', '-5m', '5 minutes'],
  },
  {
    name: 'DISABLE_SIGNUPS',
    key: 'disableSignups',
    good: [
      ['true', true],
      ['0', false],
    ],
    bad: ['yes', 'TRUE', '2'],
  },
  {
    name: 'MAX_PROJECTS_PER_USER',
    key: 'maxProjectsPerUser',
    good: [
      ['1', 1],
      ['500', 500],
    ],
    bad: ['0', '-1', '1.5', '1000001'],
  },
  {
    name: 'MAX_INVITATIONS_PER_DAY',
    key: 'maxInvitationsPerDay',
    good: [
      ['1', 1],
      ['20000', 20_000],
    ],
    bad: ['0', 'many', '1000001'],
  },
  {
    name: 'RATE_LIMIT_PER_MINUTE',
    key: 'rateLimitPerMinute',
    good: [
      ['0', 0],
      ['5000', 5_000],
    ],
    bad: ['-1', '10000001', 'none'],
  },
  {
    name: 'SEND_RATE_PER_SECOND',
    key: 'sendRatePerSecond',
    good: [
      ['0', 0],
      ['14', 14],
    ],
    bad: ['1.5', '1000001'],
  },
  {
    name: 'RECIPIENT_RATES',
    key: 'recipientRates',
    good: [
      ['gmail=20', { gmail: 20 }],
      [' Gmail=20, Bücher.example=1', { gmail: 20, 'xn--bcher-kva.example': 1 }],
      ['outlook=5,MAIL.example=1', { outlook: 5, 'mail.example': 1 }],
    ],
    bad: [
      'gmail',
      'gmail=0',
      'gmail=1.5',
      'gmail=-1',
      'nobody=5',
      '*=5',
      'gmail=5,gmail=6',
      'gmail=5,',
      'a@b.example=1',
    ],
  },
  {
    name: 'RECIPIENT_CONNECTIONS',
    key: 'recipientConnections',
    good: [['gmail=5, mail.example=1', { gmail: 5, 'mail.example': 1 }]],
    bad: ['gmail', 'gmail=0', 'gmail=1.5', 'gmail=5,gmail=6'],
  },
  {
    name: 'IDEMPOTENCY_KEY_TTL_HOURS',
    key: 'idempotencyKeyTtlMs',
    good: [
      ['0.5', 1_800_000],
      ['48', 172_800_000],
    ],
    bad: ['0', '8761', '24h', '-1'],
  },
  {
    name: 'MAX_ATTACHMENT_BYTES',
    key: 'maxAttachmentBytes',
    good: [
      ['500000', 500_000],
      ['2.5MB', 2_621_440],
      ['1 gb', 1_073_741_824],
    ],
    bad: ['0', '2GB', 'ten', '-1MB', '1e9'],
  },
  { name: 'MAX_MESSAGE_BYTES', key: 'maxMessageBytes', good: [['64KB', 65_536]], bad: ['0', '1025MB'] },
  {
    name: 'TRUST_PROXY',
    key: 'trustProxy',
    good: [
      ['1', true],
      ['false', false],
    ],
    bad: ['10.0.0.0/8'],
  },
  {
    name: 'SESSION_ADDRESSES',
    key: 'sessionAddresses',
    good: [
      ['true', true],
      ['false', false],
    ],
    bad: ['10.0.0.0/8'],
  },
  {
    name: 'WEBHOOK_ALLOW_PRIVATE',
    key: 'webhookAllowPrivate',
    good: [
      ['true', true],
      ['0', false],
    ],
    bad: ['yes', '10.0.0.0/8'],
  },
  {
    name: 'SMTP_LISTEN',
    key: 'submission',
    good: [
      ['587', submission({ port: 587 })],
      ['465', submission({ port: 465, implicitTls: true })],
      ['smtp://127.0.0.1:465', submission({ host: '127.0.0.1', port: 465 })],
      ['smtps://[::1]:2525', submission({ host: '::1', port: 2525, implicitTls: true })],
      ['587, 465', submission({ port: 587 }, { port: 465, implicitTls: true })],
    ],
    bad: ['smtp', '70000', 'http://0.0.0.0:587', '587,', 'a b:587', '1,2,3,4,5,6,7,8,9'],
  },
  {
    name: 'SMTP_TLS_CERT_FILE',
    key: 'submission',
    good: [
      ['/a.pem', { ...submission({ port: 587 }), certificate: { certFile: '/a.pem', keyFile: '/k.pem' } }],
    ],
    bad: ['a.pem'],
    beside: { SMTP_LISTEN: '587', SMTP_TLS_KEY_FILE: '/k.pem' },
  },
  {
    name: 'SMTP_TLS_KEY_FILE',
    key: 'submission',
    good: [
      ['/k.pem', { ...submission({ port: 587 }), certificate: { certFile: '/a.pem', keyFile: '/k.pem' } }],
    ],
    bad: ['k.pem'],
    beside: { SMTP_LISTEN: '587', SMTP_TLS_CERT_FILE: '/a.pem' },
  },
  {
    name: 'SMTP_PLAIN_ON_LOOPBACK',
    key: 'submission',
    good: [['true', { ...submission({ host: '127.0.0.1', port: 2525 }), plainOnLoopback: true }]],
    bad: ['yes'],
    beside: { SMTP_LISTEN: '127.0.0.1:2525' },
  },
  {
    name: 'METRICS_TOKEN',
    key: 'metricsToken',
    good: [['0123456789abcdef', '0123456789abcdef']],
    bad: ['hidden-word', 'hidden word of a length'],
  },
  {
    name: 'METRICS_PORT',
    key: 'metricsPort',
    good: [
      ['9464', 9464],
      ['0', 0],
    ],
    bad: ['65536', 'on'],
  },
  {
    name: 'REQUIRE_EMAIL_VERIFICATION',
    key: 'requireEmailVerification',
    good: [
      ['1', true],
      ['false', false],
    ],
    bad: ['10.0.0.0/8'],
  },
  {
    name: 'STRIPE_SECRET_KEY',
    key: 'stripe',
    good: [['sk_test_1', stripe]],
    bad: ['a hidden-word', 'short'],
    beside: { STRIPE_WEBHOOK_SECRET: 'whsec_12' },
  },
  {
    name: 'STRIPE_WEBHOOK_SECRET',
    key: 'stripe',
    good: [['whsec_12', stripe]],
    bad: ['a hidden-word'],
    beside: { STRIPE_SECRET_KEY: 'sk_test_1' },
  },
  {
    name: 'STRIPE_PRICE_EMAIL_USAGE',
    key: 'stripe',
    good: [['price_1', { ...stripe, usagePrice: 'price_1' }]],
    bad: ['price 1'],
    beside: stripeSecrets,
  },
  {
    name: 'STRIPE_PRICE_ONBOARDING',
    key: 'stripe',
    good: [['price_2', { ...stripe, onboardingPrice: 'price_2' }]],
    bad: ['price/2'],
    beside: stripeSecrets,
  },
  {
    name: 'STRIPE_METER_EVENT_NAME',
    key: 'stripe',
    good: [['mail.units', { ...stripe, meterEventName: 'mail.units' }]],
    bad: ['mail units'],
    beside: stripeSecrets,
  },
  {
    name: 'STRIPE_API_BASE',
    key: 'stripe',
    good: [['http://127.0.0.1:12111', { ...stripe, apiBase: 'http://127.0.0.1:12111' }]],
    bad: ['ftp://x.example', 'https://x.example/v1', 'https://u:p@x.example'],
    beside: stripeSecrets,
  },
  {
    name: 'GITHUB_OAUTH_CLIENT_ID',
    key: 'oauth',
    good: [['an-id', { github: { clientId: 'an-id', clientSecret: 'hidden-word' } }]],
    bad: [],
    beside: { GITHUB_OAUTH_CLIENT_SECRET: 'hidden-word' },
  },
  {
    name: 'GITHUB_OAUTH_CLIENT_SECRET',
    key: 'oauth',
    good: [['hidden-word', { github: { clientId: 'an-id', clientSecret: 'hidden-word' } }]],
    bad: [],
    beside: { GITHUB_OAUTH_CLIENT_ID: 'an-id' },
  },
  {
    name: 'GITHUB_OAUTH_BASE_URL',
    key: 'oauth',
    good: [
      [
        'https://git.example.com/',
        { github: { clientId: 'an-id', clientSecret: 'hidden-word', baseUrl: 'https://git.example.com' } },
      ],
    ],
    bad: ['git.example.com', 'ftp://git.example.com', 'https://u:p@git.example.com'],
    beside: { GITHUB_OAUTH_CLIENT_ID: 'an-id', GITHUB_OAUTH_CLIENT_SECRET: 'hidden-word' },
  },
  {
    name: 'GOOGLE_OAUTH_CLIENT_ID',
    key: 'oauth',
    good: [['an-id', { google: { clientId: 'an-id', clientSecret: 'hidden-word' } }]],
    bad: [],
    beside: { GOOGLE_OAUTH_CLIENT_SECRET: 'hidden-word' },
  },
  {
    name: 'GOOGLE_OAUTH_CLIENT_SECRET',
    key: 'oauth',
    good: [['hidden-word', { google: { clientId: 'an-id', clientSecret: 'hidden-word' } }]],
    bad: [],
    beside: { GOOGLE_OAUTH_CLIENT_ID: 'an-id' },
  },
  {
    name: 'GOOGLE_OAUTH_BASE_URL',
    key: 'oauth',
    good: [
      [
        'http://127.0.0.1:9/',
        { google: { clientId: 'an-id', clientSecret: 'hidden-word', baseUrl: 'http://127.0.0.1:9' } },
      ],
    ],
    bad: ['git.example.com', 'ftp://git.example.com', 'https://u:p@git.example.com'],
    beside: { GOOGLE_OAUTH_CLIENT_ID: 'an-id', GOOGLE_OAUTH_CLIENT_SECRET: 'hidden-word' },
  },
  {
    name: 'BOUNCE_DOMAIN',
    key: 'bounceDomain',
    good: [['Bounce.Acme.example', 'bounce.acme.example']],
    bad: ['acme', 'bounces@acme.example', `${'a.'.repeat(92)}example`],
  },
  {
    name: 'BOUNCE_MAILBOX_URL',
    key: 'bounceMailbox',
    good: [
      ['imaps://bounces%40acme.example:hidden%3Aword@imap.acme.example', mailbox],
      [
        'imap://bounces%40acme.example:hidden%3Aword@imap.acme.example:1143/Returned?done=Read%20mail&tls.ca=/etc/own.pem',
        {
          ...mailbox,
          port: 1143,
          implicitTls: false,
          needsTls: true,
          folder: 'Returned',
          doneFolder: 'Read mail',
          caFile: '/etc/own.pem',
        },
      ],
      [
        'imap://bounces%40acme.example:hidden%3Aword@127.0.0.1',
        { ...mailbox, host: '127.0.0.1', port: 143, implicitTls: false },
      ],
    ],
    bad: [
      'imap.acme.example',
      'pop3://u:hidden-word@h.example',
      'imaps://u@h.example',
      'imaps://u:hidden-word@h.example?move=x',
      'imaps://u:%@h.example',
    ],
  },
  {
    name: 'SMTP_INBOUND_LISTEN',
    key: 'inbound',
    good: [['25', { listeners: [{ host: '0.0.0.0', port: 25, implicitTls: false }] }]],
    bad: ['smtp', '70000'],
    beside: { BOUNCE_DOMAIN: 'bounce.acme.example' },
  },
  ...(['POSTMARK', 'BREVO', 'MAILJET'] as const).map(relay => ({
    name: `${relay}_WEBHOOK_SECRET`,
    key: 'relayWebhooks' as const,
    good: [['hidden-word_1234.~', { [relay.toLowerCase()]: 'hidden-word_1234.~' }]] as [string, unknown][],
    bad: ['hidden-word', 'hidden-word of more', `${'x'.repeat(201)}`],
  })),
  {
    name: 'MAILGUN_WEBHOOK_KEY',
    key: 'relayWebhooks',
    good: [['hidden-word-of-32-characters-abc', { mailgun: 'hidden-word-of-32-characters-abc' }]],
    bad: ['hidden-word'],
  },
  {
    name: 'SENDGRID_WEBHOOK_KEY',
    key: 'relayWebhooks',
    good: [[ecKey, { sendgrid: ecKey }]],
    bad: ['MFkw', 'a key'],
  },
  {
    name: 'RESEND_WEBHOOK_SECRET',
    key: 'relayWebhooks',
    good: [[feedbackSecret, { resend: feedbackSecret }]],
    bad: ['hidden-word', 'whsec_aGlkZGVuLXdvcmQ='],
  },
  {
    name: 'OIDC_ISSUER',
    key: 'oidc',
    good: [
      ['https://id.example.com', oidc],
      ['https://id.example.com/realms/a/', { ...oidc, issuer: 'https://id.example.com/realms/a/' }],
      ['http://127.0.0.1:9', { ...oidc, issuer: 'http://127.0.0.1:9', label: '127.0.0.1:9' }],
    ],
    bad: [
      'id.example.com',
      'http://id.example.com',
      'https://id.example.com?a=b',
      'https://u:p@id.example.com',
    ],
    beside: oidcClient,
  },
  { name: 'OIDC_CLIENT_ID', key: 'oidc', good: [['an-id', oidc]], bad: [], beside: oidcClient },
  {
    name: 'OIDC_CLIENT_SECRET',
    key: 'oidc',
    good: [['hidden-word', { ...oidc, clientSecret: 'hidden-word' }]],
    bad: [],
    beside: oidcClient,
  },
  {
    name: 'OIDC_LABEL',
    key: 'oidc',
    good: [['Acme & Sons', { ...oidc, label: 'Acme & Sons' }]],
    bad: ['x'.repeat(41), 'a\tb'],
    beside: oidcClient,
  },
  {
    name: 'OIDC_DOMAINS',
    key: 'oidc',
    good: [['Acme.example, acme.test', { ...oidc, domains: ['acme.example', 'acme.test'] }]],
    bad: ['acme', 'acme.example,,b.example', '@acme.example'],
    beside: oidcClient,
  },
  {
    name: 'OIDC_TRUST_ADDRESSES',
    key: 'oidc',
    good: [['true', { ...oidc, trustsAddresses: true }]],
    bad: ['yes'],
    beside: oidcClient,
  },
  {
    name: 'OIDC_SIGN_UP',
    key: 'oidc',
    good: [['true', { ...oidc, signUp: true }]],
    bad: ['yes'],
    beside: oidcClient,
  },
  {
    name: 'SYSTEM_EMAIL_FROM',
    key: 'systemEmailFrom',
    good: [
      ['Team@Mail.Example.com', 'team@mail.example.com'],
      ['waxwing@localhost', 'waxwing@localhost'],
    ],
    bad: ['team', 'a@b', 'Team <team@example.com>', 'a@example.com, b@example.com'],
  },
  {
    name: 'SNS_TOPIC_ARN',
    key: 'snsTopicArns',
    good: [
      [
        'arn:aws:sns:eu-west-1:123456789012:mail, arn:aws-cn:sns:cn-north-1:123456789012:mail',
        ['arn:aws:sns:eu-west-1:123456789012:mail', 'arn:aws-cn:sns:cn-north-1:123456789012:mail'],
      ],
    ],
    bad: ['mail', 'arn:aws:sqs:eu-west-1:123456789012:mail', 'arn:aws:sns:eu-west-1:123456789012:mail,'],
  },
  {
    name: 'SNS_SIGNING_CERT_FILE',
    key: 'snsSigningCertificate',
    good: [[certificateFile, readFileSync(certificateFile, 'utf8')]],
    bad: ['/no/such/file.pem', import.meta.path],
  },
  {
    name: 'FEEDBACK_WEBHOOK_SECRET',
    key: 'feedbackWebhookSecret',
    good: [[feedbackSecret, feedbackSecret]],
    bad: ['hidden-word', 'whsec_aGlkZGVuLXdvcmQ='],
  },
  {
    name: 'LOG_LEVEL',
    key: 'logLevel',
    good: [
      ['debug', 'debug'],
      ['silent', 'silent'],
    ],
    bad: ['verbose', 'INFO'],
  },
  {
    name: 'LOG_FORMAT',
    key: 'logFormat',
    good: [
      ['pretty', 'pretty'],
      ['json', 'json'],
    ],
    bad: ['text'],
  },
  {
    name: 'S3_BUCKET',
    key: 's3',
    good: [['images', store]],
    bad: ['Images', 'a', 'im/ages', '../images'],
    beside: storeKeys,
  },
  {
    name: 'S3_ACCESS_KEY_ID',
    key: 's3',
    good: [['AKIA1', store]],
    bad: [],
    beside: { ...storeKeys, S3_BUCKET: 'images' },
  },
  {
    name: 'S3_SECRET_ACCESS_KEY',
    key: 's3',
    good: [['hidden-word', store]],
    bad: [],
    beside: { ...storeKeys, S3_BUCKET: 'images' },
  },
  {
    name: 'S3_ENDPOINT',
    key: 's3',
    good: [['http://127.0.0.1:9000', { ...store, endpoint: 'http://127.0.0.1:9000' }]],
    bad: ['127.0.0.1:9000', 'ftp://s3.example.com'],
    beside: { ...storeKeys, S3_BUCKET: 'images' },
  },
  {
    name: 'S3_REGION',
    key: 's3',
    good: [['eu-central-1', { ...store, region: 'eu-central-1' }]],
    bad: ['eu central'],
    beside: { ...storeKeys, S3_BUCKET: 'images' },
  },
  {
    name: 'S3_PUBLIC_URL',
    key: 's3',
    good: [
      ['https://cdn.example.com/', { ...store, publicUrl: 'https://cdn.example.com' }],
      ['https://cdn.example.com/images', { ...store, publicUrl: 'https://cdn.example.com/images' }],
    ],
    bad: ['cdn.example.com'],
    beside: { ...storeKeys, S3_BUCKET: 'images' },
  },
  {
    name: 'S3_PREFIX',
    key: 's3',
    good: [
      ['/waxwing/', { ...store, prefix: 'waxwing' }],
      ['a/b', { ...store, prefix: 'a/b' }],
    ],
    bad: ['..', 'a/../b', 'a//b', 'a b'],
    beside: { ...storeKeys, S3_BUCKET: 'images' },
  },
  {
    name: 'STATEMENT_TIMEOUT',
    key: 'statementTimeoutMs',
    good: [
      ['500ms', 500],
      ['1m', 60_000],
    ],
    bad: ['0', '10', '99ms', '11m', 'never'],
  },
  { name: 'RETENTION_BY_MONTH', key: 'retentionByMonth', good: [['true', true]], bad: ['monthly'] },
  {
    name: 'EMAIL_BODY_RETENTION_DAYS',
    key: 'bodyRetentionMs',
    good: [
      ['30', 30 * 86_400_000],
      ['0', undefined],
    ],
    bad: ['-1', '1.5', '90d', '36501'],
  },
  {
    name: 'MAX_UPLOAD_BYTES_PER_PROJECT',
    key: 'uploadBytesPerProject',
    good: [
      ['500MB', 524_288_000],
      ['5GB', 5_368_709_120],
      ['0', Number.MAX_SAFE_INTEGER],
    ],
    bad: ['-1', 'much', '1048577GB'],
  },
]

test('the table below knows every setting', () => {
  expect(rows.map(row => row.name).sort()).toEqual(allSettings.map(({ name }) => name).sort())
})

for (const { name, key, good, bad, beside } of rows) {
  for (const [given, value] of good)
    test(`${name} takes ${JSON.stringify(given)}`, () => {
      expect(loadConfig({ ...beside, [name]: given }, machine)[key]).toEqual(value as never)
    })
  for (const given of bad)
    test(`${name} refuses ${JSON.stringify(given.slice(0, 60))}`, () => {
      const [fault, ...others] = faultsOf({ [name]: given })
      expect(others).toEqual([])
      const { secret, format } = settingNamed(name)!
      const shown = secret ? '***' : JSON.stringify(given)
      expect(fault).toStartWith(`${name} is ${shown}, but it must be ${format.allowed}`)
      expect(fault).not.toContain('hidden-word')
    })
}

test('the message says what exactly is wrong with a relay, without its password', () => {
  expect(faultsOf({ SMTP_URL: 'smtp://u:hidden-word@relay.example?pools=5' })[0]).toContain(
    'unknown option "pools"',
  )
})

test('without any setting the defaults of the README hold', () => {
  expect(loadConfig({}, machine)).toEqual({
    host: '0.0.0.0',
    port: 3000,
    baseUrl: 'http://localhost:3000',
    baseUrlGiven: false,
    dataDir: './data',
    role: 'all',
    jobConcurrency: 48,
    mailTransport: 'outbox',
    sendmailPath: '/usr/sbin/sendmail',
    snsTopicArns: [],
    dnsServers: [],
    bodyRetentionMs: 90 * 86_400_000,
    domainCheckIntervalMs: 300_000,
    disableSignups: true,
    retentionByMonth: false,
    maxProjectsPerUser: 20,
    maxInvitationsPerDay: 1_000,
    rateLimitPerMinute: 1_000,
    statementTimeoutMs: 10_000,
    idempotencyKeyTtlMs: 86_400_000,
    maxAttachmentBytes: 10_485_760,
    maxMessageBytes: 41_943_040,
    uploadBytesPerProject: 10_737_418_240,
    autoProjectDisable: true,
    webhookAllowPrivate: false,
    trustProxy: false,
    sessionAddresses: false,
    oauth: {},
    relayWebhooks: {},
    requireEmailVerification: false,
    systemEmailFrom: 'no-reply@localhost',
    logLevel: 'info',
    logFormat: 'json',
  } satisfies Config)
})

test('what belongs to mail by SMTP needs its other half', () => {
  expect(faultsOf({ SMTP_LISTEN: '587', SMTP_TLS_CERT_FILE: '/a.pem' })).toEqual([
    'SMTP_TLS_CERT_FILE and SMTP_TLS_KEY_FILE belong together; set both or neither',
  ])
  expect(faultsOf({ SMTP_TLS_CERT_FILE: '/a.pem', SMTP_TLS_KEY_FILE: '/k.pem' })).toEqual([
    'SMTP_TLS_CERT_FILE is set, but SMTP_LISTEN is not',
  ])
  expect(faultsOf({ SMTP_LISTEN: '587', SMTP_PLAIN_ON_LOOPBACK: 'true' })[0]).toContain('no loopback address')
})

test('a bucket needs its keys, and they need a bucket', () => {
  expect(faultsOf({ S3_BUCKET: 'images', S3_ACCESS_KEY_ID: 'AKIA1' })).toEqual([
    'S3_BUCKET is set, which needs S3_SECRET_ACCESS_KEY',
  ])
  expect(faultsOf({ S3_PREFIX: 'a', S3_REGION: 'eu-central-1' })).toEqual([
    'S3_REGION is set, but S3_BUCKET is not',
    'S3_PREFIX is set, but S3_BUCKET is not',
  ])
})

test('a sign-in provider needs both of its values', () => {
  expect(faultsOf({ GITHUB_OAUTH_CLIENT_ID: 'x', GOOGLE_OAUTH_CLIENT_SECRET: 'y' })).toEqual([
    'GITHUB_OAUTH_CLIENT_ID and GITHUB_OAUTH_CLIENT_SECRET belong together; set both or neither',
    'GOOGLE_OAUTH_CLIENT_ID and GOOGLE_OAUTH_CLIENT_SECRET belong together; set both or neither',
  ])
  expect(faultsOf({ GITHUB_OAUTH_BASE_URL: 'https://git.example.com' })).toEqual([
    'GITHUB_OAUTH_BASE_URL is set, but GITHUB_OAUTH_CLIENT_ID is not',
  ])
})

test('a provider of OpenID Connect needs a client', () => {
  expect(faultsOf({ OIDC_ISSUER: 'https://id.example.com' })).toEqual([
    'OIDC_ISSUER and OIDC_CLIENT_ID belong together; set both or neither',
  ])
  expect(faultsOf({ OIDC_SIGN_UP: 'true' })).toEqual(['OIDC_SIGN_UP is set, but OIDC_ISSUER is not'])
})

test('mails of the platform come from the host of BASE_URL, or from localhost where that is an IP address', () => {
  const sender = (baseUrl: string): string => loadConfig({ BASE_URL: baseUrl }, machine).systemEmailFrom
  expect(sender('https://mail.example.com/waxwing')).toBe('no-reply@mail.example.com')
  expect(sender('http://192.0.2.7:3000')).toBe('no-reply@localhost')
  expect(sender('http://[2001:db8::1]')).toBe('no-reply@localhost')
})

describe('a secret in a file', () => {
  const file = (name: string, text: string): string => {
    const path = join(folder, name)
    writeFileSync(path, text)
    return path
  }

  test('is read for every setting that is a secret, without the line end behind it', () => {
    for (const { name } of allSettings.filter(({ secret }) => secret)) {
      const path = file(name, 'the value of this secret\n')
      expect(givenSettings({ [`${name}_FILE`]: path })).toEqual({ [name]: 'the value of this secret' })
    }
    const config = loadConfig({ SMTP_URL_FILE: file('relay', 'smtps://u:p@relay.example:465\r\n') }, machine)
    expect([config.mailTransport, config.smtpUrl]).toEqual(['smtp', 'smtps://u:p@relay.example:465'])
  })

  test('is for secrets alone, and is never shown', () => {
    expect(loadConfig({ PORT_FILE: file('port', '8080') }, machine).port).toBe(3_000)
    expect(describeConfig({ JWT_SECRET_FILE: file('jwt', secret) })).toEqual({ JWT_SECRET: '***' })
  })

  test('that is given twice, is missing or holds nothing is a fault', () => {
    const path = file('twice', secret)
    expect(faultsOf({ JWT_SECRET: secret, JWT_SECRET_FILE: path })).toEqual([
      'JWT_SECRET and JWT_SECRET_FILE are both set; set one of them',
    ])
    expect(faultsOf({ DATABASE_URL_FILE: '/nowhere/at/all' })).toEqual([
      'DATABASE_URL_FILE is "/nowhere/at/all", but there is no such file',
    ])
    expect(faultsOf({ METRICS_TOKEN_FILE: file('blank', ' \n') })[0]).toEndWith('but it is empty')
    expect(faultsOf({ JWT_SECRET_FILE: file('short', 'short') })).toEqual([
      'JWT_SECRET is ***, but it must be 16 to 1000 characters (it is too short)',
    ])
  })
})

test.each([
  ['SMPT_URL', 'SMTP_URL'],
  ['BASEURL', 'BASE_URL'],
  ['DATABASE_ULR', 'DATABASE_URL'],
  ['SMTP_HOST', undefined],
  ['JWT_SECRET_FLIE', 'JWT_SECRET_FILE'],
  ['TRUSTPROXY', 'TRUST_PROXY'],
])('%s looks like a setting and is none', (name, meant) => {
  expect(misspelledSettings({ [name]: 'x', PORT: '80', JWT_SECRET_FILE: '/x' })).toEqual([{ name, meant }])
})

test('what shells, platforms and container engines set looks like nothing of ours', () => {
  const others =
    'PATH HOME HOSTNAME LOGNAME USER SHELL TERM PWD LANG TZ NODE_ENV AWS_REGION AWS_ACCESS_KEY_ID GITHUB_TOKEN ' +
    'KUBERNETES_SERVICE_HOST KUBERNETES_PORT NOTIFY_SOCKET INVOCATION_ID JOURNAL_STREAM MAINPID CREDENTIALS_DIRECTORY ' +
    'POSTGRES_PASSWORD REDIS_URL SSH_CLIENT XDG_RUNTIME_DIR DBUS_SESSION_BUS_ADDRESS SESSION_MANAGER LOG_DIR CI'
  expect(misspelledSettings(Object.fromEntries(others.split(' ').map(name => [name, 'x'])))).toEqual([])
})

test('an empty or blank variable counts as unset', () => {
  const given = Object.fromEntries(allSettings.map(({ name }) => [name, ' ']))
  expect(loadConfig(given, machine)).toEqual(loadConfig({}, machine))
})

test('figures have a port of their own, where there is another one', () => {
  expect(faultsOf({ METRICS_PORT: '3000' })).toEqual([
    'METRICS_PORT is 3000, but that is the PORT of everything else',
  ])
  expect(faultsOf({ METRICS_PORT: '3000', PORT: '8080' })).toEqual([])
  expect(faultsOf({ METRICS_PORT: '3000', ROLE: 'worker' })).toEqual([])
})

test('all faults are told at once', () => {
  const given = Object.fromEntries(rows.flatMap(row => (row.bad[0] ? [[row.name, row.bad[0]]] : [])))
  expect(faultsOf(given)).toHaveLength(Object.keys(given).length)
})

test('the smtp transport needs a relay, and a relay makes smtp the transport', () => {
  expect(faultsOf({ MAIL_TRANSPORT: 'smtp' })).toEqual([
    'MAIL_TRANSPORT is "smtp", which needs SMTP_URL (an smtp:// or smtps:// address)',
  ])
  expect(loadConfig({ SMTP_URL: 'smtp://relay.example' }, machine).mailTransport).toBe('smtp')
  expect(
    loadConfig({ SMTP_URL: 'smtp://relay.example', MAIL_TRANSPORT: 'outbox' }, machine).mailTransport,
  ).toBe('outbox')
})

test('a list of transports stands for all of them', () => {
  const list = (entries: object[]): string => {
    const file = join(folder, `${Bun.hash(JSON.stringify(entries))}.json`)
    writeFileSync(file, JSON.stringify(entries))
    return file
  }
  const relay = { name: 'relay', smtp: 'smtp://me:geheim@relay.example' }
  const here = { name: 'here', sendmail: '/usr/sbin/sendmail' }
  const kindOf = (entries: object[]): string =>
    loadConfig({ TRANSPORTS_FILE: list(entries), AWS_SES_REGION: region }, machine).mailTransport
  expect(kindOf([here])).toBe('sendmail')
  expect(kindOf([here, relay])).toBe('smtp')
  expect(kindOf([here, relay, { name: 'ses', ses: true }])).toBe('ses')
  const file = list([{ name: 'ses', ses: true }])
  expect(faultsOf({ TRANSPORTS_FILE: file, MAIL_TRANSPORT: 'smtp', SMTP_URL: 'smtp://a.example' })).toEqual([
    'TRANSPORTS_FILE lists all transports, so MAIL_TRANSPORT would have no effect; remove one of them',
    'TRANSPORTS_FILE lists all transports, so SMTP_URL would have no effect; remove one of them',
    'TRANSPORTS_FILE lists SES, which needs AWS_SES_REGION (such as eu-central-1)',
  ])
  const wrong = list([relay, { ...relay, pool: 7 }])
  expect(faultsOf({ TRANSPORTS_FILE: wrong })).toEqual([
    `TRANSPORTS_FILE is ${JSON.stringify(wrong)}, but it must be a JSON file that lists transports (transport 2 ("relay"): unknown field "pool"; there are name, smtp, ses, sendmail, mail, projects, from, to, rate, warmUp)`,
  ])
})

test('a region makes ses the transport, unless there is a relay', () => {
  expect(loadConfig({ AWS_SES_REGION: region }, machine).mailTransport).toBe('ses')
  expect(
    loadConfig({ AWS_SES_REGION: region, SMTP_URL: 'smtp://relay.example' }, machine).mailTransport,
  ).toBe('smtp')
})

test('settings of ses that lack another one say which', () => {
  expect(faultsOf({ MAIL_TRANSPORT: 'ses' })).toEqual([
    'MAIL_TRANSPORT is "ses", which needs AWS_SES_REGION (such as eu-central-1)',
  ])
  expect(faultsOf({ AWS_SES_REGION: region, AWS_SES_ACCESS_KEY_ID: 'AKIA1' })).toEqual([
    'AWS_SES_ACCESS_KEY_ID and AWS_SES_SECRET_ACCESS_KEY belong together; set both or neither',
  ])
  expect(faultsOf({ SES_CONFIGURATION_SET: 'reports' })).toEqual([
    'SES_CONFIGURATION_SET is set, but AWS_SES_REGION is not',
  ])
})

test('a price that billing does not know is refused', () => {
  expect(faultsOf({ STRIPE_PRICE_EMAILS: 'x' })).toEqual([
    'STRIPE_PRICE_EMAILS is set, but there is no such price; remove it',
  ])
})

test('billing needs both of its secrets, and nothing of it goes without them', () => {
  expect(faultsOf({ STRIPE_SECRET_KEY: 'sk_test_1' })).toEqual([
    'STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET belong together; set both or neither',
  ])
  expect(faultsOf({ STRIPE_API_BASE: 'http://127.0.0.1:12111' })).toEqual([
    'STRIPE_API_BASE is set, but STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET are not',
  ])
})

test('variables of other programs are ignored', () => {
  expect(faultsOf({ PATH: '/bin', AWS_PROFILE: 'x', STRIPE: 'x' })).toEqual([])
})

test('the number of jobs follows the machine, within bounds', () => {
  const jobs = (cpus: number) => loadConfig({}, { ...machine, cpus }).jobConcurrency
  expect([1, 2, 64].map(jobs)).toEqual([32, 48, 64])
})

test('a free port ends up in the public address, unless that is given', () => {
  expect(withPort(loadConfig({ PORT: '0' }, machine), 4_711).baseUrl).toBe('http://localhost:4711')
  expect(withPort(loadConfig({ PORT: '0', BASE_URL: 'https://x.example' }, machine), 4_711).baseUrl).toBe(
    'https://x.example',
  )
})

test('the line of the start shows what was given, and no secret', () => {
  expect(
    describeConfig({ PORT: '80', JWT_SECRET: secret, SMTP_URL: 'smtp://u:p@x', ROLE: '', HOME: '/' }),
  ).toEqual({
    PORT: '80',
    JWT_SECRET: '***',
    SMTP_URL: '***',
  })
})

test('every default is a value that its own format takes', () => {
  for (const { name, fallback, format } of allSettings)
    if (typeof fallback === 'string')
      expect([name, format.parse(fallback)]).toEqual([name, { value: expect.anything() }])
})

test('what a setting needs, and its other half, are settings', () => {
  const others = allSettings.flatMap(({ needs = [], pair = [] }) => [needs, pair].flat())
  expect(others.length).toBeGreaterThan(20)
  expect(others.filter(name => !settingNamed(name))).toEqual([])
})

test('no setting is there that nothing reads', () => {
  const sources = [...new Bun.Glob('{platform,http,modules,server,cli}/**/*.ts').scanSync(join(root, 'src'))]
  const text = sources.map(path => readFileSync(join(root, 'src', path), 'utf8')).join('\n')
  const isRead = (key: string): boolean =>
    new RegExp(`\\bconfig[.!?]*\\.${key}\\b|[{,] *${key}\\b.*\\}? = .*config\\b`).test(text)
  expect(Object.keys(settings).filter(key => !isRead(key))).toEqual([])
})

test('help lists every setting with its meaning', () => {
  const text = help('usage')
  for (const { name, meaning } of allSettings)
    expect(text).toMatch(new RegExp(`${name} +${RegExp.escape(meaning)}`))
})

test("the README's table is made from the settings as they are (bun scripts/settings.ts)", () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  expect(withSettings(readme)).toBe(readme)
  for (const { name } of allSettings) expect(readme).toContain(`| \`${name}\` |`)
})

test('the index of migrations is current (bun run generate)', () => {
  expect(readFileSync(join(root, 'src/platform/db/migrations.ts'), 'utf8')).toBe(renderIndex())
})
