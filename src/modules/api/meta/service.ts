// What the instance knows about itself: which features are on, whether it is healthy, and its figures.
import { seesUntrustedProxy, untrustedProxy } from '../../../http/request-id'
import { cursorDate, decodeCursor } from '../../../lib/cursor'
import { AppError, unauthorized } from '../../../lib/errors'
import { isLoopbackHost } from '../../../lib/loopback'
import { isSameText } from '../../../lib/same-text'
import { after, second } from '../../../lib/time'
import { lastBackup } from '../../../platform/backup/last'
import { fullVersion, version } from '../../../platform/build'
import type { Context } from '../../../platform/context'
import { monthWarnings } from '../../../platform/db/partition/state'
import { freeBytes, scarceBytes } from '../../../platform/disk'
import { readBacklog } from '../../../platform/jobs/queries'
import type { Band } from '../../../platform/jobs/schema'
import { deadLinks } from '../../../platform/transports/dead-links'
import { failingTransports } from '../../../platform/transports/health'
import { relayHosts } from '../../../platform/transports/relay-hosts'
import type { MailRoute } from '../../../platform/transports/several/several'
import type { Config } from '../../../settings/config'
import { describeSignUp } from '../../accounts/users'
import { transportsInWarmUp } from '../../sending/domains'
import { retryingEmails } from '../../sending/emails'
import { countReturned } from '../../sending/feedback'
import {
  type ConfigAnswer,
  type FindingsAnswer,
  type HealthAnswer,
  type StateAnswer,
  toKind,
  toTransport,
} from './model'
import { countByKind, countRunningJobs, describeDatabase, pageOfFailed, pingDatabase } from './queries'

export { version }

/** How long the database may take to answer before it counts as failed. */
const timeoutMs = 2_000

/** Switches of this instance for clients; what is not part of this version is off. */
export async function describeFeatures(ctx: Context, isLocal: boolean): Promise<ConfigAnswer> {
  const { baseUrl, oauth, oidc, mailTransport, ses } = ctx.config
  return {
    environment: 'production',
    urls: { api: baseUrl, dashboard: baseUrl, landing: baseUrl, wiki: `${baseUrl}/guides` },
    features: {
      billing: { enabled: ctx.payments !== undefined },
      storage: { s3Enabled: ctx.files.kind === 's3' },
      authProviders: {
        github: oauth.github !== undefined,
        google: oauth.google !== undefined,
        ...(oidc ? { oidc: { label: oidc.label } } : {}),
      },
      signup: await describeSignUp(ctx, isLocal),
      email: { trackingToggleEnabled: true, outbox: mailTransport === 'outbox' },
      smtp: describeSmtp(ctx.config),
    },
    aws: { sesRegion: mailTransport === 'ses' ? (ses?.region ?? null) : null, mailFromSubdomain: null },
  }
}

/** What others reach comes before what only programs of this machine do. */
function describeSmtp({ submission, baseUrl }: Config): ConfigAnswer['features']['smtp'] {
  if (!submission) return { enabled: false, domain: null, ports: null }
  const open = submission.listeners.filter(({ host }) => !isLoopbackHost(host))
  const listeners = open.length > 0 ? open : submission.listeners
  const portOf = (isSecure: boolean): number | null =>
    listeners.find(({ implicitTls }) => implicitTls === isSecure)?.port ?? null
  return {
    enabled: true,
    domain: open.length > 0 ? new URL(baseUrl).hostname : listeners[0]!.host,
    ports: { secure: portOf(true), submission: portOf(false) },
  }
}

/** Whether every part works. One probe at a time: however many ask, the database is asked once. */
export function healthProbe(ctx: Context): () => Promise<HealthAnswer> {
  let running: Promise<HealthAnswer> | undefined
  return () => {
    running ??= checkHealth(ctx).finally(() => {
      running = undefined
    })
    return running
  }
}

async function checkHealth(ctx: Context): Promise<HealthAnswer> {
  const database = await within(ctx, pingDatabase(ctx))
  const [jobs, months] = database.ok
    ? await Promise.all([
        within(ctx, describeQueue(ctx)),
        within(ctx, monthWarnings(ctx.sql, ctx.clock.now())),
      ])
    : [{ ok: false as const }, { ok: false as const }]
  return {
    status: database.ok && jobs.ok ? 'ok' : 'error',
    version,
    database: database.ok ? 'ok' : 'failed',
    jobs: jobs.ok ? jobs.value : 'failed',
    sending: describeSending(ctx),
    ...describeTransports(ctx),
    warnings: [
      deadLinks(ctx.config),
      ...transportWarnings(ctx),
      seesUntrustedProxy(ctx) ? untrustedProxy : undefined,
      diskWarning(ctx.config),
      ...(months.ok ? months.value : []),
    ].filter(words => words !== undefined),
  }
}

/** What is due in each band, and how long the oldest of it has been due. */
async function readBands(ctx: Context) {
  const now = ctx.clock.now()
  const rows = await readBacklog(ctx, now)
  return rows.map(({ band, waiting, oldest }) => {
    const oldestSeconds = Math.max(0, now.getTime() - (oldest ?? now).getTime()) / second
    return [band, { waiting, oldestSeconds }] as const
  })
}

async function describeQueue(ctx: Context): Promise<Exclude<HealthAnswer['jobs'], 'failed'>> {
  const [bands, running] = await Promise.all([readBands(ctx), countRunningJobs(ctx)])
  return {
    running,
    bands: Object.fromEntries(bands) as Record<Band, { waiting: number; oldestSeconds: number }>,
  }
}

/** Names none of the other side's words: everybody may read them. */
function transportWarnings(ctx: Context): string[] {
  return [...failingTransports(ctx)].map(
    ([name, { since }]) =>
      `The transport "${name}" has been failing since ${since.toISOString()}: emails wait and are retried`,
  )
}

function diskWarning({ dataDir }: Config): string | undefined {
  const free = freeBytes(dataDir)
  if (free === undefined || free >= scarceBytes) return undefined
  return `The disk of DATA_DIR has ${Math.floor(free / 1024 ** 2)} MB left: make room, or writing stops`
}

/** A pause is intended, so it does not make the instance unhealthy. */
function describeSending(ctx: Context): HealthAnswer['sending'] {
  const pause = ctx.sending?.paused()
  return pause
    ? { paused: true, because: pause.because, since: pause.since.toISOString() }
    : { paused: false }
}

/** One that is passed over does not make the instance unhealthy: mail takes another route. */
function describeTransports({ mail }: Context): Pick<HealthAnswer, 'transports'> {
  if (!mail.routes) return {}
  const transports = mail.routes.all.map(({ entry: { name }, health }) => ({
    name,
    working: health().failures === 0,
  }))
  return { transports }
}

type Outcome<T> = { ok: true; value: T } | { ok: false }

/** The outcome of `work` if it comes in time; a failure is logged and not reported. */
async function within<T>(ctx: Context, work: Promise<T>): Promise<Outcome<T>> {
  const { promise, resolve } = Promise.withResolvers<Outcome<T>>()
  const timer = setTimeout(() => resolve({ ok: false }), timeoutMs)
  work.then(
    value => resolve({ ok: true, value }),
    (error: unknown) => {
      ctx.log.warn({ cause: String(error) }, 'a health check failed')
      resolve({ ok: false })
    },
  )
  const outcome = await promise
  clearTimeout(timer)
  return outcome
}

/** The figures in Prometheus' text form. Those of the queue are left as they were when the database does not answer. */
export async function metricsText(ctx: Context): Promise<string> {
  ctx.metrics.sendingPaused.set(ctx.sending?.paused() ? 1 : 0)
  const { diskFreeBytes, lastBackup: backupTime } = ctx.metrics
  diskFreeBytes.set(freeBytes(ctx.config.dataDir) ?? 0)
  backupTime.set((lastBackup(ctx.config.dataDir)?.getTime() ?? 0) / 1_000)
  await Promise.all([measureDatabase(ctx), within(ctx, measureQueue(ctx)), within(ctx, measureRetrying(ctx))])
  return await ctx.metrics.registry.metrics()
}

async function measureQueue(ctx: Context): Promise<void> {
  for (const [band, { waiting, oldestSeconds }] of await readBands(ctx)) {
    ctx.metrics.queueDepth.set({ band }, waiting)
    ctx.metrics.queueAge.set({ band }, oldestSeconds)
  }
}

async function measureRetrying(ctx: Context): Promise<void> {
  const { count, oldest } = await retryingEmails(ctx)
  ctx.metrics.emailsRetrying.set(count)
  const ageMs = oldest ? Math.max(0, ctx.clock.now().getTime() - oldest.getTime()) : 0
  ctx.metrics.emailsRetryingAge.set(ageMs / 1_000)
}

/** A statement that costs nothing: the time it takes is the way there and the wait for a free connection. */
async function measureDatabase(ctx: Context): Promise<void> {
  const startedAt = performance.now()
  const { ok } = await within(ctx, pingDatabase(ctx))
  ctx.metrics.databaseUp.set(ok ? 1 : 0)
  ctx.metrics.databaseSeconds.set((performance.now() - startedAt) / 1_000)
}

interface MetricsReader {
  authorization: string | undefined
  /** Whether the client is on this machine, and not behind a proxy. */
  isLocal: boolean
}

/** With METRICS_TOKEN everybody has to send it (401); without, the figures are for this machine alone, and others get 404. */
export function requireMetricsReader(ctx: Context, { authorization, isLocal }: MetricsReader): void {
  const { metricsToken } = ctx.config
  if (metricsToken !== undefined) requireToken(metricsToken, authorization)
  else if (!isLocal) throw figuresAreHidden()
}

function figuresAreHidden(): AppError {
  return new AppError(404, 'RESOURCE_NOT_FOUND', 'There is nothing at this address', {
    details: { resource: 'route' },
    suggestion: 'The metrics of this instance are for its own machine, unless it has a METRICS_TOKEN.',
  })
}

function requireToken(token: string, authorization: string | undefined): void {
  const given = /^bearer (.+)$/i.exec(authorization ?? '')?.[1]
  if (given !== undefined && isSameText(given, token)) return
  throw unauthorized('UNAUTHORIZED', 'The metrics of this instance need a token', {
    suggestion: 'Send the header "Authorization: Bearer <METRICS_TOKEN>".',
    headers: { 'WWW-Authenticate': 'Bearer' },
  })
}

export async function describeState(ctx: Context): Promise<StateAnswer> {
  const { config, clock, mail } = ctx
  const now = clock.now()
  const [database, kinds, returned] = await Promise.all([
    describeDatabase(ctx),
    countByKind(ctx, now),
    countReturned(ctx),
  ])
  return {
    version: fullVersion,
    startedAt: after(now, -process.uptime() * second).toISOString(),
    baseUrl: config.baseUrl,
    transport: { name: mail.name === 'several' ? mail.name : config.mailTransport, host: relayOf(ctx) },
    ...(mail.routes ? { transports: await transportsOf(ctx, mail.routes.all) } : {}),
    database: { ...database, builtIn: config.databaseUrl === undefined },
    jobs: kinds.map(toKind),
    returnedEmails: returned.map(({ outcome, mails }) => ({ outcome, emails: mails })),
  }
}

async function transportsOf(ctx: Context, routes: readonly MailRoute[]): Promise<StateAnswer['transports']> {
  const days = routes.some(({ entry }) => entry.warmUp) ? await transportsInWarmUp(ctx) : []
  const byName = new Map(days.map(day => [day.transport, day]))
  return routes.map(route => toTransport(route, byName))
}

function relayOf({ config }: Context): string | null {
  return config.transports ? null : (relayHosts(config)[0] ?? null)
}

export interface FailedFilter {
  kind?: string
  cursor?: string
  limit: number
}

/** One more than asked for where there is more. */
export async function listFailed(ctx: Context, { kind, cursor, limit }: FailedFilter) {
  const position = decodeCursor(cursor)
  const before = position && { at: cursorDate(position), id: position.id }
  return await pageOfFailed(ctx, { kind, before, limit: limit + 1 })
}

/** What `waxwing doctor` says, except about domains, of which each project sees its own. */
export type Examine = () => Promise<FindingsAnswer['findings']>

const freshMs = 10 * second

/** One examination at a time, and none again within ten seconds: it asks the relay and the name servers. */
export function examination(ctx: Context, examine: Examine): () => Promise<FindingsAnswer> {
  let last: { at: Date; answer: Promise<FindingsAnswer> } | undefined
  return () => {
    const now = ctx.clock.now()
    if (last && now.getTime() - last.at.getTime() < freshMs) return last.answer
    const answer = examine().then(findings => ({ findings, lookedAt: now.toISOString() }))
    last = { at: now, answer }
    return answer
  }
}
