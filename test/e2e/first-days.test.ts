// The first days with the compiled program, in a real Chromium: from an empty instance to a first mail in the outbox, a key that was
// replaced, a member who was invited, and a list of 50,000. Nothing is asked of the API but what a program of one's own would ask.
// Skipped where there is no Chromium.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { visitor } from '../browser/open'
import { chromiumPath } from '../support/chromium'
import { until } from '../support/until'
import { adaAddress, goTo, type Instance, makeAccount, startInstance } from './instance'

if (!chromiumPath) console.warn('test/e2e is skipped: no Chromium is installed')

let on: Instance

beforeAll(async () => {
  if (chromiumPath) on = await startInstance({ relays: false })
}, 300_000)
afterAll(async () => on?.stop())

/** The text of the newest mail to somebody, as the outbox has it. */
async function mailTo(address: string): Promise<string> {
  const outbox = join(on.dataDir, 'outbox')
  let text: string | undefined
  await until(`a mail to ${address}`, async () => {
    const names = readdirSync(outbox).filter(name => name.endsWith('.eml'))
    const mails = await Promise.all(names.map(name => PostalMime.parse(readFileSync(join(outbox, name)))))
    text = mails.find(mail => mail.to?.some(each => each.address === address))?.text
    return text !== undefined
  })
  return text!
}

const answerTo = async (key: string): Promise<number> =>
  (await fetch(`${on.program.url}/contacts`, { headers: { authorization: `Bearer ${key}` } })).status

describe.skipIf(!chromiumPath)('the first days, in a browser', () => {
  test('an empty instance leads to an account, a project, and a first mail that is seen', async () => {
    const { page } = on.ada
    await makeAccount(on, 'Acme')
    await page.getByRole('button', { name: `Send to ${adaAddress}` }).click()
    await goTo(page, 'Activity', 'Outbox')
    await page.frameLocator('iframe').getByText('It works.').waitFor()
  }, 200_000)

  test('a key is replaced: the old one is refused, the new one is let in', async () => {
    const { page } = on.ada
    await goTo(page, 'Settings', 'API keys')
    await page.getByRole('button', { name: 'Show', exact: true }).first().click()
    const shown = page.locator('code').filter({ hasText: /^sk_\w{20,}$/ })
    const old = (await shown.textContent())!
    expect(await answerTo(old)).toBe(200)
    await page.getByRole('button', { name: 'Rotate keys' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Rotate keys' }).click()
    await page.getByText('Keys rotated.').waitFor()
    await until('the new key is shown', async () => (await shown.textContent()) !== old)
    expect(await answerTo(old)).toBe(401)
    expect(await answerTo((await shown.textContent())!)).toBe(200)
  }, 200_000)

  test('somebody is invited, accepts on a phone, and is made an admin', async () => {
    const { page } = on.ada
    await goTo(page, 'Settings', 'Members')
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByLabel('Email', { exact: true }).fill('grace@example.com')
    await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click()
    await page.getByText('Invitation sent to').waitFor()
    const link = /https?:\/\/\S+\/auth\/invitation\?token=\w+/.exec(await mailTo('grace@example.com'))![0]

    const grace = await visitor(on.browser, { width: 360, theme: 'dark' })
    await grace.page.goto(link)
    await grace.page.getByLabel('Password').fill('another long password')
    await grace.page.getByRole('button', { name: 'Set the password and join' }).click()
    await grace.page.getByRole('link', { name: 'Go to the dashboard' }).click()
    await grace.page.getByRole('banner').getByText('Acme').waitFor()

    await page.reload()
    await page.getByLabel('Role of grace@example.com').selectOption('ADMIN')
    await page.getByText('Role of grace@example.com changed to Admin').waitFor()
    const keys = new URL(page.url()).pathname.replace('/members', '/keys')
    await grace.page.goto(new URL(keys, grace.page.url()).href)
    await grace.page.getByText('Secret key').waitFor()
    expect(grace.complaints).toEqual([])
    await grace.close()
  }, 200_000)

  test('50,000 contacts come from a CSV file', async () => {
    const { page } = on.ada
    const file = join(on.folder, 'people.csv')
    const rows = Array.from(
      { length: 50_000 },
      (_, nth) => `reader${nth}@mail.example,Reader ${nth},${nth % 90}`,
    )
    writeFileSync(file, ['email,name,seats', ...rows, 'no address,Nobody,1'].join('\n'))
    await goTo(page, 'Contacts', 'Import')
    await page.getByLabel('CSV file').setInputFiles(file)
    await page.getByText('Of the first 500 rows').waitFor()
    await page.getByRole('radio', { name: 'All contacts agreed' }).check()
    await page.getByRole('button', { name: 'Import 50,001 rows' }).click()
    await page.getByRole('heading', { name: 'Imported' }).waitFor({ timeout: 250_000 })
    expect(await page.locator('main dl').first().textContent()).toMatch(/^New50,000Updated0.*Rejected1$/)
    await page.getByText('no address').waitFor()
    await goTo(page, 'Contacts')
    await page.getByText('50,001 contacts').waitFor()
    await page.getByLabel('Search by name or email').fill('reader49999@')
    await page.getByRole('row').getByText('reader49999@mail.example').waitFor()
  }, 300_000)

  test('the browser complained about nothing', () => expect(on.ada.complaints).toEqual([]))
})
