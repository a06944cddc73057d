// Topics in the dashboard: where the project has none, no page speaks of them; one is made, described, named by a campaign, by a step and
// by a filter, decided about on the page of a contact, archived, and deleted.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { until } from '../support/until'
import { caller, type Newcomer, startNewcomer } from './newcomer'

let somebody: Newcomer
beforeAll(async () => {
  if (!chromiumPath) return
  somebody = await startNewcomer('Curie')
  somebody.page.setDefaultTimeout(20_000)
})
afterAll(async () => {
  await somebody?.stop()
})

/** As the dashboard asks the API, with its cookie. */
const call = caller(() => somebody)

const open = (path: string) => somebody.page.goto(`${somebody.showcase.url}/app/${somebody.projectId}${path}`)

const field = (label: string) => somebody.page.getByLabel(label, { exact: true })
const button = (name: string) => somebody.page.getByRole('button', { name, exact: true })

async function choose(topic: string, action: string): Promise<void> {
  await button(`Actions for ${topic}`).click()
  await somebody.page.getByRole('menuitem', { name: action, exact: true }).click()
}

describe.skipIf(!chromiumPath)('topics', () => {
  test('are made, chosen, decided about, archived and deleted', async () => {
    const { page } = somebody
    const letter = { subject: 'Hello', body: '<p>Hello</p>', from: 'hello@curie.example' }
    const contact = await call('POST', '/contacts', { email: 'ada@mail.example' })
    const template = await call('POST', '/templates', { name: 'T', type: 'MARKETING', ...letter })
    const { data: campaign } = await call('POST', '/campaigns', {
      ...{ name: 'Letter', audienceType: 'ALL', type: 'MARKETING' },
      ...letter,
    })

    await open(`/campaigns/${campaign.id}?part=audience`)
    await page.getByText('1 contact will get it').waitFor()
    expect(await field('Topic').count()).toBe(0)
    await open(`/contacts/${contact.id}`)
    await page.getByRole('heading', { name: 'Consent' }).waitFor()
    expect(await page.getByRole('heading', { name: 'Topics' }).count()).toBe(0)

    await open('/topics')
    await page.getByText('No topics yet').waitFor()
    await button('New topic').click()
    await field('Name').fill('News')
    await page.getByLabel('Subscribed by default').check()
    await page.getByRole('dialog').getByRole('button', { name: 'New topic' }).click()
    await page.getByText('News created').waitFor()
    await choose('News', 'Edit')
    await page.getByLabel('Description (optional)').fill('Once a month')
    await button('Save').click()
    await page.locator('#content').getByText('Once a month', { exact: true }).waitFor()

    await open(`/campaigns/${campaign.id}?part=audience`)
    await field('Topic').selectOption('News')
    await page.getByText(/^Saved \S/).waitFor()
    const { data: topics } = await call('GET', '/topics')
    expect((await call('GET', `/campaigns/${campaign.id}`)).topicId).toBe(topics[0].id)

    await open(`/contacts/${contact.id}`)
    await page.getByRole('checkbox', { name: 'News' }).uncheck()
    await page.getByText('Unsubscribed from News').waitFor()
    await page.getByText('News: Unsubscribed').waitFor()

    const workflow = await call('POST', '/workflows', { name: 'Hello', eventName: 'came' })
    await call('POST', `/workflows/${workflow.id}/steps`, {
      ...{ type: 'SEND_EMAIL', name: 'Say hello', templateId: template.id, position: { x: 0, y: 100 } },
    })
    await open(`/workflows/${workflow.id}`)
    await page
      .getByRole('button', { name: /Say hello/ })
      .first()
      .click()
    await field('Topic').selectOption('News')
    await until('the step stores itself', async () => {
      const { steps } = await call('GET', `/workflows/${workflow.id}`)
      return steps.at(-1).config.topicId === topics[0].id
    })

    await open('/segments/new')
    await button('Add condition').click()
    await field('Field').selectOption('News')
    await field('Value').selectOption('Not subscribed')
    await page.getByText('Contacts where the topic “News” is not wanted.').waitFor()
    await page.getByText('1 contact matches').waitFor()

    await open('/topics')
    await choose('News', 'Delete')
    await button('Delete News').click()
    await page.getByText('The topic is in use').waitFor()
    await button('Cancel').click()
    await choose('News', 'Archive')
    await page.getByText('Archived', { exact: true }).waitFor()
    await call('POST', '/topics', { name: 'Unused' })
    await page.reload()
    await choose('Unused', 'Delete')
    await button('Delete Unused').click()
    await page.getByText('Unused deleted').waitFor()
  })
})
