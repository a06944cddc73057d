// Turns a predicate into one condition on the table contacts, for any statement that reads it under its own name. Everything a
// client wrote is a parameter. Builds a value and runs nothing. A leaf may come out null where a value is missing, which counts as
// false: nothing here negates a leaf, and whoever negates the whole says `is not true`.
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { emails } from '../emails/schema'
import { events } from '../events/schema'
import { segmentMembers } from '../segments/schema'
import {
  type ActivityTest,
  type DateField,
  type DateTest,
  type EmailActivity,
  leavesOf,
  type NamedSegment,
  type Predicate,
  type TextTest,
} from './filter-predicate'
import { compare, dataSql } from './filter-sql-data'
import { containsPattern } from './listing'
import { contacts } from './schema'

export interface FilterScope {
  projectId: string
  now: Date
  /** Every segment that the predicate names, itself or through others. */
  segments: ReadonlyMap<string, NamedSegment>
}

/** True of the contacts that match; to stand beside `contacts.project_id = ...`. */
export function filterSql(predicate: Predicate, scope: FilterScope): SQL {
  return build(predicate, { ...scope, asJoins: countLookups(predicate, scope) <= mostJoins })
}

/**
 * More look-ups in other tables than this are not offered as joins: a hundred of them took the planner 400 ms a statement, and as
 * plain subqueries a tenth of that.
 */
const mostJoins = 6

interface Building extends FilterScope {
  asJoins: boolean
}

function countLookups(predicate: Predicate, scope: Pick<FilterScope, 'segments'>): number {
  let count = 0
  for (const leaf of leavesOf(predicate)) {
    const named = leaf.kind === 'segment' ? scope.segments.get(leaf.segmentId) : undefined
    if (named?.type === 'DYNAMIC') count += countLookups(named.predicate, scope)
    else if (['segment', 'event', 'emailActivity'].includes(leaf.kind)) count++
  }
  return count
}

function build(predicate: Predicate, scope: Building): SQL {
  switch (predicate.kind) {
    case 'every':
    case 'some':
      return joined(predicate, scope)
    case 'email':
      return emailSql(predicate.test)
    case 'subscribed':
      return predicate.is ? sql`${contacts.subscribed}` : sql`not ${contacts.subscribed}`
    case 'date':
      return dateSql(dateColumns[predicate.field], predicate.test, scope.now)
    case 'data':
      return dataSql(predicate.place, predicate.test, scope.now)
    case 'event':
      return activitySql(predicate.test, scope.now, eventTrace(predicate.name, scope))
    case 'emailActivity':
      return activitySql(predicate.test, scope.now, emailTrace(predicate.activity, scope))
    case 'segment':
      return segmentSql(predicate, scope)
  }
}

function joined({ kind, of }: { kind: 'every' | 'some'; of: Predicate[] }, scope: Building): SQL {
  if (of.length === 1) return build(of[0]!, scope)
  const parts = of.map(part => build(part, scope))
  return sql`(${sql.join(parts, kind === 'every' ? sql` and ` : sql` or `)})`
}

/** Addresses are stored in lower case, and so are the texts of the tests. */
function emailSql(test: TextTest): SQL {
  if (test.text === null) return test.not ? sql`true` : sql`false`
  if (test.test === 'equals')
    return test.not ? sql`${contacts.email} <> ${test.text}` : sql`${contacts.email} = ${test.text}`
  const pattern = containsPattern(test.text)
  return test.not ? sql`${contacts.email} not like ${pattern}` : sql`${contacts.email} like ${pattern}`
}

const dateColumns: Record<DateField, PgColumn> = {
  createdAt: contacts.createdAt,
  updatedAt: contacts.updatedAt,
  snoozedUntil: contacts.snoozedUntil,
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
}

/**
 * EXISTS, because it becomes a join where the tree is a conjunction and an index probe a contact elsewhere; IN may become neither.
 * Behind `is true` it never becomes a join.
 */
function exists(rows: SQL, { asJoins }: Building): SQL {
  return asJoins ? sql`exists (${rows})` : sql`(exists (${rows})) is true`
}

function eventTrace(name: string, scope: Building): Trace {
  return {
    at: events.createdAt,
    exists: (further = sql`true`) =>
      exists(
        sql`select from ${events}
             where ${events.projectId} = ${scope.projectId}::uuid and ${events.contactId} = ${contacts.id}
               and ${events.name} = ${name} and ${further}`,
        scope,
      ),
  }
}

const activityColumns: Record<EmailActivity, PgColumn> = {
  sent: emails.sentAt,
  delivery: emails.deliveredAt,
  open: emails.openedAt,
  click: emails.clickedAt,
  bounce: emails.bouncedAt,
  complaint: emails.complainedAt,
}

function emailTrace(activity: EmailActivity, scope: Building): Trace {
  const at = activityColumns[activity]
  return {
    at,
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
  const since = instant(before(now, test.ms))
  const recent = trace.exists(sql`${trace.at} >= ${since}`)
  if (test.test === 'within') return test.not ? sql`not (${recent})` : recent
  return sql`(${trace.exists(sql`${trace.at} < ${since}`)} and not (${recent}))`
}

function segmentSql({ segmentId, not }: { segmentId: string; not: boolean }, scope: Building): SQL {
  const segment = scope.segments.get(segmentId)
  if (!segment) throw new Error(`segment ${segmentId} was not looked up before the predicate was built`)
  if (segment.type === 'DYNAMIC') {
    const members = build(segment.predicate, scope)
    return not ? sql`(${members}) is not true` : members
  }
  const isMember = exists(
    sql`select from ${segmentMembers}
         where ${segmentMembers.projectId} = ${scope.projectId}::uuid and ${segmentMembers.segmentId} = ${segmentId}::uuid
           and ${segmentMembers.contactId} = ${contacts.id}`,
    scope,
  )
  return not ? sql`not (${isMember})` : isMember
}
