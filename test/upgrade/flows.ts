// What an instance has to be able to do after an upgrade, asked over HTTP as its users ask.
import { expect } from 'bun:test'
import { until } from '../support/until'
import type { Release } from './populate'

let counter = 0

/** Everything at the instance that listens at `url`; another one beside it may do the jobs. */
export async function runFlows(url: string, release: Release): Promise<void> {
  const run = `flow-${++counter}-${crypto.randomUUID().slice(0, 8)}`
  const call = async (method: string, path: string, body?: unknown, key = release.secretKey) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  const isSent = async (id: string): Promise<boolean> =>
    ['SENT', 'DELIVERED'].includes((await call('GET', `/emails/${id}`)).status)

  await signIn(url, release)
  const sent = await call('POST', '/v1/send', {
    to: `${run}@example.com`,
    from: release.sender,
    subject: 'Hi',
    body: '<p>Hi</p>',
  })
  await until('the message has left', () => isSent(sent.data.emails[0].email))

  const contact = await call('POST', '/contacts', {
    email: `${run}-contact@example.com`,
    data: { plan: 'team' },
  })
  expect((await call('GET', `/contacts/${contact.id}`)).data.plan).toBe('team')

  // An event starts the workflow that the backup holds, whose first step sends a mail.
  const tracked = await call(
    'POST',
    '/v1/track',
    { email: `${run}-track@example.com`, event: 'joined' },
    release.publicKey,
  )
  const mailsOf = async (): Promise<{ status: string }[]> =>
    (await call('GET', `/emails?contactId=${tracked.data.contact}`)).data
  await until('the workflow has sent its mail', async () =>
    (await mailsOf()).some(({ status }) => ['SENT', 'DELIVERED'].includes(status)),
  )

  const draft = { name: run, subject: 'News', body: '<p>News</p>', audienceType: 'ALL', from: release.sender }
  const { id } = (await call('POST', '/campaigns', draft)).data
  await call('POST', `/campaigns/${id}/send`, {})
  await until('the campaign is sent', async () => (await call('GET', `/campaigns/${id}`)).status === 'SENT')
}

async function signIn(url: string, { email, password, projectId }: Release): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ email, password }),
  })
  const cookie = answer.headers.get('set-cookie')?.split(';')[0]
  expect({ status: answer.status, cookie: typeof cookie }).toEqual({ status: 200, cookie: 'string' })
  const project = await fetch(`${url}/projects/${projectId}`, { headers: { cookie: cookie! } })
  expect(project.status).toBe(200)
}
