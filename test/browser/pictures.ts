// Pictures of every page, wide and narrow, by day and by night.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Showcase } from '../support/showcase'
import { launch, looks, openPage, signIn, type Visitor, visitor } from './open'
import { pages } from './pages'

/** Waits for what is drawn late: charts, mails in frames, and small mails further down, which are drawn when one comes to them. */
async function complete({ page, settled }: Visitor): Promise<void> {
  for (const small of await page.locator('main [inert]').all()) await small.scrollIntoViewIfNeeded()
  await page.evaluate(() => scrollTo(0, 0))
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
        await complete(somebody)
        const path = join(folder, `${page.name}-${look.width}-${look.theme}.png`)
        await somebody.page.screenshot({ path, fullPage: true })
      }
      for (const complaint of somebody.complaints) console.error(complaint)
      await somebody.close()
    }
  } finally {
    await browser.close()
  }
}
