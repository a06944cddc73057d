// A value that looks like HTML, from the block editor to the mailbox: text in the preview, the subject, the HTML, a link and the text part.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chromiumPath } from '../support/chromium'
import { type Mailbox, startMailbox } from '../support/mailbox'
import { typeOver } from '../support/type-over'
import { parse } from '../support/world'
import { type Newcomer, startNewcomer } from './newcomer'

let mailbox: Mailbox
let on: Newcomer
beforeAll(async () => {
  if (!chromiumPath) return
  mailbox = await startMailbox()
  on = await startNewcomer('Bakery', { mail: mailbox.transport })
  on.page.setDefaultTimeout(30_000)
}, 300_000)
afterAll(async () => {
  await on?.stop()
  await mailbox?.stop()
})

const value = '<b>"x"&</b>'
const inHtml = '&lt;b&gt;&quot;x&quot;&amp;&lt;/b&gt;'
const inUrl = encodeURIComponent(value)

describe.skipIf(!chromiumPath)('a variable of the block editor', () => {
  test('prints a value that looks like HTML as text, everywhere', async () => {
    const { page, showcase, projectId } = on
    const home = `${showcase.url}/app/${projectId}`
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    const canvas = page.getByRole('textbox', { name: 'Email content' })
    const made = await page.request.post(`${showcase.url}/contacts`, {
      headers: { 'x-project-id': projectId },
      data: { email: 'ada@reader.example', subscribed: true, data: { nick: value } },
    })
    expect(made.status()).toBe(201)

    await page.goto(`${home}/campaigns/new`)
    await button('Blank').click()
    await canvas.waitFor()
    await page.getByLabel('Subject', { exact: true }).fill('For {{nick}}')
    await typeOver(canvas, 'Write your text here.', 'Dear ')
    await button('Variable').click()
    await page.getByRole('menuitem', { name: 'nick' }).click()
    await page.keyboard.type(', {% if nick contains "<b>" %}bold{% endif %} & {{nick ?? "R&D"}} ')
    await page.keyboard.press('Enter')
    await page.keyboard.type('/butt')
    await page.keyboard.press('Enter')
    await canvas.getByText('Read more').click()
    await page.getByLabel('Button text').fill('For {{nick}}')
    await page
      .getByLabel('Link', { exact: true })
      .fill('https://bakery.example/?raw={{nick}}&n={{nick | url_encode}}')

    await button('Preview').click()
    await page.getByLabel('Preview as').selectOption({ label: 'ada@reader.example' })
    const mail = page.frameLocator('iframe')
    await mail.getByText(`Dear ${value}, bold & ${value}`).waitFor()
    await mail.getByRole('link', { name: `For ${value}` }).waitFor()
    expect(await mail.locator('b').count()).toBe(0)
    await page.getByText(`For ${value}`, { exact: true }).first().waitFor()
    await button('Text').click()
    await page.locator('pre', { hasText: `Dear ${value}, bold & ${value}` }).waitFor()

    await button('Review').click()
    await button('Send now').click()
    await button('Send to 1 contact').click()
    await page.getByText('Opens and clicks over time').waitFor()
    await showcase.drain()

    const { html = '', text = '', subject } = await parse(mailbox.taken[0]!)
    expect(subject).toBe(`For ${value}`)
    expect(html).toContain(`Dear ${inHtml}, bold &amp; ${inHtml}`)
    expect(html).not.toContain('<b>')
    expect(text).toContain(`Dear ${value}, bold & ${value}`)
    expect(text).toContain(`https://bakery.example/?raw=${value}&n=${inUrl}`)
    const [, link] = new RegExp(`<a href="([^"]*/t/c/[^"]*)"[^>]*>(?:<[^>]*>)*For ${inHtml}<`).exec(html)!
    const followed = await fetch(link!.replaceAll('&amp;', '&'), { redirect: 'manual' })
    const location = new URL(followed.headers.get('location')!)
    expect([location.origin, location.searchParams.get('n')]).toEqual(['https://bakery.example', value])
    expect(on.complaints).toEqual([])
  }, 180_000)
})
