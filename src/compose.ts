// The composition root: the only place where adapters to the outside are constructed. Everything else receives them in a Context.
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from './config'
import type { Random } from './lib/ids'
import type { Clock } from './lib/time'
import type { Context } from './platform/context'
import { type DatabaseClient, openDatabase } from './platform/db/client'
import { startEmbedded } from './platform/db/embedded'
import { migrate, requireVersion } from './platform/db/migrate'
import { migrations } from './platform/db/migrations'
import { networkResolver } from './platform/dns/client'
import type { Logger } from './platform/log'
import { outboxTransport } from './platform/mail/outbox'
import { smtpTransport } from './platform/mail/smtp'
import type { Transport } from './platform/mail/transport'
import { makeMetrics } from './platform/metrics'
import { claimSecrets, loadSecrets } from './platform/secrets'
import { makeVault } from './platform/vault'

export const systemClock: Clock = { now: () => new Date() }

export const systemRandom: Random = {
  bytes: length => new Uint8Array(randomBytes(length)),
  fraction: () => Math.random(),
  uuid: at => Bun.randomUUIDv7('hex', at),
}

export interface DatabaseHandle extends DatabaseClient {
  url: string
  /** True when the server is ours alone, so that work of a dead predecessor may be taken over at once. */
  soleOwner: boolean
}

/** Opens the configured database, starting the built-in one where none is given. */
export async function connect(config: Config, log: Logger): Promise<DatabaseHandle> {
  const max = config.jobConcurrency >= 32 ? 24 : 16
  if (config.databaseUrl) {
    const client = openDatabase(config.databaseUrl, { max })
    await requireVersion(client.sql)
    return { ...client, url: config.databaseUrl, soleOwner: false }
  }
  const server = await startEmbedded({
    dataDir: join(config.dataDir, 'postgres'),
    log,
    maxConnections: max + 16,
  })
  const client = openDatabase(server.url, { max })
  return {
    ...client,
    url: server.url,
    soleOwner: true,
    close: async () => {
      await client.close()
      await server.stop()
    },
  }
}

/** Applies what is missing; returns the tags applied. */
export function migrateDatabase(database: DatabaseClient): Promise<string[]> {
  return migrate(database.sql, migrations, systemClock.now())
}

export function makeTransport(config: Config): Transport {
  switch (config.mailTransport) {
    case 'smtp':
      return smtpTransport({ url: config.smtpUrl! })
    case 'outbox':
      return outboxTransport({ directory: join(config.dataDir, 'outbox') })
    case 'ses':
      throw new Error('the ses transport is not part of this version')
  }
}

/** Builds the Context of a running instance; the database must be up to date. Throws when its secrets are not this instance's. */
export async function buildContext(config: Config, database: DatabaseClient, log: Logger): Promise<Context> {
  const secrets = await loadSecrets(config, systemRandom)
  const ctx: Context = {
    config,
    db: database.db,
    sql: database.sql,
    clock: systemClock,
    random: systemRandom,
    dns: networkResolver({ servers: config.dnsServers, timeoutMs: 2_000, tries: 2, random: systemRandom }),
    mail: makeTransport(config),
    log,
    metrics: makeMetrics(),
    vault: makeVault(secrets, systemRandom),
    afterCommit: task => task(),
  }
  await claimSecrets(ctx)
  return ctx
}
