// The command palette: what it finds by the API, what it does, and the help about keys.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { until } from '../support/until'
import { type Newcomer, startNewcomer } from './newcomer'

let somebody: Newcomer

beforeAll(async () => {
  if (!chromiumPath) return
  somebody = await startNewcomer('Hopper')
  const { page, showcase, projectId } = somebody
  const options = { headers: { 'x-project-id': projectId }, data: { email: 'grace.hopper@navy.example' } }
  expect((await page.request.post(`${showcase.url}/contacts`, options)).ok()).toBe(true)
  const letter = { subject: 'Hello', body: '<p>Hi</p>', from: 'hello@hopper.example' }
  for (const [path, data] of [
    ['/campaigns', { ...letter, name: 'Zebra letter', audienceType: 'ALL' }],
    ['/templates', { ...letter, name: 'Zebra receipt', type: 'TRANSACTIONAL' }],
    ['/workflows', { name: 'Zebra series', eventName: 'zebra.seen' }],
    ['/segments', { name: 'Zebra friends', type: 'STATIC' }],
    ['/signup-forms', { name: 'Zebra signup', enabled: false }],
  ] as const) {
    const made = await page.request.post(showcase.url + path, { ...options, data })
    expect([path, await made.text(), made.status()]).toEqual([path, expect.any(String), 201])
  }
})
afterAll(async () => {
  await somebody?.stop()
})

describe.skipIf(!chromiumPath)('the command palette', () => {
  test('finds a contact by a part of the address, once typing rests', async () => {
    const { page } = somebody
    let asked = 0
    page.on('request', request => {
      if (request.url().includes('/contacts?search=')) asked++
    })
    // Keys are heard once the frame stands.
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').pressSequentially('hopper@na', { delay: 10 })
    await page.getByRole('option', { name: 'grace.hopper@navy.example Contact' }).click()
    await page.getByRole('heading', { name: 'grace.hopper@navy.example' }).waitFor()
    expect(asked).toBeLessThan(9)
  })

  test('finds campaigns, templates, workflows, segments and forms by their names, and leads to each', async () => {
    const { page } = somebody
    for (const name of [
      'Zebra letter Campaign',
      'Zebra receipt Template',
      'Zebra series Workflow',
      'Zebra friends Segment',
      'Zebra signup Form',
    ]) {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('zebra')
      await page.getByRole('option', { name }).click()
      await page.getByRole('heading', { name: name.split(' ').slice(0, 2).join(' ') }).waitFor()
    }
  })

  test('keeps what is chosen by the arrow keys in sight', async () => {
    const { page } = somebody
    await page.setViewportSize({ width: 1280, height: 400 })
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').press('ArrowUp')
    const last = page.getByRole('option', { name: 'Sign out', selected: true })
    await last.waitFor()
    const [row, list] = [await last.boundingBox(), await page.getByRole('listbox').boundingBox()]
    expect(row!.y + row!.height).toBeLessThanOrEqual(list!.y + list!.height)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1280, height: 860 })
  })

  test('does things: a few letters lead to a new campaign', async () => {
    const { page } = somebody
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('new camp')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/campaigns\/new$/)
  })

  test('the question mark shows the keys, but not while one writes', async () => {
    const { page } = somebody
    await page.getByRole('link', { name: 'Settings', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).first().press('?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('heading', { name: 'Settings' }).click()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(somebody.complaints).toEqual([])
  })

  test('keeps what is typed before it is loaded', async () => {
    const { page } = somebody
    const palette = page.getByRole('combobox', { expanded: true })
    const gate = Promise.withResolvers<void>()
    // It is a part of its own, and the only one that holds the word of its hint.
    await page.route(/part-[^/]*\.js/, async route => {
      const response = await route.fetch()
      if ((await response.text()).includes('"palette"')) await gate.promise
      await route.fulfill({ response })
    })
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.keyboard.press('Control+k')
    const words = 'zebra crossing at the corner of the high street'
    await page.keyboard.type('zeb')
    gate.resolve()
    // While it is drawn for the first time, and after.
    await page.keyboard.type(words.slice(3))
    await palette.waitFor()
    await until('every letter is there', async () => (await palette.inputValue()) === words)
    await page.unroute(/part-[^/]*\.js/)
    await page.keyboard.press('Escape')
  })
})
