// Whom a campaign goes to, in a real Chromium: several segments at once, without those of others. Skipped where there is no Chromium.

import { beforeAll, describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { until } from '../support/until'
import { caller, newcomer } from './newcomer'

const somebody = newcomer('Lovelace')
const segments: Record<string, string> = {}
let from: string

const call = caller(() => somebody)

const people = { ada: 'London', grace: 'New York', alan: 'London', katherine: 'Hampton' }

beforeAll(async () => {
  if (!chromiumPath) return
  const [domain] = await call('GET', '/domains')
  from = `hello@${domain.domain}`
  for (const [name, city] of Object.entries(people))
    await call('POST', '/contacts', { email: `${name}@reader.example`, subscribed: true, data: { city } })
  for (const city of new Set(Object.values(people))) {
    const filters = [{ field: 'data.city', operator: 'equals', value: city }]
    const condition = { logic: 'AND', groups: [{ filters }] }
    segments[city] = (await call('POST', '/segments', { name: city, condition })).id
  }
})

const button = (name: RegExp | string) => somebody.page.getByRole('button', { name, exact: true })
const list = (name: string) => somebody.page.getByRole('combobox', { name, exact: true })

describe.skipIf(!chromiumPath)('an audience', () => {
  test('of two segments without a third reaches who is in one of them, and is sent to them', async () => {
    const { page, showcase } = somebody
    const given = { name: 'News', subject: 'News', body: '<p>News</p>', from, audienceType: 'ALL' }
    const { id } = (await call('POST', '/campaigns', given)).data
    await page.goto(`${showcase.url}/app/${somebody.projectId}/campaigns/${id}?part=audience`)
    await page.getByText('4 contacts will get it').waitFor()
    await list('Choose a segment or topic to exclude').selectOption(`segment.${segments['London']}`)
    await page.getByText('2 contacts will get it').waitFor()
    await page.getByRole('radio', { name: 'Segments' }).check()
    await list('Choose a segment or topic').selectOption(`segment.${segments['New York']}`)
    await page.getByText('1 contact will get it').waitFor()
    await page.locator('select[name=segmentId]').selectOption(`segment.${segments['Hampton']}`)
    await page.getByText('2 contacts will get it').waitFor()
    // Who was left out of everybody still is.
    await button(/^Remove London/).waitFor()
    // Without the last segment that is included nobody is left, and not everybody but the excluded.
    await button(/^Remove New York/).click()
    await button(/^Remove Hampton/).click()
    await page.getByText('Choose an audience to see').waitFor()
    // The others stay left out, also while one looks at something else.
    await page.getByRole('link', { name: 'Content', exact: true }).click()
    await page.getByLabel('Subject', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Audience' }).click()
    await button(/^Remove London/).waitFor()
    await list('Choose a segment or topic').selectOption(`segment.${segments['New York']}`)
    await page.locator('select[name=segmentId]').selectOption(`segment.${segments['Hampton']}`)
    await page.getByRole('link', { name: 'Review and send' }).click()
    await button('Send now').click()
    await page.getByRole('dialog').getByText('New York, Hampton except London: 2 contacts').waitFor()
    await button('Send to 2 contacts').click()
    await page.getByText('Opens and clicks over time').waitFor()
    await showcase.drain()
    const { data } = await call('GET', `/campaigns/${id}/recipients`)
    expect(data.map(({ email }: { email: string }) => email).sort()).toEqual([
      'grace@reader.example',
      'katherine@reader.example',
    ])
    expect(somebody.complaints).toEqual([])
  })

  test('of a topic beside a segment, as those who may have it', async () => {
    const { page, showcase } = somebody
    const offers = await call('POST', '/topics', { name: 'Offers', subscribedByDefault: false })
    const { data: found } = await call('GET', '/contacts?search=alan')
    const params = { headers: { 'x-project-id': somebody.projectId } }
    const topics = [{ id: offers.id, subscribed: true }]
    await page.request.put(`${showcase.url}/contacts/${found[0].id}/topics`, { ...params, data: { topics } })
    const given = { name: 'Mixed', subject: 'Mixed', body: '<p>Mixed</p>', from, audienceType: 'ALL' }
    const { id } = (await call('POST', '/campaigns', given)).data
    await page.goto(`${showcase.url}/app/${somebody.projectId}/campaigns/${id}?part=audience`)
    await page.getByText('4 contacts will get it').waitFor()
    await page.getByRole('radio', { name: 'Segments and topics' }).check()
    await list('Choose a segment or topic').selectOption(`topic.${offers.id}`)
    await page.getByText('1 contact will get it').waitFor()
    await list('In at least one of these: Add another').selectOption(`segment.${segments['Hampton']}`)
    await page.getByText('2 contacts will get it').waitFor()
    await page.getByRole('link', { name: 'Content', exact: true }).click()
    await page.getByText('Offers, Hampton').waitFor()
    // Without its last choice it goes to nobody.
    await page.getByRole('link', { name: 'Audience' }).click()
    await button(/^Remove Offers/).click()
    await button(/^Remove Hampton/).click()
    await page.getByText('Choose an audience to see').waitFor()
    expect(somebody.complaints).toEqual([])
  })

  test('of those who did not click in a campaign is one press away from its results', async () => {
    const { page, showcase } = somebody
    const body = '<p><a href="https://shop.example/">Shop</a></p>'
    const given = { name: 'Sale', subject: 'Sale', body, from, audienceType: 'ALL' }
    const { id } = (await call('POST', '/campaigns', given)).data
    await call('POST', `/campaigns/${id}/send`, {})
    await showcase.drain()
    // What waited for the pace of their mailbox provider.
    await until('all of it is sent', async () => {
      showcase.advance(60_000)
      await showcase.drain()
      return (await call('GET', `/campaigns/${id}`)).status === 'SENT'
    })
    const { data: emails } = await call('GET', `/campaigns/${id}/recipients?pageSize=10`)
    const got = emails.filter(({ sentAt }: { sentAt: string | null }) => sentAt !== null).length
    const ada = emails.find(({ email }: { email: string }) => email.startsWith('ada@'))
    const headers = { 'x-project-id': somebody.projectId }
    const source = await page.request.get(`${showcase.url}/emails/${ada.emailId}/source`, { headers })
    const html = (await source.text()).replaceAll(/=\r?\n/g, '').replaceAll('=3D', '=')
    const link = /href="[^"]*(\/t\/c\/[^"]*)"/.exec(html)![1]!.replaceAll('&amp;', '&')
    const agent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    await page.request.get(showcase.url + link, { maxRedirects: 0, headers: { 'user-agent': agent } })
    await showcase.judge()
    await page.goto(`${showcase.url}/app/${somebody.projectId}/campaigns/${id}`)
    await button('Send to people who didn’t click').click()
    await page.waitForURL(url => !url.pathname.endsWith(id))
    await page.getByText(got === 2 ? '1 recipient' : `${got - 1} recipients`, { exact: true }).waitFor()
    expect(await page.getByLabel('Subject', { exact: true }).inputValue()).toBe('Sale')
    await page.getByText('Sale: Didn’t click in it').first().waitFor()
    expect(somebody.complaints).toEqual([])
  })
})
