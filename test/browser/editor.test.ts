// The editor of blocks in a real Chromium: the page stays where it is under the cursor, and what is typed arrives where one clicked. Skipped
// where there is no Chromium.
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { chromiumPath } from '../support/chromium'
import { newcomer } from './newcomer'

const somebody = newcomer('Lovelace')

let address: string

beforeAll(async () => {
  if (!chromiumPath) return
  const { page, showcase, projectId } = somebody
  await page.goto(`${showcase.url}/app/${projectId}/campaigns/new`)
  await page.getByRole('button', { name: 'Newsletter', exact: true }).click()
  await page.getByRole('textbox', { name: 'Email content' }).waitFor()
  address = page.url()
})

/** Opens the page anew, puts a block in the middle of the screen, and says where to press it. */
async function bring(page: Page, index: number) {
  await page.goto(address)
  await page.getByRole('textbox', { name: 'Email content' }).waitFor()
  return await page.evaluate(at => {
    const block = document.querySelector('.mail-canvas')!.children[at]!
    const { top, height } = block.getBoundingClientRect()
    scrollTo(0, scrollY + top + height / 2 - innerHeight / 2)
    const { left, top: y, height: high } = block.getBoundingClientRect()
    return { x: left + 3, y: y + high / 2, scrolled: scrollY, tag: block.tagName }
  }, index)
}

const whereIs = (page: Page, index: number) =>
  page.evaluate(at => {
    const block = document.querySelector('.mail-canvas')!.children[at]!
    return { scrolled: scrollY, top: block.getBoundingClientRect().top, text: block.textContent }
  }, index)

const ways = [
  ['a mouse', { viewport: { width: 1280, height: 800 } }],
  ['a finger', { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }],
] as const

describe.skipIf(!chromiumPath)('the editor', () => {
  test.each(ways)('stays where it is when a block is pressed first, by %s', async (way, options) => {
    const storageState = await somebody.page.context().storageState()
    const context = await somebody.browser.newContext({ ...options, storageState, locale: 'en-GB' })
    const page = await context.newPage()
    let typed = 0
    for (const index of [0, 1, 2, 4, 6, 8]) {
      const { x, y, scrolled, tag } = await bring(page, index)
      const before = await whereIs(page, index)
      if (way === 'a mouse') await page.mouse.click(x, y)
      else await page.touchscreen.tap(x, y)
      // What the editor does after a press, it does a moment later.
      await page.evaluate(() => new Promise(painted => requestAnimationFrame(() => setTimeout(painted, 50))))
      const after = await whereIs(page, index)
      expect([tag, index, after.scrolled, after.top]).toEqual([tag, index, scrolled, before.top])
      if (!['P', 'H1', 'H2'].includes(tag)) continue
      await page.keyboard.type('Zz')
      expect((await whereIs(page, index)).text).toContain('Zz')
      expect((await whereIs(page, index)).scrolled).toBe(scrolled)
      typed++
    }
    expect(typed).toBeGreaterThan(2)
    await context.close()
  })
})
