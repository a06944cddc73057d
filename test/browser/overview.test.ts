// Home of a new project: its first steps. And the code for one's own program, and what programs are told that only speak SMTP.
import { describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { type Newcomer, newcomer } from './newcomer'
import { findings } from './open'

const somebody = newcomer('Hopper')

/** What the instance would say of itself with SMTP_LISTEN. */
async function turnSmtpOn({ page }: Newcomer): Promise<void> {
  const smtp = { enabled: true, domain: 'mail.hopper.dev', ports: { secure: 465, submission: 587 } }
  await page.route('**/config', async route => {
    const response = await route.fetch()
    const config = await response.json()
    await route.fulfill({ response, json: { ...config, features: { ...config.features, smtp } } })
  })
}

describe.skipIf(!chromiumPath)('the first request of one’s own code', () => {
  test('is shown in every language, with a placeholder and never with the secret key', async () => {
    const { page, showcase, projectId } = somebody
    const projects = await (await page.request.get(`${showcase.url}/users/@me/projects`)).json()
    const { secret } = projects.find(({ id }: { id: string }) => id === projectId)
    for (const path of ['/', '/quickstart', '/docs', '/settings/keys']) {
      await page.goto(`${showcase.url}/app/${projectId}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await somebody.settled()
      expect([path, (await page.content()).includes(secret)]).toEqual([path, false])
    }
    await page.goto(`${showcase.url}/app/${projectId}/quickstart`)
    for (const name of ['curl', 'JavaScript', 'Python', 'PHP', 'Go', 'Ruby']) {
      await page.getByRole('tab', { name, exact: true }).click()
      const code = await page.getByRole('tabpanel').locator('pre').textContent()
      expect([name, code]).toEqual([name, expect.stringContaining('Bearer sk_...')])
      expect(code).toContain(`${showcase.url}/v1/send`)
    }
  })

  test('says for SMTP which setting turns it on, or what programs have to be told', async () => {
    const { page } = somebody
    await page.getByRole('tab', { name: 'SMTP' }).click()
    await page.getByText('SMTP_LISTEN=587,465').waitFor()
    await turnSmtpOn(somebody)
    await page.reload()
    await page.getByRole('tab', { name: 'SMTP' }).click()
    await page.getByText('Port (STARTTLS)').waitFor()
    const panel = await page.getByRole('tabpanel').textContent()
    for (const told of [
      'mail.hopper.dev',
      '587',
      'waxwing',
      'sk_...',
      'swaks --server mail.hopper.dev:587 --tls ',
    ])
      expect(panel).toContain(told)
    expect(somebody.complaints).toEqual([])
  })
})

describe.skipIf(!chromiumPath)('the first steps', () => {
  test('are ticked by what somebody did, and each has a button; the account is in sight on a low screen', async () => {
    const { page, showcase, projectId } = somebody
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${showcase.url}/app/${projectId}/`)
    await page.getByText('Verify a sender domain').waitFor()
    const steps = page.getByRole('main').getByRole('list').first()
    expect(await steps.getByLabel('Done').count()).toBe(0)
    await page.getByRole('button', { name: /^Send to / }).click()
    await steps.getByLabel('Done').waitFor()
    expect(await steps.getByLabel('Done').count()).toBe(1)
    expect(await steps.getByRole('listitem').last().getByRole('link').count()).toBe(1)
    const account = await page
      .getByRole('button', { name: /Account|@/ })
      .last()
      .boundingBox()
    expect(account!.y + account!.height).toBeLessThanOrEqual(800)
    // On a lower one, the list above it goes on below its edge, and shows that.
    await page.setViewportSize({ width: 1280, height: 360 })
    const shade = await page
      .getByRole('navigation')
      .first()
      .evaluate(list => [list.scrollHeight > list.clientHeight, getComputedStyle(list).backgroundAttachment])
    expect(shade).toEqual([true, 'local, scroll'])
  })
})

describe.skipIf(!chromiumPath)('the navigation', () => {
  test('has seven sections, and says on every page in which one it is', async () => {
    const { page, showcase, projectId } = somebody
    const sidebar = page.getByRole('navigation', { name: 'Main' })
    const current = async () => [
      ...(await page.locator('nav [aria-current=page]').allTextContents()),
      await page.title(),
    ]
    const open = async (path: string, heading: string): Promise<void> => {
      await page.goto(`${showcase.url}/app/${projectId}${path}`)
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await open('/', 'Home')
    expect(await sidebar.getByRole('link').allTextContents()).toEqual([
      ...['Home', 'Campaigns', 'Workflows', 'Templates', 'Contacts', 'Activity', 'Settings', 'Instance'],
    ])
    expect(await current()).toEqual(['Home', 'Home · Waxwing'])
    await open('/segments', 'Contacts')
    expect(await current()).toEqual(['Contacts', 'Segments', 'Segments · Contacts · Waxwing'])
    // A page of a single thing has a way back instead of tabs.
    await open('/segments/new', 'New dynamic segment')
    expect(await current()).toEqual(['Contacts', 'New dynamic segment · Waxwing'])
    await open('/docs', 'Settings')
    expect(await current()).toEqual(['Settings', 'API reference', 'API reference · Settings · Waxwing'])
    await open('/instance', 'Instance')
    expect(await current()).toEqual(['Instance', 'Instance · Waxwing'])
  })

  test('shows the instance to its operator alone', async () => {
    const { page, showcase, projectId } = somebody
    await page.route('**/users/@me', async route => {
      const user = await (await route.fetch()).json()
      await route.fulfill({ json: { ...user, operator: false } })
    })
    await page.goto(`${showcase.url}/app/${projectId}/settings`)
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    expect(await page.getByRole('link', { name: 'Instance' }).count()).toBe(0)
    await page.unroute('**/users/@me')
  })
})

describe.skipIf(!chromiumPath)('home', () => {
  test('names what needs somebody, the most urgent first, and leads there', async () => {
    const { page, showcase, projectId } = somebody
    const headers = { 'x-project-id': projectId }
    const post = async (path: string, data: object) =>
      await (await page.request.post(`${showcase.url}${path}`, { headers, data })).json()
    const { id } = await post('/domains', { domain: 'news.hopper.dev', projectId })
    const endpoint = await post('/webhook-endpoints', {
      url: 'https://hooks.hopper.dev/in',
      eventTypes: ['email.bounce'],
    })
    // What takes a day to happen.
    await page.route('**/webhook-endpoints', async route => {
      const [first] = await (await route.fetch()).json()
      await route.fulfill({ json: [{ ...first, enabled: false, disabledReason: 'failing' }] })
    })
    const finding = (level: string) => ({ level, about: 'Disk', words: 'Nearly full' })
    await page.route('**/instance/findings', route =>
      route.fulfill({ json: { findings: [finding('warn'), finding('fail')], lookedAt: new Date() } }),
    )
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${showcase.url}/app/${projectId}/`)
    const card = page
      .locator('section')
      .filter({ has: page.getByRole('heading', { name: 'Needs attention' }) })
    await card.getByRole('listitem').nth(2).waitFor()
    const items = await card.getByRole('listitem').allTextContents()
    expect(items.map(item => item.match(/turned off|Disk|verified/)?.[0])).toEqual([
      ...['turned off', 'Disk', 'verified'],
    ])
    const leadsTo = (name: string) => card.getByRole('link', { name }).getAttribute('href')
    expect(await leadsTo('View deliveries')).toEndWith(`/settings/webhooks/${endpoint.id}`)
    expect(await leadsTo('Show records')).toEndWith(`/domains/${id}`)
    expect(await findings(somebody)).toEqual([])
    expect(somebody.complaints).toEqual([])
  })
})

describe.skipIf(!chromiumPath)('an empty list', () => {
  test.each(['/contacts', '/campaigns', '/workflows', '/suppressions', '/events', '/segments'])(
    '%s has neither a search nor filters, and one strong button at most',
    async path => {
      const { page, showcase } = somebody
      const made = await page.request.post(`${showcase.url}/users/@me/projects`, { data: { name: path } })
      const { id } = await made.json()
      await page.goto(`${showcase.url}/app/${id}${path}`)
      await page.locator('main p.font-semibold').filter({ hasText: /^No / }).waitFor()
      const main = page.locator('main')
      expect([await main.getByRole('searchbox').count(), await main.getByRole('combobox').count()]).toEqual([
        0, 0,
      ])
      expect(await main.locator('[data-variant=strong]').count()).toBeLessThanOrEqual(1)
    },
  )
})
