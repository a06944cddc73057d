// What a viewer and an editor of a project see, in a real Chromium: a viewer changes nothing, and an editor writes and doesn't send.
// Skipped where there is no Chromium.
import { beforeAll, describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { until } from '../support/until'
import { caller, newcomer } from './newcomer'
import type { Visitor } from './open'
import { secondMember } from './second-member'

const somebody = newcomer('Hamilton')
const call = caller(() => somebody)
const subject = 'Subject of all'
/** Questions that are too long for an address: they change nothing. */
const asks = /\/(preview|audience|search|lookup|simulate)$/
let pages: Array<[path: string, shows: string | RegExp]>
let campaignId: string
let drawnId: string
let segmentId: string

beforeAll(async () => {
  if (!chromiumPath) return
  const [domain] = await call('GET', '/domains')
  const from = `hello@${domain.domain}`
  const words = { name: 'News', subject, body: '<p>News</p>', from }
  const contact = await call('POST', '/contacts', {
    email: 'ada@reader.example',
    data: { plan: 'pro' },
  })
  const campaign = await call('POST', '/campaigns', { ...words, audienceType: 'ALL' })
  const template = await call('POST', '/templates', { ...words, name: 'Letter' })
  const document = {
    doc: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'In blocks' }] }] },
  }
  const editor = { kind: 'blocks', document }
  const drawn = await call('POST', '/templates', { ...words, name: 'Drawn', editor })
  const form = await call('POST', '/signup-forms', { name: 'Sign-up', enabled: false })
  const workflow = await call('POST', '/workflows', { name: 'Welcome', eventName: 'joined' })
  const layout = await call('POST', '/layouts', { name: 'Frame', body: '<main>{{content}}</main>' })
  const segment = await call('POST', '/segments', { name: 'Friends', type: 'STATIC' })
  await call('POST', '/topics', { name: 'Offers', subscribedByDefault: true })
  await call('POST', '/suppressions', { emails: ['gone@reader.example'] })
  campaignId = campaign.data.id
  drawnId = drawn.id
  segmentId = segment.data?.id ?? segment.id
  pages = [
    ['/campaigns', 'News'],
    [`/campaigns/${campaignId}`, 'View only'],
    [`/campaigns/${campaignId}?part=audience`, 'View only'],
    [`/campaigns/${campaignId}?part=send`, 'Your role can’t send.'],
    ['/templates', 'Letter'],
    [`/templates/${template.id}`, 'View only'],
    [`/templates/${drawn.id}`, 'In blocks'],
    ['/forms', 'Sign-up'],
    [`/forms/${form.id}`, 'View only'],
    ['/workflows', 'Welcome'],
    [`/workflows/${workflow.id}`, 'View only'],
    [`/workflows/${workflow.id}?step=settings`, 'View only'],
    ['/contacts', 'ada@reader.example'],
    [`/contacts/${contact.id}`, 'ada@reader.example'],
    ['/layouts', 'Frame'],
    [`/layouts/${layout.id}`, 'View only'],
    ['/segments', 'Friends'],
    [`/segments/${segmentId}`, 'Friends'],
    ['/topics', 'Offers'],
    ['/suppressions', 'gone@reader.example'],
    [`/workflows/${workflow.id}/executions`, 'Runs'],
    [`/workflows/${workflow.id}/simulation`, 'Simulation'],
    ['/', 'Home'],
    ['/settings', 'Default sender'],
    ['/settings/members', 'viewer@team.example'],
    ['/settings/keys', /^pk_/],
    ['/settings/webhooks', 'Webhooks'],
    ['/domains', 'hamilton.example'],
  ]
})

const changing =
  /^(New|Create|Add(?! event)|Import|Delete|Turn on|Turn off|Send|Schedule|Subscribe|Unsubscribe|Edit|Publish|Pause|Resume)\b/

/** What changes something, and what is refused. */
function watch({ page }: Visitor): string[] {
  const seen: string[] = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (request.method() !== 'GET' && !asks.test(pathname)) seen.push(`${request.method()} ${pathname}`)
  })
  page.on('response', answer => {
    if (answer.status() === 403) seen.push(`403 ${answer.url()}`)
  })
  return seen
}

describe.skipIf(!chromiumPath)('a member of a project', () => {
  test('who may only view sees all of it, and is offered nothing that would be refused', async () => {
    const viewer = await secondMember(somebody, 'VIEWER')
    const { page, settled, complaints } = viewer
    const seen = watch(viewer)
    for (const [path, shows] of pages) {
      await page.goto(`${somebody.showcase.url}/app/${somebody.projectId}${path}`)
      await page.locator('main').getByText(shows).filter({ visible: true }).first().waitFor()
      await settled()
      await page.keyboard.press('Control+s')
      const canvas = page.locator('[contenteditable=true]').filter({ visible: true })
      expect({ path, writable: path.includes(drawnId) ? await canvas.count() : 0 }).toEqual({
        path,
        writable: 0,
      })
      const offered = page.locator('main').getByRole('button', { name: changing, disabled: false })
      const links = page.locator('main').getByRole('link', { name: changing })
      expect({
        path,
        offered: [...(await offered.allTextContents()), ...(await links.allTextContents())],
      }).toEqual({
        path,
        offered: [],
      })
    }
    await page.goto(`${somebody.showcase.url}/app/${somebody.projectId}/campaigns/${campaignId}`)
    await page.getByText('You can view this. Ask an admin for the Editor role to change it.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Subject' }).inputValue()).toBe(subject)
    expect(await page.getByRole('textbox', { name: 'Subject' }).isDisabled()).toBe(true)
    await page.getByText('Preview', { exact: true }).first().click()
    await page.frameLocator('iframe').first().getByText('News').first().waitFor()
    await settled()
    // Pages that only create or change something lead to the page above.
    const edit = `/segments/${segmentId}/edit`
    for (const path of ['/campaigns/new', '/templates/new', '/segments/new', '/contacts/import', edit]) {
      const project = `${somebody.showcase.url}/app/${somebody.projectId}`
      await page.goto(project + path)
      await page.waitForURL(project + path.slice(0, path.lastIndexOf('/')))
      await settled()
    }
    expect(seen).toEqual([])
    expect(complaints).toEqual([])
  })

  test('who may edit writes a draft, and sees that others send it', async () => {
    const editor = await secondMember(somebody, 'EDITOR')
    const { page } = editor
    const address = `${somebody.showcase.url}/app/${somebody.projectId}/campaigns/${campaignId}`
    await page.goto(address)
    await page.getByRole('textbox', { name: 'Subject' }).fill('By an editor')
    await until(
      'the draft is stored',
      async () => (await call('GET', `/campaigns/${campaignId}`)).subject === 'By an editor',
    )
    await page.goto(`${address}?part=send`)
    await page.getByText('Your role can’t send.').waitFor()
    expect(await page.getByRole('button', { name: 'Send now' }).count()).toBe(0)
    const workflow = pages.find(([path]) => path.startsWith('/workflows/'))![0]
    await page.goto(`${somebody.showcase.url}/app/${somebody.projectId}${workflow}`)
    const turnOn = page.getByRole('button', { name: 'Turn on' })
    await turnOn.waitFor()
    expect(await turnOn.getAttribute('aria-disabled')).toBe('true')
    await turnOn.click({ force: true })
    await page.getByText('Only members who may send can do this.').waitFor()
    await call('PATCH', workflow, { enabled: true })
    await page.reload()
    await page.getByRole('button', { name: 'Turn off' }).click()
    await turnOn.waitFor()
  })
})
