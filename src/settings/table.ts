// The table of settings: the one place where a setting has its name, format, default and sentence, whether it is a secret, and what it
// requires. `Config` is its type; `waxwing help`, the README's list and what is masked in logs are made from it.
import { isIP } from 'node:net'
import {
  baseUrl,
  databaseUrl,
  domainName,
  domainNames,
  hostName,
  httpAddress,
  issuer,
  keyPrefix,
  listeners,
  origin,
  publicAddress,
  servers,
  smtpUrl,
  systemSender,
} from './addresses'
import {
  boolean,
  byReceiver,
  certificateFile,
  days,
  duration,
  ecKey,
  hours,
  integer,
  mailboxUrl,
  mainKind,
  matching,
  oneOf,
  path,
  room,
  secretText,
  signingSecret,
  size,
  text,
  tokenText,
  topics,
  transportsFile,
  urlSecret,
} from './formats'
import { calculated, group, optional, required, setting } from './setting'
import type { TransportEntry } from './transport-list'

const port = integer(0, 65_535)
const million = integer(1, 1_000_000)
const pemFile = path('the absolute path of a PEM file')
const configurationSet = matching(/^[\w-]{1,64}$/, '1 to 64 letters, digits, - and _')
const stripeSecret = matching(/^[\x21-\x7e]{8,500}$/, '8 to 500 characters without blanks')
const price = matching(/^[\w-]{1,255}$/, 'the id of a price, such as price_1AbC')
const secret = true

export const localAddress = ({ port }: { port: number }): string => `http://localhost:${port}`

/** An IP address is not a domain: such an instance sends as localhost until somebody sets another sender. */
function defaultSender({ baseUrl }: { baseUrl: string }): string {
  const { hostname } = new URL(baseUrl)
  return `no-reply@${isIP(hostname.replace(/^\[|\]$/g, '')) > 0 ? 'localhost' : hostname}`
}

const issuerHost = ({ oidc }: { oidc?: { issuer: string } }): string => new URL(oidc!.issuer).host

// biome-ignore format: two lines per setting, first what the program needs to know, then what a person needs, read like a table.
export const settings = {
  host: setting('HOST', hostName, '0.0.0.0',
    'Address that HTTP listens on'),
  port: setting('PORT', port, '3000',
    'Port that HTTP listens on; 0 takes a free one and prints it'),
  baseUrl: setting('BASE_URL', baseUrl, calculated('http://localhost:<port>', localAddress),
    'Public address, used in links inside mails'),
  dataDir: setting('DATA_DIR', text('a folder'), './data',
    'Embedded database, outbox and generated secrets'),
  databaseUrl: setting('DATABASE_URL', databaseUrl, optional('PostgreSQL inside, in DATA_DIR/postgres'),
    'An external PostgreSQL, 15 or newer', { secret }),
  jwtSecret: setting('JWT_SECRET', secretText, optional('generated once, kept in DATA_DIR'),
    'Signs the session cookie and the links in mails', { secret }),
  encryptionKey: setting('ENCRYPTION_KEY', secretText, optional('generated once, kept in DATA_DIR'),
    'Encrypts stored secrets', { secret }),
  role: setting('ROLE', oneOf('all', 'api', 'worker'), 'all',
    'all, api (HTTP only) or worker (jobs and schedules only)'),
  jobConcurrency: setting('JOB_CONCURRENCY', integer(1, 500),
    calculated('sized for the machine', (_, { cpus }) => Math.min(64, Math.max(32, cpus * 24))),
    'Jobs that run at once in this instance'),

  mailTransport: setting('MAIL_TRANSPORT', oneOf('outbox', 'smtp', 'ses', 'sendmail'),
    calculated('smtp when SMTP_URL is set, ses when AWS_SES_REGION is, else outbox',
      ({ transports, smtpUrl, ses }: { transports?: readonly TransportEntry[]; smtpUrl?: string; ses?: object }) =>
        transports ? mainKind(transports) : smtpUrl ? 'smtp' : ses ? 'ses' : 'outbox'),
    'How mail leaves'),
  /** Undefined: there is one transport. */
  transports: setting('TRANSPORTS_FILE', transportsFile, optional(),
    'A JSON file that lists several transports in the order of preference, instead of MAIL_TRANSPORT and SMTP_URL'),
  smtpUrl: setting('SMTP_URL', smtpUrl, optional(),
    'Relay: smtp(s)://user:password@host:port, with ?service=, ?auth=oauth2, ?pool=5 and TLS options as query', { secret }),
  sendmailPath: setting('SENDMAIL_PATH', path('the path of a command'), '/usr/sbin/sendmail',
    'The command of MAIL_TRANSPORT=sendmail'),
  /** How SES is reached, if it is configured. */
  ses: group(['AWS_SES_REGION'], {
    region: setting('AWS_SES_REGION', matching(/^[a-z]{2,4}(-[a-z]+)+-\d{1,2}$/, 'a region such as eu-central-1'), required(),
      'Region of Amazon SES'),
    /** Undefined: found as AWS's own tools find them. */
    credentials: {
      accessKeyId: setting('AWS_SES_ACCESS_KEY_ID', text(), required("as AWS' own tools find it"),
        'Access key of SES', { pair: 'AWS_SES_SECRET_ACCESS_KEY' }),
      secretAccessKey: setting('AWS_SES_SECRET_ACCESS_KEY', text(), required("as AWS' own tools find it"),
        'Secret of that access key', { secret }),
    },
    endpoint: setting('AWS_SES_ENDPOINT', httpAddress, optional("Amazon's"),
      'Another server that speaks the API of SES v2'),
    configurationSet: setting('SES_CONFIGURATION_SET', configurationSet, optional(),
      'Configuration set of SES that reports deliveries, bounces and complaints'),
    configurationSetNoTracking: setting('SES_CONFIGURATION_SET_NO_TRACKING', configurationSet, optional(),
      "One without SES' own tracking of opens and clicks; preferred, because Waxwing tracks them itself"),
  }),
  /** The topics whose notifications are accepted; empty: none. */
  snsTopicArns: setting('SNS_TOPIC_ARN', topics, calculated('', () => []),
    'Accept notifications of these SNS topics only'),
  /** PEM; undefined: fetched from the address in the notification, if that is Amazon's. */
  snsSigningCertificate: setting('SNS_SIGNING_CERT_FILE', certificateFile, optional('fetched from the signing host, and cached'),
    'Pinned certificate for signatures of SNS, for closed networks'),
  feedbackWebhookSecret: setting('FEEDBACK_WEBHOOK_SECRET', signingSecret, optional(),
    'Signs what is sent to /webhooks/bounce and /webhooks/dsn, which are off without it', { secret }),

  /** What proves the webhooks of providers that serve as relays; those without one are off. */
  relayWebhooks: {
    postmark: setting('POSTMARK_WEBHOOK_SECRET', urlSecret, optional(),
      'Takes /webhooks/postmark, with this as the password in the address', { secret }),
    mailgun: setting('MAILGUN_WEBHOOK_KEY', tokenText, optional(),
      'Takes /webhooks/mailgun: the HTTP webhook signing key', { secret }),
    sendgrid: setting('SENDGRID_WEBHOOK_KEY', ecKey, optional(),
      'Takes /webhooks/sendgrid: the verification key of the signed event webhook'),
    brevo: setting('BREVO_WEBHOOK_SECRET', urlSecret, optional(),
      'Takes /webhooks/brevo, with this as the password in the address', { secret }),
    mailjet: setting('MAILJET_WEBHOOK_SECRET', urlSecret, optional(),
      'Takes /webhooks/mailjet, with this as the password in the address', { secret }),
    resend: setting('RESEND_WEBHOOK_SECRET', signingSecret, optional(),
      'Takes /webhooks/resend: the signing secret (whsec_…)', { secret }),
  },

  /** Where mail that can't be delivered comes back to: each message has a return path of its own there. */
  bounceDomain: setting('BOUNCE_DOMAIN', domainName, optional("unset: it comes back to the sender's address"),
    'Domain of the return path of each message; its mail has to come in at SMTP_INBOUND_LISTEN or BOUNCE_MAILBOX_URL'),
  /** Undefined: no mailbox is read. */
  bounceMailbox: setting('BOUNCE_MAILBOX_URL', mailboxUrl, optional(),
    'A mailbox that is read every minute for bounces and complaints: imaps://user:password@host/INBOX?done=Folder', { secret }),
  inbound: group(['BOUNCE_DOMAIN'], {
    listeners: setting('SMTP_INBOUND_LISTEN', listeners, required(),
      'Takes what comes back to BOUNCE_DOMAIN by SMTP, and no other mail: 25'),
  }),

  /** The providers that people may sign in with. */
  oauth: {
    github: group(['GITHUB_OAUTH_CLIENT_ID'], {
      clientId: setting('GITHUB_OAUTH_CLIENT_ID', text(), required(),
        'Sign-in with GitHub: client id', { pair: 'GITHUB_OAUTH_CLIENT_SECRET' }),
      clientSecret: setting('GITHUB_OAUTH_CLIENT_SECRET', text(), required(),
        'Sign-in with GitHub: client secret', { secret }),
      /** Undefined: the public one. */
      baseUrl: setting('GITHUB_OAUTH_BASE_URL', baseUrl, optional('https://github.com'),
        'Another GitHub, such as GitHub Enterprise Server'),
    }),
    google: group(['GOOGLE_OAUTH_CLIENT_ID'], {
      clientId: setting('GOOGLE_OAUTH_CLIENT_ID', text(), required(),
        'Sign-in with Google: client id', { pair: 'GOOGLE_OAUTH_CLIENT_SECRET' }),
      clientSecret: setting('GOOGLE_OAUTH_CLIENT_SECRET', text(), required(),
        'Sign-in with Google: client secret', { secret }),
      /** Undefined: the public one. */
      baseUrl: setting('GOOGLE_OAUTH_BASE_URL', baseUrl, optional("Google's"),
        'A compatible provider: /o/oauth2/v2/auth, /token and /v1/userinfo below this address'),
    }),
  },
  /** Sign-in with a provider of one's own that speaks OpenID Connect. */
  oidc: group(['OIDC_ISSUER'], {
    issuer: setting('OIDC_ISSUER', issuer, required(),
      "Sign-in with a company's own provider (OpenID Connect): its issuer address", { pair: 'OIDC_CLIENT_ID' }),
    clientId: setting('OIDC_CLIENT_ID', text(), required(),
      'Client id at that provider'),
    /** Without one: a public client, which PKCE alone protects. */
    clientSecret: setting('OIDC_CLIENT_SECRET', text(), optional(),
      'Client secret at that provider', { secret }),
    label: setting('OIDC_LABEL', matching(/^[^\p{Cc}]{1,40}$/u, '1 to 40 characters'), calculated('the host of OIDC_ISSUER', issuerHost),
      'What the button says: Sign in with …'),
    /** Empty: any. */
    domains: setting('OIDC_DOMAINS', domainNames, calculated('any', () => []),
      'Let in only addresses of these domains, separated by commas'),
    trustsAddresses: setting('OIDC_TRUST_ADDRESSES', boolean, 'false',
      'Believe addresses of which the provider does not say whether they are verified (Microsoft Entra ID)'),
    signUp: setting('OIDC_SIGN_UP', boolean, 'false',
      'Whoever comes from that provider gets an account, although sign-up is closed'),
  }),
  /** The payment provider is Stripe, or what speaks its protocol. Undefined: billing is off. */
  stripe: group(['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'], {
    secretKey: setting('STRIPE_SECRET_KEY', stripeSecret, required(),
      'Secret key of Stripe; billing is on when this and STRIPE_WEBHOOK_SECRET are set', { secret, pair: 'STRIPE_WEBHOOK_SECRET' }),
    webhookSecret: setting('STRIPE_WEBHOOK_SECRET', stripeSecret, required(),
      'Signing secret of the endpoint /webhooks/incoming/stripe', { secret }),
    usagePrice: setting('STRIPE_PRICE_EMAIL_USAGE', price, optional(),
      'Metered price of e-mails; a checkout needs it'),
    onboardingPrice: setting('STRIPE_PRICE_ONBOARDING', price, optional(),
      'A price that is charged once, at the start of a subscription'),
    meterEventName: setting('STRIPE_METER_EVENT_NAME', matching(/^[\w.:-]{1,100}$/, '1 to 100 letters, digits and . _ : -'), 'emails',
      'Event name of the meter behind the metered price'),
    apiBase: setting('STRIPE_API_BASE', origin, optional("Stripe's"),
      "Another server that speaks Stripe's protocol"),
  }),
  /** Undefined: uploads are kept in the data directory. */
  s3: group(['S3_BUCKET'], {
    bucket: setting('S3_BUCKET', matching(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'the name of a bucket'), required('unset: uploads live in DATA_DIR/uploads'),
      'Bucket for uploaded images'),
    endpoint: setting('S3_ENDPOINT', httpAddress, optional("Amazon's, by region"),
      'Server of the bucket'),
    region: setting('S3_REGION', matching(/^[\w-]{1,64}$/, 'a name'), optional("the server's own"),
      'Region of the bucket'),
    accessKeyId: setting('S3_ACCESS_KEY_ID', text(), required(),
      'Access key of the bucket'),
    secretAccessKey: setting('S3_SECRET_ACCESS_KEY', text(), required(),
      'Secret of that access key', { secret }),
    publicUrl: setting('S3_PUBLIC_URL', publicAddress, optional('unset: served at BASE_URL/uploads'),
      'Address under which everybody may read the bucket'),
    prefix: setting('S3_PREFIX', keyPrefix, calculated('', () => ''),
      'Put before every key in the bucket'),
  }),
  uploadBytesPerProject: setting('MAX_UPLOAD_BYTES_PER_PROJECT', room, '10GB',
    'All images of a project together; 0 for no limit'),
  /** Undefined: mail comes in over HTTP only. */
  submission: {
    listeners: setting('SMTP_LISTEN', listeners, required(),
      'Takes mail by SMTP from programs with a secret key as password: 587 (STARTTLS), 465 (TLS), or both'),
    /** Undefined: one that is made here. */
    certificate: {
      certFile: setting('SMTP_TLS_CERT_FILE', pemFile, required('a certificate made in DATA_DIR'),
        'Certificate chain of SMTP_LISTEN; read again when the file changes', { pair: 'SMTP_TLS_KEY_FILE', needs: ['SMTP_LISTEN'] }),
      keyFile: setting('SMTP_TLS_KEY_FILE', pemFile, required(),
        'Private key of that certificate'),
    },
    plainOnLoopback: setting('SMTP_PLAIN_ON_LOOPBACK', boolean, 'false',
      'Takes keys without TLS where SMTP_LISTEN names a loopback address'),
  },
  retentionByMonth: setting('RETENTION_BY_MONTH', boolean, 'false',
    'Where events are split by month: keep them until their whole month is older than the eventsDays of the project, so that months are dropped instead of deleted row by row'),
  /** Undefined: bodies are kept. */
  bodyRetentionMs: setting('EMAIL_BODY_RETENTION_DAYS', days(36_500), '90',
    'Days after which sent bodies and attachments are emptied; 0 keeps them'),

  dnsServers: setting('DNS_SERVERS', servers, calculated("the system's", () => []),
    'Name servers used for every look-up'),
  domainCheckIntervalMs: setting('DOMAIN_CHECK_INTERVAL', duration('1s', '7d', '30s or 5m'), '5m',
    'How often domains are re-checked'),
  disableSignups: setting('DISABLE_SIGNUPS', boolean, 'true',
    'Once there is an account, let in only people who are invited; false lets in everybody'),
  maxProjectsPerUser: setting('MAX_PROJECTS_PER_USER', million, '20',
    'Projects that one user may own'),
  maxInvitationsPerDay: setting('MAX_INVITATIONS_PER_DAY', million, '1000',
    'Invitations that this instance mails a day; a project and a user may each send 100 of them'),
  rateLimitPerMinute: setting('RATE_LIMIT_PER_MINUTE', integer(0, 10_000_000), '1000',
    'API requests a minute for each secret key, public key and signed-in user; 0 switches the limit off'),
  statementTimeoutMs: setting('STATEMENT_TIMEOUT', duration('100ms', '10m', '10s or 1m'), '10s',
    'How long one database statement of a request may take before it is answered with 503'),
  /** 0: unlimited. */
  sendRatePerSecond: setting('SEND_RATE_PER_SECOND', integer(0, 1_000_000), optional("the transport's own limit"),
    'E-mails per second and project; 0 means unlimited'),
  /** Undefined: mail to all domains leaves alike. */
  recipientRates: setting('RECIPIENT_RATES', byReceiver, optional(),
    'E-mails per second to single receivers, for all projects together, such as gmail=20,example.org=1'),
  recipientConnections: setting('RECIPIENT_CONNECTIONS', byReceiver, optional(),
    'E-mails on their way to single receivers at a time, in each process, such as gmail=5,example.org=1'),
  idempotencyKeyTtlMs: setting('IDEMPOTENCY_KEY_TTL_HOURS', hours, '24',
    'How long an Idempotency-Key is remembered'),
  maxAttachmentBytes: setting('MAX_ATTACHMENT_BYTES', size, '10MB',
    'All attachments of a message together'),
  maxMessageBytes: setting('MAX_MESSAGE_BYTES', size, '40MB',
    'A whole message'),
  webhookAllowPrivate: setting('WEBHOOK_ALLOW_PRIVATE', boolean, 'false',
    'Let webhooks of workflows reach private and loopback addresses'),
  trustProxy: setting('TRUST_PROXY', boolean, 'false',
    'Take the client address from X-Forwarded-For'),
  autoProjectDisable: setting('AUTO_PROJECT_DISABLE', boolean, 'true',
    'Suspend a project whose bounce or complaint rate turns critical'),
  metricsToken: setting('METRICS_TOKEN', tokenText, optional(),
    'Bearer token that /metrics asks for; without it, only clients on this machine are answered', { secret }),
  /** Undefined: metrics are served on the main port, and by a worker not at all. */
  metricsPort: setting('METRICS_PORT', port, optional(),
    'A port of its own for /metrics and /health; a worker serves them on no other'),
  requireEmailVerification: setting('REQUIRE_EMAIL_VERIFICATION', boolean, 'false',
    'Users must prove their address before they may use a project'),
  sessionAddresses: setting('SESSION_ADDRESSES', boolean, 'false',
    'Keep the address that a session is opened from, for its owner to see'),
  systemEmailFrom: setting('SYSTEM_EMAIL_FROM', systemSender, calculated('no-reply@ + host of BASE_URL', defaultSender),
    'Sender of mails of the platform (resets, verifications, invitations)'),
  logLevel: setting('LOG_LEVEL', oneOf('debug', 'info', 'warn', 'error', 'silent'), 'info',
    'Lowest level that is logged'),
  logFormat: setting('LOG_FORMAT', oneOf('pretty', 'json'),
    calculated('pretty on a terminal, else json', (_, { stderrIsTerminal }) => (stderrIsTerminal ? 'pretty' : 'json')),
    'Form of the log lines on stderr'),
}
