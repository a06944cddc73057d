// The PostgreSQL server of a benchmark, as durable as in production: TEST_DATABASE_URL if given, otherwise the built-in one in a
// temporary folder. And a Context of which only the database, the clock and the random source are real.

import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Random } from '../../src/lib/ids'
import { makeVault } from '../../src/lib/vault'
import { memoryResolver } from '../../src/mail/dns/memory'
import type { Context } from '../../src/platform/context'
import { type DatabaseClient, openDatabase } from '../../src/platform/db/client'
import { memoryStore } from '../../src/platform/files/memory'
import { silentLogger } from '../../src/platform/log'
import { makeMetrics } from '../../src/platform/metrics'
import { liveRequests } from '../../src/platform/requests'
import type { Transport } from '../../src/platform/transports/transport'
import { memoryWebhooks } from '../../src/platform/webhook/memory'
import { hooks } from '../../src/server/hooks'
import { loadConfig } from '../../src/settings/config'

export interface BenchServer {
  /** Makes an empty database and returns its URL. Dropped at the end. */
  createDatabase(): Promise<string>
  stop(): Promise<void>
}

/** `port`: reached over TCP, for programs that know no sockets. */
export async function benchServer(port?: number): Promise<BenchServer> {
  const { url, stop } = await startServer(port)
  const admin = openDatabase(url, { max: 1 })
  const names: string[] = []
  return {
    async createDatabase() {
      const name = `bench_${process.pid}_${names.length}`
      await admin.sql.unsafe(`create database ${name}`)
      names.push(name)
      const own = new URL(url)
      own.pathname = `/${name}`
      return own.toString()
    },
    async stop() {
      for (const name of names) await admin.sql.unsafe(`drop database ${name} with (force)`)
      await admin.close()
      await stop()
    },
  }
}

async function startServer(port?: number): Promise<{ url: string; stop(): Promise<void> }> {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given, stop: async () => {} }
  const { startEmbedded } = await import('../../src/platform/db/embedded')
  const dataDir = mkdtempSync(join(tmpdir(), 'waxwing-bench-'))
  // When started as root, the server runs as another user, who must be able to enter the folder.
  chmodSync(dataDir, 0o755)
  const tcp = port && { settings: { listen_addresses: '127.0.0.1', port: String(port) } }
  const server = await startEmbedded({ dataDir, log: silentLogger, maxConnections: 80, ...tcp })
  return {
    url: port ? `postgres://waxwing@127.0.0.1:${port}/waxwing` : server.url,
    async stop() {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const random: Random = {
  bytes: length => crypto.getRandomValues(new Uint8Array(length)),
  fraction: () => Math.random(),
  uuid: at => Bun.randomUUIDv7('hex', at),
}

const refuse = (): Promise<never> => Promise.reject(new Error('this benchmark sends no mail'))
const noMail: Transport = {
  name: 'memory',
  signsItself: false,
  send: refuse,
  verify: refuse,
  close: async () => {},
}

/** Mail is refused: a benchmark that sends brings its own transport. */
export function quietContext(database: DatabaseClient): Context {
  const secrets = {
    encryptionKey: 'bench-encryption-key-0123456789',
    jwtSecret: 'bench-jwt-secret-0123456789',
  }
  return {
    config: loadConfig({ BASE_URL: 'http://localhost:3000' }, { cpus: 2, stderrIsTerminal: false }),
    db: database.db,
    sql: database.sql,
    clock: { now: () => new Date() },
    random,
    dns: memoryResolver(),
    mail: noMail,
    webhooks: memoryWebhooks(),
    providers: memoryWebhooks(),
    log: silentLogger,
    metrics: makeMetrics(),
    vault: makeVault(secrets, random),
    files: memoryStore(),
    requests: liveRequests(),
    hooks,
    afterCommit: task => task(),
  }
}
