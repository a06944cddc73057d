// A Context for tests: real PostgreSQL, everything else a fake that the test holds in its hand.
import { randomBytes } from 'node:crypto'
import type { Random } from '../../src/lib/ids'
import type { Clock } from '../../src/lib/time'
import { makeVault } from '../../src/lib/vault'
import { memoryResolver } from '../../src/mail/dns/memory'
import type { Context } from '../../src/platform/context'
import { memoryStore } from '../../src/platform/files/memory'
import { silentLogger } from '../../src/platform/log'
import { makeMetrics } from '../../src/platform/metrics'
import { liveRequests } from '../../src/platform/requests'
import { memoryTransport } from '../../src/platform/transports/memory'
import type { Transport } from '../../src/platform/transports/transport'
import { memoryWebhooks } from '../../src/platform/webhook/memory'
import { hooks } from '../../src/server/hooks'
import { type Config, loadConfig } from '../../src/settings/config'
import type { TestDatabase } from './database'

export interface ManualClock extends Clock {
  /** Moves time forward by `ms`. */
  advance(ms: number): void
  set(at: Date): void
}

export function manualClock(start = new Date('2026-03-01T12:00:00.000Z')): ManualClock {
  let at = start.getTime()
  return {
    now: () => new Date(at),
    advance(ms) {
      at += ms
    },
    set(date) {
      at = date.getTime()
    },
  }
}

export const testRandom: Random = {
  bytes: length => new Uint8Array(randomBytes(length)),
  fraction: () => Math.random(),
  uuid: at => Bun.randomUUIDv7('hex', at),
}

const testSecrets = {
  encryptionKey: 'test-encryption-key-0123456789',
  jwtSecret: 'test-jwt-secret-0123456789',
}

export function testConfig(changes: Partial<Config> = {}): Config {
  const environment = { BASE_URL: 'http://localhost:3000', DISABLE_SIGNUPS: 'false' }
  const config = loadConfig(environment, { cpus: 2, stderrIsTerminal: false })
  return { ...config, ...changes }
}

/** Fakes are typed as such, so that a test can script them. */
export function testContext(
  database: TestDatabase,
  changes: Partial<Config> = {},
  makeMail?: (clock: Clock) => Transport,
) {
  const clock = manualClock()
  const mail = memoryTransport()
  const dns = memoryResolver()
  const webhooks = memoryWebhooks()
  const providers = memoryWebhooks()
  const files = memoryStore()
  const ctx: Context = {
    config: testConfig(changes),
    db: database.db,
    sql: database.sql,
    clock,
    random: testRandom,
    dns,
    mail: makeMail?.(clock) ?? mail,
    webhooks,
    providers,
    files,
    requests: liveRequests(),
    hooks,
    log: silentLogger,
    metrics: makeMetrics(),
    vault: makeVault(testSecrets, testRandom),
    afterCommit: task => task(),
  }
  return { ctx, clock, mail, dns, webhooks, files }
}
