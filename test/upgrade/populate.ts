// Fills every table of a fresh database, the way the product does wherever a few calls of its API do it, and by hand for what is
// there for a moment only or comes from outside. `bun scripts/release-backup.ts` makes the backup of a release from it.
import { hour, minute } from '../../src/lib/time'
import { addSandboxDomain } from '../../src/modules/sending/domains/service'
import { rememberOldLinks, rememberOldRecipients } from '../../src/modules/sending/redirects'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { claimSecrets } from '../../src/platform/secrets'
import { buildApp } from '../../src/server/app'
import { allSchedules } from '../../src/server/jobs'
import { makeMember, makeProject, makeUser } from '../support/make'
import { type Answer, request } from '../support/request'
import { makeWorld, senderDomain, type World } from '../support/world'

/** What whoever restores the backup has to know. */
export interface Release {
  release: string
  /** The source of the program that wrote it. */
  commit: string
  email: string
  password: string
  projectId: string
  secretKey: string
  publicKey: string
  sender: string
}

const password = 'a long password'
const people = Array.from({ length: 12 }, (_, index) => `person-${index}@example.com`)

/** The world keeps its database; close it when the backup is written. */
export async function populate(release: string, commit: string): Promise<{ world: World; about: Release }> {
  const world = await makeWorld({ disableSignups: false })
  const owner = await makeUser(world, { email: 'ada@fernway.example', password })
  world.project = await makeProject(world, { ownerId: owner.id, name: 'Fernway' })
  await claimSecrets(world.ctx)
  await live(world)
  await addByHand(world)
  const { id, secretKey, publicKey } = world.project
  const about = {
    release,
    commit,
    email: owner.email,
    password,
    projectId: id,
    secretKey,
    publicKey,
    sender: `hello@${senderDomain}`,
  }
  return { world, about }
}

export async function emptyTables({ sql }: World['database']): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  const found: string[] = []
  for (const { name } of tables) {
    const [row] = await sql`select exists (select from ${sql(name)}) as filled`
    if (!row!.filled && name !== 'schema_steps') found.push(name)
  }
  return found.sort()
}

type Call = (method: string, path: string, body?: unknown, more?: object) => Promise<Answer>

async function live(world: World): Promise<void> {
  const app = buildApp(world.ctx)
  const { id: projectId, secretKey, publicKey } = world.project
  const call: Call = async (method, path, body, more = {}) => {
    const answer = await request(app, method, path, { body, key: secretKey, ...more })
    if (answer.status >= 400)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
    return answer
  }
  await makeMember(world, projectId, 'ADMIN')
  const login = await call(
    'POST',
    '/auth/login',
    { email: 'ada@fernway.example', password },
    { key: undefined },
  )
  const cookie = Object.values(login.cookies)[0]!
  const asOwner: Call = (method, path, body) => call(method, path, body, { cookie, key: undefined })
  await asOwner('POST', `/projects/${projectId}/members`, { email: 'new@fernway.example', role: 'MEMBER' })
  await addSandboxDomain(world.ctx, { id: projectId, name: 'Acme' })
  const { body: domain } = await call('POST', '/domains', { domain: 'mail.fernway-boards.com' })
  await call('POST', `/domains/${domain.id}/dkim/rotate`)
  const { body: domains } = await call('GET', '/domains')
  const sending = domains.find((each: { domain: string }) => each.domain === senderDomain)
  await call('PUT', `/domains/${sending.id}/warm-up`, { firstDay: 500, factor: 1.5, target: 10_000 })
  for (const [index, email] of people.entries())
    await call('POST', '/contacts', { email, data: { plan: index % 2 ? 'free' : 'team', seats: index } })
  const layoutId = (
    await call('POST', '/layouts', { name: 'House', body: '<div>{{ content }}</div><p>1 Example Street</p>' })
  ).body.id
  const template = (
    await call('POST', '/templates', {
      name: 'Welcome',
      subject: 'Hi',
      body: '<p>Hi {{name}}</p>',
      type: 'MARKETING',
      layoutId,
      from: `hello@${senderDomain}`,
    })
  ).body.id
  const topicId = (await call('POST', '/topics', { name: 'News' })).body.id
  const { body: found } = await call('GET', '/contacts')
  await call('PUT', `/contacts/${found.data[0].id}/topics`, { topics: [{ id: topicId, subscribed: true }] })
  await call('POST', '/signup-forms', { name: 'News', topics: [topicId], templateId: template })
  await call('PUT', `/projects/${world.project.id}/retention`, { eventsDays: 400, inactiveDays: 400 })
  const token = 'b9b7c6e0-7f0e-4f2b-9a55-0c7f5d7a0001'
  await rememberOldRecipients(world.ctx, projectId, [
    { contactId: found.data[0].id, token, email: found.data[0].email },
  ])
  await rememberOldLinks(world.ctx, projectId, [{ id: token, url: 'https://example.com/news' }])
  await makeSegments(call)
  await makeWorkflow(call, template)
  await call(
    'POST',
    '/v1/send',
    {
      to: people[0],
      from: `hello@${senderDomain}`,
      subject: 'Hi',
      body: '<p><a href="https://example.com">Hi</a></p>',
    },
    { headers: { 'idempotency-key': 'one' } },
  )
  for (const email of people.slice(0, 4))
    await call('POST', '/v1/track', { email, event: 'joined', data: { n: 1 } }, { key: publicKey })
  const campaign = (
    await call('POST', '/campaigns', {
      name: 'News',
      subject: 'News',
      body: '<p>News <a href="https://example.com/news">here</a></p>',
      audienceType: 'ALL',
      layoutId,
      from: `hello@${senderDomain}`,
    })
  ).body.data.id
  await call('POST', `/campaigns/${campaign}/send`, {})
  await call('POST', '/campaigns', {
    ...{
      name: 'Two',
      subject: 'Two',
      body: '<p>Two</p>',
      audienceType: 'ALL',
      from: `hello@${senderDomain}`,
    },
    abTest: { variants: [{ subject: 'Zwei' }], share: 20, afterHours: 4 },
  })
  await world.drain()
  world.clock.advance(10 * minute)
  await world.drain()
  world.clock.advance(hour)
  for (const { kind } of allSchedules(world.ctx.config)) await enqueue(world.ctx, kind, {} as never)
  await world.drain()
}

async function makeSegments(call: Call): Promise<void> {
  const condition = {
    logic: 'AND',
    groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'team' }] }],
  }
  await call('POST', '/segments', { name: 'Teams', condition, trackMembership: true })
  const { body } = await call('POST', '/segments', { name: 'Testers', type: 'STATIC' })
  await call('POST', `/segments/${body.id}/members`, { emails: people.slice(0, 3) })
}

async function makeWorkflow(call: Call, templateId: string): Promise<void> {
  const { body } = await call('POST', '/workflows', { name: 'Welcome', eventName: 'joined' })
  const step = (fields: object) =>
    call('POST', `/workflows/${body.id}/steps`, { position: { x: 0, y: 0 }, ...fields })
  await step({ type: 'SEND_EMAIL', name: 'Send', config: {}, templateId })
  await step({ type: 'DELAY', name: 'Wait', config: { amount: 30, unit: 'days' } })
  await call('PATCH', `/workflows/${body.id}`, { enabled: true })
}

/** Where a row of a column's usual values would not do. */
const special: Record<string, Record<string, unknown>> = {
  approvals: { state: 'REQUESTED' },
  account_tokens: { kind: 'reset' },
  api_keys: { kind: 'NAMED', scopes: ['send'] },
  campaign_receivers: { state: 'watched' },
  contact_bulks: { operation: 'unsubscribe' },
  contact_imports: { finished_at: new Date(0), faults: [], left_out_rows: [] },
  email_day_deltas: { source_type: 'TRANSACTIONAL' },
  form_requests: { state: 'waiting' },
  feedback_receipts: { receiver: 'sns', status: 'COMPLETED' },
  project_billing: { limit_campaigns: 1_000_000 },
  project_suspensions: { reason: 'MANUAL', lifted_at: new Date('2030-01-01'), findings: [] },
  rate_budgets: { kind: 'project' },
  schedules: { name: 'jobs.clean' },
  returned_mail_days: { day: '2026-03-01', outcome: 'applied' },
  suppressions: { email: 'gone@example.com', reason: 'manual', source: 'manual' },
  tracking_hits: { kind: 'open', hits: 1 },
  usage_notices: { kind: 'warning', topic: 'TRANSACTIONAL', month: '2026-03-01' },
  usage_reports: { units: 1, reported_at: new Date(0) },
  webhook_deliveries: { status: 'DELIVERED' },
  workflow_deltas: { status: 'RUNNING' },
}

/** One row in each table that is still empty, about things that are there. */
async function addByHand({ database, project, clock }: World): Promise<void> {
  const { sql } = database
  const columns = await sql<{ table: string; name: string; type: string }[]>`
    select table_name as table, column_name as name, udt_name as type from information_schema.columns
     where table_schema = 'public' and is_nullable = 'NO' and is_generated = 'NEVER'`
  const first = async (table: string): Promise<unknown> =>
    (await sql`select id from ${sql(table)} order by id limit 1`)[0]?.id
  const known: Record<string, unknown> = {
    project_id: project.id,
    user_id: project.ownerId,
    email_id: await first('emails'),
    campaign_id: await first('campaigns'),
    contact_id: await first('contacts'),
    event_id: await first('events'),
    workflow_id: await first('workflows'),
    execution_id: await first('workflow_executions'),
    step_id: await first('workflow_steps'),
  }
  for (const table of await emptyTables(database)) {
    const own = columns.filter(column => column.table === table)
    const usual = own.map(({ name, type }) => [name, known[name] ?? usualValue(name, type, clock.now())])
    const row = { ...Object.fromEntries(usual), ...special[table] }
    await sql`insert into ${sql(table)} ${sql(row as Record<string, string>)}`
  }
}

function usualValue(name: string, type: string, now: Date): unknown {
  switch (type) {
    case 'uuid':
      return Bun.randomUUIDv7('hex', now)
    case 'text':
      return name
    case 'bool':
      return false
    case 'timestamptz':
      return now
    case 'date':
      return '2026-03-01'
    case 'jsonb':
      return {}
    case 'bytea':
      return new Uint8Array(3)
    case '_uuid':
    case '_text':
      return '{}'
    default:
      return 0
  }
}
