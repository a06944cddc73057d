// Segments in a real Chromium: built by hand with nested groups, kept over a reload, stored as the API knows it; and a list filled by
// pasting addresses. Skipped where there is no Chromium.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { chromiumPath } from '../support/chromium'
import { type Showcase, startShowcase } from '../support/showcase'
import { launch, signIn, type Visitor, visitor } from './open'

let browser: Browser
let showcase: Showcase
let somebody: Visitor
let page: Page

beforeAll(async () => {
  if (!chromiumPath) return
  browser = await launch()
  showcase = await startShowcase()
  somebody = await visitor(browser, { width: 1280, theme: 'light' })
  page = somebody.page
  await signIn(somebody, showcase)
}, 300_000)
afterAll(async () => {
  await browser?.close()
  await showcase?.stop()
})

const projectId = () => new URL(showcase.home).pathname.split('/').at(-1)!

async function api(path: string) {
  const answer = await page.request.get(showcase.url + path, { headers: { 'x-project-id': projectId() } })
  return await answer.json()
}

const nth = (label: string, index = 0) => page.getByLabel(label, { exact: true }).nth(index)

describe.skipIf(!chromiumPath)('a segment by a condition', () => {
  test('is built, told in words, counted, kept over a reload, and stored', async () => {
    await page.goto(`${showcase.home}/segments/new`)
    await nth('Name').fill('Big or keen')
    await page.getByRole('button', { name: 'Add condition', exact: true }).click()
    await nth('Field').selectOption('data.plan')
    await nth('Operator').selectOption('notEquals')
    await nth('Value').fill('free')
    await page.getByRole('button', { name: 'Add group', exact: true }).click()
    await nth('Field', 1).selectOption('data.seats')
    await nth('Operator', 1).selectOption('greaterThan')
    await nth('Value', 1).fill('12')
    await page.getByRole('button', { name: 'Add condition', exact: true }).first().click()
    await nth('Field', 2).selectOption('event.order.placed')
    await nth('Operator', 2).selectOption('triggeredWithin')
    await nth('Number').fill('7')
    const words = 'plan is not “free” and (seats is more than 12 or order.placed happened in the last 7 days)'
    await page.getByText(words).waitFor()
    await page.getByText(/contacts match/).waitFor()

    await page.reload()
    await page.getByText(words).waitFor()
    expect(await nth('Name').inputValue()).toBe('Big or keen')
    const shown = await page.getByText(/contacts match/).textContent()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Big or keen' }).waitFor()

    const stored = (await api('/segments')).find(({ name }: { name: string }) => name === 'Big or keen')
    expect(stored.condition).toEqual({
      logic: 'AND',
      groups: [
        { filters: [{ field: 'data.plan', operator: 'notEquals', value: 'free' }] },
        {
          filters: [],
          conditions: {
            logic: 'OR',
            groups: [
              { filters: [{ field: 'data.seats', operator: 'greaterThan', value: 12 }] },
              {
                filters: [
                  { field: 'event.order.placed', operator: 'triggeredWithin', value: 7, unit: 'days' },
                ],
              },
            ],
          },
        },
      ],
    })
    expect(shown).toBe(`${stored.memberCount} contacts match`)
    expect(somebody.complaints).toEqual([])
  })

  test('is changed without a loss of what the builder does not touch, and deleted after a question', async () => {
    await page.goto(`${showcase.home}/segments`)
    await page.getByRole('link', { name: 'Big or keen' }).click()
    await page.getByRole('link', { name: 'Edit' }).click()
    await nth('Value').fill('team')
    await nth('Operator').selectOption('equals')
    await page.getByText('plan is “team” and (seats is more than 12 or').waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Edit' }).waitFor()
    const stored = (await api('/segments')).find(({ name }: { name: string }) => name === 'Big or keen')
    expect(stored.condition.groups[0].filters).toEqual([
      { field: 'data.plan', operator: 'equals', value: 'team' },
    ])
    expect(stored.condition.groups[1].conditions.groups).toHaveLength(2)

    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete Big or keen' }).click()
    await page.getByRole('heading', { name: 'Contacts' }).waitFor()
    expect((await api('/segments')).some(({ name }: { name: string }) => name === 'Big or keen')).toBe(false)
  })
})

describe.skipIf(!chromiumPath)('a list', () => {
  test('takes pasted addresses, tells who is no contact, and lets somebody off again', async () => {
    await page.goto(`${showcase.home}/segments/new?type=static`)
    await nth('Name').fill('Speakers')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Speakers' }).waitFor()
    await page
      .getByRole('textbox', { name: 'Emails' })
      .fill(
        'Ada <ada.okafor@mail.example>; "ben.lindqvist@mail.example",\tstranger@mail.example\nADA.OKAFOR@mail.example',
      )
    await page.getByRole('button', { name: 'Add 3 addresses' }).click()
    await page.getByText(/contacts? added/).waitFor()
    await page.getByText('1 address is not a contact:').waitFor()
    await page.getByRole('link', { name: 'ada.okafor@mail.example' }).waitFor()

    await page.getByLabel('Choose').nth(1).check()
    await page.getByRole('button', { name: 'Remove from segment' }).click()
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    const segment = (await api('/segments')).find(({ name }: { name: string }) => name === 'Speakers')
    expect(segment.memberCount).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.waitForFunction(() => document.querySelectorAll('tbody tr[aria-rowindex]').length >= 2)
    expect((await api(`/segments/${segment.id}`)).memberCount).toBe(2)
    expect(somebody.complaints).toEqual([])
  })
})
