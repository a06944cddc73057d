// What the audit log's entries say about a change: no ids, no bare names of members, nothing for what was not set.
import { describe, expect, test } from 'bun:test'
import { aboutOf } from '../../../src/dashboard/pages/settings/audit-details'

type Entry = Parameters<typeof aboutOf>[0]

const entry = (action: Entry['action'], details: Entry['details'], subject: string | null = null): Entry => ({
  id: '0190a000-0000-7000-8000-000000000000',
  actor: 'system',
  actorEmail: null,
  createdAt: '2026-11-22T16:00:00.000Z',
  action,
  subject,
  details,
})

describe('an entry of the audit log', () => {
  test.each<[told: string, entry: Entry]>([
    [
      'December letter, 204 recipients',
      entry(
        'campaign.sent',
        { name: 'December letter', totalRecipients: 204, pausedReason: null },
        '0190a000-0000-7000-8000-000000000001',
      ),
    ],
    [
      'wk_b6d84b27, Shop, Send, Read, Sends from a.example, b.example',
      entry(
        'key.created',
        { name: 'Shop', scopes: 'send read', domains: 'a.example b.example', expiresAt: null },
        'wk_b6d84b27',
      ),
    ],
    [
      'ben@fernway.example, Admin, by invitation',
      entry('member.added', { role: 'ADMIN', invited: true }, 'ben@fernway.example'),
    ],
    [
      'API: no limit, Campaigns: 5000',
      entry('billing.limitsChanged', { transactional: null, campaigns: 5000 }),
    ],
    ['1 address, first a@b.example', entry('suppression.added', { count: 1, first: 'a@b.example' })],
    [
      'Open and click tracking: All emails, German · Deutsch',
      entry('project.updated', { tracking: 'ENABLED', language: 'de' }),
    ],
    ['Shop, A payment failed', entry('project.suspended', { reason: 'PAYMENT_FAILED' }, 'Shop')],
    ['a@b.example, Complained', entry('suppression.removed', { reason: 'complaint' }, 'a@b.example')],
    ['something: new', entry('project.updated', { something: 'new' })],
    ['', entry('project.reset', null)],
  ])('says %p', (told, of) => {
    expect(aboutOf(of)).toBe(told)
  })
})
