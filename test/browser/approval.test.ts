// Approval by a second member in a real Chromium: turned on, asked for, given, and then sent. Skipped where there is no Chromium.

import { beforeAll, describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { newcomer } from './newcomer'
import { call as ask, second } from './second'

const somebody = newcomer('Hopper')
let from: string

const call = (method: 'get' | 'post', path: string, data?: object) => ask(somebody, method, path, data)

beforeAll(async () => {
  if (!chromiumPath) return
  const [domain] = await call('get', '/domains')
  from = `hello@${domain.domain}`
  await call('post', '/contacts', { email: 'ada@reader.example', subscribed: true })
})

describe.skipIf(!chromiumPath)('a campaign', () => {
  test('is approved by a second member before it is sent', async () => {
    const { page, showcase, projectId } = somebody
    const member = await second(somebody, 'MEMBER')
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
