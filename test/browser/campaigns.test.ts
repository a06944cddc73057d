// The page of a campaign in a real Chromium: what is sent is what is shown, to whom and when it says, and nothing of it is forgotten on the way.
// Skipped where there is no Chromium.

import { beforeAll, describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { until } from '../support/until'
import { caller, newcomer } from './newcomer'

const somebody = newcomer('Lovelace')

const call = caller(() => somebody)

let from: string
let segmentId: string

beforeAll(async () => {
  if (!chromiumPath) return
  const [domain] = await call('GET', '/domains')
  from = `hello@${domain.domain}`
  for (const [name, city] of Object.entries({ ada: 'London', grace: 'New York', alan: 'London' }))
    await call('POST', '/contacts', {
      email: `${name}@reader.example`,
      subscribed: true,
      data: { city, firstName: name },
    })
  const filters = [{ field: 'data.city', operator: 'equals', value: 'New York' }]
  const condition = { logic: 'AND', groups: [{ filters }] }
  segmentId = (await call('POST', '/segments', { name: 'New Yorkers', condition })).id
})

async function draft(more: object = {}): Promise<string> {
  const given = { name: 'News', subject: 'News', body: '<p>News</p>', from, audienceType: 'ALL', ...more }
  return (await call('POST', '/campaigns', given)).data.id
}

const stored = (id: string) => call('GET', `/campaigns/${id}`)

async function open(id: string, part?: 'audience' | 'send'): Promise<void> {
  const search = part ? `?part=${part}` : ''
  await somebody.page.goto(`${somebody.showcase.url}/app/${somebody.projectId}/campaigns/${id}${search}`)
  await button('Undo').first().waitFor()
}

const button = (name: string | RegExp) => somebody.page.getByRole('button', { name, exact: true })
const dialog = () => somebody.page.getByRole('dialog')
const saving = () => somebody.page.getByText('Saving…')

/** All of it has been stored, which it does by itself. */
const saved = () => saving().waitFor({ state: 'detached' })

describe.skipIf(!chromiumPath)('a campaign', () => {
  test('starts from sample emails for many, none of which answers to what one contact did', async () => {
    const { page } = somebody
    await page.goto(`${somebody.showcase.url}/app/${somebody.projectId}/campaigns/new`)
    await button('Newsletter').waitFor()
    const names = await page.getByRole('main').getByRole('listitem').getByRole('button').allTextContents()
    expect(names).toEqual(['Blank', 'Newsletter', 'Announcement', 'Invitation', 'Offer', 'Product update'])
  })

  test('goes to the segment that is chosen, whichever way one leaves its part', async () => {
    const { page } = somebody
    const id = await draft()
    await open(id, 'audience')
    await page.getByRole('radio', { name: 'Segments' }).check()
    await page
      .getByRole('combobox', { name: 'Choose a segment or topic', exact: true })
      .selectOption(`segment.${segmentId}`)
    await page.getByRole('link', { name: 'Review and send' }).click()
    await page.getByText('1 contact will get it').waitFor()
    await button('Send now').click()
    await dialog().getByText('New Yorkers: 1 contact').waitFor()
    await dialog().getByText(from).waitFor()
    await button('Send to 1 contact').click()
    await page.getByText('Opens and clicks over time').waitFor()
    expect(await page.evaluate(() => scrollY)).toBe(0)
    // Without a reload: who got it, and the mail as it was sent.
    await somebody.showcase.drain()
    const recipients = page.getByRole('table', { name: 'Recipients' })
    await recipients.getByText('grace@reader.example').waitFor()
    await recipients.getByText('grace', { exact: true }).waitFor()
    await page.frameLocator('iframe').getByText('Unsubscribe').waitFor()
    expect(await stored(id)).toMatchObject({ audienceType: 'SEGMENT', segmentId, totalRecipients: 1 })
  })

  test('is not sent while a draft of it that this browser kept is neither taken nor discarded', async () => {
    const { page } = somebody
    const id = await draft()
    await open(id, 'audience')
    await page.getByRole('radio', { name: 'Segments' }).check()
    await page
      .getByRole('combobox', { name: 'Choose a segment or topic', exact: true })
      .selectOption(`segment.${segmentId}`)
    const key = `waxwing.draft.${somebody.projectId}.campaign.${id}`
    const kept = await page.evaluate(name => localStorage.getItem(name), key)
    await saved()
    // As if it had never been sent: made from another version than what is stored now, it is not taken unasked.
    await call('PUT', `/campaigns/${id}`, { audienceType: 'ALL', subject: 'Theirs' })
    await page.evaluate(([name, draft]) => localStorage.setItem(name!, draft!), [key, kept])
    await open(id, 'send')
    await button('Send now').click()
    await page.getByText('Restore or discard it first').waitFor()
    expect(await dialog().count()).toBe(0)
    expect(await stored(id)).toMatchObject({ status: 'DRAFT', audienceType: 'ALL', subject: 'Theirs' })
  })

  test('keeps a time that was chosen, also when one leaves and comes back', async () => {
    const { page } = somebody
    const id = await draft()
    await open(id, 'send')
    await page.getByLabel('Schedule for later').check()
    await page.getByLabel('Date and time').fill('2099-12-24T09:00')
    await page.getByRole('link', { name: 'Home' }).first().click()
    await page.getByRole('heading', { name: 'Coming up' }).waitFor()
    await open(id, 'send')
    expect(await page.getByLabel('Schedule for later').isChecked()).toBe(true)
    expect(await page.getByLabel('Date and time').inputValue()).toBe('2099-12-24T09:00')
    await page.getByLabel('Now', { exact: true }).check()
    await open(id, 'send')
    expect(await page.getByLabel('Schedule for later').isChecked()).toBe(false)
  })

  test('tries the variants that are filled in, and says so first', async () => {
    const { page } = somebody
    const id = await draft()
    await open(id, 'send')
    await page.getByLabel('Run an A/B test').check()
    await button('Send now').click()
    await page.getByText('Give this variant a subject').waitFor()
    await page.getByRole('group', { name: 'Variant B' }).getByLabel('Subject').fill('Other news')
    await page.getByLabel('Use recipients’ time zones').check()
    await page.getByLabel('Local time').fill('09:00')
    // 20 percent of three are less than two variants need.
    const share = page.getByLabel('Test group (%)')
    await button('Send now').click()
    await page
      .locator('[id$=fault]')
      .getByText('Too few for 2 variants: the audience has 3 contacts. Enter 50 or more')
      .waitFor()
    await until('the share has the focus', () =>
      share.evaluate(element => element === document.activeElement),
    )
    expect(await dialog().count()).toBe(0)
    await share.fill('67')
    await page.getByText('2 of 3 contacts', { exact: true }).waitFor()
    await button('Send now').click()
    await dialog().getByText('2 variants are sent to 67% of recipients').waitFor()
    const facts = async () =>
      (await dialog().locator('dl').first().locator('> div').allInnerTexts()).map(text => text.split('\n'))
    expect(await facts()).toEqual([
      ['To', 'All contacts: 3 contacts'],
      ['From', from],
      ['Send time', 'Now'],
      ['Recipients’ time zones', 'At 09:00 local time; if that has passed, the next day'],
      ['A/B test', '2 variants are sent to 67% of recipients (2 contacts).'],
      ['Variant A: 1 contact', 'News'],
      ['Variant B: 1 contact', 'Other news'],
      [
        'Rest of the audience',
        '1 contact waits for the winner. 4 hours after sending starts, they get the variant with more clicks if it leads with 95% confidence. Without a winner, they get A.',
      ],
    ])
    await button('Send variants to 2 contacts').waitFor()
    expect(await stored(id)).toMatchObject({
      ...{ status: 'DRAFT', abTest: { variants: [{ subject: 'Other news' }] } },
      timing: { localTime: '09:00' },
    })
    await button('Cancel').click()
  })

  test('with findings says how many before it is sent, and leads back to them', async () => {
    const { page } = somebody
    const id = await draft({ body: '<h3>Second story</h3><a href="https://example.com/second">On</a>' })
    await open(id, 'send')
    await page
      .locator('#check')
      .getByText('Sample text from the starter is still here: “Second story”')
      .waitFor()
    await button('Send now').click()
    const problems = await page.locator('#check .bg-warn-soft').count()
    await dialog().getByText(`The check found ${problems} problem`).waitFor()
    await button('Show problems').click()
    await dialog().waitFor({ state: 'detached' })
    await until('the check has the focus', () => page.evaluate(() => document.activeElement?.id === 'check'))
    expect((await stored(id)).status).toBe('DRAFT')
  })

  test('is not sent at a time that is over, nor at one that is not complete', async () => {
    const { page } = somebody
    const id = await draft()
    await open(id, 'send')
    await page.getByLabel('Schedule for later').check()
    const time = page.getByLabel('Date and time')
    await time.fill('2020-01-31T09:00')
    await page.getByText('This time has passed').waitFor()
    await button('Schedule').click()
    expect(await dialog().count()).toBe(0)
    await time.fill('2099-01-31T09:00')
    await page.getByText('This time has passed').waitFor({ state: 'detached' })
    // February has no 31st, so the browser says that the field is empty.
    await time.focus()
    for (const key of ['Backspace', 'Delete']) await page.keyboard.press(key)
    await page.getByText('Complete the date and time').waitFor()
    expect(await page.getByLabel('Schedule for later').isChecked()).toBe(true)
    expect(await button('Send now').count()).toBe(0)
    await button('Schedule').click()
    expect(await dialog().count()).toBe(0)
    await time.fill('2099-01-31T09:00')
    await page.getByRole('combobox', { name: 'Time zone', exact: true }).selectOption('America/New_York')
    await button('Schedule').click()
    await dialog().getByText('9:00:00', { exact: false }).first().waitFor()
    await dialog().getByRole('button', { name: 'Schedule' }).click()
    await dialog().waitFor({ state: 'detached' })
    expect(await stored(id)).toMatchObject({ status: 'SCHEDULED', scheduledFor: '2099-01-31T14:00:00.000Z' })
    await page.reload()
    expect(await page.getByLabel('Schedule for later').isChecked()).toBe(true)
    expect(await time.inputValue()).toBe('2099-01-31T15:00')
  })

  test('that is previewed leads to what is missing in it', async () => {
    const { page } = somebody
    await open(await draft())
    const subject = page.getByLabel('Subject', { exact: true })
    await subject.fill('')
    await button('Preview').click()
    await subject.waitFor({ state: 'hidden' })
    await button('Review').click()
    await until('the subject has the focus', () =>
      subject.evaluate(element => element === document.activeElement),
    )
    await page.getByText('Add a subject').first().waitFor()
    expect(somebody.complaints).toEqual([])
  })

  test('that is scheduled is changed by “Publish changes” alone', async () => {
    const { page } = somebody
    const id = await draft()
    await call('POST', `/campaigns/${id}/send`, { scheduledFor: '2099-01-31T09:00:00Z' })
    const subject = async (): Promise<string> => (await stored(id)).subject
    await open(id)
    await page.getByLabel('Subject', { exact: true }).fill('Not yet')
    await page.getByText('Unpublished changes, kept in this browser').waitFor()
    await button('Review').click()
    await page.getByText('The preview shows what is saved').waitFor()
    expect(await subject()).toBe('News')
    await button('Send test').click()
    await page.getByText('Test email sent to').waitFor()
    expect(await subject()).toBe('News')
    await button('More').click()
    await page.getByRole('menuitem', { name: 'Duplicate' }).click()
    await page.waitForURL(url => !url.pathname.endsWith(id))
    await page.getByLabel('Subject', { exact: true }).waitFor()
    expect([await subject(), await page.getByLabel('Subject', { exact: true }).inputValue()]).toEqual([
      'News',
      'News',
    ])
    await open(id)
    expect(await page.getByLabel('Subject', { exact: true }).inputValue()).toBe('Not yet')
    await button('Publish changes').click()
    await page.getByText('Changes published').waitFor()
    expect(await stored(id)).toMatchObject({ subject: 'Not yet', status: 'SCHEDULED' })
    expect(somebody.complaints).toEqual([])
  })

  test('that is scheduled keeps its content where the question is answered no, and takes the changes with a yes', async () => {
    const { page } = somebody
    const id = await draft()
    await call('POST', `/campaigns/${id}/send`, { scheduledFor: '2099-01-31T09:00:00Z' })
    const { version } = await stored(id)
    await open(id)
    await page.getByLabel('Subject', { exact: true }).fill('Changed')
    await button('Review').click()
    await button('Schedule').click()
    await dialog().getByText('Also publishes your unpublished changes').waitFor()
    await dialog().getByText('Changed').waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    await dialog().waitFor({ state: 'detached' })
    expect(await stored(id)).toMatchObject({ subject: 'News', version })
    await page.getByText('Unpublished changes, kept in this browser').waitFor()
    await button('Schedule').click()
    await dialog().getByRole('button', { name: 'Schedule' }).click()
    await dialog().waitFor({ state: 'detached' })
    expect(await stored(id)).toMatchObject({ subject: 'Changed', status: 'SCHEDULED', version: version + 1 })
    expect(somebody.complaints).toEqual([])
  })

  test('is tried by several people at once, and the note leads to what they got', async () => {
    const { page } = somebody
    await open(await draft(), 'send')
    const to = page.getByLabel('Send a test to', { exact: true })
    const own = await to.inputValue()
    await to.fill(`${own}, grace`)
    await button('Send test').click()
    await page.getByText('“grace” isn’t an email address').waitFor()
    await to.fill(`${own}, grace@mail.example`)
    await button('Send test').click()
    await page.getByText('Test email sent to 2 addresses').waitFor()
    await button('Show outbox').click()
    for (const address of [own, 'grace@mail.example']) await page.getByText(address).first().waitFor()
    expect(somebody.complaints).toEqual([])
  })

  test('that a colleague changes while one is asked is not sent', async () => {
    const { page } = somebody
    const id = await draft()
    await open(id, 'send')
    await button('Send now').click()
    await dialog().getByText('All contacts').waitFor()
    await call('PUT', `/campaigns/${id}`, { subject: 'Something else' })
    await button('Send to 3 contacts').click()
    await dialog().getByText('Someone else changed this campaign').waitFor()
    expect(await stored(id)).toMatchObject({ status: 'DRAFT' })
    await button('Cancel').click()
    await page.getByRole('heading', { name: 'Something else' }).waitFor()
    // Chromium tells of the 409.
    expect(somebody.complaints.splice(0).filter(complaint => !complaint.includes('409'))).toEqual([])
  })

  test('keeps what can’t be read, says so, and is not sent with it; Ctrl+S saves', async () => {
    const { page } = somebody
    const id = await draft()
    await open(id)
    await page.getByLabel('Subject', { exact: true }).fill('News for {{name')
    await page.keyboard.press('Control+s')
    await saved()
    expect((await stored(id)).subject).toBe('News for {{name')
    await page.getByRole('link', { name: 'Review and send' }).click()
    const said = page.getByText('“{{name” isn’t valid').filter({ visible: true })
    const isAtCheck = () => page.evaluate(() => document.activeElement?.id === 'check')
    for (const name of ['Send now', 'Send test']) {
      await button(name).click()
      await until('the check has the focus', isAtCheck)
      expect([name, await said.count(), await page.getByText('Invalid template').count()]).toEqual([
        name,
        1,
        0,
      ])
      expect(await page.getByText('Request ID').count()).toBe(0)
      await page.evaluate(() => (document.activeElement as HTMLElement).blur())
    }
    await page.getByText('No preview: this email can’t be shown yet').waitFor()
    expect(await dialog().count()).toBe(0)
    expect((await stored(id)).status).toBe('DRAFT')
    await button('Show text').click()
    const subject = page.getByLabel('Subject', { exact: true })
    await until('the subject has the focus', () =>
      subject.evaluate(element => element === document.activeElement),
    )
    expect(somebody.complaints.splice(0).filter(complaint => !complaint.includes('400'))).toEqual([])
  })

  test('has the block marked that can’t be read, as long as it can’t', async () => {
    const { page } = somebody
    const paragraph = (text: string) => ({ type: 'paragraph', content: [{ type: 'text', text }] })
    const document = { doc: { type: 'doc', content: ['One', 'Two', 'Three'].map(paragraph) } }
    const id = await draft({ editor: { kind: 'blocks', document } })
    await open(id)
    const canvas = page.getByRole('textbox', { name: 'Email content' })
    await canvas.getByText('Two').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' & {{name')
    await page.getByText('“{{name” isn’t valid').waitFor()
    expect(await page.locator('.mail-broken').allTextContents()).toEqual(['Two & {{name'])
    await page.keyboard.type('}}')
    await page.locator('.mail-broken').waitFor({ state: 'detached' })
    // From the review, the check leads back to it.
    await page.keyboard.press('Backspace')
    await page.keyboard.press('Backspace')
    await saved()
    await canvas.getByText('One').click()
    await page.getByRole('link', { name: 'Review and send' }).click()
    await button('Show text').filter({ visible: true }).click()
    await until('the cursor is in the block', () =>
      page.evaluate(() => {
        const node = getSelection()?.focusNode
        const element = node instanceof Element ? node : node?.parentElement
        return element?.closest('.mail-canvas > *')?.textContent === 'Two & {{name'
      }),
    )
    await page.keyboard.type('}}')
    await page.locator('.mail-broken').waitFor({ state: 'detached' })
    await saved()
    somebody.complaints.splice(0)
  })

  test('leads from the check to the line of HTML that can’t be read', async () => {
    const { page } = somebody
    await open(await draft({ body: '<p>One</p>\n<p>Two &amp; {{name</p>\n<p>Three</p>' }), 'send')
    await button('Show text').click()
    await page.getByRole('textbox', { name: 'HTML' }).waitFor()
    await until('the cursor is in the code', () =>
      page.evaluate(
        () => document.activeElement?.shadowRoot?.activeElement?.className.includes('cm-content') ?? false,
      ),
    )
    // At the end of its line.
    for (const _ of '</p>') await page.keyboard.press('ArrowLeft')
    await page.keyboard.type('}}')
    await page.getByText('isn’t valid').filter({ visible: true }).waitFor({ state: 'detached' })
    await saved()
    somebody.complaints.splice(0)
  })

  test('says of a text that is named like a picture that it is none', async () => {
    const { page } = somebody
    await open(await draft({ editor: { kind: 'blocks', document: { doc: { type: 'doc', content: [] } } } }))
    const picture = { name: 'notes.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('No picture at all') }
    await page.locator('input[type=file]').setInputFiles(picture)
    await page.getByRole('alert').getByText('“notes.jpg” isn’t a JPEG, PNG, GIF, or WebP image.').waitFor()
    expect(somebody.complaints.splice(0).filter(complaint => !complaint.includes('400'))).toEqual([])
  })

  test('has Undo right before its text, and by keys; it takes back whatever part was changed', async () => {
    const { page } = somebody
    const document = {
      doc: { type: 'doc', content: [{ type: 'paragraph', content: [{ type: 'text', text: 'One' }] }] },
    }
    const id = await draft({ editor: { kind: 'blocks', document } })
    await open(id)
    const subject = page.getByLabel('Subject', { exact: true })
    await subject.fill('Other news')
    const canvas = page.getByRole('textbox', { name: 'Email content' })
    const written = async () => (await canvas.textContent()) ?? ''
    await canvas.getByText('One').click()
    await page.keyboard.press('End')
    await page.keyboard.insertText(' more')
    await page.keyboard.press('Shift+Tab')
    const toolbar = page.getByRole('toolbar', { name: 'Formatting' })
    const undo = toolbar.getByRole('button', { name: 'Undo' })
    expect(await undo.evaluate(element => element === element.ownerDocument.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await until('it is undone', async () => (await written()) === 'One')
    await page.keyboard.press('Control+Shift+Z')
    await until('it is back', async () => (await written()) === 'One more')
    await page.keyboard.press('Control+z')
    await until('it is undone again', async () => (await written()) === 'One')
    // One history for all parts, which leads to the part that changes.
    await page.getByRole('link', { name: 'Audience' }).click()
    await page.getByRole('radio', { name: 'Segments' }).check()
    await page.getByRole('link', { name: 'Review and send' }).click()
    await page.getByRole('button', { name: 'Undo' }).first().click()
    await until('the audience is shown', () => page.getByLabel('All contacts').isChecked())
    await page.keyboard.press('Control+z')
    await until('the subject is as it was', async () => (await subject.inputValue()) === 'News')
    await page.keyboard.press('Control+y')
    await until('the subject is other', async () => (await subject.inputValue()) === 'Other news')
    await saved()
    expect(await stored(id)).toMatchObject({ subject: 'Other news', audienceType: 'ALL' })
  })

  test('keeps its message where Ctrl+Z is pressed in the send time', async () => {
    const { page } = somebody
    await open(await draft())
    const subject = page.getByLabel('Subject', { exact: true })
    await subject.fill('Other news')
    await saved()
    await page.getByRole('link', { name: 'Review and send' }).click()
    await page.getByLabel('Schedule for later').check()
    await page.getByLabel('Date and time').focus()
    await page.keyboard.press('Control+z')
    await page.evaluate(() => new Promise(painted => requestAnimationFrame(() => setTimeout(painted))))
    expect([await subject.inputValue(), await page.getByLabel('Date and time').isVisible()]).toEqual([
      'Other news',
      true,
    ])
  })

  // A field that somebody adds to the page without adding it to the draft fails here.
  test('stores whatever is changed in any field of any part by itself', async () => {
    const { page } = somebody
    const id = await draft({
      ...{ audienceType: 'SEGMENT', segmentId },
      timing: { localTime: '09:00', window: { from: '08:00', to: '18:00' }, spreadHours: 2 },
      abTest: { variants: [{ subject: 'B' }, { fromName: 'C' }], share: 20, afterHours: 4 },
    })
    await call('POST', '/segments', { name: 'Nobody', type: 'STATIC' })
    const notOfTheDraft = ['Send a test to', 'Preview as', 'Now', 'Schedule for later', 'Editor']
    const content = async (): Promise<string> => {
      const { version: _, updatedAt: __, ...rest } = await stored(id)
      return JSON.stringify(rest)
    }
    let changes = 0
    for (const part of [undefined, 'audience', 'send'] as const) {
      await open(id, part)
      await somebody.settled()
      if (!part) await button('Name, reply-to, type, and layout').click()
      const fields = page.locator('main').locator('input:visible, select:visible, textarea:visible')
      for (let n = 0; n < (await fields.count()); n++) {
        const field = fields.nth(n)
        if (notOfTheDraft.includes(await labelOf(field))) continue
        const kind = await field.getAttribute('type')
        const old = await content()
        if (!(await change(field))) continue
        await saved()
        // What is not complete yet, as a segment that is not chosen, is named.
        const isMissing = (await page.getByText('except missing fields').count()) > 0
        expect([await labelOf(field), isMissing || (await content()) !== old]).toEqual([
          await labelOf(field),
          true,
        ])
        changes++
        // What shows and hides other fields is put back.
        if (kind === 'radio' || kind === 'checkbox') await page.keyboard.press('Control+z')
        await saved()
      }
    }
    expect(changes).toBeGreaterThan(25)
  })
})

type Field = ReturnType<ReturnType<typeof somebody.page.locator>['nth']>

const labelOf = (field: Field): Promise<string> =>
  field.evaluate(
    element =>
      element.getAttribute('aria-label') ??
      (element as HTMLInputElement).labels?.[0]?.textContent?.trim() ??
      '',
  )

/** Gives it another value that can be saved; false where it has no other. */
async function change(field: Field): Promise<boolean> {
  const [kind, value] = await field.evaluate(element => {
    const { type, value } = element as HTMLInputElement
    return [type, value] as const
  })
  if (kind === 'checkbox' || kind === 'radio') {
    if (kind === 'radio' && (await field.isChecked())) return false
    await field.click()
    return true
  }
  if (kind === 'select-one') {
    const others = await field.evaluate(
      (element, now) =>
        [...(element as HTMLSelectElement).options]
          .filter(option => !option.disabled && option.value !== now)
          .map(option => option.value),
      value,
    )
    if (others.length === 0) return false
    await field.selectOption(others[0]!)
    return true
  }
  const values: Record<string, string> = {
    time: value.replace(':00', ':15'),
    number: value === '60' ? '61' : '60',
    email: value.includes('@') ? value.replace('@', 'x@') : 'reply@reader.example',
  }
  await field.fill(values[kind] ?? `${value} 2`)
  return true
}
