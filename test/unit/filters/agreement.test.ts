// Whatever the tree and whatever the contact: PostgreSQL and the evaluation in memory give the same answer.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { type MatchedContact, type MatchFacts, matches } from '../../../src/filters/match'
import {
  campaignReactions,
  type EmailActivity,
  type NamedSegment,
  type Predicate,
} from '../../../src/filters/predicate'
import { readFilter } from '../../../src/filters/read'
import { contacts } from '../../../src/modules/audience/contacts/schema'
import { filterSql } from '../../../src/modules/features/segments/service/audience'
import { anyCharacter } from '../../support/any-character'
import { cloneDatabase, type TestDatabase } from '../../support/database'

const now = new Date('2026-03-01T12:00:00.000Z')
const ago = (ms: number) => new Date(now.getTime() - ms)
const hour = 3_600_000

let database: TestDatabase
beforeAll(async () => {
  database = await cloneDatabase()
})
afterAll(() => database.drop())

const keys = [
  'a',
  'b',
  'a.b',
  'a.b.c',
  'two words',
  'ключ',
  '"quoted"',
  "o'hare",
  '$',
  '0',
  '\u0001\n\\\u2028\b😀',
  'constructor',
]
const moments = [
  now,
  ago(1),
  ago(-1),
  ago(24 * hour),
  ago(24 * hour + 1),
  ago(24 * hour - 1),
  ago(-24 * hour),
  new Date('2026-02-28T00:00:00.000Z'),
  new Date('2026-02-27T23:59:59.999Z'),
  new Date('2026-02-28T23:59:59.999Z'),
  new Date('2024-02-29T10:00:00.000Z'),
]
const dateTexts = [
  ...moments.map(at => at.toISOString()),
  '2026-02-28',
  '2026-02-28T12:00:00Z',
  '2026-02-28T12:00:00.000Z',
  '2026-02-28T12:00:00+02:00',
  '2026-99-99',
  '2026-02-28 12:00',
  '2026-02-28Tea',
  '05/06/2026',
]
const texts = [
  '',
  'pro',
  'Pro',
  'prolix',
  '5',
  '5.0',
  'true',
  'null',
  '"pro"',
  '[1]',
  '{}',
  '%',
  '_',
  '\\',
  "'; drop",
  'ä',
  'a\u0308',
  '😀',
  '\uffee',
  'z',
]
const text = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...texts) },
  fc.constantFrom(...dateTexts),
  fc.string({ unit: anyCharacter, maxLength: 4 }).filter(each => !each.includes('\0') && each.isWellFormed()),
)
const number = fc.oneof(
  fc.constantFrom(0, -1, 5, 5.5, 30, 1e21, 1e-7, -1e300, 5e-324, 2 ** 53),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const scalar = fc.oneof(text, number, fc.boolean())
const stored: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: scalar },
  { weight: 1, arbitrary: fc.constant(null) },
  {
    weight: 2,
    arbitrary: fc.dictionary(
      fc.constantFrom('b', 'c', 'b.c', '0'),
      fc.oneof(
        scalar,
        fc.constant(null),
        fc.dictionary(fc.constantFrom('c', ''), scalar, { maxKeys: 2 }),
        fc.array(scalar, { maxLength: 2 }),
      ),
      { maxKeys: 3 },
    ),
  },
  { weight: 1, arbitrary: fc.array(fc.oneof(scalar, fc.record({ b: scalar })), { maxLength: 2 }) },
)
const data = fc.dictionary(fc.constantFrom(...keys), stored, { maxKeys: 6 })
const moment = fc.constantFrom(...moments)

const eventNames = ['purchase', 'user.signup', 'email.open', 'Größe 😀', 'contact.subscribed']
const activities: EmailActivity[] = ['sent', 'delivery', 'open', 'click', 'bounce', 'complaint']
const people = fc.record({
  email: fc.constantFrom('ada', 'bob_100%', 'c.d', 'josé'),
  host: fc.constantFrom('example.com', 'company.test', 'münchen.example'),
  subscribed: fc.boolean(),
  snoozed: fc.boolean(),
  snoozedUntil: moment,
  optedOut: fc.boolean(),
  optedOutAt: moment,
  data,
  createdAt: moment,
  updatedAt: moment,
  events: fc.array(fc.record({ name: fc.constantFrom(...eventNames), at: moment }), { maxLength: 4 }),
  mails: fc.array(fc.record({ activity: fc.constantFrom(...activities), at: moment }), { maxLength: 2 }),
  isMember: fc.boolean(),
  campaign: fc.option(
    fc.record({ sent: fc.boolean(), opened: fc.boolean(), clicked: fc.boolean(), bounced: fc.boolean() }),
  ),
  decided: fc.dictionary(fc.constantFrom('in', 'out'), fc.boolean(), { maxKeys: 2 }),
})

/** Each holds or does not hold for whoever decided nothing. */
const topics = {
  in: { id: '01900000-0000-7000-8000-00000000000c', byDefault: true },
  out: { id: '01900000-0000-7000-8000-00000000000d', byDefault: false },
}
const topicsById = new Map(Object.values(topics).map(topic => [topic.id, topic]))

const dynamicSegment = '01900000-0000-7000-8000-00000000000a'
const staticSegment = '01900000-0000-7000-8000-00000000000b'
const campaign = '01900000-0000-7000-8000-00000000000c'

const field = fc.oneof(
  fc.constantFrom(...keys, 'a.b.c.0', 'missing', 'missing.b', 'a..', '0.b').map(key => `data.${key}`),
  fc.constantFrom('contact.data.a', 'contact.data.a.b'),
)
const window = fc.record({
  value: fc.constantFrom<number | string>(0, 1, '1', 24, 0.5, 1440),
  unit: fc.constantFrom('days', 'hours', 'minutes'),
})
const dateValue = fc.oneof(
  fc.constantFrom(...moments.map(at => at.toISOString()), '2026-02-28', '2024-02-29'),
  moment.map(at => at.getTime()),
)
const date = fc.constantFrom('createdAt', 'updatedAt', 'snoozedUntil', 'optedOutAt', 'contact.createdAt')
const comparison = fc.constantFrom('greaterThan', 'lessThan', 'greaterThanOrEqual', 'lessThanOrEqual')
const equality = fc.constantFrom('equals', 'notEquals')
const containment = fc.constantFrom('contains', 'notContains')
const ranged = fc.constantFrom('within', 'olderThan')
const presence = fc.constantFrom('exists', 'notExists')

const activity = fc
  .tuple(
    fc.constantFrom(
      ...eventNames.map(name => `event.${name}`),
      'purchase',
      'contact.subscribed',
      ...activities.map(name => `email.${name}`),
      'email.opened',
    ),
    fc.constantFrom(
      'triggered',
      'notTriggered',
      'triggeredWithin',
      'triggeredOlderThan',
      'notTriggeredWithin',
    ),
    window,
  )
  .map(([name, operator, span]) => ({ field: name, operator, ...span }))

const filter = fc.oneof(
  fc.record({ field, operator: equality, value: fc.oneof(scalar, fc.constant(null)) }),
  fc.record({ field, operator: containment, value: scalar }),
  fc.record({ field, operator: comparison, value: fc.oneof(text, number) }),
  fc.record({ field, operator: presence, value: fc.constant(true) }),
  fc.tuple(field, ranged, window).map(([name, operator, span]) => ({ field: name, operator, ...span })),
  fc.record({
    field: fc.constantFrom('email', 'contact.email'),
    operator: fc.oneof(equality, containment),
    value: fc.constantFrom('ADA', 'company', '_', '%', '@', 'JOSÉ', 5),
  }),
  fc.record({
    field: fc.constant('subscribed'),
    operator: equality,
    value: fc.constantFrom(true, false, 'true'),
  }),
  fc.record({ field: date, operator: fc.oneof(equality, comparison), value: dateValue }),
  fc.tuple(date, ranged, window).map(([name, operator, span]) => ({ field: name, operator, ...span })),
  fc.record({ field: fc.constantFrom('snoozedUntil', 'optedOutAt'), operator: presence }),
  activity,
  fc.record({
    field: fc.constantFrom(`segment.${dynamicSegment}`, `segment.${staticSegment}`),
    operator: fc.constantFrom('memberOfSegment', 'notMemberOfSegment'),
  }),
  fc.record({
    field: fc.constantFrom(`topic.${topics.in.id}`, `topic.${topics.out.id}`),
    operator: equality,
    value: fc.constantFrom(true, false, 'true'),
  }),
  fc.record({
    field: fc.constantFrom(`campaign.${campaign}`, `campaign.${staticSegment}`),
    operator: fc.constant('equals'),
    value: fc.constantFrom(...campaignReactions),
  }),
)

type Tree = { logic: string; groups: { filters: unknown[]; conditions?: Tree }[] }
const treeOf = (depth: number): fc.Arbitrary<Tree> =>
  fc.record({
    logic: fc.constantFrom('AND', 'OR'),
    groups: fc.array(
      depth === 0
        ? fc.record({ filters: fc.array(filter, { minLength: 1, maxLength: 2 }) })
        : fc.record(
            { filters: fc.array(filter, { minLength: 1, maxLength: 2 }), conditions: treeOf(depth - 1) },
            { requiredKeys: ['filters'] },
          ),
      { minLength: 1, maxLength: 3 },
    ),
  })

/** More look-ups than are planned as joins. */
const wide = fc.record({
  logic: fc.constantFrom('AND', 'OR'),
  groups: fc.array(fc.record({ filters: fc.tuple(activity) }), { minLength: 7, maxLength: 9 }),
})

function predicateOf(tree: unknown): Predicate {
  const reading = readFilter(tree)
  if ('faults' in reading) throw new Error(`${JSON.stringify(tree)}: ${JSON.stringify(reading.faults)}`)
  return reading.predicate
}

interface Person extends MatchedContact {
  id: string
  facts: Pick<MatchFacts, 'events' | 'emails' | 'memberOf' | 'inTopics' | 'campaigns'>
}

/** Stores a project of random people with their events, mails and membership; answers them as they are. */
async function populate(projectId: string, sample: ReturnType<typeof sampleOf>): Promise<Person[]> {
  const rows = sample.map((person, index) => ({
    ...person,
    id: Bun.randomUUIDv7(),
    email: `${person.email}${index}@${person.host}`,
  }))
  const list = rows.map(
    ({ id, email, subscribed, snoozed, snoozedUntil, optedOut, optedOutAt, data, createdAt, updatedAt }) => ({
      id,
      email,
      subscribed,
      snoozedUntil: snoozed && !subscribed ? snoozedUntil : null,
      optedOutAt: optedOut && !subscribed && !snoozed ? optedOutAt : null,
      data,
      createdAt,
      updatedAt,
    }),
  )
  await database.sql`
    insert into contacts (id, project_id, email, subscribed, snoozed_until, opted_out_at, data, created_at, updated_at)
    select id, ${projectId}::uuid, email, subscribed, "snoozedUntil", "optedOutAt", data, "createdAt", "updatedAt"
      from json_to_recordset(${JSON.stringify(list)}::json) as r(id uuid, email text, subscribed boolean,
           "snoozedUntil" timestamptz, "optedOutAt" timestamptz, data jsonb, "createdAt" timestamptz, "updatedAt" timestamptz)`
  for (const { id, events, mails, isMember, decided, campaign: got } of rows) {
    if (got) await insertRecipient(projectId, id, got)
    for (const { name, at } of events)
      await database.sql`
        insert into events (id, project_id, name, contact_id, created_at)
        values (${Bun.randomUUIDv7()}, ${projectId}, ${name}, ${id}, ${at})`
    for (const { activity, at } of mails) await insertMail(projectId, id, activity, at)
    if (isMember)
      await database.sql`
        insert into segment_members (project_id, segment_id, contact_id, entered_at)
        values (${projectId}, ${staticSegment}, ${id}, ${now})`
    for (const [name, subscribed] of Object.entries(decided))
      await database.sql`
        insert into contact_topics (project_id, contact_id, topic_id, subscribed, decided_at)
        values (${projectId}, ${id}, ${topics[name as 'in' | 'out'].id}, ${subscribed}, ${now})`
  }
  return list.map((contact, index) => ({
    ...contact,
    // As the database hands it out.
    data: JSON.parse(JSON.stringify(contact.data)),
    facts: {
      events: newest(rows[index]!.events.map(({ name, at }) => [name, at])),
      emails: newest([
        ...rows[index]!.mails.map(({ activity, at }): [EmailActivity, Date] => [activity, at]),
        ...activitiesOf(rows[index]!.campaign),
      ]),
      campaigns: campaignsOf(rows[index]!.campaign),
      memberOf: new Set(rows[index]!.isMember ? [staticSegment] : []),
      inTopics: new Set(
        (['in', 'out'] as const)
          .filter(name => rows[index]!.decided[name] ?? topics[name].byDefault)
          .map(name => topics[name].id),
      ),
    },
  }))
}

function sampleOf(seed: number) {
  return fc.sample(people, { numRuns: 50, seed })
}

function newest<K>(pairs: Array<[K, Date]>): Map<K, Date> {
  return new Map(pairs.sort(([, a], [, b]) => a.getTime() - b.getTime()))
}

type Got = NonNullable<ReturnType<typeof sampleOf>[number]['campaign']>

function campaignsOf(got: Got | null): MatchFacts['campaigns'] {
  return new Map(got?.sent && !got.bounced ? [[campaign, { opened: got.opened, clicked: got.clicked }]] : [])
}

const longAgo = ago(100_000 * hour)

/** The message of a campaign is one like any other, too. */
function activitiesOf(got: Got | null): Array<[EmailActivity, Date]> {
  const did = { sent: got?.sent, open: got?.opened, click: got?.clicked, bounce: got?.bounced }
  return Object.entries(did).flatMap(([name, is]) => (is ? [[name as EmailActivity, longAgo]] : []))
}

async function insertRecipient(projectId: string, contactId: string, got: Got) {
  const at = (is: boolean): Date | null => (is ? longAgo : null)
  await database.sql`
    insert into emails (id, project_id, contact_id, campaign_id, source_type, mail_class, to_email, from_email, subject, html, text,
                        headers, message_id, status, created_at, updated_at, sent_at, opened_at, clicked_at, bounced_at)
    values (${Bun.randomUUIDv7()}, ${projectId}, ${contactId}, ${campaign}, 'CAMPAIGN', 'marketing', 'a@x.test', 'b@x.test', '', '', '',
            '{}', ${Bun.randomUUIDv7()}, 'PENDING', ${now}, ${now}, ${at(got.sent)}, ${at(got.opened)}, ${at(got.clicked)},
            ${at(got.bounced)})`
}

async function insertMail(projectId: string, contactId: string, activity: EmailActivity, at: Date) {
  const times = Object.fromEntries(activities.map(each => [each, each === activity ? at : null]))
  await database.sql`
    insert into emails (id, project_id, contact_id, source_type, mail_class, to_email, from_email, subject, html, text, headers,
                        message_id, status, created_at, updated_at, sent_at, delivered_at, opened_at, clicked_at, bounced_at,
                        complained_at)
    values (${Bun.randomUUIDv7()}, ${projectId}, ${contactId}, 'TRANSACTIONAL', 'transactional', 'a@x.test', 'b@x.test', '', '', '',
            '{}', ${Bun.randomUUIDv7()}, 'PENDING', ${now}, ${now}, ${times['sent']!}, ${times['delivery']!}, ${times['open']!},
            ${times['click']!}, ${times['bounce']!}, ${times['complaint']!})`
}

describe('SQL and memory agree', () => {
  test.each([1, 2, 3, 4, 5, 6])('on 100 random trees over 50 random contacts (world %i)', async seed => {
    const projectId = Bun.randomUUIDv7()
    const members = await populate(projectId, sampleOf(seed))
    await populate(Bun.randomUUIDv7(), sampleOf(seed + 100))
    const seen = { some: 0, none: 0, all: 0 }
    const inner = fc.sample(
      treeOf(0).filter(tree => !JSON.stringify(tree).includes(dynamicSegment)),
      { numRuns: 1, seed },
    )[0]
    const segments = new Map<string, NamedSegment>([
      [staticSegment, { type: 'STATIC' }],
      [dynamicSegment, { type: 'DYNAMIC', predicate: predicateOf(inner) }],
    ])
    await fc.assert(
      fc.asyncProperty(
        fc.oneof({ weight: 9, arbitrary: fc.oneof(treeOf(0), treeOf(1), treeOf(2)) }, wide),
        async tree => {
          const predicate = predicateOf(tree)
          const rows = await database.db
            .select({ id: contacts.id })
            .from(contacts)
            .where(
              and(
                eq(contacts.projectId, projectId),
                filterSql(predicate, { projectId, now, segments, topics: topicsById }),
              ),
            )
          const inMemory = members.filter(person =>
            matches(predicate, person, { now, segments, ...person.facts }),
          )
          seen[rows.length === 0 ? 'none' : rows.length === members.length ? 'all' : 'some']++
          expect(rows.map(row => row.id).sort()).toEqual(inMemory.map(person => person.id).sort())
        },
      ),
      { numRuns: 100, seed },
    )
    // Trees that always or never match would prove little.
    expect(seen.some).toBeGreaterThan(25)
  })
})
