// Sender domains in the dashboard: added, their records copied and downloaded, looked up, and removed.
import { describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { newcomer } from './newcomer'

const somebody = newcomer('Hopper')

describe.skipIf(!chromiumPath)('a domain', () => {
  test('is added, downloaded, looked up and removed', async () => {
    const { page } = somebody
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Domains' }).click()
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.getByRole('textbox', { name: 'Domain' }).fill('not a domain')
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
    await page.locator('[name=domain][aria-invalid=true]').waitFor()
    await page.getByRole('textbox', { name: 'Domain' }).fill('mail.hopper.dev')
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
    await page.getByRole('heading', { name: 'mail.hopper.dev Waiting for DNS' }).waitFor()
    await page.getByText('wx1._domainkey.mail.hopper.dev').waitFor()

    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Zone file' }).click()
    const file = await coming
    expect(file.suggestedFilename()).toBe('mail.hopper.dev.zone')
    const text = await Bun.file((await file.path())!).text()
    expect(text).toContain('wx1._domainkey.mail.hopper.dev.\t3600\tIN\tTXT\t"v=DKIM1; k=rsa; p=')

    await page.getByRole('button', { name: 'Verify now' }).click()
    await page.getByRole('status').getByText('Some required records weren’t found yet.').waitFor()

    await page.getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Remove mail.hopper.dev' }).click()
    await page.getByText('mail.hopper.dev removed').waitFor()
    expect(await page.locator('main').getByText('mail.hopper.dev').count()).toBe(0)
    // The refusal of what is no domain.
    const expected = somebody.complaints.filter(complaint => complaint.includes('status of 4'))
    expect(somebody.complaints).toEqual(expected)
    expect(expected).toHaveLength(1)
  })

  test('that is for trying things out is found by nobody', async () => {
    const { page } = somebody
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Domains' }).click()
    await page.getByRole('link', { name: 'hopper.example' }).click()
    await page.getByText('Not checked').first().waitFor()
    expect(await page.getByText('Found', { exact: true }).count()).toBe(0)
  })

  test('nothing was sent yet, so analytics show no shares of nothing', async () => {
    const { page } = somebody
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.getByRole('link', { name: 'Analytics' }).click()
    await page.getByText('vs. –').first().waitFor()
    expect(await page.locator('main').getByText('0%').count()).toBe(0)
  })
})
