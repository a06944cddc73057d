// Pictures of every page, wide and narrow, by day and by night.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Showcase } from '../support/showcase'
import { type Look, launch, looks, openPage, signIn, type Visitor, visitor, windowOf } from './open'
import { pages } from './pages'

/** Waits for what is drawn late: charts, mails in frames, and small mails, which are drawn where one sees them; so the window grows to hold all. */
export async function complete({ page, settled }: Visitor, { width }: Look): Promise<void> {
  const small = page.locator('main [inert]')
  if ((await small.count()) > 0) {
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({ width, height })
    for (const each of await small.all()) await each.locator('iframe').waitFor({ state: 'attached' })
  }
  await page.waitForFunction(() => !document.querySelector('main .animate-pulse, main iframe.invisible'))
  await settled()
}

/** Writes `<page>-<width>-<theme>.png`. */
export async function takePictures(showcase: Showcase, folder: string, name = ''): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const browser = await launch()
  try {
    for (const look of looks) {
      const somebody = await visitor(browser, look)
      await signIn(somebody, showcase)
      for (const page of pages.filter(each => each.name.includes(name))) {
        await openPage(somebody, showcase, page)
        await complete(somebody, look)
        const path = join(folder, `${page.name}-${look.width}-${look.theme}.png`)
        await somebody.page.screenshot({ path, fullPage: true })
        await somebody.page.setViewportSize(windowOf(look.width))
      }
      for (const complaint of somebody.complaints) console.error(complaint)
      await somebody.close()
    }
  } finally {
    await browser.close()
  }
}
