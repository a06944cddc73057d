// Forms in a real Chromium: the hosted page on a phone without script, the snippet with our script on a page of somebody else, and the
// page of the dashboard where both come from. Skipped where there is no Chromium. PICTURES names a folder for pictures of the hosted pages.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import { minute } from '../../src/lib/time'
import { type Browser, chromiumPath, startChromium, type Tab } from '../support/chromium'
import { type FormWorld, makeFormWorld } from '../support/forms'
import { type Newcomer, startNewcomer } from './newcomer'
import { visitor } from './open'

describe.skipIf(!chromiumPath)('on a phone, without script', () => {
  const phone = { width: 320, height: 640 }
  const pictures = process.env['PICTURES']
  let world: FormWorld
  let server: ReturnType<typeof Bun.serve>
  let browser: Browser
  let tab: Tab
  beforeAll(async () => {
    world = await makeFormWorld()
    server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: asked => world.site.handle(asked) })
    browser = await startChromium()
    tab = await browser.tab()
  })
  afterAll(async () => {
    await browser?.close()
    await server?.stop(true)
    await world?.close()
  })

  async function look(name: string): Promise<void> {
    for (const isDark of [false, true]) {
      await tab.show({ ...phone, isDark })
      const width = await tab.evaluate<number>('document.documentElement.scrollWidth')
      expect([name, width]).toEqual([name, phone.width])
      const faults = await tab.examine<string[]>(
        `${axe.source};
        axe.run(document, { resultTypes: ['violations', 'incomplete'] }).then(({ violations, incomplete }) =>
          [...violations, ...incomplete.filter(each => each.id === 'color-contrast')]
            .map(({ id, nodes }) => id + ': ' + nodes.map(node => node.html).join(' ')))`,
      )
      expect([name, faults]).toEqual([name, []])
      if (!pictures) continue
      mkdirSync(pictures, { recursive: true })
      writeFileSync(join(pictures, `form-${name}${isDark ? '-dark' : ''}.png`), await tab.picture())
    }
  }
  const title = (): Promise<string> => tab.evaluate('document.querySelector("h1").innerText')
  const send = (): Promise<number> => tab.follow('document.querySelector("button").click()')

  test('a form is filled in wrongly, then rightly, and confirmed', async () => {
    const options = ['Free', 'Pro']
    const form = await world.makeForm({
      look: { heading: 'The letter', text: 'Once a month.', accent: '#ffd43b' },
      fields: [
        { key: 'name', label: 'First name', type: 'text', maxLength: 20 },
        { key: 'plan', label: 'What do you use?', type: 'choice', options, required: true },
        { key: 'seats', label: 'Seats', type: 'number' },
        { key: 'since', label: 'Customer since', type: 'date' },
        { key: 'call', label: 'Call me about something that takes more than one line', type: 'checkbox' },
      ],
    })
    expect(await tab.open(`${server.url}forms/${form.id}`)).toBe(200)
    expect(await title()).toBe('The letter')
    await look('open')
    world.clock.advance(minute)
    await tab.evaluate(`document.querySelector('form').noValidate = true`)
    await tab.evaluate(`document.getElementById('email').value = 'ada@example.com'`)
    expect(await send()).toBe(422)
    const note = 'Please check the marked fields.'
    expect(await tab.becoming('document.activeElement.innerText', note)).toBe(note)
    expect(await tab.evaluate<string>('document.querySelector("[aria-invalid]").name')).toBe('data.plan')
    // Chromium writes every answer of 400 and more to the console.
    tab.complaints.splice(0)
    await look('faulty')
    expect(await tab.evaluate<string>(`document.getElementById('email').value`)).toBe('ada@example.com')
    await tab.evaluate(`document.getElementById('field-plan').value = 'Pro'`)
    expect(await send()).toBe(200)
    expect(await title()).toBe('One more step')
    await look('step')
    world.clock.advance(minute)
    expect(await send()).toBe(200)
    expect(await title()).toBe('Please check your inbox')
    await look('asked')

    await world.drain()
    expect(await tab.open(`${server.url}${(await world.linkFor('ada@example.com')).slice(1)}`)).toBe(200)
    expect(await title()).toBe('Confirm your subscription')
    await look('confirm')
    expect(await send()).toBe(200)
    expect(await title()).toBe('You are subscribed')
    await look('confirmed')
    expect(tab.complaints).toEqual([])
  })
})

describe.skipIf(!chromiumPath)('in the dashboard', () => {
  let somebody: Newcomer
  let shop: ReturnType<typeof Bun.serve>
  let snippet = ''
  beforeAll(async () => {
    somebody = await startNewcomer('Hopper')
    somebody.page.setDefaultTimeout(20_000)
    const type = { 'content-type': 'text/html; charset=utf-8' }
    const page = (): string =>
      `<!doctype html><html lang="en"><title>Shop</title><body><h1>Shop</h1>${snippet}</body></html>`
    shop = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(page(), { headers: type }) })
  })
  afterAll(async () => {
    await shop?.stop(true)
    await somebody?.stop()
  })

  test('a form is made, put on another page, and sent there without leaving it', async () => {
    const { page, showcase, projectId, browser } = somebody
    const ask = (method: string, path: string, data?: unknown) =>
      page.request.fetch(showcase.url + path, {
        ...{ method, data, headers: { 'x-project-id': projectId }, maxRetries: 2 },
      })
    showcase.dns.set('example.com', 'mx', { exchange: 'mx.example.com', priority: 10 })

    await page.goto(`${showcase.url}/app/${projectId}/forms`)
    await page.getByText('No forms yet').waitFor()
    await page.getByRole('button', { name: 'New form' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('News')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText('needs a sender for its confirmation email').waitFor()
    await page.getByRole('button', { name: 'Use hello@' }).click()
    await page.getByText('needs a sender').waitFor({ state: 'detached' })
    await page.getByLabel('Name', { exact: true }).fill('Letter')
    await page.getByRole('button', { name: 'Add field' }).click()
    await page.getByText('Saved, except missing fields: Add a label.').waitFor()
    await page.getByLabel('Label', { exact: true }).fill('First name')
    expect(await page.getByLabel('Custom field', { exact: true }).inputValue()).toBe('firstName')
    await page.getByRole('img', { name: 'What visitors see' }).getByText('First name (optional)').waitFor()
    await page.getByText(/^Saved \S/).waitFor()
    const stored = async () => (await (await ask('GET', '/signup-forms')).json()).data[0]
    expect(await stored()).toMatchObject({
      name: 'Letter',
      enabled: false,
      fields: [{ label: 'First name' }],
    })
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('The form is on').waitFor()

    // Visitors see it now: it changes by a press alone, and a reload loses nothing.
    await page.getByLabel(/^Heading/).fill('The letter')
    await page.getByText('Unpublished changes, kept in this browser').waitFor()
    await page.reload()
    await page.getByText('Unpublished changes, kept in this browser').waitFor()
    expect((await stored()).look.heading).toBeNull()
    await page.getByRole('button', { name: 'Publish changes' }).click()
    await page.getByText('Changes published').waitFor()
    expect((await stored()).look.heading).toBe('The letter')
    await page.keyboard.press('Control+z')
    expect(await page.getByLabel(/^Heading/).inputValue()).toBe('')
    await page.getByRole('button', { name: 'Discard' }).click()
    expect(await page.getByLabel(/^Heading/).inputValue()).toBe('The letter')
    await page.getByLabel('With script').check()
    snippet = (await page.locator('pre code').textContent())!
    expect(snippet).toContain('name="data.firstName"')

    const guest = await visitor(browser, { width: 1280, theme: 'light' })
    await guest.page.goto(shop.url.href)
    await guest.page.getByLabel('Email address').fill('Ada@Example.com')
    await guest.page.getByRole('button', { name: 'Subscribe' }).click()
    await guest.page.getByRole('status').getByText('an email with a link is on its way').waitFor()
    expect([guest.page.url(), guest.complaints]).toEqual([shop.url.href, []])
    await guest.close()

    const { data } = await (await ask('GET', '/signup-forms')).json()
    expect(data).toMatchObject([{ name: 'Letter', asked: 1, confirmed: 0 }])
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete Letter' }).click()
    await page.getByText('No forms yet').waitFor()
  })
})
