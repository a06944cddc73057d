// The composition root: the only place where adapters to the outside are constructed. Everything else receives them in a Context.
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import type { Random } from '../lib/ids'
import { isLoopbackHost } from '../lib/loopback'
import type { Clock } from '../lib/time'
import { makeVault } from '../lib/vault'
import { networkResolver } from '../mail/dns/client'
import type { Context } from '../platform/context'
import { type DatabaseClient, openDatabase, requireVersion } from '../platform/db/client'
import { runningServerUrl, startEmbedded } from '../platform/db/embedded'
import { DirectoryInUse } from '../platform/db/lock'
import { migrate, readSchemaState } from '../platform/db/migrate'
import type { SchemaState } from '../platform/db/migration/journal'
import { migrations } from '../platform/db/migrations'
import { heavyConnections, heavyJobConnections, requestConnections } from '../platform/db/pools'
import { directoryStore } from '../platform/files/directory'
import { s3Store } from '../platform/files/s3'
import type { FileStore } from '../platform/files/store'
import type { Logger } from '../platform/log'
import { makeMetrics } from '../platform/metrics'
import { stripePayments } from '../platform/payments/stripe'
import { liveRequests } from '../platform/requests'
import { claimSecrets, loadSecrets } from '../platform/secrets'
import { showTransports } from '../platform/transports/health'
import { outboxTransport } from '../platform/transports/outbox'
import { sendmailTransport } from '../platform/transports/sendmail'
import { sesTransport } from '../platform/transports/ses'
import { severalTransports } from '../platform/transports/several/several'
import { smtpTransport } from '../platform/transports/smtp'
import type { Transport } from '../platform/transports/transport'
import { networkWebhooks } from '../platform/webhook/network'
import type { Config } from '../settings/config'
import type { TransportEntry } from '../settings/transport-list'
import { hooks } from './hooks'

export const systemClock: Clock = { now: () => new Date() }

export const systemRandom: Random = {
  bytes: length => new Uint8Array(randomBytes(length)),
  fraction: () => Math.random(),
  uuid: at => Bun.randomUUIDv7('hex', at),
}

export interface DatabaseHandle extends DatabaseClient {
  /** True when the server is ours alone, so that work of a dead predecessor may be taken over at once. */
  soleOwner: boolean
}

/** Connections for work that is not a request: a run holds one for only part of its time. */
export function jobConnections(config: Config): number {
  return config.jobConcurrency >= 32 ? 24 : 16
}

/** Opens the configured database, starting the built-in one where none is given. */
export async function connect(config: Config, log: Logger): Promise<DatabaseHandle> {
  const max = jobConnections(config)
  if (config.databaseUrl) return { ...(await openServer(config.databaseUrl, max, log)), soleOwner: false }
  const maxConnections = max + requestConnections + heavyConnections + heavyJobConnections + 16
  const server = await startEmbedded({ dataDir: builtInFolder(config), log, maxConnections })
  const client = openDatabase(server.url, { max })
  return {
    ...client,
    soleOwner: true,
    close: async () => {
      await client.close()
      await server.stop()
    },
  }
}

/** Like `connect`, but where another process runs the built-in database, that one is used; `holder` says which. For reading only. */
export async function connectBeside(
  config: Config,
  log: Logger,
): Promise<DatabaseHandle & { holder?: string }> {
  try {
    return await connect(config, log)
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error
    const running = await openServer(runningServerUrl(builtInFolder(config)), 1, log)
    return { ...running, soleOwner: false, holder: error.holder }
  }
}

/** False before the first start: for commands that would make a new database only to find it empty. */
export function hasDatabase(config: Config): boolean {
  return config.databaseUrl !== undefined || existsSync(join(builtInFolder(config), 'pgdata'))
}

/** Throws if there is no database to work on. */
export function requireDatabase(config: Config): void {
  if (!hasDatabase(config))
    throw new Error(
      `there is no database in ${config.dataDir}: set DATA_DIR or DATABASE_URL as the instance has them`,
    )
}

function builtInFolder(config: Config): string {
  return join(config.dataDir, 'postgres')
}

/** Opens an external server; throws a sentence that says where nothing answers, without the password. */
async function openServer(url: string, max: number, log: Logger): Promise<DatabaseClient> {
  const onSilence = (connections: number): void =>
    log.warn({ connections }, 'the database fell silent on these connections; new ones are made')
  const client = openDatabase(url, { max, onSilence })
  try {
    await requireVersion(client.sql)
  } catch (error) {
    await client.close()
    const { hostname, port, searchParams } = new URL(url)
    const server = searchParams.get('host') ?? `${hostname}:${port || 5432}`
    throw new Error(`the database at ${server}: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    })
  }
  return client
}

/** Applies what is missing; returns the tags applied. */
export async function migrateDatabase(database: DatabaseClient, log: Logger): Promise<string[]> {
  try {
    return await migrate(database.sql, migrations, systemClock.now(), { log })
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    const { user, database: name } = database.sql.options
    throw new Error(
      `${(error as Error).message}: run GRANT CREATE, USAGE ON SCHEMA public TO "${user}" in the database "${name}", as its owner`,
      { cause: error },
    )
  }
}

/** What `migrateDatabase` would apply; throws where it would refuse. */
export function schemaState(database: DatabaseClient): Promise<SchemaState> {
  return readSchemaState(database.sql, migrations)
}

/** Tags of what `migrateDatabase` would apply. */
export async function missingMigrations(database: DatabaseClient): Promise<string[]> {
  return (await schemaState(database)).missing.map(({ tag }) => tag)
}

export function makeTransport(config: Config): Transport {
  const { transports } = config
  if (transports) {
    const list = transports.map(entry => ({ entry, transport: makeEntryTransport(config, entry) }))
    return severalTransports(list, systemClock)
  }
  switch (config.mailTransport) {
    case 'smtp':
      return smtpTransport({ url: config.smtpUrl!, clientName: nameOf(config) })
    case 'outbox':
      return outboxTransport({ directory: join(config.dataDir, 'outbox') })
    case 'sendmail':
      return sendmailTransport({ path: config.sendmailPath })
    case 'ses':
      return sesTransport(config.ses!)
  }
}

/** What relays are told that this is, and write into every message: the public name, where there is one. */
function nameOf({ baseUrl }: Config): string | undefined {
  const { hostname } = new URL(baseUrl)
  return isLoopbackHost(hostname) || isIP(hostname.replace(/^\[|\]$/g, '')) > 0 ? undefined : hostname
}

/** One transport of several. */
export function makeEntryTransport(config: Config, { kind, target }: TransportEntry): Transport {
  switch (kind) {
    case 'smtp':
      return smtpTransport({ url: target!, clientName: nameOf(config) })
    case 'sendmail':
      return sendmailTransport({ path: target! })
    case 'ses':
      return sesTransport(config.ses!)
  }
}

export function makeFileStore(config: Config): FileStore {
  return config.s3 ? s3Store(config.s3) : directoryStore(join(config.dataDir, 'uploads'))
}

/** Builds the Context of a running instance; the database must be up to date. Throws when its secrets are not this instance's. */
export async function buildContext(config: Config, database: DatabaseClient, log: Logger): Promise<Context> {
  const secrets = await loadSecrets(config, systemRandom)
  const dns = networkResolver({
    servers: config.dnsServers,
    timeoutMs: 2_000,
    tries: 2,
    random: systemRandom,
  })
  const ctx: Context = {
    config,
    db: database.db,
    sql: database.sql,
    clock: systemClock,
    random: systemRandom,
    dns,
    mail: makeTransport(config),
    webhooks: networkWebhooks({ dns, allowPrivate: config.webhookAllowPrivate }),
    providers: networkWebhooks({ dns, allowPrivate: true }),
    files: makeFileStore(config),
    payments: config.stripe && stripePayments(config.stripe),
    requests: liveRequests(),
    hooks,
    log,
    metrics: makeMetrics(),
    vault: makeVault(secrets, systemRandom),
    afterCommit: task => task(),
  }
  showTransports(ctx, ctx.mail.routes?.all.map(({ entry }) => entry.name) ?? [ctx.mail.name])
  await claimSecrets(ctx)
  return ctx
}
