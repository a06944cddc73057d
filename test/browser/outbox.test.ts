// The outbox in the dashboard: a test of a campaign and an invitation are there, marked, and the invitation has a link to copy.
import { describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { caller, newcomer } from './newcomer'

const somebody = newcomer('Hopper')
const call = caller(() => somebody)

describe.skipIf(!chromiumPath)('the outbox', () => {
  test('shows a test and an invitation, and the link of an invitation is copied', async () => {
    const { page, showcase, projectId, complaints } = somebody
    const mail = { subject: 'Spring news', body: '<p>Hello</p>', from: 'hello@hopper.example' }
    const { data } = await call('POST', '/campaigns', { name: 'Spring', audienceType: 'ALL', ...mail })
    await call('POST', `/campaigns/${data.id}/test`, { email: 'me@hopper.dev' })
    await call('POST', `/projects/${projectId}/members`, { email: 'colleague@hopper.dev' })
    await showcase.drain()

    await page.goto(`${showcase.url}/app/${projectId}/outbox`)
    const list = page.getByRole('main').getByRole('list')
    await list.getByRole('link', { name: /colleague@hopper.dev.*Invitation/ }).waitFor()
    await list.getByRole('link', { name: /me@hopper.dev.*Test$/ }).click()
    await page.getByRole('heading', { name: '[TEST] Spring news' }).waitFor()
    await page.frameLocator('iframe').getByText('Unsubscribe').waitFor()

    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${showcase.url}/app/${projectId}/settings/members`)
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByText('Link for colleague@hopper.dev copied').waitFor()
    const copied = await page.evaluate(() => navigator.clipboard.readText())
    expect(copied).toContain('/auth/invitation?token=')
    expect(complaints).toEqual([])
  })

  test('says of mail that waits for the winner of an A/B test that it is queued, and shows no content', async () => {
    const { page, showcase, projectId, complaints } = somebody
    for (let n = 0; n < 8; n++)
      await call('POST', '/contacts', { email: `reader-${n}@hopper.dev`, subscribed: true })
    const mail = { subject: 'First words', body: '<p>Hello</p>', from: 'hello@hopper.example' }
    const abTest = { variants: [{ subject: 'Other words' }], share: 50, afterHours: 4 }
    const { data } = await call('POST', '/campaigns', { name: 'Trial', audienceType: 'ALL', abTest, ...mail })
    await call('POST', `/campaigns/${data.id}/send`, {})
    await showcase.drain()
    const { data: mails } = await call('GET', `/emails?campaignId=${data.id}`)
    const waiting = mails.filter(({ status }: { status: string }) => status === 'PENDING')
    expect(waiting.length).toBeGreaterThan(0)
    expect(waiting.length).toBeLessThan(mails.length)

    await page.goto(`${showcase.url}/app/${projectId}/outbox`)
    const list = page.getByRole('main').getByRole('list')
    for (const { to, status } of mails) {
      const row = list.getByRole('link', { name: to })
      await row.waitFor()
      expect([to, await row.getByText('Queued').count()]).toEqual([to, status === 'PENDING' ? 1 : 0])
    }
    await list.getByRole('link', { name: waiting[0].to }).click()
    await page.getByText('The content isn’t available yet').waitFor()
    expect(await page.locator('iframe').count()).toBe(0)
    expect(complaints).toEqual([])
  })
})
