// Where the focus is in a real Chromium: in the first field of a dialog, at what was refused, and never nowhere.
import { describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { until } from '../support/until'
import { newcomer } from './newcomer'

const somebody = newcomer('Turing')

const focused = (): Promise<string> =>
  somebody.page.evaluate(() => {
    const { activeElement: element } = document
    const label = (element as HTMLInputElement | null)?.labels?.[0]?.textContent?.trim()
    return label ?? element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? ''
  })
const isNowhere = (): Promise<boolean> =>
  somebody.page.evaluate(() => document.activeElement === document.body)

async function open(path: string): Promise<void> {
  const { page, showcase, projectId } = somebody
  await page.goto(`${showcase.url}/app/${projectId}${path}`)
}

/** Dialogs with a form: where the button is, and the field that is to be filled in first. */
const dialogs: Array<[path: string, button: string, field: string]> = [
  ['/contacts', 'Add contact', 'Email'],
  ['/topics', 'New topic', 'Name'],
  ['/suppressions', 'Add addresses', 'Emails'],
  ['/workflows', 'New workflow', 'Name'],
  ['/settings/members', 'Invite', 'Email'],
  ['/settings/keys', 'Create key', 'Name'],
  ['/settings/webhooks', 'Add endpoint', 'URL'],
  ['/settings', 'Delete', 'Type Turing to confirm'],
]

describe.skipIf(!chromiumPath)('the focus', () => {
  test('is in the first field of a dialog, and what is typed is not lost', async () => {
    const { page } = somebody
    const seen: typeof dialogs = []
    for (const [path, name] of dialogs) {
      await open(path)
      await page.getByRole('button', { name, exact: true }).first().click()
      await page.getByRole('dialog').waitFor()
      await until('the focus is in the dialog', async () => !(await isNowhere()))
      seen.push([path, name, await focused()])
    }
    expect(seen).toEqual(dialogs)
    await open('/contacts')
    await page.getByRole('button', { name: 'Add contact' }).first().click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('typed@at-once.example')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'typed@at-once.example' }).waitFor()
  })

  test('leads a form without a sender to where one is chosen, and goes on to the form', async () => {
    const { page } = somebody
    await open('/forms')
    await page.getByRole('button', { name: 'New form' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('News')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('button', { name: 'Turn on' }).click()
    const note = page.getByRole('alert').filter({ hasText: 'needs a sender' })
    await note.waitFor()
    expect(await note.evaluate(element => element === document.activeElement)).toBe(true)
    expect(await note.getByRole('link').getAttribute('href')).toEndWith('/settings')
    expect(await page.getByRole('alert').count()).toBe(1)
    expect(await page.getByText('Request ID').count()).toBe(0)
    await note.getByRole('button', { name: 'Use hello@' }).click()
    await note.waitFor({ state: 'detached' })
    await until('the focus is in the form', async () => (await focused()) === 'Name')
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.getByRole('button', { name: 'Turn on' }).click()
    await page.getByText('The form is on').waitFor()
    // Chromium tells of what the server refuses: nothing was asked that it could refuse.
    expect(somebody.complaints.splice(0)).toEqual([])
  })

  test('goes to what the server refuses, which is above the form, without a request id, and gone with the next change', async () => {
    const { page, showcase, projectId } = somebody
    await page.request.post(`${showcase.url}/segments`, {
      ...{ headers: { 'x-project-id': projectId }, data: { name: 'Known', type: 'STATIC' } },
    })
    await open('/segments/new?type=static')
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Known')
    await page.route('**/segments', async route => {
      if (route.request().method() !== 'POST') return await route.fallback()
      const error = { code: 'CONFLICT', message: 'This name is taken', requestId: 'r-1' }
      await route.fulfill({ status: 409, json: { success: false, error } })
    })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const alert = page.getByRole('alert').filter({ hasText: 'This name is taken' })
    await alert.waitFor()
    await until('it has the focus', () => alert.evaluate(element => element === document.activeElement))
    expect(await alert.textContent()).not.toContain('Request ID')
    const [above, below] = await Promise.all([alert.boundingBox(), name.boundingBox()])
    expect(above!.y).toBeLessThan(below!.y)
    await name.fill('Other')
    await alert.waitFor({ state: 'detached' })
    await page.unroute('**/segments')
    somebody.complaints.splice(0)
  })

  test('stays at the button of a form that is saved and stays open', async () => {
    const { page } = somebody
    await open('/settings')
    await page.getByLabel('Name', { exact: true }).fill('Turing & Co')
    const save = page.getByRole('button', { name: 'Save' }).first()
    await save.click()
    await page.getByRole('status').getByText('Saved').waitFor()
    expect(await focused()).toBe('Save')
  })
})

describe.skipIf(!chromiumPath)('a note at the edge', () => {
  for (const width of [1280, 360])
    test(`covers no main button, however far one scrolls, at ${width}`, async () => {
      const { page, showcase, projectId } = somebody
      await page.setViewportSize({ width, height: width < 600 ? 740 : 800 })
      const headers = { 'x-project-id': projectId }
      const [domain] = await (await page.request.get(`${showcase.url}/domains`, { headers })).json()
      const text = { subject: 'News', body: '<p>News</p>', from: `hello@${domain.domain}` }
      const options = { headers, data: { name: 'News', ...text, audienceType: 'ALL' } }
      const { data } = await (await page.request.post(`${showcase.url}/campaigns`, options)).json()
      await open(`/campaigns/${data.id}?part=send`)
      await page.getByLabel('Run an A/B test').check()
      await page.getByRole('group', { name: 'Variant B' }).getByLabel('Subject').fill('Other')
      await page.keyboard.press('Control+s')
      await page.getByRole('status').getByText('Saved').waitFor()
      const send = page.getByRole('button', { name: 'Send now' })
      // The button passes every height of the window, while the note is there.
      const covered = await send.evaluate(async button => {
        const note = [...document.querySelectorAll('[role=status]')].at(-1)!
        const places: number[] = []
        const painted = () => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))
        button.scrollIntoView({ block: 'start' })
        const from = scrollY
        for (let y = from; y > from - innerHeight && y >= 0; y -= 24) {
          scrollTo(0, y)
          await painted()
          const [a, b] = [button.getBoundingClientRect(), note.getBoundingClientRect()]
          if (!note.textContent) break
          if (a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top) places.push(y)
        }
        return places
      })
      expect(covered).toEqual([])
    })
})
