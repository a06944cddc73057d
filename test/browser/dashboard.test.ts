// The dashboard in a real Chromium: every page, wide and narrow, by day and by night, without a complaint of the browser, a finding of axe
// or anything wider than the screen; and the way of somebody new, from the first account to the first mail. Skipped where there is no Chromium.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { chromiumPath } from '../support/chromium'
import { type Showcase, startShowcase } from '../support/showcase'
import { faults, type Look, launch, openPage, showIn, signIn, visitor } from './open'
import { pages } from './pages'

if (!chromiumPath) console.warn('the dashboard is not opened: no Chromium is installed')

let browser: Browser
let showcase: Showcase

beforeAll(async () => {
  if (!chromiumPath) return
  browser = await launch()
  showcase = await startShowcase()
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await showcase?.stop()
})

/** Neighbours differ by the width or by the colours. */
const round: readonly Look[] = [
  { width: 1280, theme: 'light' },
  { width: 360, theme: 'light' },
  { width: 360, theme: 'dark' },
  { width: 1280, theme: 'dark' },
]

describe.skipIf(!chromiumPath)('every page', () => {
  // Every second one is opened on a wide screen in light colours, the others on a phone in dark ones. Width and colours change while the
  // page is open, which has to follow.
  test.concurrent.each([
    ['a wide screen', 0, round],
    ['a phone', 1, [...round.slice(2), ...round.slice(0, 2)]],
  ] as const)(
    'that was opened on %s: nothing is wrong, narrow and wide, by day and by night',
    async (_, first, looks) => {
      const somebody = await visitor(browser, looks[0]!)
      await signIn(somebody, showcase)
      const wrong: string[] = []
      for (const page of pages.filter((_, index) => index % 2 === first)) {
        await showIn(somebody, looks[0]!)
        await openPage(somebody, showcase, page)
        for (const [turn, look] of looks.entries()) {
          await showIn(somebody, look)
          const found = await faults(somebody, turn < 2 ? 'everything' : 'colours')
          wrong.push(...found.map(fault => `${page.name}, ${look.width}, ${look.theme}: ${fault}`))
        }
      }
      await somebody.close()
      expect(wrong).toEqual([])
    },
    300_000,
  )
})

describe.skipIf(!chromiumPath)('somebody new', () => {
  test('signs up, names a project, sends a mail and sees it, without a terminal', async () => {
    const fresh = await startShowcase('nothing')
    const somebody = await visitor(browser, { width: 1280, theme: 'light' })
    const { page } = somebody
    await page.goto(`${fresh.url}/`)
    await page.getByRole('heading', { name: 'Welcome to Waxwing' }).waitFor()
    await page.getByLabel('Email', { exact: true }).fill('grace@example.com')
    await page.getByLabel('Password', { exact: true }).fill('a long password')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByLabel('Name').fill('Hopper')
    await page.getByRole('button', { name: 'Create project' }).click()
    await page.getByRole('button', { name: 'Send to grace@example.com' }).click()
    await page.getByRole('status').getByText('Test email sent to').waitFor()
    await fresh.drain()
    await page.getByRole('link', { name: 'Activity' }).click()
    await page.getByRole('link', { name: 'Outbox' }).click()
    await page.frameLocator('iframe').getByText('It works.').waitFor()
    expect(somebody.complaints).toEqual([])
    await somebody.close()
    await fresh.stop()
  })

  test('reaches everything by keyboard: ⌘K, a few letters, Enter', async () => {
    const somebody = await visitor(browser, { width: 1280, theme: 'dark' })
    await signIn(somebody, showcase)
    await openPage(somebody, showcase, pages.find(page => page.name === 'overview')!)
    await somebody.page.keyboard.press('Control+k')
    await somebody.page.getByRole('combobox').waitFor()
    await somebody.page.keyboard.type('outb')
    await somebody.page.keyboard.press('Enter')
    await somebody.page.waitForURL(/\/outbox$/)
    await somebody.close()
  })

  test('finds the way on a phone, and another project, behind the menu', async () => {
    const somebody = await visitor(browser, { width: 360, theme: 'light' })
    const { page } = somebody
    await signIn(somebody, showcase)
    await openPage(somebody, showcase, pages.find(each => each.name === 'overview')!)
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('dialog').getByRole('link', { name: 'Activity' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Outbox' }).click()
    await page.waitForURL(/\/outbox$/)
    await page.getByRole('button', { name: 'Open menu' }).click()
    await page.getByRole('button', { name: 'Switch project: Fernway' }).click()
    await page.getByRole('menuitem', { name: 'Side project' }).click()
    await page.waitForURL(url => !url.href.startsWith(showcase.home))
    await page.getByText('Your last campaign and its results appear here.').waitFor()
    expect(somebody.complaints).toEqual([])
    await somebody.close()
  })

  test('is led to the sign-in, and back to the page and project of the address', async () => {
    const somebody = await visitor(browser, { width: 1280, theme: 'light' })
    const { page } = somebody
    const other = await otherHome(page, showcase)
    await page.route('**/config', async route => {
      const config = await (await route.fetch()).json()
      config.features.authProviders.github = true
      await route.fulfill({ json: config })
    })
    await page.goto(`${other}/outbox?search=ada`)
    const provider = await page.getByRole('link', { name: 'Continue with GitHub' }).getAttribute('href')
    const next = encodeURIComponent(`${new URL(other).pathname}/outbox?search=ada`)
    expect(provider).toBe(`${showcase.url}/oauth/github/outbound?next=${next}`)
    await page.getByLabel('Email', { exact: true }).fill(showcase.email)
    await page.getByLabel('Password', { exact: true }).fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByText('Request ID').count()).toBe(0)
    await page.getByLabel('Password', { exact: true }).fill(showcase.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${other}/outbox?search=ada`)
    await somebody.close()
  })
})

/** The dashboard of the second project, which a browser that showed none does not come to by itself. */
async function otherHome(page: Page, { url, home, email, password }: Showcase): Promise<string> {
  const { request } = page.context()
  await request.post(`${url}/auth/login`, { data: { email, password } })
  const projects: Array<{ id: string }> = await (await request.get(`${url}/users/@me/projects`)).json()
  await page.context().clearCookies()
  const { id } = projects.find(each => !home.endsWith(each.id))!
  return home.replace(/[^/]+$/, id)
}
