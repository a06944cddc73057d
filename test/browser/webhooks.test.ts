// Webhook endpoints in the dashboard: one is added, shows its secret once, is tried, answers, is told again, switched off and removed.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { type Newcomer, startNewcomer } from './newcomer'

let somebody: Newcomer

beforeAll(async () => {
  if (!chromiumPath) return
  somebody = await startNewcomer('Hooked')
  somebody.page.setDefaultTimeout(20_000)
})
afterAll(async () => {
  await somebody?.stop()
})

describe.skipIf(!chromiumPath)('a webhook endpoint', () => {
  test('is added, tried, told again, switched off and removed', async () => {
    const { page, showcase, projectId, complaints } = somebody
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const toast = (text: string) => page.getByRole('status').getByText(text)
    // By way of the events, whose names both pages read, each in its own shape.
    await page.goto(`${showcase.url}/app/${projectId}/events`)
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await button('Add endpoint').click()
    const form = page.getByRole('dialog')
    await form.getByLabel('URL', { exact: true }).fill('https://hooks.acme.example/waxwing')
    await form.getByLabel('Another event').fill('order.placed')
    await form.getByRole('button', { name: 'Add event' }).click()
    await form.getByLabel('contact.unsubscribed').uncheck()
    await form.getByRole('button', { name: 'Add endpoint' }).click()
    await page.getByRole('heading', { name: 'Your signing secret' }).waitFor()
    const secret = await page.getByRole('dialog').locator('pre').textContent()
    expect(secret).toStartWith('whsec_')
    await button('I’ve saved it').click()
    await page.getByRole('heading', { name: 'https://hooks.acme.example/waxwing On' }).waitFor()
    const events = await page.getByRole('listitem').filter({ hasText: '.' }).allTextContents()
    expect(events).toEqual(['email.delivery', 'email.bounce', 'email.complaint', 'order.placed'])
    expect(await page.content()).not.toContain(secret!)

    await button('Send test').click()
    await toast('Test sent').waitFor()
    await showcase.drain()
    await page.reload()
    await page.getByRole('link', { name: 'webhook.test' }).click()
    await page.getByText('HTTP 200').waitFor()
    await button('Replay').click()
    await page.getByRole('dialog').getByText('In progress').waitFor()
    await showcase.drain()
    await page.getByText('Attempt 2').waitFor()
    await button('Close').click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await button('More').click()
    await page.getByRole('menuitem', { name: 'Turn off' }).click()
    await page.getByRole('heading', { name: 'https://hooks.acme.example/waxwing Off' }).waitFor()
    await button('More').click()
    await page.getByRole('menuitem', { name: 'Remove endpoint' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove endpoint' }).click()
    await page.getByText('No endpoints yet').waitFor()
    expect(complaints).toEqual([])
  })
})
