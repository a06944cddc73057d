// What a send request must be beyond its schema: one row a rule.
import { describe, expect, test } from 'bun:test'
import type { FieldError } from '../../../src/lib/errors'
import type { SendBody } from '../../../src/modules/api/v1/model/bodies'
import { parseSend, type SendRequest } from '../../../src/modules/api/v1/model/send'

const plain: SendBody = { to: 'ada@example.com', subject: 'Hi', body: '<p>Hi</p>' }
const file = { filename: 'a.txt', content: 'aGVsbG8=', contentType: 'text/plain' }
const template = '018f4f3e-0000-7000-8000-000000000000'

function parse(changes: Partial<SendBody>, attachmentBytes = 1_000): SendRequest | FieldError[] {
  return parseSend({ ...plain, ...changes }, { attachmentBytes })
}

/** `field code` of every fault; empty for a request that is fine. */
function faults(changes: Partial<SendBody>): string[] {
  const result = parse(changes)
  return Array.isArray(result) ? result.map(fault => `${fault.field} ${fault.code}`) : []
}

function parsed(changes: Partial<SendBody>): SendRequest {
  const result = parse(changes)
  if (Array.isArray(result)) throw new Error(JSON.stringify(result))
  return result
}

const files = (...changes: Array<Partial<NonNullable<SendBody['attachments']>[number]>>) => ({
  attachments: changes.map(change => ({ ...file, ...change })),
})

const rows: Array<[string, Partial<SendBody>, string[]]> = [
  ['a plain request is fine', {}, []],
  ['an address without @ is refused', { to: 'ada' }, ['to invalid_string']],
  ['an address with a line break is refused', { to: 'a@example.com\r\nBcc: b@c.de' }, ['to invalid_string']],
  ['two addresses in one string are refused', { to: 'a@b.co, c@d.co' }, ['to invalid_string']],
  [
    'a name without an address behind it is no address',
    { to: 'Ada <ada@example.com> x' },
    ['to invalid_string'],
  ],
  ['an address in brackets needs none', { to: 'Ada <ada@example.com>' }, []],
  ['a bad address in an object is named', { to: { email: 'ada' } }, ['to.email invalid_string']],
  ['a bad address in an array is named', { to: ['a@b.co', 'x'] }, ['to.1 invalid_string']],
  ['so is one in an object there', { to: [{ email: 'x' }, 'a@b.co'] }, ['to.0.email invalid_string']],
  ['all bad addresses are told', { to: ['x', 'y'] }, ['to.0 invalid_string', 'to.1 invalid_string']],
  [
    "a line break in a recipient's name is refused",
    { to: { email: 'a@b.co', name: 'A\nB' } },
    ['to.name invalid_string'],
  ],
  ['also in an array', { to: [{ email: 'a@b.co', name: 'A\rB' }] }, ['to.0.name invalid_string']],
  ['a bad sender is named', { from: 'x' }, ['from invalid_string']],
  ['also as an object', { from: { email: 'x' } }, ['from.email invalid_string']],
  [
    "a line break in the sender's name is refused",
    { from: { email: 'a@b.co', name: 'A\r\nB' } },
    ['from.name invalid_string'],
  ],
  ['also in the deprecated name', { name: 'A\nB' }, ['name invalid_string']],
  ['a line break in the subject is refused', { subject: 'A\nB' }, ['subject invalid_string']],
  ['a bad reply address is refused', { reply: 'a@b.co\nBcc: c@d.co' }, ['reply invalid_string']],
  ['a template that is no UUID is refused', { template: 'welcome' }, ['template invalid_string']],
  ['a subject alone is not enough', { body: undefined }, ['template custom', 'body required']],
  ['a body alone is not enough', { subject: undefined }, ['template custom', 'subject required']],
  ['a template alone is enough', { subject: undefined, body: undefined, template }, []],
  ['a template with a subject is fine', { body: undefined, template }, []],
  ['any other header is fine', { headers: { 'X-Ref': '1', 'List-Unsubscribe': '<mailto:x@y.z>' } }, []],
  ['a line feed in a header is refused', { headers: { 'X-Ref': 'a\nb' } }, ['headers.X-Ref invalid_string']],
  ['so is a carriage return', { headers: { 'X-Ref': 'a\rb' } }, ['headers.X-Ref invalid_string']],
  ['a colon ends a name, so none may hold one', { headers: { 'X:Y': '1' } }, ['headers.X:Y invalid_string']],
  ['nor a blank', { headers: { 'X Y': '1' } }, ['headers.X Y invalid_string']],
  ['nor a line break', { headers: { 'X\nY': '1' } }, ['headers.X\nY invalid_string']],
  ['nor other characters than ASCII', { headers: { 'X-Über': '1' } }, ['headers.X-Über invalid_string']],
  ['an empty name is refused', { headers: { '': '1' } }, ['headers. invalid_string']],
  [
    'at most 100 headers',
    { headers: Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`X-${n}`, '1'])) },
    ['headers too_big'],
  ],
  ['a file is fine', files({}), []],
  ['an inline file with its id is fine', files({ disposition: 'inline', contentId: 'logo' }), []],
  ['a charset is fine', files({ contentType: 'text/plain; charset=utf-8' }), []],
  [
    'a quote in a file name is refused',
    files({ filename: 'a".txt' }),
    ['attachments.0.filename invalid_string'],
  ],
  ['so is a line break', files({ filename: 'a\n.txt' }), ['attachments.0.filename invalid_string']],
  ['the place of the file is told', files({}, { filename: '"' }), ['attachments.1.filename invalid_string']],
  ['an inline file needs an id', files({}, { disposition: 'inline' }), ['attachments.1.contentId custom']],
  ['an id has no angle brackets', files({ contentId: '<a>' }), ['attachments.0.contentId invalid_string']],
  ['nor line breaks', files({ contentId: 'a\r\nb' }), ['attachments.0.contentId invalid_string']],
  [
    'nor spaces, of an inline file',
    files({ disposition: 'inline', contentId: 'a b' }),
    ['attachments.0.contentId invalid_string'],
  ],
  [
    'and is ASCII there',
    files({ disposition: 'inline', contentId: 'größe' }),
    ['attachments.0.contentId invalid_string'],
  ],
  ['a type is a MIME type', files({ contentType: 'text' }), ['attachments.0.contentType invalid_string']],
  [
    'without line breaks',
    files({ contentType: 'text/plain\r\nX: y' }),
    ['attachments.0.contentType invalid_string'],
  ],
  [
    'also not in its parameters',
    files({ contentType: 'text/plain; a=b\r\nX: y' }),
    ['attachments.0.contentType invalid_string'],
  ],
  ['content is Base64', files({ content: 'hello, world' }), ['attachments.0.content invalid_string']],
  ['all of it', files({ content: 'aGVsbG8' }), ['attachments.0.content invalid_string']],
  ['with padding at the end only', files({ content: 'aG==aGVs' }), ['attachments.0.content invalid_string']],
  ['padding alone is nothing', files({ content: '====' }), ['attachments.0.content invalid_string']],
  ['white space alone is nothing', files({ content: ' \n ' }), ['attachments.0.content invalid_string']],
  [
    'the alphabet for URLs is another one',
    files({ content: 'a-_=' }),
    ['attachments.0.content invalid_string'],
  ],
]

describe('a send request', () => {
  for (const [name, changes, expected] of rows)
    test(name, () => {
      expect(faults(changes)).toEqual(expected)
    })

  const written = [
    ...['From', 'To', 'Cc', 'Bcc', 'Sender', 'Subject', 'Date', 'Message-ID', 'Reply-To', 'Return-Path'],
    ...['DKIM-Signature', 'MIME-Version', 'Content-Type', 'content-transfer-encoding', 'CONTENT-ID', 'bCC'],
  ]
  for (const name of written)
    test(`may not name the header ${name}, which the service writes`, () => {
      expect(faults({ headers: { [name]: 'x' } })).toEqual([`headers.${name} invalid_string`])
    })

  test.each([
    ['Reply-To', 'reply'],
    ['from', 'from'],
    ['CC', 'cc'],
    ['Subject', 'subject'],
  ])('hears which member says what the header %s would', (name, member) => {
    const read = parse({ headers: { [name]: 'x' } })
    expect(read).toMatchObject([{ message: `Waxwing writes this header: use "${member}"` }])
  })

  test.each([
    ...['X-SMTPAPI', 'x-msys-api', 'X-MC-BccAddress', 'X-SES-CONFIGURATION-SET', 'X-Mailgun-Tag', 'X-PM-Tag'],
    ...['Resent-To', 'Resent-Bcc', 'Received', 'ARC-Seal', 'Authentication-Results', 'Apparently-To'],
  ])('may not name headers by which relays are steered, or that tell its way: %s', name => {
    expect(faults({ headers: { [name]: 'x' } })).toEqual([`headers.${name} invalid_string`])
  })

  test.each([
    [
      'Errors-To',
      ['x', 'a@x.example; b@x.example', 'a@x.example,', 'Team: a@x.example;', '"a@x.example', ''],
    ],
    ['Disposition-Notification-To', ['Ada a@x.example', 'a@x.example, Ada <b>']],
    ['return-receipt-to', ['yes']],
  ])('%s holds addresses, and nothing else', (name, wrong) => {
    for (const value of wrong)
      expect([value, faults({ headers: { [name]: value } })]).toEqual([
        value,
        [`headers.${name} invalid_string`],
      ])
    const right = ['a@x.example', 'Ada <a@x.example>, "Kock, Arne" <b@münchen.example>']
    for (const value of right) expect([value, faults({ headers: { [name]: value } })]).toEqual([value, []])
  })

  test('tells all its faults at once', () => {
    expect(
      faults({ to: 'x', from: 'y', reply: 'z', subject: 'a\nb', template: 'q', ...files({ content: '!' }) }),
    ).toEqual([
      'to invalid_string',
      'from invalid_string',
      'subject invalid_string',
      'reply invalid_string',
      'attachments.0.content invalid_string',
      'template invalid_string',
    ])
  })
})

describe('the normal form', () => {
  test('recipients become a list of lower-case addresses in the order given, duplicates kept', () => {
    const one = parsed({ to: ' Ada@Example.COM ' })
    expect(one.to).toEqual([{ email: 'ada@example.com', name: null }])
    const { to } = parsed({
      to: ['b@b.co', { email: 'A@a.co', name: 'A' }, 'b@b.co', { email: 'c@c.co', name: '' }],
    })
    expect(to).toEqual([
      { email: 'b@b.co', name: null },
      { email: 'a@a.co', name: 'A' },
      { email: 'b@b.co', name: null },
      { email: 'c@c.co', name: null },
    ])
  })

  test('what is missing is null or empty', () => {
    const request = parsed({})
    expect([request.from, request.fallbackName, request.template, request.replyTo]).toEqual([
      null,
      null,
      null,
      null,
    ])
    expect([request.data, request.headers, request.attachments]).toEqual([{}, {}, []])
    expect(request.subscribed).toBeUndefined()
    expect(parsed({ data: null }).data).toEqual({})
  })

  test('of two headers that differ in case only the last one counts', () => {
    expect(parsed({ headers: { 'x-ref': '1', 'X-Ref': '2', 'X-Other': '3' } }).headers).toEqual({
      'X-Ref': '2',
      'X-Other': '3',
    })
  })

  test('attachments know their size, lose white space, and are attached unless they say otherwise', () => {
    const { attachments } = parsed(
      files({ content: 'aGVs\r\nbG8=' }, { content: 'aGk=' }, { content: 'aGk/', contentId: 'x' }),
    )
    expect(
      attachments.map(({ content, size, disposition, contentId }) => [content, size, disposition, contentId]),
    ).toEqual([
      ['aGVsbG8=', 5, 'attachment', null],
      ['aGk=', 2, 'attachment', null],
      ['aGk/', 3, 'attachment', 'x'],
    ])
  })

  test('attachments are bounded together, by their decoded size', () => {
    const half = Buffer.alloc(500).toString('base64')
    expect(Array.isArray(parse(files({ content: half }, { content: half }), 1_000))).toBe(false)
    expect(parse(files({ content: half }, { content: half }), 999)).toMatchObject([
      { field: 'attachments', code: 'too_big' },
    ])
  })
})
