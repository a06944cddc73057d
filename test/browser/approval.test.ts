// Approval by a second member in a real Chromium: turned on, asked for, given, and then sent. Skipped where there is no Chromium.

import { beforeAll, describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { newcomer } from './newcomer'
import { visitor } from './open'

const somebody = newcomer('Hopper')
const password = 'a second long password'
let from: string

const headers = () => ({ 'x-project-id': somebody.projectId })
async function call(method: 'get' | 'post', path: string, data?: object) {
  const url = somebody.showcase.url + path
  const answer = await somebody.page.request[method](url, { headers: headers(), ...(data ? { data } : {}) })
  return await answer.json()
}

beforeAll(async () => {
  if (!chromiumPath) return
  const [domain] = await call('get', '/domains')
  from = `hello@${domain.domain}`
  await call('post', '/contacts', { email: 'ada@reader.example', subscribed: true })
})

/** Somebody who followed the link of an invitation. */
async function second(role: string) {
  const email = `${role.toLowerCase()}@team.example`
  const members = `/projects/${somebody.projectId}`
  const { invitationId } = await call('post', `${members}/members`, { email, role })
  const { url } = await call('get', `${members}/invitations/${invitationId}/link`)
  const other = await visitor(somebody.browser, { width: 1280, theme: 'light' })
  const token = new URL(url).searchParams.get('token') ?? ''
  await other.page.request.post(`${somebody.showcase.url}/auth/invitation/form`, {
    form: { token, password },
  })
  await other.page.request.post(`${somebody.showcase.url}/auth/login`, { data: { email, password } })
  return other
}

describe.skipIf(!chromiumPath)('a campaign', () => {
  test('is approved by a second member before it is sent', async () => {
    const { page, showcase, projectId } = somebody
    const member = await second('MEMBER')
    await page.goto(`${showcase.url}/app/${projectId}/settings/members`)
    await page.getByRole('button', { name: 'Require approval' }).click()
    await page.getByText('Required', { exact: true }).waitFor()
    const given = { name: 'News', subject: 'News', body: '<p>News</p>', from, audienceType: 'ALL' }
    const { id } = (await call('post', '/campaigns', given)).data
    const address = `${showcase.url}/app/${projectId}/campaigns/${id}?part=send`
    await page.goto(address)
    await page.getByRole('button', { name: 'Request approval' }).click()
    await page.getByText(/^You requested approval on/).waitFor()
    await member.page.goto(`${showcase.url}/app/${projectId}/`)
    await member.page.getByText('“News” needs approval').waitFor()
    await member.page.goto(address)
    await member.page.getByRole('button', { name: 'Approve', exact: true }).click()
    await member.page.getByText(/^Approved by member@team.example/).waitFor()
    await page.reload()
    await page.getByText(/^Approved by member@team.example/).waitFor()
    await page.getByRole('button', { name: 'Send now' }).click()
    await page.getByRole('button', { name: 'Send to 1 contact' }).click()
    await page.getByText('Sending', { exact: true }).first().waitFor()
    expect(await call('get', `/campaigns/${id}`)).toMatchObject({ status: 'SENDING' })
  })
})
