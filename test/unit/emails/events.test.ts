// Which events a settled message gives rise to, and what they carry.
import { describe, expect, test } from 'bun:test'
import type { DueEmail } from '../../../src/modules/sending/emails/due-email'
import { deliveryEvents } from '../../../src/modules/sending/emails/events'
import { type DeliveryOutcome, putBack } from '../../../src/platform/transports/outcome'
import { because } from '../../../src/platform/transports/reason'

const at = new Date('2026-03-01T12:00:00.000Z')
const email: DueEmail = {
  id: 'e1',
  projectId: 'p1',
  contactId: 'c1',
  sourceType: 'TRANSACTIONAL',
  mailClass: 'transactional',
  templateId: 't1',
  campaignId: null,
  toEmail: 'ada@example.com',
  toName: null,
  fromEmail: 'hello@acme.example',
  fromName: 'Acme',
  replyTo: null,
  subject: 'Hi',
  html: '<p>Hi</p>',
  text: 'Hi',
  headers: {},
  attachmentSet: null,
  messageId: 'e1@acme.example',
  attempts: 1,
  createdAt: at,
  tracked: false,
}
const facts = {
  subject: 'Hi',
  from: 'hello@acme.example',
  fromName: 'Acme',
  messageId: '<e1@acme.example>',
  emailId: 'e1',
  templateId: 't1',
  campaignId: null,
  sourceType: 'TRANSACTIONAL',
}
const iso = at.toISOString()

function eventsOf(changes: Partial<DeliveryOutcome>) {
  return deliveryEvents([{ email, outcome: { ...putBack, ...changes }, tries: [] }], at)
}

describe('a settled message', () => {
  const rows: Array<[string, Partial<DeliveryOutcome>, Array<[string, object]>]> = [
    ['that waits for another try emits nothing', { nextAttemptAt: at }, []],
    [
      'that was refused says why, with the code and the words',
      { status: 'FAILED', ...because('refused', { words: '554 5.7.1 spam', code: '5.7.1' }) },
      [['email.failed', { reason: 'refused', code: '5.7.1', response: '554 5.7.1 spam', failedAt: iso }]],
    ],
    [
      'that was withheld says why',
      { status: 'SKIPPED', ...because('contactDeleted') },
      [
        [
          'email.failed',
          { reason: 'contactDeleted', code: null, response: 'contact was deleted', failedAt: iso },
        ],
      ],
    ],
    ['that was sent says so', { sentAt: at }, [['email.sent', { sentAt: iso }]]],
    [
      'that arrived says both, in this order',
      { sentAt: at, deliveredAt: at },
      [
        ['email.sent', { sentAt: iso }],
        ['email.delivery', { deliveredAt: iso }],
      ],
    ],
    [
      'that bounced for good says so',
      { status: 'BOUNCED', bouncedAt: at, ...because('dead', { words: 'x', code: '5.1.1' }) },
      [
        [
          'email.bounce',
          { bounceType: 'Permanent', bouncedAt: iso, reason: 'dead', code: '5.1.1', response: 'x' },
        ],
      ],
    ],
    [
      'that was given up is one soft bounce',
      { status: 'BOUNCED', gaveUp: true, ...because('transport', { words: 'x' }) },
      [
        [
          'email.bounce',
          { bounceType: 'Transient', transientBounce: true, reason: 'expired', code: null, response: 'x' },
        ],
      ],
    ],
  ]
  for (const [name, changes, expected] of rows)
    test(name, () => {
      expect(eventsOf(changes)).toEqual(
        expected.map(([event, data]) => ({
          projectId: 'p1',
          contactId: 'c1',
          emailId: 'e1',
          hops: null,
          name: event as 'email.sent',
          data: { ...facts, ...data },
        })),
      )
    })
})
