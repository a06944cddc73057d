// The feed and the analytics of a project with a year's history, next to other projects: how long the database works on each answer, and
// whether it reads a large table from end to end (aim: below 100 ms, and never). `bun bench/activity.ts [events]`; a quarter as many
// messages. With TEST_DATABASE_URL, `--database=NAME` keeps the filled database, and uses it as it is if it exists.
import { encodeCursor } from '../src/lib/cursor'
import {
  countRecent,
  type FeedRequest,
  listActivity,
  listTypes,
} from '../src/modules/oversight/reporting/service/feed'
import {
  activityStats,
  campaignSummary,
  timeseries,
  topCampaigns,
  topEvents,
} from '../src/modules/oversight/reporting/service/statistics'
import { listUpcoming } from '../src/modules/oversight/reporting/service/upcoming'
import type { Context } from '../src/platform/context'
import { type DatabaseClient, openDatabase } from '../src/platform/db/client'
import { migrate } from '../src/platform/db/migrate'
import { migrations } from '../src/platform/db/migrations'
import { generateHistories, type History } from './support/history'
import { openPlanReader } from './support/plans'
import { askAll, type Question } from './support/questions'
import { benchServer } from './support/server'

const events = Number(process.argv.slice(2).find(each => /^\d+$/.test(each)) ?? 200_000)
const project = '01900000-0000-7000-8000-000000000001'
const neighbour = '01900000-0000-7000-8000-000000000002'
const manyNames = '01900000-0000-7000-8000-000000000003'
const aim = { ms: 100, large: ['emails', 'events', 'workflow_executions', 'contacts'] }

function histories(now: Date): History[] {
  // Ids are made from a time and a number: projects that begin at the same moment would share some.
  const size = (projectId: string, share: number, names: number): History => ({
    projectId,
    contacts: Math.max(2_000, Math.floor((events * share) / 40)),
    emails: Math.max(2_000, Math.floor((events * share) / 4)),
    events: Math.max(4_000, Math.floor(events * share)),
    names,
    executions: Math.max(2_000, Math.floor((events * share) / 20)),
    now: new Date(now.getTime() - names),
  })
  return [size(project, 1, 200), size(neighbour, 0.1, 50), size(manyNames, 0.02, 9_000)]
}

/** The questions; half a year ago is the middle of the history. */
async function questions(ctx: Context): Promise<Question[]> {
  const newest = await ctx.sql<{ at: Date }[]>`
    select created_at as at from events where project_id = ${project}::uuid order by id desc limit 1`
  const end = newest[0]!.at.getTime()
  const daysAgo = (days: number): string => new Date(end - days * 86_400_000).toISOString()
  const [busiest] = await ctx.sql<{ id: string }[]>`
    select id from contacts where project_id = ${project}::uuid order by id limit 1`
  const [contact] = await ctx.sql<{ id: string }[]>`
    select id from contacts where project_id = ${project}::uuid order by id offset 1000 limit 1`
  const cursor = encodeCursor({
    value: `${end - 180 * 86_400_000}.0`,
    id: '01900000-0000-7000-8000-000000000000',
  })
  const year = { startDate: daysAgo(366) }
  const feed =
    (request: Partial<FeedRequest> = {}, of = project) =>
    (each: Context) =>
      listActivity(each, of, { limit: 100, ...request })
  return [
    ['activity', feed()],
    ['activity, page in the middle', feed({ ...year, cursor })],
    ['activity, a year', feed(year)],
    ['activity, a day in the middle', feed({ startDate: daysAgo(181), endDate: daysAgo(180) })],
    ['activity, email.sent', feed({ types: 'email.sent' })],
    ['activity, email.bounced, a year', feed({ ...year, types: 'email.bounced' })],
    [
      'activity, all of e-mail, middle',
      feed({ ...year, cursor, types: 'email.sent,email.delivered,email.opened,email.clicked,email.bounced' }),
    ],
    ['activity, contact.unsubscribed', feed({ types: 'contact.unsubscribed' })],
    ['activity, email.received (none)', feed({ ...year, types: 'email.received' })],
    ['activity, event.triggered', feed({ types: 'event.triggered' })],
    ['activity, event.triggered, middle', feed({ ...year, cursor, types: 'event.triggered' })],
    ['activity, event.triggered, 9,000 names', feed({ ...year, types: 'event.triggered' }, manyNames)],
    ['activity, workflow.started', feed({ types: 'workflow.started' })],
    ['activity, workflow.completed, a year', feed({ ...year, types: 'workflow.completed' })],
    ['activity of a contact', feed({ ...year, contactId: contact!.id })],
    ['activity of the busiest contact', feed({ ...year, contactId: busiest!.id })],
    ['activity of it, email.bounced', feed({ ...year, contactId: busiest!.id, types: 'email.bounced' })],
    ['activity/stats', each => activityStats(each, project, {})],
    ['activity/stats, a year', each => activityStats(each, project, year)],
    ['activity/stats, 9,000 names, a year', each => activityStats(each, manyNames, year)],
    ['activity/recent-count, an hour', each => countRecent(each, project, 60)],
    ['activity/recent-count, all', each => countRecent(each, project, 600_000)],
    ['activity/types', each => listTypes(each, project)],
    ['activity/types, 9,000 names', each => listTypes(each, manyNames)],
    ['activity/upcoming', each => listUpcoming(each, project, { limit: 100, daysAhead: 90 })],
    ['analytics/timeseries', each => timeseries(each, project, {})],
    ['analytics/timeseries, 90 days', each => timeseries(each, project, year)],
    ['analytics/top-campaigns', each => topCampaigns(each, project, {}, 'opened', 50)],
    ['analytics/top-campaigns, a year', each => topCampaigns(each, project, year, 'clicked', 50)],
    ['analytics/campaign-stats', each => campaignSummary(each, project, {})],
    ['analytics/campaign-stats, a year', each => campaignSummary(each, project, year)],
    ['analytics/top-events', each => topEvents(each, project, {}, 20)],
    ['analytics/top-events, a year', each => topEvents(each, project, year, 20)],
    ['analytics/top-events, 9,000 names', each => topEvents(each, manyNames, {}, 20)],
  ]
}

async function fill(database: DatabaseClient): Promise<void> {
  const begun = performance.now()
  const now = new Date()
  await migrate(database.sql, migrations, now)
  await generateHistories(database.sql, histories(now))
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  console.log(
    `${events} events, ${events / 4} messages, ${events / 20} executions, and others beside: ${seconds} s`,
  )
}

/** The database that is kept; made if it does not exist. */
async function keptDatabase(name: string): Promise<{ url: string; isFilled: boolean }> {
  const url = new URL(process.env.TEST_DATABASE_URL!)
  const admin = openDatabase(url.toString(), { max: 1 })
  const found = await admin.sql`select from pg_database where datname = ${name}`
  if (found.length === 0) await admin.sql.unsafe(`create database ${name}`)
  await admin.close()
  url.pathname = `/${name}`
  return { url: url.toString(), isFilled: found.length > 0 }
}

const kept = process.argv.find(each => /^--database=\w+$/.test(each))?.slice('--database='.length)
const server = await benchServer()
const { url, isFilled } = kept
  ? await keptDatabase(kept)
  : { url: await server.createDatabase(), isFilled: false }
const database = openDatabase(url, { max: 4 })
try {
  if (!isFilled) await fill(database)
  const reader = await openPlanReader(database, url)
  await askAll(reader, questions, aim).finally(() => reader.close())
} finally {
  await database.close()
  await server.stop()
}
