// What the events of providers mean, in the shapes that they document: a complaint, a wish to get no more, a block, a policy.
import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RelayReport, relays } from '../../../src/modules/sending/feedback/relays'
import { type RelayName, relayNames } from '../../../src/platform/transports/relay-tags'

type Facts = Partial<Pick<RelayReport, 'kind' | 'blame' | 'failure' | 'code' | 'isOptOut'>>

const complaint: Facts = { kind: 'complained' }
const optOut: Facts = { kind: 'complained', isOptOut: true }
const blocked: Facts = { kind: 'bounced', blame: 'other' }
const refused: Facts = { ...blocked, failure: 'refused', code: '5.7.1' }
const dead: Facts = { kind: 'bounced', blame: 'address', failure: 'dead', code: '5.1.1' }
const [policy, gone] = ['550 5.7.1 blocked using zen.spamhaus.org', '550 5.1.1 no such user']

const postmark = (event: object) => ({ RecordType: 'Bounce', Email: 'ada@example.com', ...event })
const mailjet = (event: object) => ({ email: 'ada@example.com', time: 1_772_366_370, CustomID: '', ...event })
const brevo = (event: object) => ({ email: 'ada@example.com', ts_epoch: 1_772_366_370_907, ...event })
const resend = (type: string, data: object = {}) => ({
  type,
  created_at: '2026-03-01T11:59:30.000Z',
  data: { email_id: '56761188-7520-42d8-8898-ff6fc54ce618', to: ['ada@example.com'], ...data },
})
const bounce = (words: string) => ({
  bounce: { type: 'Permanent', subType: 'General', message: 'It bounced.', diagnosticCode: [words] },
})

const rows: Array<[relay: RelayName, what: string, event: object, means: Facts | undefined]> = [
  ['brevo', 'spam', brevo({ event: 'spam' }), complaint],
  ['brevo', 'an unsubscription', brevo({ event: 'unsubscribed' }), optOut],
  ['brevo', 'its own list', brevo({ event: 'blocked', reason: 'blocked : due to blacklist user' }), blocked],
  ['brevo', 'a policy', brevo({ event: 'hard_bounce', reason: policy }), refused],
  ['brevo', 'a dead address', brevo({ event: 'blocked', reason: gone }), dead],
  ['brevo', 'a delay', brevo({ event: 'deferred', reason: '451 later' }), undefined],
  ['mailjet', 'spam', mailjet({ event: 'spam', source: 'JMRPP' }), complaint],
  ['mailjet', 'an unsubscription', mailjet({ event: 'unsub', mj_list_id: 1, ip: '203.0.113.5' }), optOut],
  [
    'mailjet',
    'its own list',
    mailjet({ event: 'blocked', error_related_to: 'mailjet', error: 'preblocked' }),
    blocked,
  ],
  [
    'mailjet',
    'spam content',
    mailjet({ event: 'blocked', error_related_to: 'content', error: 'content blocked' }),
    blocked,
  ],
  [
    'mailjet',
    'a policy',
    mailjet({
      event: 'bounce',
      hard_bounce: true,
      error_related_to: 'recipient',
      error: 'user unknown',
      comment: policy,
    }),
    refused,
  ],
  [
    'mailjet',
    'a dead address',
    mailjet({ event: 'bounce', hard_bounce: true, error: 'user unknown', comment: gone }),
    dead,
  ],
  [
    'postmark',
    'spam',
    { RecordType: 'SpamComplaint', Type: 'SpamComplaint', TypeCode: 512, Email: 'ada@example.com' },
    complaint,
  ],
  [
    'postmark',
    'an unsubscription',
    {
      RecordType: 'SubscriptionChange',
      Recipient: 'ada@example.com',
      Origin: 'Recipient',
      SuppressSending: true,
      SuppressionReason: 'ManualSuppression',
    },
    optOut,
  ],
  ['postmark', 'a request to be removed', postmark({ Type: 'Unsubscribe', TypeCode: 16 }), optOut],
  [
    'postmark',
    'a subscription that came back',
    {
      RecordType: 'SubscriptionChange',
      Recipient: 'ada@example.com',
      SuppressSending: false,
      SuppressionReason: null,
    },
    undefined,
  ],
  [
    'postmark',
    'a block',
    postmark({ Type: 'Blocked', TypeCode: 100006, Details: `smtp;${policy}` }),
    refused,
  ],
  [
    'postmark',
    'a policy called hard',
    postmark({ Type: 'HardBounce', TypeCode: 1, Details: `smtp;${policy}` }),
    refused,
  ],
  [
    'postmark',
    'a dead address',
    postmark({ Type: 'HardBounce', TypeCode: 1, Details: `smtp;${gone}` }),
    dead,
  ],
  ['postmark', 'DMARC', postmark({ Type: 'DMARCPolicy', TypeCode: 100009, Details: '' }), blocked],
  ['postmark', 'an answer of a person', postmark({ Type: 'AutoResponder', TypeCode: 32 }), undefined],
  ['resend', 'spam', resend('email.complained'), complaint],
  ['resend', 'its own list', resend('email.suppressed'), blocked],
  ['resend', 'a policy', resend('email.bounced', bounce(`smtp; ${policy}`)), refused],
  ['resend', 'a dead address', resend('email.bounced', bounce(`smtp; ${gone}`)), dead],
  ['resend', 'a delay', resend('email.delivery_delayed'), undefined],
  ['mailgun', 'an unsubscription', { event: 'unsubscribed', recipient: 'ada@example.com' }, optOut],
  [
    'sendgrid',
    'an unsubscription',
    { event: 'group_unsubscribe', email: 'ada@example.com', asm_group_id: 10 },
    optOut,
  ],
  [
    'sendgrid',
    'a block',
    { event: 'bounce', type: 'blocked', reason: policy, email: 'ada@example.com' },
    refused,
  ],
  [
    'sendgrid',
    'a dead address called a block',
    { event: 'bounce', type: 'blocked', reason: gone, email: 'ada@example.com' },
    dead,
  ],
]

const members = ['kind', 'blame', 'failure', 'code', 'isOptOut'] as const

test.each(rows.map(([relay, what, event, means]) => ({ relay, what, event, means })))(
  '$relay tells of $what',
  ({ relay, event, means }) => {
    const report = relays[relay].report(event)
    const facts =
      report && Object.fromEntries(members.flatMap(name => (report[name] ? [[name, report[name]]] : [])))
    expect(facts).toEqual(means)
    if (report) expect(report.recipients).toEqual(['ada@example.com'])
  },
)

test('each provider has a row', () => {
  const named = new Set(rows.map(([relay]) => relay))
  expect(relayNames.filter(relay => !named.has(relay))).toEqual([])
})

test('each provider is in the tables of the documents', () => {
  const page = (name: string): string => readFileSync(join(import.meta.dir, '../../../docs', name), 'utf8')
  const rowsOf = (name: string): string[] =>
    page(name)
      .split('\n')
      .filter(line => line.startsWith('| '))
  const providers = rowsOf('feedback.md')
    .find(row => row.includes('as relay | `/webhooks/`'))!
    .toLowerCase()
  for (const relay of relayNames) {
    expect(providers).toContain(relay)
    expect(rowsOf('feedback.md').filter(row => row.includes(`/webhooks/${relay}`))).toHaveLength(1)
    expect(page('comparison.md').toLowerCase()).toContain(relay)
  }
})
