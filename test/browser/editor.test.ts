// The editor of blocks in a real Chromium: the page stays where it is under the cursor, and what is typed arrives where one clicked. Skipped
// where there is no Chromium.
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { chromiumPath } from '../support/chromium'
import { until } from '../support/until'
import { newcomer } from './newcomer'
import { findings } from './open'

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

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

describe.skipIf(!chromiumPath)('a block', () => {
  const text = (words: string) => ({ type: 'text', text: words })
  const paragraph = (words: string) => ({ type: 'paragraph', content: [text(words)] })

  /** Opens a template with these blocks, and one to write in. */
  async function open(...content: object[]): Promise<Page> {
    const { page, showcase, projectId } = somebody
    const headers = { 'x-project-id': projectId }
    const domains = await page.request.get(`${showcase.url}/domains/project/${projectId}`, { headers })
    const [{ domain }] = await domains.json()
    const editor = { kind: 'blocks', document: { doc: { type: 'doc', content } } }
    const data = { name: 'Blocks', subject: 'S', body: '<p>x</p>', from: `hello@${domain}`, editor }
    const made = await page.request.post(`${showcase.url}/templates`, { headers, data })
    await page.goto(`${showcase.url}/app/${projectId}/templates/${(await made.json()).id}`)
    await page
      .locator('.mail-canvas > *')
      .nth(content.length - 1)
      .waitFor()
    return page
  }

  const order = (page: Page) =>
    page.evaluate(() => [...document.querySelectorAll('.mail-canvas > *')].map(block => block.textContent))
  const becomes = (page: Page, ...blocks: string[]) =>
    until(
      `the blocks are ${blocks}`,
      async () => (await order(page)).filter(Boolean).join() === blocks.join(),
    )
  const handle = (page: Page) => page.getByRole('button', { name: 'move, duplicate, or delete' })

  test('is moved by its handle, by keys and by a menu, and Undo takes each back', async () => {
    const page = await open(...['One', 'Two', 'Three'].map(paragraph))
    await page.locator('.mail-canvas').getByText('One').hover()
    const from = (await handle(page).boundingBox())!
    const to = (await page.locator('.mail-canvas').getByText('Three').boundingBox())!
    await page.mouse.move(from.x + 9, from.y + 9)
    await page.mouse.down()
    await page.mouse.move(from.x + 30, to.y, { steps: 5 })
    await page.mouse.move(to.x + 60, to.y + to.height - 2, { steps: 5 })
    await page.mouse.up()
    await becomes(page, 'Two', 'Three', 'One')
    await page.keyboard.press('Control+z')
    await becomes(page, 'One', 'Two', 'Three')

    await page.locator('.mail-canvas').getByText('Three').click()
    await page.keyboard.press('Alt+ArrowUp')
    await becomes(page, 'One', 'Three', 'Two')
    await page.keyboard.press('End')
    await page.keyboard.type('!')
    await becomes(page, 'One', 'Three!', 'Two')
    await page.keyboard.press('Control+d')
    await becomes(page, 'One', 'Three!', 'Three!', 'Two')
    for (let n = 0; n < 3; n++) await page.keyboard.press('Control+z')
    await becomes(page, 'One', 'Two', 'Three')

    await page.locator('.mail-canvas').getByText('Two').click()
    await handle(page).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Move down' }).click()
    await becomes(page, 'One', 'Three', 'Two')
    await handle(page).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await becomes(page, 'One', 'Three')

    // Only the handle is dragged, not an entry of its menu.
    await page.locator('.mail-canvas').getByText('One').hover()
    await handle(page).click()
    const entry = (await page.getByRole('menuitem', { name: 'Duplicate' }).boundingBox())!
    const last = (await page.locator('.mail-canvas').getByText('Three').boundingBox())!
    await page.mouse.move(entry.x + 20, entry.y + 9)
    await page.mouse.down()
    await page.mouse.move(last.x + last.width - 30, last.y, { steps: 5 })
    await page.mouse.move(last.x + last.width - 30, last.y + last.height - 2, { steps: 5 })
    await page.mouse.up()
    await page.keyboard.press('Escape')
    await page.getByRole('menu').waitFor({ state: 'detached' })
    await becomes(page, 'One', 'Three')
    expect(await findings(somebody)).toEqual([])
  })

  test('in a column is moved within it, and the columns are made wider, more and fewer', async () => {
    const column = (words: string) => ({
      type: 'column',
      content: [paragraph(words), paragraph(`${words}!`)],
    })
    const page = await open({ type: 'columns', content: [column('Left'), column('Right')] })
    await page.locator('.mail-canvas').getByText('Left!').click()
    await page.keyboard.press('Alt+ArrowUp')
    await becomes(page, 'Left!LeftRightRight!')
    await page.getByRole('button', { name: '2 columns ›' }).click()
    await page.getByLabel('Column widths').selectOption('67 33')
    const widths = () =>
      page.evaluate(() =>
        [...document.querySelectorAll('[data-column]')].map(each => Math.round(each.clientWidth / 10)),
      )
    await until('the first is the wider one', async () => (await widths()).join() === '34,17')
    await page.getByLabel('Column widths').selectOption('33 33 33')
    await until('there are three', async () => (await widths()).join() === '16,16,16')
    await page.getByLabel('Column widths').selectOption('50 50')
    await becomes(page, 'Left!LeftRightRight!')
    await page.keyboard.press('Control+z')
  })

  test('has settings in the panel, and the email has its own', async () => {
    const page = await open(paragraph('Words'))
    await page.locator('.mail-canvas').getByText('Words').click()
    await page.getByLabel('Size', { exact: true }).fill('24')
    await page.getByLabel('Background').fill('#224466')
    const style = () =>
      page
        .locator('.mail-canvas > p')
        .first()
        .evaluate(block => {
          const { fontSize, backgroundColor, color } = getComputedStyle(block)
          return [fontSize, backgroundColor, color]
        })
    expect(await style()).toEqual(['24px', 'rgb(34, 68, 102)', 'rgb(255, 255, 255)'])
    await page.getByRole('button', { name: 'Email', exact: true }).click()
    await page.getByLabel('Content background').fill('#fff4e0')
    const paper = () =>
      page.locator('.mail-canvas').evaluate(sheet => getComputedStyle(sheet).backgroundColor)
    await until('the paper has the color', async () => (await paper()) === 'rgb(255, 244, 224)')
    expect(await findings(somebody)).toEqual([])
  })

  test('of every kind is in the list, and what is made of it can be rendered', async () => {
    const page = await open(paragraph('First'))
    const listed = async (): Promise<string[]> => {
      await page.getByRole('button', { name: 'Add block' }).click()
      return await page.getByRole('menuitem').allTextContents()
    }
    const names = await listed()
    await page.keyboard.press('Escape')
    // These two ask for a file first.
    for (const name of names.filter(each => !['Image', 'Video'].includes(each))) {
      await page.locator('.mail-canvas > p').last().click()
      await listed()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    await page.getByRole('button', { name: 'Preview', exact: true }).click()
    const mail = page.frameLocator('iframe')
    for (const words of ['First', 'Read more', 'Unsubscribe', 'Email preferences', 'Your company'])
      await mail.getByText(words).first().waitFor()
    expect(somebody.complaints).toEqual([])
  })

  test('leaves the head and the toolbar where they are, whatever is selected and however far one scrolls', async () => {
    const image = { type: 'image', attrs: { src: '/missing.png', alt: 'x' } }
    const many = Array.from({ length: 40 }, (_, n) => paragraph(`Paragraph ${n}`))
    const page = await open(...many, image, {
      type: 'button',
      attrs: { text: 'Press', href: 'https://a.example' },
    })
    const toolbar = page.getByRole('toolbar')
    for (const words of ['Paragraph 30', 'Press', 'Paragraph 2']) {
      await page.locator('.mail-canvas').getByText(words, { exact: true }).click()
      expect((await toolbar.boundingBox())!.height).toBe(48)
      const { top } = await toolbar.evaluate(bar => bar.getBoundingClientRect())
      expect(top).toBeGreaterThanOrEqual(56)
      const head = await page.getByRole('button', { name: 'Preview', exact: true }).boundingBox()
      expect([words, head!.y < 56]).toEqual([words, true])
    }
    somebody.complaints.splice(0)
  })

  test('is written on a phone, with its settings in a sheet', async () => {
    const address = (await open(paragraph('Words'), paragraph('More'))).url()
    const storageState = await somebody.page.context().storageState()
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }
    const context = await somebody.browser.newContext({ ...phone, storageState, locale: 'en-GB' })
    const page = await context.newPage()
    await page.goto(address)
    await page.locator('.mail-canvas').getByText('Words').tap()
    await page.keyboard.press('End')
    await page.keyboard.type(' on a phone')
    await becomes(page, 'Words on a phone', 'More')
    const { y, height } = (await page.getByRole('toolbar').boundingBox())!
    expect(y + height).toBeLessThanOrEqual(844)
    await handle(page).tap()
    await page.getByRole('menuitem', { name: 'Move down' }).tap()
    await becomes(page, 'More', 'Words on a phone')
    await page.getByRole('button', { name: 'Settings', exact: true }).tap()
    await page.getByRole('dialog', { name: 'Settings' }).getByLabel('Style').selectOption('Heading 1')
    expect(await findings({ ...somebody, page })).toEqual([])
    await page.getByRole('button', { name: 'Close' }).tap()
    await page.locator('.mail-canvas h1').getByText('Words on a phone').waitFor()
    await context.close()
  })

  test('has variables by their names, and so has the subject', async () => {
    const page = await open(paragraph('Hello '))
    const pick = async (button: string, name: string): Promise<void> => {
      await page.getByRole('button', { name: button, exact: true }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }
    await page.locator('.mail-canvas').getByText('Hello').click()
    await page.keyboard.press('End')
    await pick('Variable', 'First name')
    await page.locator('.mail-variable').click()
    await page.getByLabel('Fallback').fill('there')
    await page.locator('.mail-variable', { hasText: 'First name, or “there”' }).waitFor()
    await page.locator('.mail-canvas > p').last().click()
    await pick('Variable', 'Unsubscribe link')
    await page.locator('.mail-canvas a', { hasText: 'Unsubscribe' }).waitFor()
    await page.getByLabel('Subject', { exact: true }).fill('Hi ')
    await page.getByLabel('Subject', { exact: true }).press('End')
    await pick('Insert a variable in Subject', 'First name')
    const subject = () => page.getByLabel('Subject', { exact: true }).inputValue()
    await until('the subject has it', async () => (await subject()) === 'Hi {{firstName ?? "there"}}')
    expect(somebody.complaints).toEqual([])
  })

  test('of an image is made narrower by its edge', async () => {
    const page = await open(paragraph('Words'))
    const buffer = Buffer.from(onePixel, 'base64')
    await page.locator('input[type=file]').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer })
    await page.getByText('Alt text missing').waitFor()
    await page.locator('.mail-image').click()
    await page.locator('.mail-knob').waitFor()
    const knob = (await page.locator('.mail-knob').boundingBox())!
    await page.mouse.move(knob.x + 4, knob.y + 4)
    await page.mouse.down()
    await page.mouse.move(knob.x - 196, knob.y + 4, { steps: 5 })
    await page.mouse.up()
    await until('it is 200 pixels narrower', async () => {
      const width = Number(await page.getByLabel('Width', { exact: true }).inputValue())
      return Math.abs(width - 336) < 4
    })
    await page.getByLabel('Alt text').fill('A bird')
    await page.getByText('Alt text missing').waitFor({ state: 'detached' })
    somebody.complaints.splice(0)
  })
})
