// The hosted pages in a real Chromium, as on a phone and without script: the forms lead where they should, nothing is refused by the
// content security policy, nothing is wider than the screen, and axe finds nothing. Skipped where there is no Chromium. Pictures of the
// pages are kept where PICTURES names a folder; WAXWING_SLOW=1 looks at every language on every page, by day and by night.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import type { AnyElysia } from 'elysia'
import { pageHeaders } from '../../src/lib/hosted-page'
import {
  renderDeadLink,
  renderInvitationPage,
  renderResetPage,
  renderVerifyPage,
} from '../../src/modules/accounts/users/page'
import { locales } from '../../src/modules/sending/preferences/locales'
import { buildApp } from '../../src/server/app'
import { type Browser, chromiumPath, startChromium, type Tab } from '../support/chromium'
import { makeUser } from '../support/make'
import { makeRecipient, type Person } from '../support/recipient'
import { makeWorld, type World } from '../support/world'

if (!chromiumPath) console.warn('test/browser is skipped: no Chromium is installed')

const isSlow = process.env['WAXWING_SLOW'] === '1'
const pictures = process.env['PICTURES']
const phone = { width: 320, height: 640 }
const usualPhone = { width: 390, height: 480 }

let world: World
let app: AnyElysia
let server: ReturnType<typeof Bun.serve>
let browser: Browser
let tab: Tab

beforeAll(async () => {
  if (!chromiumPath) return
  world = await makeWorld()
  app = buildApp(world.ctx)
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  browser = await startChromium()
  tab = await browser.tab()
  await tab.show(phone)
})
afterAll(async () => {
  await browser?.close()
  await server?.stop(true)
  await world?.close()
})

/** Pages that only the link of a mail leads to, with what makes them longest. */
const specimens: Record<string, string> = {
  reset: renderResetPage('t', 'Please choose at least 8 characters.'),
  verify: renderVerifyPage('t'),
  invitation: renderInvitationPage('t', {
    email: 'ada@example.com',
    role: 'ADMIN',
    projectName: 'Acme'.repeat(25),
    provesAddress: true,
  }),
  dead: renderDeadLink(),
}

function answer(request: Request): Response | Promise<Response> {
  const specimen = specimens[new URL(request.url).pathname.slice('/specimens/'.length)]
  return specimen ? new Response(specimen, { headers: pageHeaders }) : app.handle(request)
}

const address = (page: string, { id, query }: Person): string => `${server.url}${page}/${id}?${query}`
const press = (action: string): Promise<number> =>
  tab.follow(`document.querySelector('[value=${action}]').click()`)
const textOf = (selector: string): Promise<string> =>
  tab.evaluate(`document.querySelector(${JSON.stringify(selector)})?.innerText ?? ''`)

interface Looks {
  width: number
  screen: number
  headings: number
  small: string[]
  background: string
}

/** What can be measured on the open page, whatever its words are. */
async function expectWellMade(): Promise<void> {
  const looks = await tab.evaluate<Looks>(`({
    width: document.documentElement.scrollWidth,
    screen: innerWidth,
    headings: document.querySelectorAll('h1').length,
    small: [...document.querySelectorAll('button, select, input:not([type=hidden]), main > p > a:only-child')]
      .filter(each => each.getBoundingClientRect().height < 44).map(each => each.outerHTML),
    background: [document.body, document.querySelector('main')].map(each => getComputedStyle(each).backgroundColor).join(' '),
  })`)
  expect(looks).toMatchObject({ width: phone.width, screen: phone.width, headings: 1, small: [] })
  // Transparent would mean that the policy refused the style sheet.
  expect(looks.background).not.toBe('rgba(0, 0, 0, 0) rgba(0, 0, 0, 0)')
  expect(tab.complaints).toEqual([])
}

async function expectAccessible(): Promise<void> {
  const faults = await tab.examine<string[]>(
    `${axe.source};
    axe.run(document, { resultTypes: ['violations', 'incomplete'] }).then(({ violations, incomplete }) =>
      [...violations, ...incomplete.filter(each => each.id === 'color-contrast')]
        .map(({ id, nodes }) => id + ': ' + nodes.map(node => node.html).join(' ')))`,
  )
  expect(faults).toEqual([])
}

async function take(name: string, isDark = false): Promise<void> {
  if (!pictures) return
  mkdirSync(pictures, { recursive: true })
  await tab.show({ ...usualPhone, isDark })
  writeFileSync(join(pictures, `${name}.png`), await tab.picture())
  await tab.show(phone)
}

describe.skipIf(!chromiumPath)('on a phone, without script', () => {
  test('somebody leaves, comes back, takes a break and ends it', async () => {
    const person = await makeRecipient(
      world,
      app,
      {},
      { projectName: 'Acme Letters', email: 'ada@example.com' },
    )
    const look = async (name: string): Promise<void> => {
      await expectWellMade()
      await expectAccessible()
      await take(name)
    }
    expect(await tab.open(address('unsubscribe', person))).toBe(200)
    expect(await textOf('h1')).toBe('Unsubscribe')
    await look('unsubscribe')

    expect(await press('unsubscribe')).toBe(200)
    expect(await textOf('h1')).toBe('You are unsubscribed')
    expect(await textOf('[role=status]')).toBe(
      'You will receive no more newsletters from Acme Letters at ada@example.com.',
    )
    expect(await tab.becoming('document.activeElement.getAttribute("role")', 'status')).toBe('status')
    await look('unsubscribed')
    // Loading the page again asks for no confirmation and sends no form.
    expect(await tab.follow('location.reload()')).toBe(200)
    expect(await textOf('h1')).toBe('You are unsubscribed')

    expect(await press('subscribe')).toBe(200)
    expect(await textOf('h1')).toBe('You are subscribed')
    await look('subscribed')

    expect(await tab.follow('document.querySelector("a").click()')).toBe(200)
    expect(await textOf('h1')).toBe('Manage your subscription')
    await look('manage')
    await tab.evaluate('document.querySelector("select").value = "6_months"')
    expect(await press('snooze')).toBe(200)
    expect(await textOf('dd')).toBe('Emails are paused until September 1, 2026.')
    await look('paused')

    expect(await press('subscribe')).toBe(200)
    expect(await textOf('dd')).toBe('You are subscribed.')
    expect(await tab.follow('document.querySelector("a").click()')).toBe(200)
    expect(await textOf('h1')).toBe('Unsubscribe')
    const events = (await world.events(person.project.id)).filter(({ name }) => name.startsWith('contact.'))
    expect(events.map(({ name, emailId }) => [name, emailId])).toEqual(
      ['unsubscribed', 'subscribed', 'unsubscribed', 'subscribed'].map(what => [
        `contact.${what}`,
        person.emailId,
      ]),
    )
  })

  test('somebody asks for their data, reads it, and has it erased', async () => {
    const person = await makeRecipient(world, app, { plan: 'pro', note: 'x'.repeat(400) })
    const look = async (name: string): Promise<void> => {
      await expectWellMade()
      await expectAccessible()
      await take(name)
    }
    await tab.open(address('manage', person))
    expect(await tab.follow('document.querySelector("form[action*=privacy] button").click()')).toBe(200)
    expect(await textOf('[role=status]')).toContain('is on its way')
    await world.drain()
    const text = (await world.received()).map(mail => mail.text).join()
    const [path] = /privacy\/[\w./?=-]+/.exec(text)!
    expect(await tab.open(server.url + path)).toBe(200)
    await look('data')
    expect(await press('read')).toBe(200)
    expect(await textOf('dl.data + *, h2')).toBe('You')
    await look('data-read')
    expect(await tab.follow('document.querySelector("main > p > a").click()')).toBe(200)
    await tab.evaluate('document.querySelector("#sure").click()')
    expect(await press('erase')).toBe(200)
    expect(await textOf('h1')).toBe('Your data is being erased')
    await look('data-erased')
    expect(await tab.open(server.url + path)).toBe(404)
    await forgive(404)
  })

  test('what is wrong is said on a page of the same look', async () => {
    const person = await makeRecipient(world, app)
    expect(await tab.open(`${server.url}manage/${person.id}?t=nonsense`)).toBe(404)
    expect(await textOf('h1')).toBe('This link is not valid')
    await forgive(404)
    await expectWellMade()
    await expectAccessible()
    await take('invalid')
    await tab.open(address('manage', person))
    await app.handle(
      new Request(address('unsubscribe', person), { method: 'POST', body: 'List-Unsubscribe=One-Click' }),
    )
    expect(await press('snooze')).toBe(409)
    expect(await textOf('[role=alert]')).toBe('Only a subscription can be paused. Please subscribe first.')
    await forgive(409)
    await expectWellMade()
    await expectAccessible()
    await take('refused')
  })

  test('every language fits, also with a long name and address', async () => {
    const long = {
      projectName: 'Donaudampfschifffahrtsgesellschaft'.repeat(2),
      email: `${'longlocal'.repeat(7)}@x.test`,
    }
    const person = await makeRecipient(world, app, {}, long)
    for (const code of isSlow ? Object.keys(locales) : ['de', 'hi', 'ja', 'cy']) {
      await world.ctx
        .sql`update contacts set data = ${JSON.stringify({ locale: code })}::jsonb where id = ${person.id}::uuid`
      for (const page of isSlow ? ['unsubscribe', 'subscribe', 'manage'] : ['manage']) {
        for (const isDark of isSlow ? [false, true] : [false]) {
          await tab.show({ ...phone, isDark })
          expect(await tab.open(address(page, person))).toBe(200)
          expect(await tab.evaluate<string>('document.documentElement.lang')).toBe(code)
          await expectWellMade()
          if (isSlow) await expectAccessible()
          await take(`${page}-${code}${isDark ? '-dark' : ''}`, isDark)
        }
      }
    }
    await tab.show(phone)
  }, 300_000)

  test('by night the contrast is as good', async () => {
    const person = await makeRecipient(
      world,
      app,
      {},
      { projectName: 'Acme Letters', email: 'ada@example.com' },
    )
    await tab.show({ ...phone, isDark: true })
    await tab.open(address('manage', person))
    await press('unsubscribe')
    await expectWellMade()
    await expectAccessible()
    await take('unsubscribed-dark', true)
    await tab.show(phone)
  })

  test('the session of somebody who is signed in to this instance stands in no way', async () => {
    const user = await makeUser(world)
    const person = await makeRecipient(world, app)
    await tab.open(`${server.url}auth/login`)
    for (const [name, value] of Object.entries({ email: user.email, password: user.password }))
      await tab.evaluate(`document.getElementById('${name}').value = ${JSON.stringify(value)}`)
    expect(await tab.follow(`document.querySelector('button').click()`)).toBe(200)
    const { cookies } = await tab.send('Network.getCookies')
    expect(cookies).toMatchObject([{ name: 'waxwing_session', httpOnly: true }])
    // It leads to the dashboard, whose scripts this browser does not run.
    tab.complaints.splice(0)
    await tab.open(address('manage', person))
    expect(await press('unsubscribe')).toBe(200)
    expect(await textOf('dd')).toBe('You are unsubscribed.')
    await tab.send('Network.clearBrowserCookies')
    expect(tab.complaints).toEqual([])
  })

  test('the pages of accounts and of the API have the same look', async () => {
    for (const path of [
      'auth/login',
      'auth/login?message=closed',
      'auth/forgot-password',
      ...Object.keys(specimens).map(name => `specimens/${name}`),
    ]) {
      expect(await tab.open(`${server.url}${path}`)).toBe(200)
      await expectWellMade()
      await expectAccessible()
      await take(path.replaceAll(/\W/g, '-'))
    }
    expect(await tab.open(`${server.url}docs`)).toBe(200)
    await expectWellMade()
    // The page of every endpoint is long, and axe reads all of it.
    if (isSlow) await expectAccessible()
    expect(await tab.open(`${server.url}t/c/nonsense`)).toBe(400)
    await forgive(400)
    await expectWellMade()
  })
})

/** Chromium notes an error page in its log; that one note is expected. */
async function forgive(status: number): Promise<void> {
  const expected = tab.complaints.splice(0)
  expect(expected.filter(each => !each.includes(`status of ${status}`))).toEqual([])
}
