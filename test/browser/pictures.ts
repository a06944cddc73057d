// Pictures of every page, wide and narrow, by day and by night.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Showcase } from '../support/showcase'
import { launch, looks, openPage, signIn, visitor } from './open'
import { pages } from './pages'

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
