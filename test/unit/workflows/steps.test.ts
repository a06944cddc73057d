// What each type of step may be configured with, and which field a fault names.
import { describe, expect, test } from 'bun:test'
import { configFaults, readStepConfig } from '../../../src/modules/features/workflows/definition/steps'
import { nextRun, readTrigger } from '../../../src/modules/features/workflows/definition/trigger'
import { assessCallAttempt } from '../../../src/modules/features/workflows/definition/webhook-request'
import type { StepType, Values } from '../../../src/modules/features/workflows/words'

const uuid = '01890000-0000-7000-8000-000000000000'
const tree = {
  logic: 'OR',
  groups: [{ filters: [{ field: 'contact.email', operator: 'contains', value: 'x' }] }],
}

/** No text and no number can be made of it. */
const odd = { toString: 0, valueOf: 0 }

const good: Array<[StepType, Values]> = [
  ['SEND_EMAIL', { templateId: uuid }],
  ['SEND_EMAIL', { recipient: { type: 'CONTACT' } }],
  ['SEND_EMAIL', { recipient: { type: 'CUSTOM', customEmail: 'Boss@Example.com' } }],
  ['DELAY', { amount: 0.5, unit: 'minutes' }],
  ['DELAY', { amount: 365, unit: 'days' }],
  ['WAIT_FOR_EVENT', { eventName: 'email.open', timeout: 31_536_000 }],
  ['CONDITION', { field: 'data.a b.c', operator: 'exists' }],
  ['CONDITION', tree],
  ['CONDITION', { filter: tree }],
  ['CONDITION', { condition: tree }],
  [
    'CONDITION',
    { mode: 'multi', field: 'event.x', branches: [{ id: 'a', name: 'A', operator: 'equals', value: null }] },
  ],
  ['CONDITION', { field: 'data.x', branches: [{ id: 'a', name: 'A', operator: 'exists' }] }],
  ['WEBHOOK', { url: 'https://a.test/', body: { pattern: '\\u0000 and \\ud83d', path: 'C:\\udata' } }],
  ['WEBHOOK', { url: 'https://{{sub}}.a.test:{{port}}/{{x}}' }],
  ['WEBHOOK', { url: 'https://[2606:4700::1111]:8443/' }],
  ['WEBHOOK', { url: 'https://bücher.test?x={{y}}' }],
  [
    'WEBHOOK',
    { url: 'https://a.test/{{x}}', method: 'DELETE', headers: { 'X-A': '{{b}}' }, body: ['{{c}}'] },
  ],
  ['WEBHOOK', { url: 'http://{{host}}:{{port}}/' }],
  ['UPDATE_CONTACT', { data: { a: null } }],
  ['UPDATE_CONTACT', { subscriptionAction: 'subscribe' }],
  ['EXIT', { reason: 'x' }],
]

test.each(good)('%s %j is fine', (type, config) => expect(configFaults(type, config)).toEqual([]))

const faulty: Array<[StepType, Values, string]> = [
  ['SEND_EMAIL', { templateId: 'x' }, 'config.templateId'],
  ['SEND_EMAIL', { recipient: { type: 'ALL' } }, 'config.recipient.type'],
  ['SEND_EMAIL', { recipient: { type: 'CUSTOM', customEmail: 'x' } }, 'config.recipient.customEmail'],
  ['DELAY', { amount: 0, unit: 'days' }, 'config.amount'],
  ['DELAY', { amount: odd, unit: 'days' }, 'config.amount'],
  ['WEBHOOK', { url: odd }, 'config.url'],
  ['CONDITION', { field: 'data.x', branches: [{ id: odd, operator: 'exists' }] }, 'config.branches.0.id'],
  ['DELAY', { amount: '1', unit: 'days' }, 'config.amount'],
  ['DELAY', { amount: 1, unit: 'weeks' }, 'config.unit'],
  ['DELAY', { amount: 8761, unit: 'hours' }, 'config.amount'],
  ['WAIT_FOR_EVENT', { timeout: 5 }, 'config.eventName'],
  ['WAIT_FOR_EVENT', { eventName: 'x', timeout: '5' }, 'config.timeout'],
  ['WAIT_FOR_EVENT', { eventName: 'x', timeout: 31_536_001 }, 'config.timeout'],
  ['CONDITION', { operator: 'exists' }, 'config.field'],
  ['CONDITION', { field: 'data.a', operator: 'within', value: 1 }, 'config.operator'],
  ['CONDITION', { field: 'data.a', operator: 'equals' }, 'config.value'],
  ['CONDITION', { mode: 'multi', field: 'data.a', branches: [] }, 'config.branches'],
  [
    'CONDITION',
    { mode: 'multi', field: 'data.a', branches: [{ id: 'default', operator: 'exists' }] },
    'config.branches.0.id',
  ],
  [
    'CONDITION',
    { logic: 'AND', groups: [{ filters: [{ field: 'shoe', operator: 'exists' }] }] },
    'config.groups.0.filters.0.field',
  ],
  ['CONDITION', { filter: { logic: 'XOR', groups: [] } }, 'config.filter.logic'],
  ['WEBHOOK', { url: 'ftp://a.test/' }, 'config.url'],
  ['WEBHOOK', { url: 'https://' }, 'config.url'],
  ['WEBHOOK', { url: 'https://user:secret@a.test/' }, 'config.url'],
  ['WEBHOOK', { url: 'https://user:{{secret}}@a.test/' }, 'config.url'],
  ['WEBHOOK', { url: 'https://a.test\\@b.test/' }, 'config.url'],
  ['WEBHOOK', { url: 'https://a.test/', method: 'TRACE' }, 'config.method'],
  ['WEBHOOK', { url: 'https://a.test/', headers: { 'a b': 'x' } }, 'config.headers.a b'],
  ['WEBHOOK', { url: 'https://a.test/', headers: { 'Webhook-Id': 'x' } }, 'config.headers.Webhook-Id'],
  ['WEBHOOK', { url: 'https://a.test/', headers: { a: 1 } }, 'config.headers.a'],
  ['UPDATE_CONTACT', { updates: [] }, 'config.updates'],
  ['UPDATE_CONTACT', { updates: {} }, 'config'],
  ['UPDATE_CONTACT', { updates: { email: 'x@y.z', plan: '' } }, 'config'],
  ['UPDATE_CONTACT', { updates: { ['x'.repeat(300)]: 1 } }, `config.updates.${'x'.repeat(40)}…`],
  ['EXIT', { reason: 5 }, 'config.reason'],
  ['EXIT', { reason: 'a\0b' }, 'config'],
  ['EXIT', { reason: '\\\0' }, 'config'],
  ['EXIT', { reason: '\\\ud83d' }, 'config'],
]

test.each(faulty)('%s %j is refused at %s', (type, config, field) =>
  expect(configFaults(type, config).map(fault => fault.field)).toContain(field),
)

test('a draft may be saved, and most fail when they run', () => {
  for (const type of ['DELAY', 'WAIT_FOR_EVENT', 'CONDITION', 'WEBHOOK', 'UPDATE_CONTACT'] as const) {
    expect(configFaults(type, {})).toEqual([])
    expect(readStepConfig(type, {})).toHaveProperty('faults')
  }
  expect(readStepConfig('EXIT', {})).toEqual({ config: { reason: 'exit_step' } })
})

describe('a schedule', () => {
  test('has five parts; `schedule` is another name, UTC the time zone unless said otherwise', () => {
    expect(readTrigger('SCHEDULE', { schedule: ' 0  8 * * 1 ' })).toEqual({
      trigger: { type: 'SCHEDULE', cron: '0 8 * * 1', timezone: 'UTC', segmentId: null },
      config: { cron: '0 8 * * 1', timezone: 'UTC', segmentId: null },
    })
  })
  for (const cron of ['', '* * * *', '* * * * * *', '@daily', '61 * * * *', 5])
    test(`${cron} is none`, () => expect(readTrigger('SCHEDULE', { cron })).toHaveProperty('faults'))
  test('needs a time zone that exists', () => {
    expect(readTrigger('SCHEDULE', { cron: '0 3 * * *', timezone: 'Moon/Crater' })).toHaveProperty('faults')
  })
  test.each([
    ['UTC', '2026-03-01T12:00:00.000Z', '2026-03-02T03:00:00.000Z'],
    ['UTC', '2026-03-01T03:00:00.000Z', '2026-03-02T03:00:00.000Z'],
    ['UTC', '2026-03-01T02:59:59.999Z', '2026-03-01T03:00:00.000Z'],
    ['Europe/Berlin', '2026-03-01T12:00:00.000Z', '2026-03-02T02:00:00.000Z'],
    ['Europe/Berlin', '2026-03-29T00:30:00.000Z', '2026-03-29T01:00:00.000Z'],
  ])('at 3 in %s comes up next after %s', (timezone, now, next) => {
    expect(nextRun({ cron: '0 3 * * *', timezone }, new Date(now))).toEqual(new Date(next))
  })
})

describe('a try of a call', () => {
  const call = { url: 'https://a.test/', method: 'POST' }
  const answered = (statusCode: number) =>
    ({ outcome: 'answered', statusCode, response: '', url: call.url }) as const
  for (const [status, verdict] of [
    [200, 'done'],
    [204, 'done'],
    [302, 'done'],
    [400, 'done'],
    [404, 'done'],
    [408, 'retry'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
  ] as const)
    test(`${status} means ${verdict}`, () =>
      expect(assessCallAttempt(call, answered(status), 1).verdict).toBe(verdict))
  test('waits 5 s, 30 s, 2 min, 10 min and then fails', () => {
    const waits = [1, 2, 3, 4, 5].map(attempt =>
      assessCallAttempt(call, { outcome: 'unreachable', error: 'x', url: call.url }, attempt),
    )
    expect(waits.map(each => (each.verdict === 'retry' ? each.waitMs : each.verdict))).toEqual([
      5_000,
      30_000,
      120_000,
      600_000,
      'failed',
    ])
  })
  test('a refused address is not tried again', () => {
    expect(assessCallAttempt(call, { outcome: 'refused', error: 'x', url: call.url }, 1).verdict).toBe(
      'failed',
    )
  })
})
