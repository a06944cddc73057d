// Files and headers of requests, as they leave: types with their parameters, mails as mails, and headers by their own syntax.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { makeWorld, parse, type World } from '../support/world'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(() => world.mail.clear())
afterAll(() => world.close())

const base64 = (text: string): string => Buffer.from(text).toString('base64')

async function leaves(body: Record<string, unknown>): Promise<string> {
  await world.sendOne(body)
  await world.drain()
  return Buffer.from(world.mail.sent[0]!.raw).toString('latin1')
}

describe('a file', () => {
  const calendar =
    'BEGIN:VCALENDAR\r\nMETHOD:REQUEST\r\nBEGIN:VEVENT\r\nUID:1\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'
  const invite = {
    filename: 'invite.ics',
    content: base64(calendar),
    contentType: 'text/calendar; charset=utf-8; method=REQUEST',
  }

  test('that invites is a form of the message, alone and in a batch', async () => {
    await world.sendOne({ attachments: [invite] })
    const message = { from: 'hello@acme.example', to: 'bob@example.com', subject: 'S', body: '<p>x</p>' }
    const batch = await world.call('POST', '/v1/send/batch', {
      body: { messages: [{ ...message, attachments: [invite] }] },
    })
    expect(batch.body.data.results[0].success).toBe(true)
    await world.drain()
    expect(world.mail.sent).toHaveLength(2)
    for (const one of world.mail.sent) {
      const raw = Buffer.from(one.raw).toString('latin1')
      expect(raw).toMatch(
        /multipart\/alternative;[\s\S]*text\/html[\s\S]*\r\nContent-Type: text\/calendar; charset=utf-8; method=REQUEST\r\nContent-Transfer-Encoding: base64\r\n[\s\S]*--=_alternative_\w+--/,
      )
      const { attachments } = await parse(one)
      expect(attachments.map(({ filename, method }) => [filename, method])).toContainEqual([
        'invite.ics',
        'REQUEST',
      ])
    }
  })

  test('that is a mail is attached as one', async () => {
    const mail = 'From: eve@example.org\r\nSubject: Re: lunch\r\n\r\nNo.\r\n'
    const raw = await leaves({
      attachments: [{ filename: 'orig.eml', content: base64(mail), contentType: 'message/rfc822' }],
    })
    expect(raw).toContain('Content-Type: message/rfc822;\r\n name="orig.eml"\r\n')
    expect(raw).toContain(`Content-Transfer-Encoding: 7bit\r\n\r\n${mail}\r\n--=_mixed`)
  })
})

describe('a header', () => {
  const long = Array.from({ length: 20 }, (_, n) => `<thread-number-${n}.0123456789@x.example>`)
  test.each<[string, string, string]>([
    ['List-Id', 'Größe News <news.acme.example>', '=?UTF-8?Q?Gr=C3=B6=C3=9Fe_News?= <news.acme.example>'],
    ['List-Unsubscribe', '<https://x.example/u?k=?>', '<https://x.example/u?k=?>'],
    [
      'List-Unsubscribe',
      `<https://x.example/${'a'.repeat(450)}>,<mailto:${'b'.repeat(450)}@x.example>`,
      `<https://x.example/${'a'.repeat(450)}>, <mailto:${'b'.repeat(450)}@x.example>`,
    ],
    ['In-Reply-To', '<a=?b@x.example>', '<a=?b@x.example>'],
    ['References', long.join(''), long.join(' ')],
    ['Archived-At', '<https://x.example/?a=?>', '<https://x.example/?a=?>'],
    ['Supersedes', '<a=?b@x.example>', '<a=?b@x.example>'],
    [
      'Disposition-Notification-To',
      '"Jörg, Dr." <j@x.example>, k@x.example',
      '=?UTF-8?Q?J=C3=B6rg=2C_Dr=2E?= <j@x.example>, k@x.example',
    ],
    ['Auto-Submitted', 'auto-generated', 'auto-generated'],
    ['Sensitivity', 'Company-Confidential', 'Company-Confidential'],
    ['X-Note', 'Grüße', '=?UTF-8?Q?Gr=C3=BC=C3=9Fe?='],
  ])('%s: %s', async (name, value, expected) => {
    const raw = await leaves({ headers: { [name]: value } })
    const head = raw.slice(0, raw.indexOf('\r\n\r\n') + 2)
    expect(head.replace(/\r\n /g, ' ')).toMatch(new RegExp(`^${name}: ${RegExp.escape(expected)}\\r$`, 'm'))
    const lines = head.split('\r\n')
    expect(
      Math.max(...lines.filter(line => line.includes('=?UTF-8')).map(line => line.length), 0),
    ).toBeLessThan(77)
    expect(Math.max(...lines.map(line => line.length))).toBeLessThan(999)
  })

  test('of encoded words has lines of 76 characters, however long its name is', async () => {
    const raw = await leaves({ headers: { [`X-${'Very-Long-'.repeat(7)}Name`]: 'é'.repeat(200) } })
    for (const line of raw.split('\r\n').filter(line => line.includes('=?UTF-8')))
      expect(line.length).toBeLessThan(77)
  })

  test.each([
    ['List-Id', 'News'],
    ['List-Unsubscribe', 'https://x.example/größe'],
    ['In-Reply-To', '<größe@x.example>'],
    ['References', 'a b'],
    ['Archived-At', 'x'],
    ['Errors-To', 'nobody'],
  ])('with a syntax of its own is refused where it has another: %s: %s', async (name, value) => {
    const { status, body } = await world.send({ to: 'ada@example.com', headers: { [name]: value } })
    expect([status, body.error.errors]).toEqual([
      422,
      [{ field: `headers.${name}`, message: expect.stringContaining('must be'), code: 'invalid_string' }],
    ])
  })
})

test('HTML of a picture alone has a text that says what it is about: what is stored is what is sent', async () => {
  const picture = '<p><img src="https://acme.example/a.png"></p>'
  const id = await world.sendOne({ subject: 'Spring', body: picture, text: ' ' })
  await world.drain()
  const [sent] = world.mail.sent
  expect((await parse(sent!)).text?.trim()).toBe('Spring')
  expect((await world.call('GET', `/emails/${id}`)).body).toMatchObject({ text: 'Spring' })
})
