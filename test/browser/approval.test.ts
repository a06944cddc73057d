// Approval by a second member in a real Chromium: turned on, asked for, given, and then sent. Skipped where there is no Chromium.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { memoryTransport } from '../../src/platform/transports/memory'
import { readLetter } from '../support/accounts'
import { chromiumPath } from '../support/chromium'
import { type Newcomer, startNewcomer } from './newcomer'
import { type Visitor, visitor } from './open'

const mail = memoryTransport()
let somebody: Newcomer
let member: Visitor
const password = 'a second long password'
let from: string

const headers = () => ({ 'x-project-id': somebody.projectId })
async function call(method: 'get' | 'post' | 'put' | 'patch', path: string, data?: object) {
  const url = somebody.showcase.url + path
  const answer = await somebody.page.request[method](url, { headers: headers(), ...(data ? { data } : {}) })
  return await answer.json()
}

beforeAll(async () => {
  if (!chromiumPath) return
  somebody = await startNewcomer('Hopper', { mail })
  const [domain] = await call('get', '/domains')
  from = `hello@${domain.domain}`
  await call('post', '/contacts', { email: 'ada@reader.example', subscribed: true })
  member = await second('MEMBER')
})
afterAll(() => somebody?.stop())

/** Somebody who followed the link in the mail of an invitation, or one that was handed on. */
async function second(role: string, given: { isHandedOn?: boolean } = {}): Promise<Visitor> {
  const email = `${given.isHandedOn ? 'unproved-' : ''}${role.toLowerCase()}@team.example`
  const members = `/projects/${somebody.projectId}`
  const { invitationId } = await call('post', `${members}/members`, { email, role })
  const { url } = await call('get', `${members}/invitations/${invitationId}/link`)
  await somebody.showcase.drain()
  const other = await visitor(somebody.browser, { width: 1280, theme: 'light' })
  other.page.setDefaultTimeout(10_000)
  const mailed = (await readLetter(mail.sent.at(-1)!)).token
  const token = given.isHandedOn ? new URL(url).searchParams.get('token')! : mailed
  await other.page.request.post(`${somebody.showcase.url}/auth/invitation/form`, {
    form: { token, password },
  })
  await other.page.request.post(`${somebody.showcase.url}/auth/login`, { data: { email, password } })
  return other
}

describe.skipIf(!chromiumPath)('a campaign', () => {
  test('is approved by a second member before it is sent', async () => {
    const { page, showcase, projectId } = somebody
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

  /** A campaign whose approval was requested, and where it is sent from. */
  const asked = async (name: string, scheduledFor: string | null = null) => {
    const given = { name, subject: name, body: '<p>News</p>', from, audienceType: 'ALL' }
    const { id } = (await call('post', '/campaigns', given)).data
    const again = () => call('post', `/campaigns/${id}/request-approval`, { scheduledFor })
    await again()
    return {
      id,
      again,
      address: `${somebody.showcase.url}/app/${somebody.projectId}/campaigns/${id}?part=send`,
    }
  }

  test('is not approved as it was before: the page shows what was requested first', async () => {
    const { id, again, address } = await asked('First words')
    const { page } = member
    const approve = page.getByRole('button', { name: 'Approve', exact: true })
    await page.goto(address)
    await approve.waitFor()
    await call('put', `/campaigns/${id}`, { subject: 'Second words' })
    await again()
    await page.getByText(/changed after you opened this page/).waitFor({ timeout: 20_000 })
    expect(await approve.count()).toBe(0)
    await page.getByRole('button', { name: 'Show the new version' }).click()
    await page.getByRole('heading', { name: 'Second words' }).waitFor()
    await approve.click()
    await page.getByText(/^Approved by member@team.example/).waitFor()
  })

  test('that is approved for another time leads on', async () => {
    const at = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 86_400_000).toISOString()
    const { id, address } = await asked('Tomorrow', at)
    const { page } = member
    await page.goto(address)
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText(/^Approved by member@team.example to be sent on/).waitFor()
    await page.getByRole('button', { name: 'Request approval' }).waitFor()
    await page.getByRole('button', { name: 'Use the approved time' }).click()
    await page.getByRole('button', { name: 'Schedule', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Schedule', exact: true }).click()
    await page.getByText('Scheduled', { exact: true }).first().waitFor()
    expect(await call('get', `/campaigns/${id}`)).toMatchObject({ status: 'SCHEDULED', scheduledFor: at })
  })

  test('is not approved by somebody whose address nobody has proved', async () => {
    const { address } = await asked('Unproved')
    const { page, close } = await second('MEMBER', { isHandedOn: true })
    await page.goto(address)
    await page.getByText('To approve, confirm your email address in your profile first.').waitFor()
    expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)
    await close()
  })
})
