// A campaign that a mailbox provider rejects, in a real Chromium: its page says who waits and why, and a person decides. Skipped where there is
// no Chromium. PICTURES names a folder for pictures.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { FinishedMessage, SendResult } from '../../src/mail/message'
import { memoryTransport } from '../../src/platform/transports/memory'
import { chromiumPath } from '../support/chromium'
import { caller, type Newcomer, startNewcomer } from './newcomer'
import { faults, showIn } from './open'

const words =
  "550 5.7.1 Unfortunately, messages from [192.0.2.1] weren't sent. Please contact your Internet service provider since part of their network is on our block list (S3150). You can also refer your provider to http://mail.live.com/mail/troubleshooting.aspx#errors."

function reply({ envelope }: FinishedMessage): SendResult {
  return envelope.to.endsWith('@outlook.com')
    ? {
        ...{ outcome: 'refused', blame: 'other', meaning: 'refused' },
        ...{ stage: 'mail', code: 550, enhanced: '5.7.1', response: words },
      }
    : { outcome: 'accepted', delivered: true, response: '250 ok', code: 250 }
}

let somebody: Newcomer
beforeAll(async () => {
  if (!chromiumPath) return
  const mail = memoryTransport()
  mail.always(reply)
  somebody = await startNewcomer('Lovelace', { mail })
})
afterAll(() => somebody?.stop())

const call = caller(() => somebody)

describe.skipIf(!chromiumPath)('a campaign that a provider rejects', () => {
  test('says who waits, since when and why, and skips them once that is confirmed', async () => {
    const { page, showcase, projectId } = somebody
    // More than are on their way at once, so that some wait however long each of them takes.
    const people = Array.from({ length: 160 }, (_, n) => `p${n}@${n < 150 ? 'outlook.com' : 'acme.example'}`)
    await Promise.all(people.map(email => call('POST', '/contacts', { email, subscribed: true })))
    const [domain] = await call('GET', '/domains')
    const content = { subject: 'News', body: '<p>News</p>', from: `hello@${domain.domain}` }
    const { data } = await call('POST', '/campaigns', { name: 'News', audienceType: 'ALL', ...content })
    await call('POST', `/campaigns/${data.id}/send`, {})
    await showcase.drain()
    const [{ heldCount }] = (await call('GET', `/campaigns/${data.id}`)).receivers
    expect(heldCount).toBeGreaterThan(0)

    await page.goto(`${showcase.url}/app/${projectId}/campaigns/${data.id}`)
    const card = page.locator('section').filter({ hasText: 'Paused for these mailbox providers' })
    await card.getByText(`${heldCount} contacts waiting`).waitFor()
    await card.getByText('S3150').waitFor()
    // What waits for a provider is not held by a rule, and nothing is about to be sent.
    await page.getByText(`${people.length - heldCount} of ${people.length}`, { exact: true }).waitFor()
    expect(await page.getByText('delayed by quiet hours').count()).toBe(0)
    await somebody.settled()
    for (const width of [1280, 390])
      for (const theme of ['light', 'dark'] as const) {
        await showIn(somebody, { width, theme })
        expect([width, theme, await faults(somebody)]).toEqual([width, theme, []])
        const folder = process.env['PICTURES']
        if (folder) await page.screenshot({ path: join(folder, `receivers-${width}-${theme}.png`) })
      }
    await showIn(somebody, { width: 1280, theme: 'light' })
    await card.getByRole('button', { name: 'Skip contacts' }).click()
    await page.getByRole('dialog').getByText(`${heldCount} contacts won’t get this campaign.`).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Skip contacts' }).click()
    await card.getByText('Skipped', { exact: true }).waitFor()
    await card.getByRole('button', { name: 'Resume sending' }).waitFor()
    expect(await card.getByRole('button').allTextContents()).toEqual(['Resume sending'])
    await card.getByRole('button', { name: 'Resume sending' }).click()
    await card.waitFor({ state: 'detached' })
    expect((await call('GET', `/campaigns/${data.id}`)).receivers).toEqual([])
    expect(somebody.complaints).toEqual([])
  })
})
