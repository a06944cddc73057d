// listmonk, on a database server of the same build and settings as ours. Its own settings hold nothing back: no limit of the rate that it
// meets, large batches, and a connection for each worker. Others were not tried.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sql } from 'postgres'
import { openDatabase } from '../../src/platform/db/client'
import { freePort } from '../../test/support/program'
import { until } from '../../test/support/until'
import { benchServer } from '../support/server'
import { letterText, letterWith, personAt, pollMs, receiptWith } from './content'
import { type Processes, postmasterOf } from './measure'

export const listmonkSettings = { concurrency: 80, message_rate: 100_000, batch_size: 30_000 }

export interface Listmonk extends Processes {
  url: string
  version: string
  authorization: string
  /** Rows a second of an import by its API into a list of its own, which is returned too. */
  importPeople(rows: number): Promise<{ perSecond: number; list: number }>
  /** Begins a campaign to the list. */
  startCampaign(list: number): Promise<void>
  /** Makes the template of the receipt. */
  makeReceipt(): Promise<number>
  stop(): Promise<void>
}

export async function startListmonk(file: string, smtpPort: number): Promise<Listmonk> {
  const server = await benchServer()
  const url = new URL(await server.createDatabase())
  const folder = mkdtempSync(join(tmpdir(), 'waxwing-listmonk-'))
  const port = await freePort()
  const config = join(folder, 'config.toml')
  writeFileSync(config, configOf(port, url))
  const command = [file, '--config', config]
  const environment = {
    LISTMONK_ADMIN_USER: 'bench',
    LISTMONK_ADMIN_PASSWORD: 'a long password',
    LISTMONK_ADMIN_API_USER: 'bench-api',
  }
  const installed = Bun.spawnSync([...command, '--install', '--yes'], { cwd: folder, env: environment })
  const token = /LISTMONK_ADMIN_API_TOKEN="([^"]+)"/.exec(installed.stderr.toString())?.[1]
  if (!token) throw new Error(`listmonk was not installed: ${installed.stderr}${installed.stdout}`)
  const { sql, close } = openDatabase(url.href, { max: 1 })
  await set(sql, smtpPort)
  const database = await postmasterOf(sql)
  await close()

  const child = Bun.spawn(command, { cwd: folder, stdout: 'ignore', stderr: 'ignore' })
  const home = `http://127.0.0.1:${port}`
  const authorization = `token bench-api:${token}`
  await until('listmonk answers', () =>
    fetch(`${home}/health`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  const ask = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const isForm = body instanceof FormData
    const answer = await fetch(home + path, {
      method,
      headers: { authorization, ...(!isForm && { 'content-type': 'application/json' }) },
      body: isForm ? body : JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`)
    return ((await answer.json()) as { data: T }).data
  }
  return {
    url: home,
    version: Bun.spawnSync([file, '--version']).stdout.toString().trim().split(' ')[0]!,
    authorization,
    program: child.pid,
    database,
    async importPeople(rows) {
      const made = { name: `List ${crypto.randomUUID()}`, type: 'private', optin: 'single', tags: [] }
      const { id: list } = await ask<{ id: number }>('POST', '/api/lists', made)
      const form = new FormData()
      const params = { mode: 'subscribe', subscription_status: 'confirmed', delim: ',', lists: [list] }
      form.set('params', JSON.stringify({ ...params, overwrite: true }))
      form.set('file', new File([peopleOf(rows)], 'people.csv', { type: 'text/csv' }))
      const begunAt = performance.now()
      await ask('POST', '/api/import/subscribers', form)
      for (;;) {
        const { status, imported } = await ask<{ status: string; imported: number }>(
          'GET',
          '/api/import/subscribers',
        )
        if (status === 'finished' && imported === rows) break
        if (status !== 'importing' && status !== 'finished') throw new Error(`the import is ${status}`)
        await Bun.sleep(pollMs)
      }
      const perSecond = rows / ((performance.now() - begunAt) / 1_000)
      // Its importer takes no other before this one was put away.
      await ask('DELETE', '/api/import/subscribers')
      return { perSecond, list }
    },
    async startCampaign(list) {
      const words = ['{{ .Subscriber.Name }}', '{{ .Subscriber.Attribs.plan }}'] as const
      const { id } = await ask<{ id: number }>('POST', '/api/campaigns', {
        ...{ name: 'News', subject: 'News {{ .Subscriber.Name }}', lists: [list], type: 'regular' },
        ...{ content_type: 'html', body: letterWith(...words), altbody: letterText(...words) },
      })
      await ask('PUT', `/api/campaigns/${id}/status`, { status: 'running' })
    },
    async makeReceipt() {
      const body = receiptWith('{{ .Tx.Data.name }}', '{{ .Tx.Data.order }}')
      const { id } = await ask<{ id: number }>('POST', '/api/templates', {
        ...{ name: 'Receipt', type: 'tx', subject: 'Your order {{ .Tx.Data.order }}', body },
      })
      return id
    },
    async stop() {
      child.kill('SIGTERM')
      await child.exited
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function configOf(
  port: number,
  { hostname, port: at, username, password, pathname, searchParams }: URL,
): string {
  const host = searchParams.get('host') ?? hostname
  return `[app]
address = "127.0.0.1:${port}"
[db]
host = "${host}"
port = ${at || 5432}
user = "${username}"
password = "${password}"
database = "${pathname.slice(1)}"
ssl_mode = "disable"
max_open = 25
max_idle = 25
max_lifetime = "300s"
`
}

async function set(sql: Sql, smtpPort: number): Promise<void> {
  const smtp = {
    ...{
      enabled: true,
      host: '127.0.0.1',
      port: smtpPort,
      auth_protocol: 'none',
      username: '',
      password: '',
    },
    ...{
      hello_hostname: '',
      max_conns: listmonkSettings.concurrency,
      idle_timeout: '15s',
      wait_timeout: '5s',
    },
    ...{ max_msg_retries: 2, msg_retry_delay: '10ms', tls_type: 'none', tls_skip_verify: true },
    ...{ email_headers: [], from_addresses: [] },
  }
  const values = {
    ...Object.fromEntries(Object.entries(listmonkSettings).map(([key, value]) => [`app.${key}`, value])),
    smtp: [smtp],
    'app.check_updates': false,
    'app.from_email': 'Bench <a@bench.example>',
  }
  for (const [key, value] of Object.entries(values))
    await sql`update settings set value = ${JSON.stringify(value)}::text::jsonb where key = ${key}`
  // The bare letter, as ours has no frame around it either; each of ours has a way out below it.
  const frame = '{{ template "content" . }}<p><a href="{{ UnsubscribeURL }}">Unsubscribe</a></p>'
  await sql`update templates set body = ${frame} where is_default`
}

function peopleOf(rows: number): string {
  const lines = Array.from({ length: rows }, (_, number) => {
    const { email, name, ...rest } = personAt(number)
    return `${email},${name},"${JSON.stringify(rest).replaceAll('"', '""')}"`
  })
  return ['email,name,attributes', ...lines, ''].join('\n')
}
