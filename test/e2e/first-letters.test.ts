// The first letters of the compiled program, in a real Chromium and with a real mail server: from an empty instance to a domain that the name
// server proves, a campaign of blocks whose link a reader follows, and a workflow that was drawn and sends. Skipped where there is no Chromium.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { chromiumPath } from '../support/chromium'
import { typeOver } from '../support/type-over'
import { adaAddress, goTo, type Instance, makeAccount, startInstance, takenMail } from './instance'

let on: Instance
let page: Page

beforeAll(async () => {
  if (!chromiumPath) return
  on = await startInstance({ relays: true })
  page = on.ada.page
}, 300_000)
afterAll(async () => on?.stop())

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const canvas = () => page.getByRole('textbox', { name: 'Email content' })
const button = (name: string) => page.getByRole('button', { name, exact: true })

const replace = (words: string, by: string): Promise<void> => typeOver(canvas(), words, by)

describe.skipIf(!chromiumPath)('the first letters, in a browser', () => {
  test('a domain is verified once its records are published', async () => {
    await makeAccount(on, 'Bakery')
    await goTo(page, 'Settings', 'Domains')
    await button('Add domain').first().click()
    await page.getByRole('textbox', { name: 'Domain' }).fill('mail.bakery.dev')
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
    await page.getByRole('heading', { name: 'mail.bakery.dev Waiting for DNS' }).waitFor()
    const records = await page
      .locator('main dl')
      .evaluateAll(lists =>
        lists.map(list => [...list.querySelectorAll('dd code')].map(code => code.textContent ?? '')),
      )
    expect(records).toHaveLength(3)
    on.dns.publish(records.map(([type = '', name = '', value = '']) => ({ type, name, value })))
    await button('Verify now').click()
    await page.getByRole('heading', { name: 'mail.bakery.dev Verified' }).waitFor()
    await page.getByText('All records were found.').waitFor()
  }, 200_000)

  test('a campaign is written in blocks, arrives, and its link is followed and shown', async () => {
    await goTo(page, 'Contacts')
    await button('Add contact').first().click()
    await page.getByRole('textbox', { name: 'Email', exact: true }).fill('grace@reader.example')
    await page.getByRole('dialog').getByRole('button', { name: 'Add contact' }).click()
    await page.getByRole('heading', { name: 'grace@reader.example' }).waitFor()

    await goTo(page, 'Campaigns', 'New campaign')
    await button('Blank').click()
    await canvas().waitFor()
    await page.getByLabel('Subject', { exact: true }).fill('Spring bread')
    await replace('Your heading', 'Bread in spring')
    await replace('Write your text here.', 'Dear ')
    await button('Variable').click()
    await page.getByRole('menuitem', { name: 'Email address' }).click()
    await page.keyboard.press('Enter')
    await page.keyboard.type('/butt')
    await page.keyboard.press('Enter')
    await canvas().getByText('Read more').click()
    await page.getByLabel('Button text').fill('See the bread')
    await page.getByLabel('Link', { exact: true }).fill('https://bakery.example/spring')
    await button('Review').click()
    await page.getByText('1 contact will get it').waitFor()
    await button('Send now').click()
    await button('Send to 1 contact').click()

    const { html = '', from } = await takenMail(on.mailbox, 'grace@reader.example', 'Spring bread')
    expect(from?.address).toBe('hello@mail.bakery.dev')
    expect(html).toContain('Dear grace@reader.example')
    const link = /<a href="([^"]*\/t\/c\/[^"]*)"[^>]*>(?:<[^>]*>)*See the bread/.exec(html)![1]!
    // Whoever follows a link within three seconds of its arrival is a program.
    await Bun.sleep(4_000)
    const { pathname } = new URL(link.replaceAll('&amp;', '&'))
    const followed = await fetch(on.program.url + pathname, {
      redirect: 'manual',
      headers: { 'user-agent': firefox },
    })
    expect(followed.headers.get('location')).toBe('https://bakery.example/spring')
    await page.getByText('1 person, 1 click').waitFor()
    await page.getByRole('link', { name: 'https://bakery.example/spring' }).click()
    await page.getByRole('table', { name: 'Recipients' }).getByText('grace@reader.example').waitFor()
  }, 200_000)

  test('a workflow is drawn, turned on, started by an event, sends, and is looked at', async () => {
    await goTo(page, 'Templates', 'New template')
    await button('Blank').click()
    await button('Name, reply-to, type, and layout').click()
    await page.getByLabel('Name', { exact: true }).fill('Thanks')
    await page.getByLabel('Subject', { exact: true }).fill('Thank you')
    await replace('Write your text here.', 'Your bread is in the oven.')
    await page.getByText(/^Saved \S/).waitFor()

    await goTo(page, 'Workflows')
    await button('New workflow').first().click()
    await page.getByRole('button', { name: 'Blank' }).click()
    await page.getByLabel('Name', { exact: true }).fill('After an order')
    await page.getByLabel('Trigger event').fill('order.placed')
    await button('Create').click()
    const drawing = page.getByRole('region', { name: 'Workflow graph' })
    await drawing.getByRole('button', { name: 'Add a step after Trigger' }).click()
    await page.getByRole('menuitem', { name: 'Send email' }).click()
    await page.getByLabel('Template').selectOption({ label: 'Thanks' })
    await button('Turn on').click()
    await page.getByText('The workflow is on').waitFor()

    const projects = await (await page.request.get(`${on.program.url}/users/@me/projects`)).json()
    const tracked = await fetch(`${on.program.url}/v1/track`, {
      method: 'POST',
      headers: { authorization: `Bearer ${projects[0].public}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'grace@reader.example', event: 'order.placed' }),
    })
    expect(tracked.status).toBe(200)
    const { html } = await takenMail(on.mailbox, 'grace@reader.example', 'Thank you')
    expect(html).toContain('Your bread is in the oven.')

    await goTo(page, 'Runs', 'grace@reader.example')
    await page
      .getByRole('button', { name: /Send email.*Done/ })
      .first()
      .click()
    await page.getByText('Path of the run').waitFor()
  }, 200_000)

  test('the first steps have filled themselves but for a domain, and the browser complained about nothing', async () => {
    await goTo(page, 'Home')
    await page.getByRole('heading', { name: 'Coming up' }).waitFor()
    await page.getByLabel('Done', { exact: true }).nth(2).waitFor()
    expect(on.mailbox.taken.map(({ envelope }) => envelope.to)).not.toContain(adaAddress)
    expect(on.ada.complaints).toEqual([])
  })
})
