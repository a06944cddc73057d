// The pictures of the documentation: the overview as README shows it, and the pages that recipients see. ImageMagick, where it is
// installed, makes them small.
import { join } from 'node:path'
import type { Showcase } from '../support/showcase'
import { launch, openPage, signIn, type Visitor, visitor } from './open'
import { pages } from './pages'
import { complete } from './pictures'

const folder = join(import.meta.dir, '../../docs/images')
const phone = { width: 390, height: 480 }

export async function takeDocumentPictures(showcase: Showcase): Promise<void> {
  const browser = await launch()
  const look = { width: 1280, theme: 'light' } as const
  try {
    const owner = await visitor(browser, look)
    await signIn(owner, showcase)
    await show(owner, showcase, 'overview')
    await complete(owner, look)
    await take(owner, 'overview')
    const link = await preferencesLink(owner, showcase)
    const reader = await visitor(browser, { ...phone, theme: 'light' })
    await reader.page.setViewportSize(phone)
    await reader.page.goto(link.replace('/manage/', '/unsubscribe/'))
    await take(reader, 'unsubscribe')
    await reader.page.goto(link)
    await reader.page.locator('select').selectOption('6_months')
    await reader.page.locator('[value=snooze]').click()
    await take(reader, 'paused')
    await reader.page.emulateMedia({ colorScheme: 'dark' })
    await reader.page.goto(link)
    await reader.page.locator('[value=unsubscribe]').click()
    await take(reader, 'unsubscribed-dark')
  } finally {
    await browser.close()
  }
}

async function show(owner: Visitor, showcase: Showcase, name: string): Promise<void> {
  await openPage(owner, showcase, pages.find(page => page.name === name)!)
}

/** Of some contact, to the page that shows everything. */
async function preferencesLink(owner: Visitor, showcase: Showcase): Promise<string> {
  await show(owner, showcase, 'contacts-one')
  const link = owner.page.getByRole('link', { name: 'Preference page' })
  const address = (await link.getAttribute('href')) ?? ''
  return address.replace(/\/(?:unsubscribe|subscribe)\//, '/manage/')
}

async function take({ page, settled }: Visitor, name: string): Promise<void> {
  await settled()
  const path = join(folder, `${name}.png`)
  await page.screenshot({ path, fullPage: page.viewportSize()?.width === phone.width })
  if (Bun.which('convert'))
    await Bun.$`convert ${path} +dither -strip -colors 128 -define png:compression-level=9 PNG8:${path}`
}
