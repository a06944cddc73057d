// kill -9 while thousands of executions run through delay, condition, mail and webhook: every one ends where it should, each message
// exists once, each webhook was called with one id. WAXWING_SLOW=1 runs it, WAXWING_EXECUTIONS sets how many (5,000 unless given).
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { openDatabase } from '../../src/platform/db/client'
import { runningServerUrl } from '../../src/platform/db/embedded'
import { senderDomain } from '../support/load'
import { type NameServer, startNameServer } from '../support/name-server'
import {
  builtProgram,
  type Keys,
  makeFolder,
  makeProject,
  type Program,
  removeFolder,
  serversOf,
  startProgram,
  verifyDomain,
} from '../support/program'
import { type Sink, startSink } from '../support/sink'
import { until } from '../support/until'

const isSlow = process.env['WAXWING_SLOW'] === '1'
const count = Number(process.env['WAXWING_EXECUTIONS'] ?? 5_000)
const minute = 60_000

let folder = ''
let sink: Sink
let dns: NameServer
let program: Program
let keys: Keys

interface Called {
  webhookId: string
  executionId: string
  email: string
}
const called: Called[] = []
const endpoint = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  async fetch(request) {
    const body = (await request.json()) as { execution: { id: string }; contact: { email: string } }
    called.push({
      webhookId: request.headers.get('webhook-id') ?? '',
      executionId: body.execution.id,
      email: body.contact.email,
    })
    return Response.json({ ok: true })
  },
})

const dataDir = () => join(folder, 'data')

function start(): Promise<Program> {
  const environment = {
    DATA_DIR: dataDir(),
    PORT: '0',
    SMTP_URL: sink.url,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    RATE_LIMIT_PER_MINUTE: '0',
    DNS_SERVERS: dns.address,
    LOG_LEVEL: 'error',
  }
  return startProgram({ environment })
}

async function killAll(): Promise<void> {
  program.kill('SIGKILL')
  for (const pid of serversOf(dataDir())) process.kill(pid, 'SIGKILL')
  await program.exited
  program = await start()
}

async function call(method: string, path: string, body?: unknown): Promise<Record<string, never>> {
  const answer = await fetch(`${program.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${keys.secretKey}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Record<string, never>
}

const plan = (n: number): string => (n % 2 === 0 ? 'pro' : 'free')

/** delay, then pro: mail, webhook, exit; else: webhook, exit. */
async function makeWorkflow(): Promise<string> {
  const from = `hello@${senderDomain}`
  const template = await call('POST', '/templates', {
    ...{ name: 'T', subject: 'Hi {{event.n}}', body: '<p>Hi</p>', from, type: 'MARKETING' },
  })
  const { id } = await call('POST', '/workflows', { name: 'W', eventName: 'crash' })
  const { steps } = await call('GET', `/workflows/${id}`)
  const trigger: string = (steps as unknown as { id: string }[])[0]!.id
  const step = async (type: string, config: unknown, more = {}): Promise<string> => {
    const body = { type, name: type, config, autoConnect: false, ...more }
    return (await call('POST', `/workflows/${id}/steps`, body))['id']!
  }
  const webhook = { url: `http://127.0.0.1:${endpoint.port}/`, method: 'POST' }
  const delay = await step('DELAY', { amount: 0.05, unit: 'minutes' })
  const condition = await step('CONDITION', { field: 'data.plan', operator: 'equals', value: 'pro' })
  const mail = await step('SEND_EMAIL', {}, { templateId: template['id'] })
  const [ofPro, ofFree] = [await step('WEBHOOK', webhook), await step('WEBHOOK', webhook)]
  const [pro, free] = [await step('EXIT', { reason: 'pro' }), await step('EXIT', { reason: 'free' })]
  const edge = (fromStepId: string, toStepId: string, more = {}) =>
    call('POST', `/workflows/${id}/transitions`, { fromStepId, toStepId, ...more })
  await edge(trigger, delay)
  await edge(delay, condition)
  await edge(condition, mail, { branch: 'yes' })
  await edge(condition, ofFree, { branch: 'no' })
  await edge(mail, ofPro)
  await edge(ofPro, pro)
  await edge(ofFree, free)
  await call('PATCH', `/workflows/${id}`, { enabled: true })
  return id!
}

/** Tracks one event for each contact; answers which were accepted. A request that got no answer may have been, too. */
async function trackAll(): Promise<Set<number>> {
  const accepted = new Set<number>()
  let next = 0
  const one = async (): Promise<void> => {
    while (next < count) {
      const n = next++
      const body = {
        email: `w${n}@example.org`,
        event: 'crash',
        subscribed: true,
        data: { plan: plan(n), n },
      }
      const answer = await fetch(`${program.url}/v1/track`, {
        method: 'POST',
        headers: { authorization: `Bearer ${keys.publicKey}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        keepalive: false,
        signal: AbortSignal.timeout(20_000),
      }).catch(() => undefined)
      if (answer?.ok) accepted.add(n)
      else await Bun.sleep(20)
    }
  }
  await Promise.all(Array.from({ length: 8 }, one))
  return accepted
}

interface Ended {
  id: string
  email: string
  status: string
  reason: string | null
  mails: number
  steps: number
}

async function inDatabase<T>(work: (sql: ReturnType<typeof openDatabase>['sql']) => Promise<T>): Promise<T> {
  const client = openDatabase(runningServerUrl(join(dataDir(), 'postgres')), { max: 1 })
  try {
    return await work(client.sql)
  } finally {
    await client.close()
  }
}

const openCount = (): Promise<number> =>
  inDatabase(async sql => {
    const [row] = await sql<{ open: number }[]>`
      select (select count(*) from workflow_executions where completed_at is null)
           + (select count(*) from emails where status in ('PENDING', 'SENDING'))
           + (select count(*) from jobs where kind in ('event.route', 'workflow.advance', 'workflow.webhook')) as open`
    return row!.open
  })

const outcome = (): Promise<Ended[]> =>
  inDatabase(
    async sql =>
      await sql<Ended[]>`
      select e.id, c.email, e.status, e.exit_reason as reason,
             (select count(*) from emails m where m.project_id = e.project_id and m.contact_id = e.contact_id) as mails,
             (select count(*) from workflow_step_executions s
               where s.project_id = e.project_id and s.execution_id = e.id and s.status = 'COMPLETED') as steps
        from workflow_executions e join contacts c on c.project_id = e.project_id and c.id = e.contact_id`,
  )

describe.skipIf(!isSlow)('kill -9 under thousands of executions', () => {
  beforeAll(async () => {
    folder = makeFolder()
    sink = startSink()
    await builtProgram()
    dns = await startNameServer()
    program = await start()
    keys = await makeProject(program.url)
    await verifyDomain(program.url, keys, senderDomain, dns)
  })

  afterAll(async () => {
    program?.kill('SIGKILL')
    sink?.stop()
    dns?.stop()
    await endpoint.stop(true)
    removeFolder(folder)
  })

  test(
    'every one ends where it should, each message exists once, each webhook has one id',
    async () => {
      await makeWorkflow()
      const tracking = trackAll()
      const killsAt = [0.2, 0.6].map(share => Math.round(share * count))
      for (const at of killsAt) {
        await until(`${at} were called`, () => called.length >= at, 5 * minute)
        await killAll()
      }
      const accepted = await tracking
      await killAll()
      await until('everything has ended', async () => (await openCount()) === 0, 10 * minute)
      judge(accepted, await outcome())
    },
    20 * minute,
  )
})

function judge(accepted: Set<number>, ended: Ended[]): void {
  const byEmail = Map.groupBy(ended, each => each.email)
  const number = (email: string): number => Number(/\d+/.exec(email)![0])
  const missing = [...accepted].filter(n => byEmail.get(`w${n}@example.org`)?.length !== 1)
  const wrong = ended.filter(({ email, status, reason, mails, steps }) => {
    const isPro = plan(number(email)) === 'pro'
    const expected = isPro ? { reason: 'pro', mails: 1, steps: 6 } : { reason: 'free', mails: 0, steps: 5 }
    return (
      JSON.stringify({ status, reason, mails, steps }) !== JSON.stringify({ status: 'EXITED', ...expected })
    )
  })
  const calls = Map.groupBy(called, each => each.executionId)
  const uncalled = ended.filter(({ id }) => !calls.has(id))
  const manyIds = [...calls.values()].filter(each => new Set(each.map(one => one.webhookId)).size > 1)
  const arrived = Map.groupBy(sink.received, each => each.to)
  const unsent = ended.filter(({ email, mails }) => mails === 1 && !arrived.has(email))
  const otherMail = [...arrived.values()].filter(each => new Set(each.map(one => one.messageId)).size > 1)
  console.log(
    `${accepted.size} accepted, ${ended.length} ended, ${called.length - calls.size} calls and ` +
      `${sink.received.length - arrived.size} messages came twice`,
  )
  expect({ missing, wrong, uncalled, manyIds, unsent, otherMail }).toEqual({
    ...{ missing: [], wrong: [], uncalled: [], manyIds: [], unsent: [], otherMail: [] },
  })
  expect(accepted.size).toBeGreaterThan(count * 0.8)
}
