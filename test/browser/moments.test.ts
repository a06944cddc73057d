// The moments of campaigns in a real Chromium: the rules of the project, when a draft leaves, which its forecast shows, and the variants that
// it tries first.
import { describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { caller, newcomer } from './newcomer'
import { findings } from './open'

const somebody = newcomer('Lovelace')

const call = caller(() => somebody)

const draftOf = async () => (await call('GET', '/campaigns')).data[0]

describe.skipIf(!chromiumPath)('moments', () => {
  test('quiet hours, the cap and the time zone are kept, and taken away', async () => {
    const { page } = somebody
    await page.getByRole('link', { name: 'Settings' }).click()
    const card = page.locator('form').filter({ has: page.getByRole('checkbox', { name: 'Quiet hours' }) })
    await card.getByLabel('Time zone', { exact: true }).selectOption('Europe/Berlin')
    await card.getByLabel('Custom field for time zone').fill('timezone')
    await card.getByRole('checkbox', { name: 'Quiet hours' }).check()
    await card.getByLabel('Frequency cap').check()
    await card.getByLabel('Quiet hours start').fill('21:00')
    await card.getByLabel('Quiet hours end').fill('08:00')
    await card.getByLabel('Maximum emails').fill('3')
    await card.getByLabel('Per (days)').fill('7')
    await card.getByLabel('When blocked').nth(1).selectOption('SKIP')
    await card.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('Saved').waitFor()
    const rules = async () => (await call('GET', '/users/@me/projects'))[0]
    expect(await rules()).toMatchObject({
      ...{ timeZone: 'Europe/Berlin', timeZoneField: 'timezone' },
      quietHours: { from: '21:00', to: '08:00', whenHeld: 'LATER' },
      mailCap: { messages: 3, days: 7, whenHeld: 'SKIP' },
    })
    // A field that is emptied or half typed is no way to take a rule away.
    await card.getByLabel('Quiet hours start').fill('')
    await card.getByRole('button', { name: 'Save' }).click()
    expect(await card.locator('input:invalid, select:invalid').count()).toBe(1)
    await card.getByLabel('Quiet hours start').pressSequentially('07')
    await card.getByRole('button', { name: 'Save' }).click()
    expect(await card.locator('input:invalid, select:invalid').count()).toBe(1)
    expect(await rules()).toMatchObject({ quietHours: { from: '21:00', to: '08:00' } })
    await card.getByRole('checkbox', { name: 'Quiet hours' }).uncheck()
    await card.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('Saved').nth(1).waitFor()
    expect(await rules()).toMatchObject({ quietHours: null, mailCap: { messages: 3 } })
  })

  test('a draft leaves at a local time, and the forecast says who is due when', async () => {
    const { page } = somebody
    for (const [name, timezone] of [
      ['ada', 'Europe/Berlin'],
      ['grace', 'America/New_York'],
      ['alan', ''],
    ])
      await call('POST', '/contacts', { email: `${name}@example.com`, subscribed: true, data: { timezone } })
    const [domain] = await call('GET', '/domains')
    const draft = {
      ...{ name: 'News', subject: 'News', body: '<p>News</p>', audienceType: 'ALL' },
      from: `hello@${domain.domain}`,
    }
    const { id } = (await call('POST', '/campaigns', draft)).data
    await page.goto(`${somebody.showcase.url}/app/${somebody.projectId}/campaigns/${id}?part=send`)
    await page.getByLabel('Use recipients’ time zones').check()
    await page.getByLabel('Local time').fill('09:00')
    await page.getByLabel('Earliest time').fill('10:00')
    await page.getByLabel('Latest time').fill('18:00')
    await page.keyboard.press('Control+s')
    await page.getByText('must be within the hours of the window').waitFor()
    await page.getByLabel('Earliest time').fill('08:00')
    await page.getByText('In recipients’ time zones, emails are sent').waitFor()
    await page.getByText('1 contact without a time zone').waitFor()
    expect((await draftOf()).timing).toEqual({
      ...{ localTime: '09:00', passed: 'NEXT_DAY', spreadHours: null },
      window: { from: '08:00', to: '18:00', weekdays: [1, 2, 3, 4, 5, 6, 7] },
    })
    expect(await findings(somebody)).toEqual([])
    await page.getByLabel('Use recipients’ time zones').uncheck()
    await page.getByText('In recipients’ time zones, emails are sent').waitFor({ state: 'detached' })
    expect((await draftOf()).timing).toBeNull()
  })

  test('a draft tries variants first, and a person chooses the one that the others get', async () => {
    const { page } = somebody
    await page.getByLabel('Run an A/B test').check()
    const second = page.getByRole('group', { name: 'Variant B' })
    await page.getByRole('button', { name: 'Add variant' }).click()
    await page.getByRole('group', { name: 'Variant C' }).getByLabel('From name').fill('Ada')
    await page.keyboard.press('Control+s')
    // B says nothing of its own.
    await page.getByText('Give this variant a subject').waitFor()
    await second.getByLabel('Subject').fill('Something new')
    await page.getByLabel('Test group (%)').fill('30')
    await page.getByRole('tab', { name: 'Variant B' }).click()
    await page.getByRole('heading', { name: 'Something new' }).waitFor()
    expect(await findings(somebody)).toEqual([])
    const { id } = await draftOf()
    expect((await call('GET', `/campaigns/${id}`)).abTest).toMatchObject({
      ...{ share: 30, afterHours: 4, metric: 'CLICKS', confidence: 95, otherwise: 'A' },
      variants: [
        { subject: 'Something new', fromName: null, body: null },
        { subject: null, fromName: 'Ada', body: null },
      ],
    })
    for (let n = 0; n < 40; n++)
      await call('POST', '/contacts', { email: `c${n}@example.com`, subscribed: true })
    await call('POST', `/campaigns/${id}/send`, {})
    await somebody.showcase.drain()
    await page.goto(`${somebody.showcase.url}/app/${somebody.projectId}/campaigns/${id}`)
    await page.getByText('Everyone else gets the winner after').waitFor()
    await page.getByText('Waiting for the A/B test').waitFor()
    expect(await page.getByText('per second').count()).toBe(0)
    expect(await findings(somebody)).toEqual([])
    await page.getByRole('button', { name: 'Send variant B to everyone else' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Send variant B to everyone else' }).click()
    await page.getByText('Variant B was chosen. Everyone else gets it.').first().waitFor()
    await somebody.showcase.drain()
    expect(await call('GET', `/campaigns/${id}/ab-test`)).toMatchObject({ winner: 'B', decidedBy: 'PERSON' })
    expect(await call('GET', `/campaigns/${id}/stats`)).toMatchObject({ status: 'SENT', totalRecipients: 43 })
  })
})
