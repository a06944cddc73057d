// Writing in a real Chromium: from an empty project to a campaign of blocks that a mail server takes, whose link is followed and shown; drafts
// that outlive a reload; two people who write at one template. Skipped where there is no Chromium.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { minute } from '../../src/lib/time'
import { chromiumPath } from '../support/chromium'
import { type Mailbox, startMailbox } from '../support/mailbox'
import { typeOver } from '../support/type-over'
import { until } from '../support/until'
import { parse } from '../support/world'
import { caller, type Newcomer, startNewcomer } from './newcomer'

let mailbox: Mailbox
let on: Newcomer
let home: string

beforeAll(async () => {
  if (!chromiumPath) return
  mailbox = await startMailbox()
  on = await startNewcomer('Bakery', { mail: mailbox.transport })
  on.page.setDefaultTimeout(30_000)
  home = `${on.showcase.url}/app/${on.projectId}`
}, 300_000)
afterAll(async () => {
  await on?.stop()
  await mailbox?.stop()
})

const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const canvas = () => on.page.getByRole('textbox', { name: 'Email content' })

const replace = (words: string, by: string): Promise<void> => typeOver(canvas(), words, by)

/** All of it has been stored, which it does by itself. */
const saved = () => on.page.getByText('Saving…').waitFor({ state: 'detached' })

const button = (name: string) => on.page.getByRole('button', { name, exact: true })

const call = caller(() => on)

describe.skipIf(!chromiumPath)('a campaign', () => {
  test('is written in blocks, sent, and its link is followed and shown', async () => {
    const { page, showcase } = on
    const brand = `/projects/${on.projectId}/brand`
    await call('PATCH', brand, { postalAddress: 'The bakery, 5 Mill Lane' })
    await page.goto(`${home}/contacts`)
    await button('Add contact').click()
    await page.getByRole('textbox', { name: 'Email', exact: true }).fill('ada@reader.example')
    await page.getByRole('dialog').getByRole('button', { name: 'Add contact' }).click()
    await page.getByRole('heading', { name: 'ada@reader.example' }).waitFor()

    await page.goto(`${home}/campaigns`)
    await page.getByRole('link', { name: 'New campaign' }).first().click()
    await button('Blank').click()
    await canvas().waitFor()
    await page.getByLabel('Subject', { exact: true }).fill('Spring bread')
    await replace('Your heading', 'Bread in spring')
    await replace('Write your text here.', 'Dear ')
    await button('Variable').click()
    await page.getByRole('menuitem', { name: 'Email address' }).click()
    await page.keyboard.press('Enter')
    await page.keyboard.type('/butt')
    await page.keyboard.press('Enter')
    await canvas().getByText('Read more').click()
    await page.getByLabel('Button text').fill('See the bread')
    await page.getByLabel('Link', { exact: true }).fill('https://bakery.example/spring')
    await button('Preview').click()
    await page.frameLocator('iframe').getByText('Dear someone@example.com').waitFor()
    await button('Review').click()

    await page.getByText('1 contact will get it').waitFor()
    await page.getByText('No issues found.').last().waitFor()
    await call('PATCH', brand, { postalAddress: null })
    await button('Send now').click()
    await button('Send to 1 contact').click()
    await page.getByText('Opens and clicks over time').waitFor()
    await showcase.drain()

    expect(mailbox.taken.map(({ envelope }) => envelope.to)).toEqual(['ada@reader.example'])
    const { html = '', subject } = await parse(mailbox.taken[0]!)
    expect(subject).toBe('Spring bread')
    expect(html).toContain('Dear ada@reader.example')
    const link = /<a href="([^"]*\/t\/c\/[^"]*)"[^>]*>(?:<[^>]*>)*See the bread/.exec(html)![1]!
    showcase.advance(5 * minute)
    const followed = await fetch(link.replaceAll('&amp;', '&'), {
      redirect: 'manual',
      headers: { 'user-agent': browser },
    })
    expect(followed.headers.get('location')).toBe('https://bakery.example/spring')
    await showcase.judge()

    await page.reload()
    await page.getByText('1 person, 1 click').waitFor()
    await page.getByRole('link', { name: 'https://bakery.example/spring' }).click()
    await page.getByRole('table', { name: 'Recipients' }).getByText('ada@reader.example').waitFor()
    expect(on.complaints).toEqual([])
  }, 180_000)
})

describe.skipIf(!chromiumPath)('a template', () => {
  const make = async (name: string): Promise<string> => {
    const document = {
      doc: {
        type: 'doc',
        content: [{ type: 'paragraph', content: [{ type: 'text', text: 'First words' }] }],
      },
    }
    const domain = (await call('GET', `/domains/project/${on.projectId}`))[0].domain
    const given = { name, subject: 'S', body: '<p>First words</p>', from: `hello@${domain}` }
    return (await call('POST', '/templates', { ...given, editor: { kind: 'blocks', document } })).id
  }

  test('is begun with a sender, however soon one chooses', async () => {
    const { page } = on
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    await page.route('**/domains/project/*', async route => {
      await held
      await route.continue()
    })
    await page.goto(`${home}/templates/new`)
    await button('Blank').click()
    release()
    await canvas().waitFor()
    expect(await page.getByLabel('From email').inputValue()).toMatch(/^hello@/)
    await page.unroute('**/domains/project/*')
  })

  test('takes a block from the list for who types faster than the list is drawn', async () => {
    const { page } = on
    await page.goto(`${home}/templates/${await make('Fast')}`)
    await canvas().getByText('First words').click()
    await page.keyboard.press('End')
    await page.keyboard.press('Enter')
    // Nothing is drawn between the letters and the key.
    await canvas().evaluate(async line => {
      line.ownerDocument.execCommand('insertText', false, '/butt')
      await Promise.resolve()
      line.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
    })
    await canvas().getByText('Read more').waitFor()
    expect(await canvas().getByText('/butt').count()).toBe(0)
    await saved()
  })

  test('that nothing uses stores itself, as soon as the page is left at the latest', async () => {
    const { page } = on
    const id = await make('Draft')
    const body = async (): Promise<string> => (await call('GET', `/templates/${id}`)).body
    await page.goto(`${home}/templates/${id}`)
    await replace('First words', 'Second words')
    await saved()
    expect(await body()).toContain('Second words')
    await replace('Second words', 'Third words')
    await page.reload()
    await canvas().getByText('Third words').waitFor()
    await until('the last words are stored', async () => (await body()).includes('Third words'))
    await saved()
    expect(await button('Restore draft').count()).toBe(0)
    expect(on.complaints).toEqual([])
  })

  test('waits in this browser while there is no network, and is stored afterwards', async () => {
    const { page } = on
    const id = await make('Offline')
    await page.goto(`${home}/templates/${id}`)
    await canvas().getByText('First words').waitFor()
    await page.route(`**/templates/${id}`, route => route.abort())
    await replace('First words', 'Words without a network')
    await page.getByText('Offline: kept in this browser until you reconnect').waitFor()
    await page.unroute(`**/templates/${id}`)
    await page.reload()
    await canvas().getByText('Words without a network').waitFor()
    await saved()
    expect((await call('GET', `/templates/${id}`)).body).toContain('Words without a network')
    // Chromium tells of requests that fail.
    on.complaints.splice(0)
  })

  test('of which something is missing or can’t be read keeps all of it, and stores the rest', async () => {
    const { page } = on
    const id = await make('Incomplete')
    await page.goto(`${home}/templates/${id}`)
    const subject = page.getByLabel('Subject', { exact: true })
    await subject.fill('')
    await replace('First words', 'Words of {{name')
    await page.getByText('Saved, except missing fields').waitFor()
    await page.getByLabel('From name').fill('Baker')
    await until(
      'the name is stored',
      async () => (await call('GET', `/templates/${id}`)).fromName === 'Baker',
    )
    await page.reload()
    await canvas().getByText('Words of {{name').waitFor()
    expect(await subject.inputValue()).toBe('')
    await canvas().getByText('Words of {{name').click()
    await page.keyboard.press('End')
    await page.keyboard.insertText('}}')
    await button('Show field').click()
    await until('the subject has the focus', () =>
      subject.evaluate(element => element === document.activeElement),
    )
    await subject.fill('Whole')
    await saved()
    await page.getByText('except missing fields').waitFor({ state: 'detached' })
    expect(await call('GET', `/templates/${id}`)).toMatchObject({
      subject: 'Whole',
      body: expect.stringContaining('Words of {{name}}'),
    })
    // Chromium tells of the 400.
    expect(on.complaints.splice(0).filter(complaint => !complaint.includes('400'))).toEqual([])
  })

  test('leads to a field that is missing, also if that is folded or the email is previewed', async () => {
    const { page } = on
    await page.goto(`${home}/templates/${await make('Nameless')}`)
    await canvas().getByText('First words').waitFor()
    const details = button('Name, reply-to, type, and layout')
    const name = page.getByLabel('Name', { exact: true })
    const hasFocus = () => name.evaluate(element => element === document.activeElement)
    await details.click()
    await name.fill('')
    await details.click()
    await name.waitFor({ state: 'hidden' })
    await button('Show field').click()
    await until('the name has the focus', hasFocus)
    await details.click()
    expect(await name.isVisible()).toBe(true)
    await button('Show field').click()
    await until('the name has the focus', hasFocus)
    await page.keyboard.type('New name')
    expect([await name.inputValue(), await hasFocus()]).toEqual(['New name', true])
    await name.fill('')
    await button('Preview').click()
    await name.waitFor({ state: 'hidden' })
    await button('Show field').click()
    await until('the name has the focus', hasFocus)
    await name.fill('New name')
    await saved()
    expect(on.complaints).toEqual([])
  })

  test('that a form uses is changed by “Publish changes” alone', async () => {
    const { page } = on
    const id = await make('Used')
    await call('POST', '/signup-forms', { name: 'F', enabled: false, templateId: id })
    await page.goto(`${home}/templates/${id}`)
    await button('Publish changes').waitFor()
    await replace('First words', 'Words to publish')
    await page.getByText('Unpublished changes, kept in this browser').waitFor()
    await page.keyboard.press('Control+s')
    await page.getByText('until you publish them').waitFor()
    await page.reload()
    await canvas().getByText('Words to publish').waitFor()
    await page.getByText('Unpublished changes, kept in this browser').waitFor()
    expect((await call('GET', `/templates/${id}`)).body).toContain('First words')
    await button('Discard').click()
    await canvas().getByText('First words').waitFor()
    await button('Undo').first().click()
    await canvas().getByText('Words to publish').waitFor()
    await button('Publish changes').click()
    await page.getByText('Changes published').waitFor()
    expect((await call('GET', `/templates/${id}`)).body).toContain('Words to publish')
    expect(on.complaints).toEqual([])
  })

  test('offers what an earlier visit left, beside what is typed since, until one has chosen', async () => {
    const { page } = on
    const id = await make('Left')
    const key = `waxwing.draft.${on.projectId}.template.${id}`
    const kept = () => page.evaluate(name => localStorage.getItem(name), key)
    await page.goto(`${home}/templates/${id}`)
    await replace('First words', 'Words of an earlier visit')
    const left = (await kept())!
    expect(left).toContain('Words of an earlier visit')
    await saved()
    // As if it had never been sent, and another person had saved since.
    await call('PATCH', `/templates/${id}`, { subject: 'Theirs', body: '<p>Their words</p>', editor: null })
    await page.goto(`${home}/templates`)
    await page.evaluate(([name, text]) => localStorage.setItem(name!, text!), [key, left])
    await page.goto(`${home}/templates/${id}`)
    await button('Restore draft').waitFor()
    const subject = page.getByLabel('Subject', { exact: true })
    await subject.fill('Typed since')
    await until('both are kept', async () => (await kept())!.includes('Typed since'))
    await page.reload()
    await button('Restore draft').waitFor()
    expect(await subject.inputValue()).toBe('Typed since')
    await page.keyboard.press('Control+s')
    await page.getByText('Restore or discard it first').waitFor()
    expect((await call('GET', `/templates/${id}`)).subject).toBe('Theirs')
    await button('Restore draft').click()
    await canvas().getByText('Words of an earlier visit').waitFor()
    await page.getByRole('button', { name: 'Compare' }).waitFor()
    expect((await call('GET', `/templates/${id}`)).subject).toBe('Theirs')
    // Chromium tells of the 409.
    expect(on.complaints.splice(0).filter(complaint => !complaint.includes('409'))).toEqual([])
  })

  test('stores itself where this browser has no room to keep anything', async () => {
    const { page } = on
    const id = await make('Full')
    await page.goto(`${home}/templates/${id}`)
    await canvas().getByText('First words').waitFor()
    await page.evaluate(() => {
      Storage.prototype.setItem = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
    })
    await replace('First words', 'Words without room')
    await until('they are stored', async () =>
      (await call('GET', `/templates/${id}`)).body.includes('Words without room'),
    )
    expect(on.complaints).toEqual([])
  })

  test('is left before it is known what uses it: nothing is published by that', async () => {
    const { page } = on
    const id = await make('Unknown')
    await call('POST', '/signup-forms', { name: 'F', enabled: false, templateId: id })
    const usage = `**/templates/${id}/usage`
    await page.route(usage, () => {})
    await page.goto(`${home}/templates/${id}`)
    await replace('First words', 'Words for nobody yet')
    await page.reload()
    await canvas().getByText('Words for nobody yet').waitFor()
    await page.unroute(usage)
    await page.reload()
    await page.getByText('Unpublished changes, kept in this browser').waitFor()
    await canvas().getByText('Words for nobody yet').waitFor()
    expect((await call('GET', `/templates/${id}`)).body).toContain('First words')
    on.complaints.splice(0)
  })

  test('that somebody else saved meanwhile is not overwritten before one has chosen', async () => {
    const { page } = on
    const id = await make('Ours')
    await page.goto(`${home}/templates/${id}`)
    await canvas().waitFor()
    await call('PATCH', `/templates/${id}`, { subject: 'Their subject', body: '<p>Their words</p>' })
    await replace('First words', 'My words')
    await page.getByText('Someone else saved changes').waitFor()
    expect((await call('GET', `/templates/${id}`)).body).toBe('<p>Their words</p>')
    await button('Compare').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Compare' }).click()
    await page.frameLocator('iframe[title="Their subject"]').getByText('Their words').waitFor()
    await button('Overwrite').click()
    await page.getByText('Someone else saved changes').waitFor({ state: 'detached' })
    await saved()
    expect((await call('GET', `/templates/${id}`)).body).toContain('My words')
    // Chromium tells of the 409.
    expect(on.complaints.splice(0).filter(complaint => !complaint.includes('409'))).toEqual([])
  })

  test('is written in Markdown, and becomes HTML', async () => {
    const { page } = on
    const id = await make('Marked')
    await call('PATCH', `/users/@me/projects/${on.projectId}`, { language: 'de' })
    await page.goto(`${home}/templates/${id}`)
    await button('Editor: Blocks').click()
    await page.getByRole('menuitem', { name: 'Markdown' }).click()
    await button('Write in Markdown').click()
    await page.getByRole('textbox', { name: 'Markdown' }).click()
    await page.keyboard.type('# Hello\n\nSome **loud** words')
    await button('Preview').click()
    await page.frameLocator('iframe').getByRole('heading', { name: 'Hello' }).waitFor()
    await button('Write').click()
    await button('Editor: Markdown').click()
    await page.getByRole('menuitem', { name: 'HTML' }).click()
    await page.getByRole('textbox', { name: 'HTML' }).getByText('DOCTYPE').waitFor()
    await saved()
    expect((await call('GET', `/templates/${id}`)).body).toMatch(
      /<html lang="de">[\s\S]*<strong>loud<\/strong>/,
    )
    expect(on.complaints).toEqual([])
  })
})

describe.skipIf(!chromiumPath)('a layout', () => {
  test('is made, stands around a template of blocks, and shows its changes there', async () => {
    const { page } = on
    await page.goto(`${home}/layouts`)
    await button('New layout').click()
    await canvas().waitFor()
    const slot = canvas().locator('[data-slot]')
    await slot.getByText('Email content goes here').waitFor()
    // It is there once: neither deleted nor doubled.
    await slot.click()
    await page.keyboard.press('Delete')
    await page.keyboard.press('Control+d')
    expect(await slot.count()).toBe(1)
    // But it can be moved.
    await page.keyboard.press('Alt+ArrowUp')
    await until(
      'the content comes first',
      async () => (await canvas().locator('> *').first().getAttribute('data-slot')) === '',
    )
    await page.keyboard.press('Alt+ArrowDown')
    await button('Preview').click()
    await page.frameLocator('iframe').getByText('Heading of the email').waitFor()
    await page.frameLocator('iframe').getByRole('link', { name: 'Email preferences' }).waitFor()
    await page.getByText('The brand has no postal address').waitFor()
    await button('Write').click()
    await page.getByLabel('Name', { exact: true }).fill('Bakery style')
    await saved()
    const layoutAddress = page.url()

    await page.goto(`${home}/templates/new`)
    await button('Blank').click()
    await canvas().waitFor()
    await page.getByLabel('Subject', { exact: true }).fill('Bread')
    await replace('Your heading', 'Bread in a layout')
    await button('Preview').click()
    await page.frameLocator('iframe').getByText('Bread in a layout').waitFor()
    expect(await page.frameLocator('iframe').getByRole('link', { name: 'Email preferences' }).count()).toBe(0)
    await button('Write').click()
    await button('Name, reply-to, type, and layout').click()
    await page.getByLabel('Layout', { exact: true }).selectOption('Bakery style')
    await button('Preview').click()
    await page.frameLocator('iframe').getByRole('link', { name: 'Email preferences' }).waitFor()
    await page.frameLocator('iframe').getByText('Bread in a layout').waitFor()
    await saved()
    const templateAddress = page.url()

    await page.goto(layoutAddress)
    await page.getByText('Used by 1 template').waitFor()
    await button('Edit as HTML').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Edit as HTML' }).click()
    const source = page.getByRole('textbox', { name: 'HTML of the layout' })
    await source.getByText('!DOCTYPE').first().waitFor()
    await source.click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('The bakery, 5 Mill Lane')
    await page.frameLocator('iframe').getByText('5 Mill Lane').waitFor()
    await button('Publish changes').click()
    await page.getByText('Changes published').waitFor()
    await page.goto(templateAddress)
    await button('Preview').click()
    await page.frameLocator('iframe').getByText('5 Mill Lane').waitFor()
    await page.frameLocator('iframe').getByText('Bread in a layout').waitFor()

    await page.goto(layoutAddress)
    await button('Delete Bakery style').click()
    await page.getByText('so it can’t be deleted yet').waitFor()
    expect(on.complaints).toEqual([])
  })
})
