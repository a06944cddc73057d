// Whom a campaign goes to, in a real Chromium: several segments at once, without those of others. Skipped where there is no Chromium.

import { beforeAll, describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { newcomer } from './newcomer'

const somebody = newcomer('Lovelace')
const segments: Record<string, string> = {}
let from: string

async function call(method: 'get' | 'post', path: string, data?: object) {
  const headers = { 'x-project-id': somebody.projectId }
  const url = somebody.showcase.url + path
  const answer = await somebody.page.request[method](url, { headers, ...(data ? { data } : {}) })
  return await answer.json()
}

const people = { ada: 'London', grace: 'New York', alan: 'London', katherine: 'Hampton' }

beforeAll(async () => {
  if (!chromiumPath) return
  const [domain] = await call('get', '/domains')
  from = `hello@${domain.domain}`
  for (const [name, city] of Object.entries(people))
    await call('post', '/contacts', { email: `${name}@reader.example`, subscribed: true, data: { city } })
  for (const city of new Set(Object.values(people))) {
    const filters = [{ field: 'data.city', operator: 'equals', value: city }]
    const condition = { logic: 'AND', groups: [{ filters }] }
    segments[city] = (await call('post', '/segments', { name: city, condition })).id
  }
})

const button = (name: RegExp | string) => somebody.page.getByRole('button', { name, exact: true })
const list = (name: string) => somebody.page.getByRole('combobox', { name, exact: true })

describe.skipIf(!chromiumPath)('an audience', () => {
  test('of two segments without a third reaches who is in one of them, and is sent to them', async () => {
    const { page, showcase } = somebody
    const given = { name: 'News', subject: 'News', body: '<p>News</p>', from, audienceType: 'ALL' }
    const { id } = (await call('post', '/campaigns', given)).data
    await page.goto(`${showcase.url}/app/${somebody.projectId}/campaigns/${id}?part=audience`)
    await page.getByText('4 contacts will get it').waitFor()
    await list('Choose a segment to exclude').selectOption(segments['London']!)
    await page.getByText('2 contacts will get it').waitFor()
    await page.getByRole('radio', { name: 'Segments' }).check()
    await list('Choose a segment').selectOption(segments['New York']!)
    await page.getByText('1 contact will get it').waitFor()
    await list('Add another segment').selectOption(segments['Hampton']!)
    await page.getByText('2 contacts will get it').waitFor()
    await list('Choose a segment to exclude').selectOption(segments['London']!)
    // Without the last segment that is included nobody is left, and not everybody but the excluded.
    await button(/^Remove New York/).click()
    await button(/^Remove Hampton/).click()
    await page.getByText('Choose an audience to see').waitFor()
    await list('Choose a segment').selectOption(segments['New York']!)
    await list('Add another segment').selectOption(segments['Hampton']!)
    await list('Choose a segment to exclude').selectOption(segments['London']!)
    await page.getByRole('link', { name: 'Review and send' }).click()
    await button('Send now').click()
    await page.getByRole('dialog').getByText('New York, Hampton except London: 2 contacts').waitFor()
    await button('Send to 2 contacts').click()
    await page.getByText('Opens and clicks over time').waitFor()
    await showcase.drain()
    const { data } = await call('get', `/campaigns/${id}/recipients`)
    expect(data.map(({ email }: { email: string }) => email).sort()).toEqual([
      'grace@reader.example',
      'katherine@reader.example',
    ])
    expect(somebody.complaints).toEqual([])
  })

  test('of those who did not open a campaign is one press away from its results', async () => {
    const { page, showcase } = somebody
    const body = '<p><a href="https://shop.example/">Shop</a></p>'
    const given = { name: 'Sale', subject: 'Sale', body, from, audienceType: 'ALL' }
    const { id } = (await call('post', '/campaigns', given)).data
    await call('post', `/campaigns/${id}/send`, {})
    await showcase.drain()
    await showcase.ctx.sql`
      update emails set opened_at = now(), clicked_at = now() where campaign_id = ${id} and to_email = 'ada@reader.example'`
    await showcase.ctx.sql`
      insert into campaign_deltas (project_id, campaign_id, opened, clicked) values (${somebody.projectId}, ${id}, 1, 1)`
    await page.goto(`${showcase.url}/app/${somebody.projectId}/campaigns/${id}`)
    await button('Send to people who didn’t open').click()
    await page.waitForURL(url => !url.pathname.endsWith(id))
    await page.getByText('3 recipients').waitFor()
    expect(await page.getByLabel('Subject', { exact: true }).inputValue()).toBe('Sale')
    await page.getByText('Got Sale and didn’t open it').first().waitFor()
    expect(somebody.complaints).toEqual([])
  })
})
