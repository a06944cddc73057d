// Opens the dashboard in a real Chromium, signed in, and notes whatever the browser complains about.
import axe from 'axe-core'
import { type Browser, chromium, type Page, type Request } from 'playwright-core'
import { chromiumPath, sparing } from '../support/chromium'
import type { Showcase } from '../support/showcase'
import type { PageCase } from './pages'

const widths = [1280, 360] as const
const themes = ['light', 'dark'] as const

export interface Look {
  width: number
  theme: (typeof themes)[number]
  /** Of the browser; English where nothing is said. */
  language?: string
}

export const looks: readonly Look[] = widths.flatMap(width => themes.map(theme => ({ width, theme })))

export async function launch(): Promise<Browser> {
  return await chromium.launch({ executablePath: chromiumPath, args: sparing })
}

/** Phones are not as high. */
export const windowOf = (width: number) => ({ width, height: width < 600 ? 740 : 860 })

export interface Visitor {
  page: Page
  /** What the console said, scripts threw and the network failed at. */
  complaints: string[]
  /** Resolves when nothing has been on its way for a moment. */
  settled(): Promise<void>
  close(): Promise<void>
}

export async function visitor(
  browser: Browser,
  { width, theme, language = 'en-GB' }: Look,
): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: windowOf(width),
    colorScheme: theme,
    reducedMotion: 'reduce',
    locale: language,
    timezoneId: 'Europe/Berlin',
  })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', message => {
    // Chromium tells of every 401, and asking who is signed in is how one learns that nobody is.
    const isExpected = message.text().includes('status of 401')
    if (['error', 'warning'].includes(message.type()) && !isExpected) complaints.push(message.text())
  })
  page.on('pageerror', error => complaints.push(error.message))
  return { page, complaints, settled: watchTraffic(page), close: () => context.close() }
}

const settledMs = 100

/** Chromium's own "network idle" wants half a second of silence, which a page that looks for news may never have on a busy machine. */
function watchTraffic(page: Page): () => Promise<void> {
  const underway = new Set<Request>()
  let begun = 0
  page.on('request', request => {
    underway.add(request)
    begun++
  })
  page.on('requestfinished', request => underway.delete(request))
  page.on('requestfailed', request => underway.delete(request))
  return async () => {
    for (let before = -1; before !== begun || underway.size > 0; await Bun.sleep(settledMs)) before = begun
  }
}

export async function signIn({ page }: Visitor, { url, email, password }: Showcase): Promise<void> {
  await page.context().request.post(`${url}/auth/login`, { data: { email, password } })
}

/** Opens a page and waits until it shows what it is there for, and nothing is on its way any more. */
export async function openPage(
  { page, settled }: Visitor,
  showcase: Showcase,
  { path, shows, isOutside, by, onTo = [] }: PageCase,
): Promise<void> {
  if (isOutside) await page.goto(`${showcase.url}/app${path}`)
  // What loading costs is a second of the processor, and the same for each page: the first of a visitor is loaded, the others follow it.
  else if (page.url().startsWith(showcase.home)) await goWithin(page, showcase.home, path)
  else await page.goto(showcase.home + path)
  for (const name of [by, ...onTo])
    if (name) await page.locator('main').getByRole('link', { name }).filter({ visible: true }).first().click()
  await page.locator('main').getByText(shows).filter({ visible: true }).first().waitFor({ timeout: 15_000 })
  await settled()
}

/** By way of an address that leads nowhere: of the page before, nothing is left that could be taken for the one that is opened. */
async function goWithin(page: Page, home: string, path: string): Promise<void> {
  const go = (to: string): Promise<void> => page.evaluate(url => history.pushState({}, '', url), to)
  await go(`${home}/nowhere`)
  await page.locator('main').waitFor({ state: 'detached' })
  await go(home + path)
}

/** The page as it is open, in another width or in other colours; resolves when they are painted. */
export async function showIn({ page }: Visitor, { width, theme }: Look): Promise<void> {
  await page.setViewportSize(windowOf(width))
  await page.emulateMedia({ colorScheme: theme })
  await page.evaluate(() => new Promise(painted => requestAnimationFrame(() => setTimeout(painted))))
}

/** Where a page was looked at in light colours, dark ones change the colours alone. */
type Looked = 'everything' | 'colours'

/** What is wrong with the page as it stands: wider than the screen, found by axe, or complained of by the browser since the last time. */
export async function faults(somebody: Visitor, at: Looked = 'everything'): Promise<string[]> {
  const wider = await somebody.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
  const tooWide = wider > 0 ? [`${wider} pixels too wide`] : []
  return [...tooWide, ...(await findings(somebody, at)), ...somebody.complaints.splice(0)]
}

/** What axe finds, in a line each. Over the protocol, so that the policy of the page needs no hole for it. */
export async function findings({ page }: Visitor, at: Looked = 'everything'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return await page.evaluate(
    async options => {
      const { violations } = await (window as unknown as { axe: typeof axe }).axe.run(options)
      return violations.flatMap(({ id, nodes }) => nodes.map(node => `${id}: ${node.html.slice(0, 160)}`))
    },
    { ...axeOptions, ...(at === 'colours' && { runOnly: rulesOfColours }) },
  )
}

/** Those that are on by themselves. */
const rulesOfColours = ['color-contrast', 'link-in-text-block']

/** Without style sheets fetched once more, which only rules need that are off. */
const axeOptions: axe.RunOptions = { resultTypes: ['violations'], preload: false }
