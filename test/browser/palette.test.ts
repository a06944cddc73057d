// The command palette: what it finds by the API, what it does, and the help about keys.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { type Newcomer, startNewcomer } from './newcomer'

let somebody: Newcomer

beforeAll(async () => {
  if (!chromiumPath) return
  somebody = await startNewcomer('Hopper')
  const { page, showcase, projectId } = somebody
  const options = { headers: { 'x-project-id': projectId }, data: { email: 'grace.hopper@navy.example' } }
  expect((await page.request.post(`${showcase.url}/contacts`, options)).ok()).toBe(true)
}, 120_000)
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
  }, 60_000)

  test('does things: a few letters lead to a new campaign', async () => {
    const { page } = somebody
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('new camp')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/campaigns\/new$/)
  }, 60_000)

  test('the question mark shows the keys, but not while one writes', async () => {
    const { page } = somebody
    await page.getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Name', { exact: true }).first().press('?')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.getByRole('heading', { name: 'Settings' }).click()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(somebody.complaints).toEqual([])
  }, 60_000)
})
