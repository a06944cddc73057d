import { describe, expect, test } from 'bun:test'
import { appendFooter, appendFooterText } from '../../../src/lib/html-end'
import { hasFooter, mailClassOf, sourceTypeOf } from '../../../src/modules/sending/emails/footer'
import {
  type HeaderInput,
  hasOptOutLink,
  mailHeaders,
  withEmailId,
} from '../../../src/modules/sending/emails/headers'
import { type ListedEmail, listHeaders } from '../../../src/modules/sending/emails/list-headers'
import { expectLinear } from '../../support/cost'

const contactId = '0190aaaa-0000-7000-8000-000000000001'
const other = '0190aaaa-0000-7000-8000-000000000002'
const unsubscribeUrl = `https://mail.example.com/unsubscribe/${contactId}?t=abc&e=m1`
const pair = {
  'List-Unsubscribe': `<${unsubscribeUrl}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
}
const bulk = { Precedence: 'bulk', 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' }
const linked = `<a href="${unsubscribeUrl}">Leave</a>`

type Row = [name: string, email: Partial<HeaderInput['email']>, expected: Record<string, string>]
const rows: Row[] = [
  ['marketing mail has the pair and the bulk marks', { mailClass: 'marketing' }, { ...pair, ...bulk }],
  [
    'marketing mail without a contact has the bulk marks only',
    { mailClass: 'marketing', contactId: null },
    bulk,
  ],
  ['a transactional mail has none', {}, {}],
  ['a headless mail has none', { mailClass: 'headless' }, {}],
  ['a transactional campaign has the bulk marks only', { campaignId: 'c' }, bulk],
  ['a headless campaign has the bulk marks only', { mailClass: 'headless', campaignId: 'c' }, bulk],
  ['an unsubscribe link in the body adds the pair, no bulk marks', { html: linked }, pair],
  [
    'a manage link does too',
    { mailClass: 'headless', html: `<a href="https://x/manage/${contactId}">m</a>` },
    pair,
  ],
  ["another contact's link does not count", { html: linked.replaceAll(contactId, other) }, {}],
  ['a longer id does not count', { html: `https://x/unsubscribe/${contactId}0` }, {}],
  [
    'an own header replaces the default, whatever its case',
    { mailClass: 'marketing', headers: { precedence: 'list' } },
    { ...pair, 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', precedence: 'list' },
  ],
  [
    'an own List-Unsubscribe drops the default pair',
    { mailClass: 'marketing', headers: { 'list-unsubscribe': '<mailto:x@y.z>' } },
    { ...bulk, 'list-unsubscribe': '<mailto:x@y.z>' },
  ],
  [
    'an own List-Unsubscribe-Post drops the default pair',
    { mailClass: 'marketing', headers: { 'LIST-UNSUBSCRIBE-POST': 'x' } },
    { ...bulk, 'LIST-UNSUBSCRIBE-POST': 'x' },
  ],
  [
    'both own headers stay as they are',
    { html: linked, headers: { 'List-Unsubscribe': 'a', 'List-Unsubscribe-Post': 'b' } },
    { 'List-Unsubscribe': 'a', 'List-Unsubscribe-Post': 'b' },
  ],
  ['other own headers are added', { headers: { 'X-Entity-Ref-ID': '7' } }, { 'X-Entity-Ref-ID': '7' }],
  ['names that differ in case are one header', { headers: { 'X-A': '1', 'x-a': '2' } }, { 'x-a': '2' }],
]

describe('headers by class', () => {
  test.each(rows)('%s', (_name, email, expected) => {
    const base = {
      mailClass: 'transactional' as const,
      campaignId: null,
      contactId,
      html: '<p>Hi</p>',
      headers: {},
    }
    expect(mailHeaders({ email: { ...base, ...email }, links: { unsubscribeUrl } })).toEqual(expected)
  })

  test('the message is attributed with ? or &, percent-encoded, and the link is still recognised', () => {
    expect(withEmailId(`https://x/manage/${contactId}`, 'a/b')).toBe(`https://x/manage/${contactId}?e=a%2Fb`)
    const link = withEmailId(`https://x/manage/${contactId}?t=1`, 'a b')
    expect(link).toBe(`https://x/manage/${contactId}?t=1&e=a%20b`)
    expect(hasOptOutLink(link, contactId)).toBe(true)
  })
})

describe('the list that a message belongs to', () => {
  const [project, campaign, topic, template] = ['7', '8', '9', 'a'].map(
    digit => `0190aaaa-0000-7000-8000-00000000000${digit}`,
  ) as [string, string, string, string]
  const base: ListedEmail = {
    projectId: project,
    sourceType: 'CAMPAIGN',
    campaignId: campaign,
    templateId: null,
    topicId: null,
  }
  const workflow: Partial<ListedEmail> = { sourceType: 'WORKFLOW', campaignId: null, templateId: template }
  const sender = 'ee15a0b49ea5'
  test.each<[string, Partial<ListedEmail>, string, Record<string, string>]>([
    [
      'of a campaign is its project',
      {},
      'mail.acme.example',
      {
        'List-Id': `<${project}.mail.acme.example>`,
        'Feedback-ID': `${campaign}:${project}:campaign:${sender}`,
      },
    ],
    [
      'of a campaign about a topic is that topic',
      { sourceType: 'TRANSACTIONAL', topicId: topic },
      'mail.acme.example',
      {
        'List-Id': `<${topic}.${project}.mail.acme.example>`,
        'Feedback-ID': `${campaign}:${project}:campaign:${sender}`,
      },
    ],
    [
      'of a workflow names its template',
      workflow,
      'mail.acme.example',
      {
        'List-Id': `<${project}.mail.acme.example>`,
        'Feedback-ID': `${template}:${project}:workflow:${sender}`,
      },
    ],
    [
      'of what was asked for one by one is none',
      { ...workflow, sourceType: 'TRANSACTIONAL' },
      'x.example',
      {},
    ],
  ])('%s', (_, email, host, expected) => expect(listHeaders({ ...base, ...email }, host)).toEqual(expected))

  test.each(['127.0.0.1', '[::1]', 'localhost'])('is below localhost where the host is %s', host => {
    expect(listHeaders(base, host)['List-Id']).toBe(`<${project}.localhost>`)
  })

  test('is the default, and an own header replaces it', () => {
    const list = listHeaders(base, 'mail.acme.example')
    const email = { mailClass: 'headless' as const, campaignId: campaign, contactId, html: '' }
    const made = mailHeaders({
      email: { ...email, headers: { 'list-id': '<own>' } },
      links: { unsubscribeUrl },
      list,
    })
    expect(made).toMatchObject({ 'list-id': '<own>', 'Feedback-ID': list['Feedback-ID']! })
    expect(made['List-Id']).toBeUndefined()
  })
})

describe('the class of a message', () => {
  test.each([
    ['send', 'MARKETING', 'TRANSACTIONAL', 'transactional'],
    ['send', 'TRANSACTIONAL', 'TRANSACTIONAL', 'transactional'],
    ['send', 'HEADLESS', 'TRANSACTIONAL', 'headless'],
    ['campaign', 'MARKETING', 'CAMPAIGN', 'marketing'],
    ['campaign', 'TRANSACTIONAL', 'TRANSACTIONAL', 'transactional'],
    ['campaign', 'HEADLESS', 'CAMPAIGN', 'headless'],
    ['workflow', 'MARKETING', 'WORKFLOW', 'marketing'],
    ['workflow', 'TRANSACTIONAL', 'TRANSACTIONAL', 'transactional'],
    ['workflow', 'HEADLESS', 'WORKFLOW', 'headless'],
  ] as const)('a %s with %s content is %s, class %s', (origin, type, source, mailClass) => {
    expect(sourceTypeOf(origin, type)).toBe(source)
    expect(mailClassOf(type, source)).toBe(mailClass)
    expect(hasFooter(mailClass)).toBe(mailClass === 'marketing')
  })

  test('content without a type is transactional in a send', () =>
    expect(mailClassOf(null, 'TRANSACTIONAL')).toBe('transactional'))
})

describe('the footer', () => {
  test.each([
    ['before the end of the body', '<body>a</body></html>', '<body>aF</body></html>'],
    ['before the last end, in any case', 'a</body>b</BODY >c', 'a</body>bF</BODY >c'],
    ['at the end without a body', '<p>a</p>', '<p>a</p>F'],
    ['beside letters that change length in lower case', 'İİ</body>', 'İİF</body>'],
  ])('goes %s', (_name, html, expected) => expect(appendFooter(html, 'F')).toBe(expected))

  test('of the text stands an empty line below it', () => {
    expect(appendFooterText('a', 'F')).toBe('a\n\nF')
    expect(appendFooterText('', 'F')).toBe('F')
  })

  test('is placed in linear time', () => {
    expectLinear(times => appendFooter('</body '.repeat(times), 'F'), 100_000)
    expectLinear(times => appendFooter(`</body${' '.repeat(times)}`, 'F'), 1_000_000)
  })
})
