// The brand in the dashboard: what is set there once is what emails show.
import { describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { newcomer } from './newcomer'
import { findings } from './open'

const somebody = newcomer('Hopper')
/** One pixel, which is too small for a logo that is sharp. */
const image = {
  name: 'logo.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  ),
}

async function stored(): Promise<Record<string, unknown>> {
  const { page, showcase, projectId } = somebody
  return await (await page.request.get(`${showcase.url}/projects/${projectId}/brand`)).json()
}

describe.skipIf(!chromiumPath)('the brand', () => {
  test('logo, colors, address and links are saved together, and the email beside shows them before', async () => {
    const { page } = somebody
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Brand' }).click()
    const save = page.getByRole('button', { name: 'Save changes' })
    expect(await save.isDisabled()).toBe(true)
    await page.locator('input[type=file]').setInputFiles(image)
    await page.getByText('Use an image at least 320 px wide').waitFor()
    await page.getByLabel('Links and buttons').fill('#e8590c')
    await page.getByRole('button', { name: /^Use #/ }).click()
    await page.getByLabel('Postal address').fill('Hopper, 1 Sea Road, Hamburg')
    await page.getByRole('button', { name: 'Add link' }).click()
    await page.getByLabel('Name of link 1').fill('Website')
    await page.getByLabel('Link 1', { exact: true }).fill('https://hopper.example')
    const mail = page.frameLocator('iframe[title="Preview"]')
    await mail.getByText('Hopper, 1 Sea Road, Hamburg').waitFor()
    await mail.getByRole('link', { name: 'Website' }).waitFor()
    await mail.getByRole('img', { name: 'Hopper' }).waitFor()
    expect(await findings(somebody)).toEqual([])
    await save.click()
    await page.getByRole('status').getByText('Saved', { exact: true }).waitFor()
    const brand = await stored()
    expect(brand).toMatchObject({
      postalAddress: 'Hopper, 1 Sea Road, Hamburg',
      socialLinks: [{ name: 'Website', url: 'https://hopper.example' }],
      logo: expect.stringMatching(/\.png$/),
    })
    expect(brand['accentColor']).toMatch(/^#[0-9a-f]{6}$/)
    expect(brand['accentColor']).not.toBe('#e8590c')
  })

  test('what is not saved is asked about before one leaves, and can be discarded', async () => {
    const { page } = somebody
    await page.getByLabel('Postal address').fill('Somewhere else')
    await page.getByText('Unsaved: Postal address').waitFor()
    await page.getByRole('link', { name: 'Templates' }).click()
    const question = page.getByRole('dialog', { name: 'Discard changes to the brand?' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    expect(await page.getByLabel('Postal address').inputValue()).toBe('Hopper, 1 Sea Road, Hamburg')
    await page.getByRole('link', { name: 'Templates' }).click()
    await page.getByRole('heading', { name: 'Templates' }).waitFor()
  })

  test('a link that leads nowhere is told at its field', async () => {
    const { page } = somebody
    await page.goBack()
    await page.getByLabel('Link 1', { exact: true }).fill('hopper')
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('Must be a URL that begins with http:// or https://').waitFor()
    expect(await page.getByLabel('Link 1', { exact: true }).getAttribute('aria-invalid')).toBe('true')
  })
})
