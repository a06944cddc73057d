// The reference of the API inside the dashboard: found by a word, with the key of the project, and tried out.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { type Newcomer, startNewcomer } from './newcomer'

let somebody: Newcomer

beforeAll(async () => {
  if (!chromiumPath) return
  somebody = await startNewcomer('Readers')
  somebody.page.setDefaultTimeout(20_000)
})
afterAll(async () => {
  await somebody?.stop()
})

describe.skipIf(!chromiumPath)('the reference of the API', () => {
  test('is where /docs leads whoever is signed in; a mail is sent with it', async () => {
    const { page, showcase, projectId } = somebody
    await page.goto(`${showcase.url}/docs`)
    await page.waitForURL(`${showcase.url}/app/${projectId}/docs`)
    expect(await page.locator('main').getByRole('listitem').first().textContent()).toContain('/v1/send')
    const guides = page.locator('main').getByRole('link', { name: 'Guides' })
    expect(await guides.getAttribute('href')).toBe(`${showcase.url}/guides`)
    await page.getByLabel('Search operations').fill('transactional')
    await page.getByRole('link', { name: '/v1/verify' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: '/v1/send', exact: true }).click()
    await page.getByText('attachments[].filename').waitFor()
    for (const language of ['JavaScript', 'Python', 'PHP', 'Go', 'curl'])
      await page.getByRole('tab', { name: language }).click()
    await page.getByText('Bearer sk_…').waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('status').getByText('"success": true').waitFor()
    await page.getByLabel('Body (JSON)').fill('{')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('Enter valid JSON.').waitFor()
    expect(somebody.complaints).toEqual([])
  })

  test('asks before it deletes, and shows a refusal as it came', async () => {
    const { page } = somebody
    await page.getByRole('link', { name: 'API reference' }).first().click()
    await page.getByRole('link', { name: '/contacts/{id}', exact: true }).last().click()
    await page.getByRole('heading', { name: 'Delete a contact' }).waitFor()
    await page.getByLabel('id').fill('01234567-89ab-7def-8123-456789abcdef')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
    await page.getByRole('status').getByText('CONTACT_NOT_FOUND').waitFor()
    expect(somebody.complaints.splice(0).every(complaint => complaint.includes('404'))).toBe(true)
  })
})
