// Contacts in a real Chromium: a file of 50,000 brought in with its columns mapped, the report of it, then found by a filter, kept as a
// view over a reload, and changed many at a time. Skipped where there is no Chromium.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { chromiumPath } from '../support/chromium'
import { type Showcase, startShowcase } from '../support/showcase'
import { until } from '../support/until'
import { launch, signIn, type Visitor, visitor } from './open'

const rows = 50_000

let browser: Browser
let showcase: Showcase
let somebody: Visitor
let page: Page
let home: string
let projectId: string
let jobs: ReturnType<typeof setInterval>

beforeAll(async () => {
  if (!chromiumPath) return
  browser = await launch()
  showcase = await startShowcase('account')
  somebody = await visitor(browser, { width: 1280, theme: 'light' })
  page = somebody.page
  page.setDefaultTimeout(90_000)
  await signIn(somebody, showcase)
  const made = await page.request.post(`${showcase.url}/users/@me/projects`, { data: { name: 'Import' } })
  projectId = (await made.json()).id
  home = `${showcase.url}/app/${projectId}`
  jobs = setInterval(() => void showcase.drain(), 500)
}, 300_000)
afterAll(async () => {
  clearInterval(jobs)
  await browser?.close()
  await showcase?.stop()
})

async function api(method: string, path: string, data?: unknown) {
  const headers = { 'x-project-id': projectId }
  return await (await page.request.fetch(showcase.url + path, { method, headers, data })).json()
}

/** As a spreadsheet in Germany writes it: three rows have no address, every tenth of them has a plan that counts. */
function bigFile(): string {
  const lines = Array.from({ length: rows }, (_, nth) => {
    const email = nth % 20_000 === 19_999 ? 'nobody' : `person${nth}@import.example`
    return `${email};"Vor;name ${nth}";${nth % 10 === 0 ? 'pro' : 'free'};${nth % 50};intern`
  })
  lines.push('kein-at-zeichen;Nobody;free;1;intern')
  return ['E-Mail;Vorname;plan;seats;Notiz', ...lines].join('\r\n')
}

async function choose(name: string, content: Buffer): Promise<void> {
  await page.goto(`${home}/contacts/import`)
  await page.getByLabel('CSV file').first().setInputFiles({ name, mimeType: 'text/csv', buffer: content })
}

describe.skipIf(!chromiumPath)('an import', () => {
  test('of 50,000 rows is mapped, previewed, done and reported', async () => {
    await api('POST', '/contacts', { email: 'person3@import.example', data: { plan: 'old' } })
    await choose('list.csv', Buffer.from(bigFile()))
    await page.getByText('50,001 rows').first().waitFor()
    expect(await page.getByLabel('Column E-Mail', { exact: true }).inputValue()).toBe('email')
    await page.getByLabel('Column Notiz', { exact: true }).selectOption('leave')
    expect(await page.getByLabel('Name of the new field for column Vorname').inputValue()).toBe('firstName')
    await page.getByText('Of the first 500 rows').waitFor()
    const shown = async (name: string) =>
      await page.locator('dl > div').filter({ hasText: name }).locator('dd').textContent()
    await page.getByText('499', { exact: true }).waitFor()
    expect(await shown('Existing contacts')).toBe('1')
    await page.getByText('Choose whether these people agreed').waitFor()
    await page.getByRole('radio', { name: 'All contacts agreed' }).check()
    await page.getByLabel('Where they agreed').fill('Box in our shop')
    await page.getByRole('button', { name: 'Import 50,001 rows' }).click()
    await page.getByRole('progressbar').waitFor()
    await page.getByRole('heading', { name: 'Imported' }).waitFor({ timeout: 240_000 })
    expect(await shown('New')).toBe('49,997')
    expect(await shown('Updated')).toBe('1')
    expect(await shown('Rejected')).toBe('3')
    await page.getByText('kein-at-zeichen').waitFor()
    const { data } = await api('GET', '/contacts?search=person7@')
    expect(data[0].data).toEqual({ firstName: 'Vor;name 7', plan: 'free', seats: 7 })
    expect(somebody.complaints).toEqual([])
  }, 360_000)

  test('says before it starts whom it subscribes, what it starts, and which rows are no contacts', async () => {
    const lines = ['email', 'one@said.example', 'ONE@said.example', 'nobody', 'two@said.example']
    await choose('said.csv', Buffer.from(lines.join('\r\n')))
    const shown = async (name: string) =>
      await page.locator('dl > div').filter({ hasText: name }).locator('dd').textContent()
    await page.getByText('Of the first 4 rows').waitFor()
    await page.getByText('Duplicate addresses').waitFor()
    expect([await shown('New contacts'), await shown('Duplicate addresses')]).toEqual(['2', '1'])
    expect(await shown('Invalid addresses')).toBe('1')
    await page.getByText('New contacts are subscribed unless a column says otherwise').waitFor()
    await page.getByText('An import starts no workflows').waitFor()
  })

  test('reads what an older spreadsheet wrote, umlauts and all, and knows who wants a topic', async () => {
    const workshops = await api('POST', '/topics', { name: 'Workshops' })
    const offers = await api('POST', '/topics', { name: 'Offers' })
    await choose(
      'alt.csv',
      Buffer.from(
        'Mail;Stadt;Kurse\r\nj\u00fcrgen@import.example;M\u00fcnchen;\r\nanna@import.example;K\u00f6ln;ja\r\n',
        'latin1',
      ),
    )
    await page.getByText('München').first().waitFor()
    await page.getByLabel('Column Kurse', { exact: true }).selectOption({ label: 'Workshops' })
    await page.getByRole('checkbox', { name: 'Offers' }).check()
    await page.getByRole('radio', { name: 'All contacts agreed' }).check()
    await page.getByRole('button', { name: 'Import 2 rows' }).click()
    await page.getByRole('heading', { name: 'Imported' }).waitFor({ timeout: 60_000 })
    const { data } = await api('GET', '/contacts?search=anna@import')
    expect(data[0].data).toEqual({ city: 'Köln' })
    const topics = (await api('GET', `/contacts/${data[0].id}/topics`)).data
    const wanted = topics.flatMap((one: { id: string; decidedAt: string | null }) =>
      one.decidedAt ? one.id : [],
    )
    expect(wanted).toEqual([workshops.id, offers.id])
  }, 300_000)

  test('takes numbers and dates in the form of the file, adds a segment, and is undone', async () => {
    const before = (await api('GET', '/contacts?limit=1')).total
    const lines = [
      'Mail;Umsatz;Kunde seit',
      'eins@typed.example;1.211,92;13.08.2020',
      'zwei@typed.example;viel;1.2.2021',
    ]
    await choose('typed.csv', Buffer.from(lines.join('\r\n')))
    await page.getByLabel('Name of the new field for column Umsatz').fill('revenue')
    await page.getByLabel('Type of column Umsatz').selectOption('numberComma')
    await page.getByLabel('Name of the new field for column Kunde seit').fill('customerSince')
    expect(await page.getByLabel('Type of column Kunde seit').inputValue()).toBe('dateDayFirst')
    await page.getByText('1 value doesn’t match').waitFor()
    await page.getByText('Umsatz: “viel”').waitFor()
    await page.getByRole('button', { name: 'Leave out' }).click()
    await page.getByRole('radio', { name: 'All contacts agreed' }).check()
    await page.getByRole('checkbox', { name: 'New segment for this import' }).check()
    await page.getByLabel('Segment name').fill('Typed')
    await page.getByRole('button', { name: 'Import 2 rows' }).click()
    await page.getByRole('heading', { name: 'Imported' }).waitFor({ timeout: 60_000 })
    const data = async (email: string) => (await api('GET', `/contacts?search=${email}`)).data[0].data
    expect(await data('eins@typed.example')).toEqual({ revenue: 1211.92, customerSince: '2020-08-13' })
    expect(await data('zwei@typed.example')).toEqual({ customerSince: '2021-02-01' })
    await page.getByRole('link', { name: 'View segment' }).waitFor()
    await page.getByRole('button', { name: 'Undo import' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo import' }).click()
    await page.getByRole('heading', { name: 'Import undone' }).waitFor({ timeout: 60_000 })
    expect((await api('GET', '/contacts?limit=1')).total).toBe(before)
    expect(somebody.complaints).toEqual([])
  }, 300_000)
})

describe.skipIf(!chromiumPath)('the table', () => {
  test('is narrowed by a filter, which a view keeps over a reload', async () => {
    await page.goto(`${home}/contacts`)
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('button', { name: 'Add condition', exact: true }).click()
    await page.getByLabel('Field', { exact: true }).selectOption('data.plan')
    await page.getByLabel('Value', { exact: true }).fill('pro')
    await page.getByText('5,000 contacts', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Save view' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Paying')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.goto(`${home}/contacts`)
    await page
      .getByText('49,999 contacts', { exact: true })
      .or(page.getByText('50,000 contacts', { exact: true }))
      .waitFor()
    await page.getByRole('button', { name: 'Views' }).click()
    await page.getByRole('menuitem', { name: 'Paying' }).click()
    await page.getByText('5,000 contacts', { exact: true }).waitFor()
    await page.getByText('Contacts where plan is “pro”.').waitFor()
  }, 300_000)

  test('changes all that match, and takes back what was done to those that were ticked', async () => {
    await page.getByLabel('Choose').first().check()
    await page.getByRole('button', { name: 'Select all 5,000 contacts that match' }).click()
    await page.getByRole('button', { name: 'Unsubscribe', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe', exact: true }).click()
    await page.getByText('5,000 contacts updated').waitFor({ timeout: 120_000 })
    const body = { filter: condition('subscribed', false), limit: 1 }
    const optedOut = async () => (await api('POST', '/contacts/search', body)).total
    // A drain of the timer may be at the job already, and then another one returns before it is done.
    const putBack = () => until('it is put back', async () => (await optedOut()) === 5_000)
    expect(await optedOut()).toBe(5_000)

    await page.goto(`${home}/contacts?search=person1234`)
    await page.getByText('person12341@').waitFor()
    await page.getByLabel('Choose').first().check()
    await page.getByRole('button', { name: 'Unsubscribe', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Unsubscribe', exact: true }).click()
    await page.getByRole('button', { name: 'Undo' }).click({ timeout: 60_000 })
    await page.getByText('Subscribing the contacts again', { exact: true }).waitFor()
    await putBack()

    await page.reload()
    await page.getByLabel('Choose').first().check()
    await page.getByRole('button', { name: 'Subscribe', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Subscribe', exact: true }).click()
    await page.getByRole('button', { name: 'Undo' }).click({ timeout: 60_000 })
    await page.getByText('Unsubscribing the contacts again').waitFor()
    await putBack()
    expect(somebody.complaints).toEqual([])
  }, 400_000)

  test('puts all that match on a list made there, and those who are ticked on one that is there, and takes them off again', async () => {
    await api('POST', '/segments', { name: 'Testers', type: 'STATIC' })
    await page.goto(`${home}/contacts?search=person1234`)
    await page.getByText('person12341@').waitFor()
    const dialog = page.getByRole('dialog')
    const ask = async (choice: string) => {
      await page.getByRole('button', { name: 'Add to segment' }).click()
      await dialog.getByLabel('Segment', { exact: true }).selectOption(choice)
    }
    const add = () => dialog.getByRole('button', { name: 'Add to segment' }).click()
    await page.getByLabel('Choose').nth(1).check()
    await page.getByRole('button', { name: 'Select all 11 contacts that match' }).click()
    await ask('New segment')
    await dialog.getByLabel('Segment name').fill('Beta')
    await add()
    await page.getByText('11 contacts added', { exact: true }).waitFor({ timeout: 60_000 })

    await page.getByLabel('Choose').nth(1).check()
    await ask('Beta')
    await add()
    await page.getByText('0 contacts added, 1 was already in the segment').waitFor({ timeout: 60_000 })
    await page.getByLabel('Choose').nth(1).check()
    await ask('Testers')
    await add()
    await page.getByText('1 contact added', { exact: true }).waitFor({ timeout: 60_000 })
    const counts = async () =>
      Object.fromEntries(
        (await api('GET', '/segments')).map((each: { name: string; memberCount: number }) => [
          each.name,
          each.memberCount,
        ]),
      )
    expect(await counts()).toMatchObject({ Beta: 11, Testers: 1 })
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await page.getByText('Removing the added contacts from the segment').waitFor()
    await until('it is taken off', async () => (await counts()).Testers === 0)
    expect(await counts()).toMatchObject({ Beta: 11, Testers: 0 })
    expect(somebody.complaints).toEqual([])
  }, 400_000)
})

const condition = (field: string, value: unknown) => ({
  logic: 'AND',
  groups: [{ filters: [{ field, operator: 'equals', value }] }],
})
