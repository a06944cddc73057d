// A running instance: database, HTTP, job runner and schedules started in order, and stopped in the reverse order.
import { type HttpServer, reserve } from '../http/server'
import { second, sleep } from '../lib/time'
import { ensureSetupLink } from '../modules/accounts/users'
import { hitRecorder, startInbound } from '../modules/sending/feedback'
import type { Context } from '../platform/context'
import type { DatabaseClient } from '../platform/db/client'
import {
  openHeavyJobPool,
  openHeavyPool,
  openJobPool,
  openRequestPool,
  type PoolServer,
} from '../platform/db/pools'
import { watchIdle } from '../platform/idle'
import { watchPause } from '../platform/instance/sending-pause'
import { startRunner } from '../platform/jobs/runner'
import { runSchedules } from '../platform/jobs/schedule'
import { type JobSignal, makeJobSignal } from '../platform/jobs/wake'
import { type Logger, setLogLevel } from '../platform/log'
import { keepSmall } from '../platform/memory'
import type { SmtpServers } from '../platform/smtp-server/server'
import { deadLinks } from '../platform/transports/dead-links'
import { showTransports } from '../platform/transports/health'
import type { SeveralTransports } from '../platform/transports/several/several'
import { type Config, withPort } from '../settings/config'
import { mainKind } from '../settings/formats'
import { buildApp, buildMetricsApp } from './app'
import {
  buildContext,
  connect,
  type DatabaseHandle,
  jobConnections,
  makeEntryTransport,
  migrateDatabase,
} from './compose'
import { allSchedules, jobHandlers } from './jobs'
import { respellAddresses } from './respell'

export interface Instance {
  /** Where HTTP listens; undefined for a worker. */
  url?: string
  /** Where metrics and health are served separately. */
  metricsUrl?: string
  /** Where mail is taken by SMTP. */
  submission?: readonly string[]
  baseUrl: string
  mail: string
  /** What to set so that links in mails lead somewhere; undefined if they do. */
  deadLinks?: string
  /** Why no mail leaves until `waxwing resume`. */
  paused?: string
  /** What to print while there is no account: how to make the first one. */
  setup?: string
  /** Reads again what can be changed without a restart; what is wrong is logged, and nothing changes. */
  reload(): Promise<void>
  stop(): Promise<void>
}

/** How long running jobs get to finish when the program stops. */
const graceMs = 30 * second
/** Opens and clicks are not worth waiting longer for a database that is away. */
const hitGraceMs = 5 * second

type Stop = () => Promise<unknown>

export async function startInstance(
  given: Config,
  log: Logger,
  readAgain: () => Config = () => given,
): Promise<Instance> {
  const stops: Stop[] = []
  try {
    return await start(given, log, stops, readAgain)
  } catch (error) {
    await unwind(stops, log)
    throw error
  }
}

async function start(given: Config, log: Logger, stops: Stop[], readAgain: () => Config): Promise<Instance> {
  const serves = given.role !== 'worker'
  // The port is bound before anything slow, so that a port in use is reported at once; requests wait until the app is ready.
  const server = serves ? reserve(given.host, given.port) : undefined
  if (server) stops.push(() => server.stop())
  const figures = reserveMetrics(given)
  if (figures) stops.push(() => figures.stop())
  const config = server ? withPort(given, server.port) : given
  const database = await connect(config, log)
  stops.push(() => database.close())
  await migrateDatabase(database, log)
  const built = await buildContext(config, database, log)
  const base: Context = { ...built, idle: database.soleOwner ? watchIdle(built.requests) : undefined }
  stops.push(() => base.mail.close())
  const signal = makeJobSignal({ ...base, sql: database.sql }, { soleOwner: database.soleOwner })
  stops.push(() => signal.close())
  const pause = await watchPause({ ...base, sql: database.sql }, () => signal.wake(base.clock.now()))
  stops.push(() => pause.stop())
  const ctx: Context = { ...base, jobWaker: signal, sending: pause }
  await respellAddresses(ctx, database.sql)
  figures?.open(buildMetricsApp(ctx))
  // Shown until the work has ended, and before the database goes.
  if (figures) stops.push(() => figures.stop())
  const work: Stop[] = []
  const listeners: Stop[] = []
  stops.push(() => unwind(work, log))
  stops.push(() => unwind(listeners, log))
  // Whoever waits is answered first; the work that they make waits in the database. The other way round at the end.
  const ports = server ? await startListeners(ctx, database, server, listeners) : undefined
  if (config.role !== 'api') await startWork(ctx, database, signal, work)
  const setup = serves ? await ensureSetupLink(ctx) : undefined
  const letGrow = keepSmall()
  stops.push(async () => letGrow())
  return {
    url: server?.url,
    metricsUrl: figures?.url,
    submission: ports?.submission?.addresses,
    baseUrl: config.baseUrl,
    mail: base.mail.routes?.all.map(({ entry }) => entry.name).join(', ') ?? base.mail.name,
    deadLinks: deadLinks(config),
    paused: pause.paused()?.because,
    setup,
    reload: () => reload(ctx, readAgain, ports ? [ports.submission, ports.inbound] : []),
    stop: () => unwind(stops, log),
  }
}

function reserveMetrics({ host, metricsPort }: Config): HttpServer | undefined {
  if (metricsPort === undefined) return undefined
  return reserve(host, metricsPort, 'METRICS_PORT')
}

const poolServer = ({ sql, soleOwner }: DatabaseHandle): PoolServer => ({
  client: sql,
  isBuiltIn: soleOwner,
})

/** `base` with its own pool, which is closed after everything that is started from now on. */
function onPool(base: Context, pool: DatabaseClient, stops: Stop[]): Context {
  stops.push(() => pool.close())
  return { ...base, sql: pool.sql, db: pool.db }
}

/** The servers that take mail by SMTP, where there are any. */
interface SmtpPorts {
  submission?: SmtpServers
  inbound?: SmtpServers
}

async function startListeners(
  base: Context,
  database: DatabaseHandle,
  server: HttpServer,
  stops: Stop[],
): Promise<SmtpPorts> {
  const { statementTimeoutMs } = base.config
  const heavy = openHeavyPool(poolServer(database), statementTimeoutMs)
  stops.push(() => heavy.close())
  const onRequests = onPool(base, openRequestPool(poolServer(database), statementTimeoutMs), stops)
  const ctx: Context = { ...onRequests, heavy }
  // After the last request, and before the database is closed.
  stops.push(() => Promise.race([hitRecorder(ctx).settled(), sleep(hitGraceMs)]))
  server.open(buildApp(ctx))
  stops.push(() => server.stop())
  return { inbound: await openInbound(ctx, stops), submission: await openSubmission(ctx, stops) }
}

/** Loaded only where it is wanted. */
async function openSubmission(ctx: Context, stops: Stop[]): Promise<SmtpServers | undefined> {
  const { submission } = ctx.config
  if (!submission) return undefined
  const { startSubmission } = await import('../modules/api/submission')
  const server = await startSubmission(ctx, submission)
  stops.push(() => server.stop())
  return server
}

async function openInbound(ctx: Context, stops: Stop[]): Promise<SmtpServers | undefined> {
  const { inbound } = ctx.config
  if (!inbound) return undefined
  const server = await startInbound(ctx, inbound.listeners)
  stops.push(() => server.stop())
  ctx.log.info({ addresses: server.addresses }, 'mail that comes back is taken')
  return server
}

async function startWork(
  base: Context,
  database: DatabaseHandle,
  signal: JobSignal,
  stops: Stop[],
): Promise<void> {
  const heavy = openHeavyJobPool(poolServer(database))
  stops.push(() => heavy.close())
  const onJobs = onPool(base, openJobPool(poolServer(database), jobConnections(base.config)), stops)
  const ctx: Context = { ...onJobs, heavy }
  await signal.listen()
  const runner = await startRunner(ctx, {
    handlers: jobHandlers(ctx),
    concurrency: ctx.config.jobConcurrency,
    signal,
    soleOwner: database.soleOwner,
  })
  stops.push(() => runner.stop(graceMs))
  const ticking = runSchedules(ctx, allSchedules(ctx.config))
  stops.push(() => ticking.stop())
}

/** Each part is stopped even when another one fails to. */
async function unwind(stops: Stop[], log: Logger): Promise<void> {
  for (const stop of stops.splice(0).reverse()) {
    try {
      await stop()
    } catch (error) {
      log.error({ error: String(error) }, 'a part did not stop cleanly')
    }
  }
}

/**
 * `readAgain` throws if the settings can't be used; then nothing changes. `renewable` are servers with certificates, each of which keeps
 * the old one if the new one can't be used.
 */
export async function reload(
  ctx: Context,
  readAgain: () => Config,
  renewable: ReadonlyArray<{ renew(): Promise<void> } | undefined>,
): Promise<void> {
  const { log } = ctx
  await Promise.all(renewable.map(server => server?.renew()))
  try {
    const config = readAgain()
    setLogLevel(log, config.logLevel)
    const transports = await replaceTransports(ctx, config)
    log.info({ logLevel: config.logLevel, ...transports }, 'settings reloaded')
  } catch (error) {
    log.warn({ error: String(error) }, 'settings not reloaded, because they are wrong')
  }
}

async function replaceTransports(ctx: Context, config: Config): Promise<{ transports?: string[] }> {
  const { transports } = config
  if (!transports || !ctx.config.transports) return {}
  // Who signs, and which records domains need, follows from this everywhere.
  if (mainKind(transports) !== mainKind(ctx.config.transports))
    throw new Error('TRANSPORTS_FILE adds or removes SES or all SMTP relays, which needs a restart')
  await (ctx.mail as SeveralTransports).replace(transports, entry => makeEntryTransport(config, entry))
  const names = transports.map(({ name }) => name)
  showTransports(ctx, names)
  return { transports: names }
}
