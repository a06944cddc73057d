// The pages behind the links in mails: in every language, changing nothing until somebody presses a button, and saying nothing that an
// address made up.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { AnyElysia } from 'elysia'
import { snoozeDurations } from '../../src/modules/audience/contacts'
import { locales } from '../../src/modules/sending/preferences/locales'
import { durationInWords } from '../../src/modules/sending/preferences/sentence'
import { buildApp } from '../../src/server/app'
import { makeRecipient, type Person } from '../support/recipient'
import { type Answer, type RequestOptions, request } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let app: AnyElysia

beforeAll(async () => {
  world = await makeWorld()
  app = buildApp(world.ctx)
})
afterAll(() => world.close())

const pages = ['unsubscribe', 'subscribe', 'manage'] as const
type Page = (typeof pages)[number]

const makePerson = (data: Record<string, unknown> = {}): Promise<Person> => makeRecipient(world, app, data)
const open = (method: string, path: string, options: RequestOptions = {}): Promise<Answer> =>
  request(app, method, path, options)
const show = (page: Page, { id, query }: Person, more = ''): Promise<Answer> =>
  open('GET', `/${page}/${id}?${query}${more}`)
const post = (page: Page, { id, query }: Person, members: Record<string, string>): Promise<Answer> =>
  open('POST', `/${page}/${id}?${query}`, { body: new URLSearchParams(members) })
/** Posts the form and follows to where it leads. */
const decide = async (page: Page, person: Person, members: Record<string, string>): Promise<Answer> => {
  const answer = await post(page, person, members)
  expect(answer.status).toBe(303)
  const { pathname, search } = new URL(answer.headers.get('location')!, `http://x.test/${page}/${person.id}`)
  return await open('GET', `${pathname}${search}`)
}
const contactOf = async ({ project, id }: Person) =>
  (await request(app, 'GET', `/contacts/${id}`, { key: project.secretKey })).body
const flipsOf = async ({ project }: Person) =>
  (await world.events(project.id)).filter(event => event.name.startsWith('contact.'))
const offers = ({ body }: Answer): string[] =>
  [...body.matchAll(/name="action" value="(\w+)"/g)].map(match => match[1]!)
const headingOf = ({ body }: Answer): string =>
  [...body.matchAll(/<h1>(.*?)<\/h1>/g)].map(match => match[1]).join('|')
const statusOf = ({ body }: Answer): string | undefined =>
  /<p class="note" role="status"[^>]*>(.*?)<\/p>/.exec(body)?.[1]?.replace(/<[^>]+>/g, '')

/** Everything that a request could have left behind. */
async function traces(person: Person): Promise<unknown> {
  return await world.ctx.sql`
    select (select count(*)::int from contacts) contacts, (select count(*)::int from events) events,
           (select count(*)::int from jobs) jobs, (select count(*)::int from emails) emails,
           (select count(*)::int from contact_deltas) deltas, c.*
      from contacts c where id = ${person.id}::uuid`
}

describe.each(pages)('/%s', page => {
  test('shown, asked about or opened by a scanner, changes nothing at all', async () => {
    const person = await makePerson()
    const before = await traces(person)
    for (const more of [
      '',
      '&saved=1',
      '&action=unsubscribe',
      '&action=snooze&duration=1_year',
      '&List-Unsubscribe=One-Click',
    ]) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await open(method, `/${page}/${person.id}?${person.query}${more}`)
        expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
        if (method === 'HEAD') expect(answer.body).toBeUndefined()
      }
    }
    expect(await traces(person)).toEqual(before)
  })

  test('loads nothing, runs nothing, is kept nowhere and is told to nobody', async () => {
    const { headers, body } = await show(page, await makePerson())
    const policy = headers.get('content-security-policy')!
    expect(policy).toStartWith("default-src 'none'; style-src 'sha256-")
    expect(policy).toEndWith("form-action 'self'; base-uri 'none'; frame-ancestors 'none'")
    expect(policy).not.toContain('unsafe')
    const style = /<style>([\s\S]*)<\/style>/.exec(body)![1]!
    expect(policy).toContain(`'sha256-${new Bun.CryptoHasher('sha256').update(style).digest('base64')}'`)
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex, nofollow',
    })
    expect(headers.get('x-request-id')).toBeString()
    expect(headers.getSetCookie()).toEqual([])
    expect(body).not.toMatch(/<script|\ssrc=|\sstyle=|url\(|https?:| on\w+=/i)
    expect(body).toContain('<meta name="robots" content="noindex, nofollow">')
    expect(body).toContain('Acme &lt;&amp;&gt; &quot;Co&quot;')
    expect(Buffer.byteLength(body)).toBeLessThan(15_000)
  })

  test('with a link that is not valid is 404, by GET, HEAD and POST, and names nobody', async () => {
    const [person, other] = [await makePerson(), await makePerson()]
    const [token] = /(?<=t=)[^&]+/.exec(person.query)!
    const swapped = `${other.query.slice(2, 24)}${token!.slice(22)}`
    const paths = [
      person.id,
      `${person.id}?${other.query}`,
      `nobody?${person.query}`,
      `${person.id}?t=${swapped}`,
      `${person.id}?t=${token}x`,
    ]
    for (const path of paths) {
      for (const method of ['GET', 'HEAD', 'POST']) {
        const body = method === 'POST' ? new URLSearchParams({ action: page }) : undefined
        const answer = await open(method, `/${page}/${path}`, { body })
        expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
        if (method === 'HEAD') continue
        expect(headingOf(answer)).toBe('This link is not valid')
        expect(answer.body).not.toContain('@x.test')
      }
    }
    expect(await flipsOf(person)).toEqual([])
  })

  test('of a contact that is gone is a page, too', async () => {
    const person = await makePerson()
    await request(app, 'DELETE', `/contacts/${person.id}`, { key: person.project.secretKey })
    for (const answer of [await show(page, person), await post(page, person, { action: 'subscribe' })]) {
      expect([answer.status, headingOf(answer)]).toEqual([404, 'This link is not valid'])
    }
  })

  test('refuses what it does not offer, and keeps the choices open', async () => {
    const person = await makePerson()
    for (const members of [
      { action: 'explode' },
      { action: 'constructor' },
      { action: 'snooze' },
      { action: 'snooze', duration: '9_years' },
      { action: 'snooze', duration: 'constructor' },
    ] as Array<Record<string, string>>) {
      const answer = await post(page, person, members)
      expect(answer.status).toBe(400)
      expect(answer.body).toContain('role="alert" tabindex="-1" autofocus>Please choose one of the options.')
    }
    expect(await flipsOf(person)).toEqual([])
  })

  test('works for somebody who is signed in to the dashboard of this site', async () => {
    const { id, query } = await makePerson()
    const answer = await open('POST', `/${page}/${id}?${query}`, {
      body: new URLSearchParams({ action: 'unsubscribe' }),
      headers: { origin: 'http://localhost:3000', cookie: 'waxwing_session=whatever' },
    })
    expect(answer.status).toBe(303)
  })
})

describe('a decision', () => {
  test('to leave is confirmed on a page that can be loaded again, and can be taken back there', async () => {
    const person = await makePerson()
    const first = await show('unsubscribe', person)
    expect([headingOf(first), offers(first)]).toEqual(['Unsubscribe', ['unsubscribe', 'snooze']])
    const done = await decide('unsubscribe', person, { action: 'unsubscribe' })
    expect(headingOf(done)).toBe('You are unsubscribed')
    expect(statusOf(done)).toBe(
      `You will receive no more newsletters from Acme &lt;&amp;&gt; &quot;Co&quot; at ${person.email}.`,
    )
    expect(offers(done)).toEqual(['subscribe'])
    const back = await decide('unsubscribe', person, { action: 'subscribe' })
    expect([headingOf(back), offers(back)]).toEqual(['You are subscribed', []])
    // The old confirmation, loaded again, changes nothing and tells how things stand now.
    const again = await show('unsubscribe', person, '&saved=1')
    expect([headingOf(again), statusOf(again)]).toEqual(['Unsubscribe', undefined])
    expect((await flipsOf(person)).map(({ name, emailId }) => [name, emailId])).toEqual([
      ['contact.unsubscribed', person.emailId],
      ['contact.subscribed', person.emailId],
    ])
  })

  test.each([
    ['2_weeks', '2026-03-15', 'March 15, 2026'],
    ['1_month', '2026-04-01', 'April 1, 2026'],
    ['6_months', '2026-09-01', 'September 1, 2026'],
    ['1_year', '2027-03-01', 'March 1, 2027'],
  ])('to pause for %s tells until when', async (duration, iso, words) => {
    for (const page of ['unsubscribe', 'manage'] as const) {
      const person = await makePerson()
      const done = await decide(page, person, { action: 'snooze', duration })
      expect(headingOf(done)).toBe('Manage your subscription')
      expect(done.body).toContain(`<time datetime="${iso}T`)
      expect(statusOf(done)).toContain(`until ${words}`)
      expect((await contactOf(person)).snoozedUntil).toStartWith(iso)
      expect(offers(done)).toEqual(['subscribe', 'unsubscribe', 'snooze'])
    }
  })

  test('sent twice, at once or later, is one change', async () => {
    const person = await makePerson()
    const twice = await Promise.all([1, 2, 3].map(() => post('manage', person, { action: 'unsubscribe' })))
    expect(twice.map(answer => answer.status)).toEqual([303, 303, 303])
    await decide('manage', person, { action: 'unsubscribe' })
    expect(await flipsOf(person)).toHaveLength(1)
  })

  test('about a pause ends or moves it', async () => {
    const person = await makePerson()
    await decide('manage', person, { action: 'snooze', duration: '2_weeks' })
    const moved = await decide('manage', person, { action: 'snooze', duration: '1_month' })
    expect(statusOf(moved)).toContain('April 1, 2026')
    const paused = await show('subscribe', person)
    expect(paused.body).toContain('Emails are paused until <time')
    expect(offers(paused)).toEqual(['subscribe'])
    expect(headingOf(await decide('subscribe', person, { action: 'subscribe' }))).toBe('You are subscribed')
    await decide('manage', person, { action: 'snooze', duration: '1_year' })
    await decide('unsubscribe', person, { action: 'unsubscribe' })
    expect(await contactOf(person)).toMatchObject({ subscribed: false, snoozedUntil: null })
  })

  test('to pause what is over for good is refused in words', async () => {
    const person = await makePerson()
    await decide('manage', person, { action: 'unsubscribe' })
    const refused = await post('manage', person, { action: 'snooze', duration: '1_month' })
    expect(refused.status).toBe(409)
    expect(refused.body).toContain('Only a subscription can be paused. Please subscribe first.')
    expect(offers(refused)).toEqual(['subscribe'])
  })

  test('is carried out for a disabled project, and for one that is being deleted as long as the contact is there', async () => {
    for (const change of [
      (id: string) =>
        world.ctx.sql`update projects set disabled = true, disabled_reason = 'MANUAL' where id = ${id}::uuid`,
      (id: string) =>
        world.ctx.sql`update projects set closing = 'DELETE', closed_at = now() where id = ${id}::uuid`,
    ]) {
      const person = await makePerson()
      await change(person.project.id)
      expect(headingOf(await decide('unsubscribe', person, { action: 'unsubscribe' }))).toBe(
        'You are unsubscribed',
      )
      expect(await flipsOf(person)).toHaveLength(1)
    }
  })

  test('counts for the message of the link through all forms and pages', async () => {
    const person = await makePerson()
    const page = await show('unsubscribe', person)
    const addresses = [...page.body.matchAll(/(?:action|href)="([^"]*)"/g)].map(match => match[1]!)
    expect(addresses.length).toBe(3)
    for (const address of addresses) expect(address).toEndWith(`?${person.query.replaceAll('&', '&amp;')}`)
  })
})

describe('a language', () => {
  const shown = async (person: Person): Promise<{ code: string; answer: Answer }> => {
    const answer = await show('manage', person)
    return { code: /<html lang="([^"]+)" dir="ltr">/.exec(answer.body)![1]!, answer }
  }

  test.each(Object.keys(locales))('%s is spoken on every page and after every decision', async code => {
    const person = await makePerson({ locale: code })
    const words = locales[code]!
    const seen = (answer: Answer): [string, string] => [
      /<html lang="([^"]+)"/.exec(answer.body)![1]!,
      headingOf(answer),
    ]
    expect(seen(await show('unsubscribe', person))).toEqual([code, words.unsubscribe.title])
    expect(seen(await show('manage', person))).toEqual([code, words.manage.title])
    expect(seen(await show('subscribe', person))).toEqual([code, words.subscribe.doneTitle])
    const paused = await decide('manage', person, { action: 'snooze', duration: '1_month' })
    const day = new Intl.DateTimeFormat(code, { dateStyle: 'long' }).format(new Date('2026-04-01'))
    expect(statusOf(paused)).toBe(words.manage.pausedNote.replace('{date}', day))
    for (const duration of snoozeDurations)
      expect(paused.body).toContain(`>${durationInWords(duration, code)}</option>`)
    expect(seen(await decide('unsubscribe', person, { action: 'unsubscribe' }))).toEqual([
      code,
      words.unsubscribe.doneTitle,
    ])
    expect(seen(await show('subscribe', person))).toEqual([code, words.subscribe.title])
    const invalid = await open('GET', `/manage/${person.id}`, {
      headers: { 'accept-language': `xx;q=0.9, ${code};q=0.8` },
    })
    expect(seen(invalid)).toEqual([code, words.faults.invalidTitle])
  })

  test.each<[unknown, string, string]>([
    ['pt-BR', 'en', 'pt'],
    ['zh', 'en', 'zh-CN'],
    ['fr', 'de', 'fr'],
    [undefined, 'de', 'de'],
    [5, 'de', 'de'],
    ['', 'sv', 'sv'],
    ['tlh', 'cy', 'cy'],
    ['"><script>alert(1)</script>', 'en', 'en'],
    ['__proto__', 'constructor', 'en'],
  ])('asked for as %j in a project of %j is %s', async (locale, language, expected) => {
    const person = await makePerson(locale === undefined ? {} : { locale })
    await world.ctx.sql`update projects set language = ${language} where id = ${person.project.id}::uuid`
    const { code, answer } = await shown(person)
    expect(code).toBe(expected)
    expect(answer.body).not.toContain('<script')
  })
})

test('names, addresses and queries are text, whatever stands in them', async () => {
  const projectName = '</title><script>alert(1)</script>{email} $& evil'
  const person = await makeRecipient(world, app, {}, { projectName, email: "o'hara+{date}&amp@x.test" })
  const evil = encodeURIComponent('"><script>alert(2)</script>')
  for (const page of pages) {
    const { id, query } = person
    for (const path of [
      `${id}?${query}&saved=${evil}&${evil}=1`,
      `${id}?${query.replace(/e=.*/, '')}e=${evil}`,
    ]) {
      const { status, body } = await open('GET', `/${page}/${path}`)
      expect(status).toBe(200)
      expect(body).not.toContain('<script')
      expect(body).not.toContain('alert(2)')
      expect(body).toContain(
        '<bdi>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt;{email} $&amp; evil</bdi>',
      )
      expect(body).toContain('<bdi>o&#39;hara+{date}&amp;amp@x.test</bdi>')
    }
  }
  const answer = await open(
    'POST',
    `/manage/${person.id}?${person.query.replace(/e=.*/, '')}e=${evil}%0d%0aX: y`,
    {
      body: new URLSearchParams({ action: 'unsubscribe' }),
    },
  )
  expect([answer.status, answer.headers.get('x')]).toEqual([303, null])
  expect(answer.headers.get('location')).toMatch(/^\.\.\/manage\/[\w-]+\?t=[\w-]+&saved=1$/)
  expect(await flipsOf(person)).toMatchObject([{ name: 'contact.unsubscribed', emailId: null }])
})

test('a failure of ours is a page in the language of the browser, and an envelope for a mail program', async () => {
  const person = await makePerson()
  const headers = { 'accept-language': 'sv-SE,sv;q=0.9' }
  const { sql } = world.ctx
  await sql`alter table contacts rename column subscribed to hidden`
  try {
    const answers = [
      await open('GET', `/manage/${person.id}?${person.query}`, { headers }),
      await open('POST', `/manage/${person.id}?${person.query}`, {
        headers,
        body: new URLSearchParams({ action: 'unsubscribe' }),
      }),
    ]
    for (const answer of answers) {
      expect([answer.status, headingOf(answer)]).toEqual([500, 'Något gick fel'])
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(answer.headers.get('x-request-id')).toBeString()
    }
    const program = await open('POST', `/unsubscribe/${person.id}?${person.query}`, {
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    })
    expect([program.status, program.body.error.code]).toEqual([500, 'INTERNAL_SERVER_ERROR'])
  } finally {
    await sql`alter table contacts rename column hidden to subscribed`
  }
  expect(headingOf(await show('manage', person))).toBe('Manage your subscription')
  expect(await flipsOf(person)).toEqual([])
})
