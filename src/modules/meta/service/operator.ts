// What the operator of an instance sees: what it runs on, what the doctor finds, and its jobs.

import { cursorDate, decodeCursor } from '../../../lib/cursor'
import { after, second } from '../../../lib/time'
import { fullVersion } from '../../../platform/build'
import type { Context } from '../../../platform/context'
import { countByKind, type FailedJob, pageOfFailed } from '../../../platform/jobs/queries'
import { relayHosts } from '../../../platform/mail/relay-hosts'
import type { MailWay } from '../../../platform/mail/ways/ways'
import { transportsInWarmUp } from '../../domains'
import { countReturned } from '../../feedback'
import { type FindingsAnswer, type StateAnswer, toKind, toTransport } from '../operator-model'
import { describeDatabase } from '../queries'

/** Of each state: the count of a larger backlog would cost more than anyone gains from it. */
const maxCounted = 100_000

export async function describeState(ctx: Context): Promise<StateAnswer> {
  const { config, clock, mail } = ctx
  const now = clock.now()
  const [database, kinds, returned] = await Promise.all([
    describeDatabase(ctx),
    countByKind(ctx, now, maxCounted),
    countReturned(ctx),
  ])
  return {
    version: fullVersion,
    startedAt: after(now, -process.uptime() * second).toISOString(),
    baseUrl: config.baseUrl,
    transport: { name: mail.name === 'several' ? mail.name : config.mailTransport, host: relayOf(ctx) },
    ...(mail.ways ? { transports: await transportsOf(ctx, mail.ways.all) } : {}),
    database: { ...database, builtIn: config.databaseUrl === undefined },
    jobs: kinds.map(toKind),
    returnedEmails: returned.map(({ outcome, mails }) => ({ outcome, emails: mails })),
  }
}

async function transportsOf(ctx: Context, ways: readonly MailWay[]): Promise<StateAnswer['transports']> {
  const days = ways.some(({ entry }) => entry.warmUp) ? await transportsInWarmUp(ctx) : []
  const byName = new Map(days.map(day => [day.transport, day]))
  return ways.map(way => toTransport(way, byName))
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
export async function listFailed(ctx: Context, { kind, cursor, limit }: FailedFilter): Promise<FailedJob[]> {
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
