// Times without a zone mean the same on every machine: they are UTC, whatever the zone of the program's environment.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { makeFolder, makeProject, type Program, removeFolder, startProgram } from '../support/program'

let folder = ''
let program: Program
interface Made {
  html?: string
  message?: string
  data?: { id: string }
}

let call: (path: string, body: unknown) => Promise<Made>

beforeAll(async () => {
  folder = makeFolder()
  program = await startProgram({ cwd: folder, environment: { PORT: '0', TZ: 'America/New_York' } })
  const { secretKey } = await makeProject(program.url)
  call = async (path, body) => {
    const headers = { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' }
    const answer = await fetch(program.url + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await answer.json()) as Made
  }
})

afterAll(async () => {
  await program.stop()
  removeFolder(folder)
})

test('a date in a template is printed as it stands', async () => {
  const body = '<p>{{ "2026-03-01T09:00:00" | date: "%Y-%m-%d %H:%M" }}</p>'
  expect((await call('/templates/preview', { body })).html).toContain('<p>2026-03-01 09:00</p>')
})

test('a campaign is scheduled in UTC', async () => {
  await call('/contacts', { email: 'ada@example.com', subscribed: true })
  const draft = { name: 'N', subject: 'S', body: 'B', from: 'news@acme.example', audienceType: 'ALL' }
  const { data } = await call('/campaigns', draft)
  const answer = await call(`/campaigns/${data?.id}/send`, { scheduledFor: '2099-03-01T09:00:00' })
  expect(answer.message).toBe('Campaign scheduled for 2099-03-01T09:00:00.000Z')
})
