// One message in the dashboard: its headers, and its source as it left.
import { describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { newcomer } from './newcomer'

const somebody = newcomer('Hopper')

describe.skipIf(!chromiumPath)('a message', () => {
  test('shows its headers one by one and its source, and hands it over as a file', async () => {
    const { page, showcase } = somebody
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByRole('button', { name: /^Send to / }).click()
    await page.getByRole('status').getByText('Test email sent to').waitFor()
    await showcase.drain()
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.getByRole('link', { name: 'Emails' }).click()
    const asked: string[] = []
    page.on('request', request => {
      if (request.url().endsWith('/source')) asked.push(request.url())
    })
    await page.locator('main').getByRole('link', { name: /@/ }).first().click()
    await page.frameLocator('iframe').getByText('It works.').waitFor()
    expect(asked).toEqual([])

    await page.getByRole('tab', { name: 'Headers' }).click()
    await page.getByRole('row', { name: /^DKIM-Signature v=1; a=rsa-sha256;/ }).waitFor()
    await page.getByRole('row', { name: /^Message-ID </ }).waitFor()
    await page.getByRole('tab', { name: 'Source' }).click()
    const coming = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    const file = await coming
    const text = await Bun.file((await file.path())!).text()
    expect(file.suggestedFilename()).toBe(`${new URL(page.url()).pathname.split('/').at(-1)}.eml`)
    expect(text).toStartWith('DKIM-Signature: ')
    expect(await page.locator('[role=tabpanel] pre').textContent()).toContain(
      'Content-Type: multipart/alternative',
    )
    expect(asked).toHaveLength(1)
    expect(somebody.complaints).toEqual([])
  })
})
