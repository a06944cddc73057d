// What reports make of a message: the rank of every status, and the folding of many reports, by table and for any order.
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import type { MailDeltas, ReportedMail } from '../../../src/modules/sending/emails/queries'
import type { EmailStatus } from '../../../src/modules/sending/emails/schema'
import { reduceReports } from '../../../src/modules/sending/feedback/reduce-reports'
import {
  type DeliveryReport,
  laterStatus,
  reportKinds,
  statusOf,
} from '../../../src/modules/sending/feedback/report'
import { because, noReason } from '../../../src/platform/transports/reason'

const made = new Date('2026-03-01T12:00:00.000Z')

function mail(changes: Partial<ReportedMail> = {}): ReportedMail {
  return {
    ...{ id: 'mail', projectId: 'project', contactId: 'contact', sourceType: 'CAMPAIGN', templateId: null },
    ...{
      campaignId: 'campaign',
      toEmail: 'ada@example.com',
      fromEmail: 'hello@acme.example',
      fromName: null,
    },
    ...{ subject: 'Hello', messageId: 'mail@acme.example', createdAt: made, status: 'SENT' },
    ...noReason,
    ...{
      sentAt: made,
      deliveredAt: null,
      openedAt: null,
      clickedAt: null,
      bouncedAt: null,
      complainedAt: null,
    },
    ...{
      softBouncedAt: null,
      opens: 0,
      clicks: 0,
      ownOpens: 0,
      ownClicks: 0,
      providerOpens: 0,
      providerClicks: 0,
    },
    ...{ machineOpens: 0, machineClicks: 0 },
    ...changes,
  }
}

let clock = 0
function report(kind: DeliveryReport['kind'], changes: Partial<DeliveryReport> = {}): DeliveryReport {
  const at = new Date(made.getTime() + ++clock * 1_000)
  return { projectId: 'project', emailId: 'mail', kind, at, source: 'provider', ...changes }
}

const changed = (deltas: MailDeltas): Partial<MailDeltas> =>
  Object.fromEntries(Object.entries(deltas).filter(([, value]) => value !== 0))

describe('the rank of a status', () => {
  const ascending: EmailStatus[] = ['SENT', 'DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED']

  for (const [low, current] of ascending.entries())
    for (const [high, next] of ascending.entries())
      test(`${next} after ${current} is ${ascending[Math.max(low, high)]}`, () => {
        expect(laterStatus(current, next)).toBe(ascending[Math.max(low, high)]!)
      })

  test.each<EmailStatus>(['PENDING', 'SENDING', 'FAILED', 'SKIPPED'])('any outcome supersedes %s', status => {
    for (const next of ascending) expect(laterStatus(status, next)).toBe(next)
  })

  test.each<
    [
      string,
      Pick<DeliveryReport, 'kind' | 'machine' | 'blame' | 'isUnproved' | 'isOptOut'>,
      EmailStatus | undefined,
    ]
  >([
    ['a soft bounce', { kind: 'softBounced' }, 'BOUNCED'],
    ['a refusal of the message', { kind: 'bounced', blame: 'other' }, 'FAILED'],
    ['a complaint that anybody could write', { kind: 'complained', isUnproved: true }, undefined],
    ['a wish to get no more', { kind: 'complained', isOptOut: true }, undefined],
    ['a scanner that opens', { kind: 'opened', machine: true }, undefined],
    ['a scanner that clicks', { kind: 'clicked', machine: true }, undefined],
    ['a person who opens', { kind: 'opened', machine: false }, 'OPENED'],
    ['a delivery', { kind: 'delivered' }, 'DELIVERED'],
    ['a complaint', { kind: 'complained' }, 'COMPLAINED'],
  ])('%s stands for its status', (_, given, status) => {
    expect(statusOf(given)).toBe(status)
  })
})

describe('a report about a message', () => {
  test.each<[EmailStatus, Partial<MailDeltas>]>([
    ['PENDING', { settled: 1, sent: 1, delivered: 1 }],
    ['FAILED', { failed: -1, sent: 1, delivered: 1 }],
    ['SKIPPED', { skipped: -1, sent: 1, delivered: 1 }],
  ])('that was %s proves that it had left', (status, deltas) => {
    const reduced = reduceReports(mail({ status, sentAt: null, ...because('template') }), [
      report('delivered'),
    ])
    expect(reduced.mail).toMatchObject({ status: 'DELIVERED', ...noReason })
    expect(reduced.mail.sentAt).toEqual(reduced.mail.deliveredAt)
    expect(changed(reduced.deltas)).toEqual(deltas)
    expect(reduced.events.map(event => event.name)).toEqual(['email.sent', 'email.delivery'])
  })

  test('that is leaving this moment keeps its status for the one who sends it', () => {
    const sending = mail({ status: 'SENDING', sentAt: null })
    const opened = reduceReports(sending, [report('opened'), report('delivered')])
    expect(opened.mail).toMatchObject({ status: 'SENDING', sentAt: null, deliveredAt: null, opens: 1 })
    expect(opened.events.map(event => event.name)).toEqual(['email.open'])
    expect(opened.early).toMatchObject([{ kind: 'delivered' }])
    expect(changed(opened.deltas)).toEqual({ opened: 1 })
  })

  test('that came in changes nothing', () => {
    const inbound = mail({ sourceType: 'INBOUND', status: 'RECEIVED', sentAt: null })
    const reduced = reduceReports(
      inbound,
      reportKinds.map(kind => report(kind)),
    )
    expect(reduced).toMatchObject({ mail: inbound, events: [], review: false })
  })

  test('by a scanner is counted apart and nothing else', () => {
    const machine = { machine: true }
    const reduced = reduceReports(mail(), [
      ...[report('opened', machine), report('clicked', machine), report('opened', machine)],
    ])
    expect(reduced.mail).toEqual(mail({ machineOpens: 2, machineClicks: 1 }))
    expect(reduced.events).toEqual([])
    expect(changed(reduced.deltas)).toEqual({ machineOpened: 1, machineClicked: 1 })
  })

  test('by us and by the provider counts once: the greater number is shown', () => {
    const own = { source: 'own' } as const
    const reduced = reduceReports(mail(), [
      ...[report('opened', own), report('opened'), report('opened', own), report('opened', own)],
      ...[report('clicked'), report('clicked'), report('clicked', own)],
    ])
    expect(reduced.mail).toMatchObject({ opens: 3, clicks: 2, ownOpens: 3, providerOpens: 1 })
    expect(reduced.events.map(event => event.name)).toEqual(['email.open', 'email.click'])
  })

  test('of a bounce for the message itself leaves the address alone', () => {
    const reduced = reduceReports(mail(), [report('bounced', { blame: 'other', detail: 'spam' })])
    expect(reduced.mail).toMatchObject({
      status: 'FAILED',
      reason: 'refused',
      reasonDetail: { words: 'spam' },
    })
    expect([reduced.stop, reduced.review]).toEqual([undefined, false])
    expect(changed(reduced.deltas)).toEqual({ failed: 1 })
  })

  test('that was given up for a temporary reason is a soft bounce of the message', () => {
    const given = report('softBounced', { failure: 'full', code: '5.2.2', detail: 'full' })
    const reduced = reduceReports(mail(), [given, report('delivered')])
    expect(reduced.mail).toMatchObject({
      ...{ status: 'BOUNCED', bouncedAt: null },
      ...because('full', { words: 'full', code: '5.2.2' }),
    })
    expect(reduced.stop).toBeUndefined()
    expect(reduceReports(reduced.mail, [report('opened')]).mail).toMatchObject({
      status: 'OPENED',
      ...noReason,
    })
  })

  test('by somebody who proves nothing stops mail to the one address, and counts for nothing', () => {
    const reduced = reduceReports(mail(), [report('complained', { isUnproved: true })])
    expect(reduced).toMatchObject({
      stop: { reason: 'complaint', suppress: true },
      events: [],
      review: false,
    })
    expect(changed(reduced.deltas)).toEqual({})
  })

  test('that asks for no more only unsubscribes', () => {
    const reduced = reduceReports(mail(), [report('complained', { isOptOut: true })])
    expect(reduced).toMatchObject({
      stop: { reason: 'complaint', suppress: false },
      events: [],
      review: false,
    })
  })

  test('of a bounce and a complaint together stops for the complaint', () => {
    const reduced = reduceReports(mail(), [report('bounced'), report('complained')])
    expect(reduced.stop).toMatchObject({ reason: 'complaint', suppress: true })
    expect(changed(reduced.deltas)).toEqual({ bounced: 1, complained: 1 })
  })
})

const anyReport = fc.record({
  kind: fc.constantFrom(...reportKinds),
  source: fc.constantFrom<DeliveryReport['source']>('provider', 'own', 'dsn', 'webhook'),
  machine: fc.boolean(),
  seconds: fc.integer({ min: 0, max: 50 }),
})
const anyReports = fc.array(
  anyReport.map(({ seconds, ...rest }) =>
    report(rest.kind, { ...rest, at: new Date(made.getTime() + seconds * 1_000) }),
  ),
  { maxLength: 20 },
)
const anyStatus = fc.constantFrom<EmailStatus>('PENDING', 'SENT', 'DELIVERED', 'FAILED', 'SENDING')

describe('for any reports', () => {
  const start = (status: EmailStatus): ReportedMail =>
    mail({ status, sentAt: status === 'SENT' || status === 'DELIVERED' ? made : null })

  test('each event happens at most once, and agrees with its time and count', () => {
    fc.assert(
      fc.property(anyStatus, anyReports, (status, reports) => {
        const { mail: after, deltas, events } = reduceReports(start(status), reports)
        const names = events.map(event => event.name)
        const softBounces = events.filter(event => event.data['transientBounce']).length
        expect(names.filter(name => name === 'email.open')).toHaveLength(after.openedAt ? 1 : 0)
        expect(names.filter(name => name === 'email.click')).toHaveLength(after.clickedAt ? 1 : 0)
        expect(names.filter(name => name === 'email.delivery')).toHaveLength(after.deliveredAt ? 1 : 0)
        expect(names.filter(name => name === 'email.complaint')).toHaveLength(after.complainedAt ? 1 : 0)
        expect(names.filter(name => name === 'email.bounce').length - softBounces).toBe(
          after.bouncedAt ? 1 : 0,
        )
        for (const what of ['opened', 'clicked', 'delivered', 'bounced', 'complained'] as const)
          expect(deltas[what]).toBe(after[`${what}At`] ? 1 : 0)
      }),
    )
  })

  test('it makes no difference in how many pieces they come, in order of time', () => {
    fc.assert(
      fc.property(anyStatus, anyReports, fc.nat(20), (status, reports, cut) => {
        const inOrder = [...reports].sort((a, b) => a.at.getTime() - b.at.getTime())
        const whole = reduceReports(start(status), inOrder)
        const first = reduceReports(start(status), inOrder.slice(0, cut))
        const second = reduceReports(first.mail, inOrder.slice(cut))
        expect(second.mail).toEqual(whole.mail)
        expect([...first.events, ...second.events]).toEqual(whole.events)
        for (const name of Object.keys(whole.deltas) as (keyof MailDeltas)[])
          expect(first.deltas[name] + second.deltas[name]).toBe(whole.deltas[name])
      }),
    )
  })

  test('status and counters are the same in any order', () => {
    fc.assert(
      fc.property(
        fc.constantFrom<EmailStatus>('PENDING', 'SENT', 'FAILED'),
        anyReports,
        fc.nat(),
        (status, reports, seed) => {
          const shuffled = reports
            .map((one, at) => ({ one, key: (at * 7_919 + seed) % 101 }))
            .sort((a, b) => a.key - b.key)
          const together = reduceReports(start(status), reports).mail
          let apart = start(status)
          for (const { one } of shuffled) apart = reduceReports(apart, [one]).mail
          const counters = ({ status, opens, clicks, machineOpens, machineClicks }: ReportedMail) => ({
            ...{ status, opens, clicks, machineOpens, machineClicks },
          })
          expect(counters(apart)).toEqual(counters(together))
        },
      ),
    )
  })
})
