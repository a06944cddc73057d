// Turns a predicate into one condition on the table of contacts, for any statement that reads it under its own name. Everything a
// client wrote is a parameter. Builds a value and runs nothing. A leaf may come out null if a value is missing, which counts as
// false: nothing here negates a leaf, and whoever negates the whole says `is not true`.
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import { firstIdAt } from '../lib/ids'
import { containsPattern } from '../lib/like'
import {
  type ActivityTest,
  type CampaignReaction,
  type DateField,
  type DateTest,
  type EmailActivity,
  leavesOf,
  type NamedSegment,
  type NamedTopic,
  type Predicate,
  type TextTest,
} from './predicate'
import { compare, dataSql } from './sql-data'

type TableWith<Column extends string> = PgTable & Record<Column, PgColumn>

/** The tables that a filter looks at. */
export interface FilterTables {
  contacts: TableWith<'id' | 'email' | 'subscribed' | 'data' | DateField>
  events: TableWith<'id' | 'projectId' | 'contactId' | 'name' | 'createdAt'>
  emails: TableWith<'projectId' | 'contactId' | 'campaignId' | (typeof activityColumns)[EmailActivity]>
  members: TableWith<'projectId' | 'contactId' | 'segmentId'>
  decisions: TableWith<'projectId' | 'contactId' | 'topicId' | 'subscribed'>
}

export interface FilterScope {
  projectId: string
  now: Date
  /** Every segment that the predicate names, itself or through others. */
  segments: ReadonlyMap<string, NamedSegment>
  /** Every topic that they name. */
  topics: ReadonlyMap<string, NamedTopic>
}

/** True of the contacts that match; to be used with `contacts.project_id = ...`. */
export type FilterSql = (predicate: Predicate, scope: FilterScope) => SQL

export function makeFilterSql(tables: FilterTables): FilterSql {
  return (predicate, scope) =>
    build(predicate, { ...scope, tables, asJoins: countLookups(predicate, scope) <= maxJoins })
}

/**
 * Beyond this number, look-ups in other tables are not written as joins: planning a hundred of them took 400 ms per statement, and as
 * plain subqueries a tenth of that.
 */
const maxJoins = 6

interface Building extends FilterScope {
  tables: FilterTables
  asJoins: boolean
}

function countLookups(predicate: Predicate, scope: Pick<FilterScope, 'segments'>): number {
  let count = 0
  for (const leaf of leavesOf(predicate)) {
    const named = leaf.kind === 'segment' ? scope.segments.get(leaf.segmentId) : undefined
    if (named?.type === 'DYNAMIC') count += countLookups(named.predicate, scope)
    else if (['segment', 'topic', 'campaign', 'event', 'emailActivity'].includes(leaf.kind)) count++
  }
  return count
}

function build(predicate: Predicate, scope: Building): SQL {
  const { contacts } = scope.tables
  switch (predicate.kind) {
    case 'every':
    case 'some':
      return joined(predicate, scope)
    case 'email':
      return emailSql(contacts.email, predicate.test)
    case 'subscribed':
      return predicate.is ? sql`${contacts.subscribed}` : sql`not ${contacts.subscribed}`
    case 'date':
      return dateSql(contacts[predicate.field], predicate.test, scope.now)
    case 'data':
      return dataSql(contacts.data, predicate.field, predicate.test, scope.now)
    case 'event':
      return activitySql(predicate.test, scope.now, eventTrace(predicate.name, scope))
    case 'emailActivity':
      return activitySql(predicate.test, scope.now, emailTrace(predicate.activity, scope))
    case 'segment':
      return segmentSql(predicate, scope)
    case 'topic':
      return topicSql(predicate, scope)
    case 'campaign':
      return campaignSql(predicate, scope)
  }
}

function joined({ kind, of }: { kind: 'every' | 'some'; of: Predicate[] }, scope: Building): SQL {
  if (of.length === 0) return kind === 'every' ? sql`true` : sql`false`
  if (of.length === 1) return build(of[0]!, scope)
  const parts = of.map(part => build(part, scope))
  return sql`(${sql.join(parts, kind === 'every' ? sql` and ` : sql` or `)})`
}

/** Addresses are stored in lower case, and so are the texts of the tests. */
function emailSql(email: PgColumn, test: TextTest): SQL {
  if (test.text === null) return test.not ? sql`true` : sql`false`
  if (test.test === 'equals') return test.not ? sql`${email} <> ${test.text}` : sql`${email} = ${test.text}`
  const pattern = containsPattern(test.text)
  return test.not ? sql`${email} not like ${pattern}` : sql`${email} like ${pattern}`
}

function dateSql(column: PgColumn, test: DateTest, now: Date): SQL {
  switch (test.test) {
    case 'within':
      return sql`${column} >= ${instant(before(now, test.ms))}`
    case 'olderThan':
      return sql`${column} < ${instant(before(now, test.ms))}`
    case 'exists':
      return test.not ? sql`${column} is null` : sql`${column} is not null`
    case 'span':
      return test.not
        ? sql`(${column} < ${instant(test.from)} or ${column} >= ${instant(test.to)})`
        : sql`(${column} >= ${instant(test.from)} and ${column} < ${instant(test.to)})`
    case 'compare':
      return compare(sql`${column}`, test.comparison, instant(test.at))
  }
}

function instant(at: Date): SQL {
  return sql`${at.toISOString()}::timestamptz`
}

function before(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms)
}

/** Whether something happened to the contact, with one more condition on when. */
interface Trace {
  exists(further?: SQL): SQL
  at: PgColumn
  /** That it happened at that moment or later. */
  since(at: Date): SQL
}

/**
 * EXISTS, because it becomes a join where the tree is a conjunction and an index probe per contact elsewhere; IN may become neither.
 * With `is true` after it, it never becomes a join.
 */
function exists(rows: SQL, { asJoins }: Building): SQL {
  return asJoins ? sql`exists (${rows})` : sql`(exists (${rows})) is true`
}

function eventTrace(name: string, scope: Building): Trace {
  const { contacts, events } = scope.tables
  return {
    at: events.createdAt,
    // Ids of events are made from their time: where the table is split by month, older months are not looked into.
    since: at => sql`${events.createdAt} >= ${instant(at)} and ${events.id} >= ${firstIdAt(at)}::uuid`,
    exists: (further = sql`true`) =>
      exists(
        sql`select from ${events}
             where ${events.projectId} = ${scope.projectId}::uuid and ${events.contactId} = ${contacts.id}
               and ${events.name} = ${name} and ${further}`,
        scope,
      ),
  }
}

const activityColumns = {
  sent: 'sentAt',
  delivery: 'deliveredAt',
  open: 'openedAt',
  click: 'clickedAt',
  bounce: 'bouncedAt',
  complaint: 'complainedAt',
} as const satisfies Record<EmailActivity, string>

function emailTrace(activity: EmailActivity, scope: Building): Trace {
  const { contacts, emails } = scope.tables
  const at = emails[activityColumns[activity]]
  return {
    at,
    since: moment => sql`${at} >= ${instant(moment)}`,
    exists: (further = sql`${at} is not null`) =>
      exists(
        sql`select from ${emails}
             where ${emails.projectId} = ${scope.projectId}::uuid and ${emails.contactId} = ${contacts.id} and ${further}`,
        scope,
      ),
  }
}

function activitySql(test: ActivityTest, now: Date, trace: Trace): SQL {
  if (test.test === 'ever') return test.not ? sql`not (${trace.exists()})` : trace.exists()
  const since = before(now, test.ms)
  const recent = trace.exists(trace.since(since))
  if (test.test === 'within') return test.not ? sql`not (${recent})` : recent
  return sql`(${trace.exists(sql`${trace.at} < ${instant(since)}`)} and not (${recent}))`
}

function segmentSql({ segmentId, not }: { segmentId: string; not: boolean }, scope: Building): SQL {
  const { contacts, members } = scope.tables
  const segment = scope.segments.get(segmentId)
  if (!segment) throw new Error(`segment ${segmentId} was not looked up before the predicate was built`)
  if (segment.type === 'DYNAMIC') {
    const matches = build(segment.predicate, scope)
    return not ? sql`(${matches}) is not true` : matches
  }
  const isMember = exists(
    sql`select from ${members}
         where ${members.projectId} = ${scope.projectId}::uuid and ${members.segmentId} = ${segmentId}::uuid
           and ${members.contactId} = ${contacts.id}`,
    scope,
  )
  return not ? sql`not (${isMember})` : isMember
}

/** Only decisions are rows, so it is asked whether there is one that differs from what holds by default. */
function topicSql({ topicId, is }: { topicId: string; is: boolean }, scope: Building): SQL {
  const { contacts, decisions } = scope.tables
  const topic = scope.topics.get(topicId)
  if (!topic) throw new Error(`topic ${topicId} was not looked up before the predicate was built`)
  const differs = exists(
    sql`select from ${decisions}
         where ${decisions.projectId} = ${scope.projectId}::uuid and ${decisions.contactId} = ${contacts.id}
           and ${decisions.topicId} = ${topicId}::uuid and ${decisions.subscribed} = ${!topic.byDefault}`,
    scope,
  )
  return is === topic.byDefault ? sql`not (${differs})` : differs
}

/** A click counts as an open, even if no image was loaded. */
function campaignSql(
  { campaignId, reaction }: { campaignId: string; reaction: CampaignReaction },
  scope: Building,
): SQL {
  const { contacts, emails } = scope.tables
  const { openedAt, clickedAt } = emails
  const did: Record<CampaignReaction, SQL> = {
    received: sql`true`,
    opened: sql`(${openedAt} is not null or ${clickedAt} is not null)`,
    notOpened: sql`${openedAt} is null and ${clickedAt} is null`,
    clicked: sql`${clickedAt} is not null`,
    notClicked: sql`${clickedAt} is null`,
  }
  return exists(
    sql`select from ${emails}
         where ${emails.projectId} = ${scope.projectId}::uuid and ${emails.campaignId} = ${campaignId}::uuid
           and ${emails.contactId} = ${contacts.id} and ${emails.sentAt} is not null and ${emails.bouncedAt} is null
           and ${did[reaction]}`,
    scope,
  )
}
