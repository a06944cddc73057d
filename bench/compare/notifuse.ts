// Notifuse, on a database server of the same build and settings as ours. Its own settings hold nothing back where it has one: a rate of
// its integration that it never meets, and as many connections to the database as listmonk gets.
import { createHmac, randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '../../src/platform/db/client'
import { freePort } from '../../test/support/program'
import { until } from '../../test/support/until'
import { benchServer } from '../support/server'
import { letterWith, personAt, receiptWith } from './content'
import { type Processes, postmasterOf } from './measure'

export const notifuseSettings = {
  rate_limit_per_minute: 6_000_000,
  DB_MAX_CONNECTIONS: 60,
  DB_MAX_CONNECTIONS_PER_DB: 25,
  TASK_SCHEDULER_INTERVAL: '1s',
}

export interface Notifuse extends Processes {
  url: string
  version: string
  key: string
  /** Rows a second of an import by its API into a list. */
  importPeople(list: string, rows: number): Promise<number>
  /** Begins a broadcast to the list. */
  startBroadcast(list: string): Promise<void>
  stop(): Promise<void>
}

export const workspace = 'bench'
/** The transactional notification that carries the receipt. */
export const receipt = 'receipt'
const root = 'root@bench.example'
/** Contacts in one request of an import. */
const importBatch = 1_000

export async function startNotifuse(file: string, smtpPort: number): Promise<Notifuse> {
  const server = await benchServer(await freePort())
  const database = new URL(await server.createDatabase())
  const folder = mkdtempSync(join(tmpdir(), 'waxwing-notifuse-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const secret = randomUUID() + randomUUID()
  const environment = { ...environmentOf(database), SECRET_KEY: secret, SERVER_PORT: String(port) }
  const start = async () => {
    const child = Bun.spawn([file], { cwd: folder, env: environment, stdout: 'ignore', stderr: 'ignore' })
    const answers = () =>
      fetch(`${url}/api/setup.status`).then(
        ({ ok }) => ok,
        () => false,
      )
    await until('Notifuse answers', answers)
    return child
  }
  // It ends itself when it has been set up, for whoever watches over it to start it again.
  const first = await start()
  await callerOf(url)('setup.initialize', {
    ...{ root_email: root, api_endpoint: url, telemetry_enabled: false, check_for_updates: false },
    ...{ smtp_host: '127.0.0.1', smtp_port: smtpPort, smtp_from_email: root, smtp_use_tls: false },
  })
  await first.exited
  const child = await start()
  const key = await setUp(url, secret, smtpPort)
  const { sql, close } = openDatabase(database.href, { max: 1 })
  const said = await (await fetch(`${url}/config.js`)).text()
  return {
    url,
    version: /VERSION = "([^"]+)"/.exec(said)?.[1] ?? '',
    key,
    program: child.pid,
    database: await postmasterOf(sql),
    ...deedsOf(callerOf(url, key)),
    async stop() {
      child.kill('SIGTERM')
      await child.exited
      // Each workspace is a database of its own.
      await sql.unsafe(`drop database if exists ${database.pathname.slice(1)}_ws_${workspace} with (force)`)
      await close()
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Caller = <T>(path: string, body: unknown) => Promise<T>

function callerOf(url: string, token = ''): Caller {
  return async <T>(path: string, body: unknown) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const answer = await fetch(`${url}/api/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
}

function deedsOf(call: Caller): Pick<Notifuse, 'importPeople' | 'startBroadcast'> {
  return {
    async importPeople(list, rows) {
      await call('lists.create', { workspace_id: workspace, id: list, name: list })
      const begunAt = performance.now()
      for (let start = 0; start < rows; start += importBatch) {
        const length = Math.min(importBatch, rows - start)
        const contacts = Array.from({ length }, (_, n) => contactAt(start + n))
        const body = { workspace_id: workspace, contacts, subscribe_to_lists: [list] }
        const { operations } = await call<{ operations: Array<{ action: string }> }>('contacts.import', body)
        const failed = operations.find(({ action }) => action === 'error')
        if (failed) throw new Error(JSON.stringify(failed))
      }
      return rows / ((performance.now() - begunAt) / 1_000)
    },
    async startBroadcast(list) {
      const { broadcast } = await call<{ broadcast: { id: string } }>('broadcasts.create', {
        ...{ workspace_id: workspace, name: 'News', audience: { list, exclude_unsubscribed: true } },
        test_settings: { enabled: false, variations: [{ variation_name: 'A', template_id: 'news' }] },
      })
      await call('broadcasts.schedule', { workspace_id: workspace, id: broadcast.id, send_now: true })
    },
  }
}

function environmentOf({ hostname, port, username, password, pathname }: URL) {
  const { rate_limit_per_minute: _, ...settings } = notifuseSettings
  const name = pathname.slice(1)
  return {
    ...Object.fromEntries(Object.entries(settings).map(([key, value]) => [key, String(value)])),
    DB_HOST: hostname,
    DB_PORT: port || '5432',
    DB_USER: username,
    DB_PASSWORD: password,
    DB_NAME: name,
    DB_PREFIX: name,
    DB_SSLMODE: 'disable',
    SERVER_HOST: '127.0.0.1',
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
    CHECK_FOR_UPDATES: 'false',
  }
}

/** The owner, a workspace whose mail goes to the sink, the two templates, and a key. */
async function setUp(url: string, secret: string, smtpPort: number): Promise<string> {
  const timestamp = Math.floor(Date.now() / 1_000)
  const signature = createHmac('sha256', secret).update(`${root}:${timestamp}`).digest('hex')
  const { token } = await callerOf(url)<{ token: string }>('user.rootSignin', {
    email: root,
    timestamp,
    signature,
  })
  const call = callerOf(url, token)
  const settings = { timezone: 'UTC', default_language: 'en', languages: ['en'] }
  await call('workspaces.create', { id: workspace, name: 'Bench', settings })
  const { integration_id: integration } = await call<{ integration_id: string }>(
    'workspaces.createIntegration',
    {
      ...{ workspace_id: workspace, name: 'Sink', type: 'email' },
      provider: {
        kind: 'smtp',
        smtp: { host: '127.0.0.1', port: smtpPort, username: '', use_tls: false },
        senders: [{ id: randomUUID(), email: 'a@bench.example', name: 'Bench', is_default: true }],
        rate_limit_per_minute: notifuseSettings.rate_limit_per_minute,
      },
    },
  )
  await call('workspaces.update', {
    id: workspace,
    name: 'Bench',
    settings: {
      ...settings,
      transactional_email_provider_id: integration,
      marketing_email_provider_id: integration,
    },
  })
  await makeTemplate(call, 'news', 'marketing', {
    subject: 'News {{ contact.full_name }}',
    body: `${letterWith('{{ contact.full_name }}', '{{ contact.custom_string_1 }}')}<p><a href="{{ unsubscribe_url }}">Unsubscribe</a></p>`,
  })
  await makeTemplate(call, receipt, 'transactional', {
    subject: 'Your order {{ order }}',
    body: receiptWith('{{ name }}', '{{ order }}').replace(/<\/?(html|body)>/g, ''),
  })
  await call('transactional.create', {
    workspace_id: workspace,
    notification: { id: receipt, name: 'Receipt', channels: { email: { template_id: receipt } } },
  })
  const made = await call<{ token: string }>('workspaces.createAPIKey', {
    workspace_id: workspace,
    email_prefix: 'bench',
  })
  return made.token
}

/** HTML as it is, in the frame that its templates have in any case. */
async function makeTemplate(
  call: Caller,
  id: string,
  category: string,
  { subject, body }: { subject: string; body: string },
): Promise<void> {
  const source = `<mjml><mj-body><mj-raw>${body}</mj-raw></mj-body></mjml>`
  const email = { editor_mode: 'code', mjml_source: source, subject, visual_editor_tree: emptyTree }
  await call('templates.create', { workspace_id: workspace, id, name: id, channel: 'email', category, email })
}

/** Not used by a template that is source. */
const emptyTree = { id: 'root', type: 'mjml', attributes: {}, children: [] }

function contactAt(number: number) {
  const { email, name, plan, age, city } = personAt(number)
  return {
    email,
    full_name: name,
    custom_string_1: plan,
    custom_number_1: Number(age),
    custom_string_2: city,
  }
}
