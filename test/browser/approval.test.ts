// Approval by a second member in a real Chromium: turned on, asked for, given, and then sent. Skipped where there is no Chromium.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { memoryTransport } from '../../src/platform/transports/memory'
import { chromiumPath } from '../support/chromium'
import { caller, type Newcomer, startNewcomer } from './newcomer'
import type { Visitor } from './open'
import { secondMember } from './second-member'

const mail = memoryTransport()
let somebody: Newcomer
let member: Visitor
let from: string

const call = caller(() => somebody)

beforeAll(async () => {
  if (!chromiumPath) return
  somebody = await startNewcomer('Hopper', { mail })
  const [domain] = await call('GET', '/domains')
  from = `hello@${domain.domain}`
  await call('POST', '/contacts', { email: 'ada@reader.example', subscribed: true })
  member = await secondMember(somebody, 'MEMBER', { mail })
})
afterAll(() => somebody?.stop())

describe.skipIf(!chromiumPath)('a campaign', () => {
  test('is approved by a second member before it is sent', async () => {
    const { page, showcase, projectId } = somebody
    await page.goto(`${showcase.url}/app/${projectId}/settings/members`)
    await page.getByRole('button', { name: 'Require approval' }).click()
    await page.getByText('Required', { exact: true }).waitFor()
    const given = { name: 'News', subject: 'News', body: '<p>News</p>', from, audienceType: 'ALL' }
    const { id } = (await call('POST', '/campaigns', given)).data
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
    expect(await call('GET', `/campaigns/${id}`)).toMatchObject({ status: 'SENDING' })
  })

  /** A campaign whose approval was requested, and where it is sent from. */
  const asked = async (name: string, scheduledFor: string | null = null) => {
    const given = { name, subject: name, body: '<p>News</p>', from, audienceType: 'ALL' }
    const { id } = (await call('POST', '/campaigns', given)).data
    const again = () => call('POST', `/campaigns/${id}/request-approval`, { scheduledFor })
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
    await call('PUT', `/campaigns/${id}`, { subject: 'Second words' })
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
    expect(await call('GET', `/campaigns/${id}`)).toMatchObject({ status: 'SCHEDULED', scheduledFor: at })
  })

  test('is not approved by a member whose address is not verified', async () => {
    const { address } = await asked('Unproved')
    const { page, close } = await secondMember(somebody, 'MEMBER', { email: 'unverified@team.example' })
    await page.goto(address)
    await page.getByText('To approve, confirm your email address in your profile first.').waitFor()
    expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)
    await close()
  })
})
