// Taking back a campaign in a real Chromium, after Send and before its date. Skipped where there is no Chromium.

import { beforeAll, describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { caller, newcomer } from './newcomer'

const somebody = newcomer('Lovelace')
let from: string

const call = caller(() => somebody)

beforeAll(async () => {
  if (!chromiumPath) return
  const [domain] = await call('GET', '/domains')
  from = `hello@${domain.domain}`
  await call('POST', '/contacts', { email: 'ada@reader.example', subscribed: true })
})

const button = (name: string | RegExp) => somebody.page.getByRole('button', { name, exact: true })
const stored = (id: string) => call('GET', `/campaigns/${id}`)

async function review(): Promise<string> {
  const given = { name: 'News', subject: 'News', body: '<p>News</p>', from, audienceType: 'ALL' }
  const { id } = (await call('POST', '/campaigns', given)).data
  await somebody.page.goto(`${somebody.showcase.url}/app/${somebody.projectId}/campaigns/${id}?part=send`)
  return id
}

describe.skipIf(!chromiumPath)('a campaign', () => {
  test('waits after Send as long as the settings say, and Undo makes it a draft again', async () => {
    const { page, showcase } = somebody
    await page.goto(`${showcase.url}/app/${somebody.projectId}/settings`)
    await page.getByLabel('Undo send').selectOption('2 minutes')
    await page
      .locator('form', { has: page.getByLabel('Undo send') })
      .getByRole('button', { name: 'Save' })
      .click()
    await page.getByText('Saved', { exact: true }).waitFor()
    const id = await review()
    await button('Send now').click()
    await page.getByText('Sending starts in 2 minutes.').waitFor()
    await button('Send to 1 contact').click()
    await page.getByText(/^Sending to 1 contact starts in \d+ seconds?\.$/).waitFor()
    expect(await page.evaluate(() => scrollY)).toBe(0)
    expect(await stored(id)).toMatchObject({ status: 'SCHEDULED' })
    await showcase.drain()
    await button('Undo send').click()
    await page.getByText('Back to draft. Nothing was sent.').waitFor()
    await page.getByText(/^Sending to/).waitFor({ state: 'detached' })
    expect(await stored(id)).toMatchObject({ status: 'DRAFT', scheduledFor: null, sentCount: 0 })
    await button('Send now').waitFor()
  })

  test('is unscheduled before its date', async () => {
    const { page } = somebody
    const id = await review()
    await call('POST', `/campaigns/${id}/send`, { scheduledFor: '2099-01-31T09:00:00Z' })
    await page.reload()
    await page.getByText(/^Scheduled for .*31 January 2099/).waitFor()
    await button('Unschedule').click()
    await page.getByText('Back to draft. Nothing was sent.').waitFor()
    expect(await stored(id)).toMatchObject({ status: 'DRAFT', scheduledFor: null })
  })

  test('says so where it is too late', async () => {
    const { page } = somebody
    const id = await review()
    await call('POST', `/campaigns/${id}/send`, { delaySeconds: 600 })
    await page.reload()
    await button('Undo send').waitFor()
    await call('POST', `/campaigns/${id}/send`, {})
    await button('Undo send').click()
    await page.getByText('Too late: sending has started.').waitFor()
    await page.getByText('Opens and clicks over time').waitFor()
    expect(await stored(id)).toMatchObject({ status: 'SENDING' })
    // Chromium tells of the 409.
    expect(somebody.complaints.splice(0).filter(complaint => !complaint.includes('409'))).toEqual([])
  })
})
