// Turns a predicate into one condition on the table contacts, for any statement that reads it under its own name. Everything a
// client wrote is a parameter. Builds a value and runs nothing. A leaf may come out null where a value is missing, which counts as
// false: nothing here negates a leaf, and whoever negates the whole says `is not true`.
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { emails } from '../emails/schema'
import { events } from '../events/schema'
import { segmentMembers } from '../segments/schema'
import type {
  ActivityTest,
  DateField,
  DateTest,
  EmailActivity,
  NamedSegment,
  Predicate,
  TextTest,
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

function joined({ kind, of }: { kind: 'every' | 'some'; of: Predicate[] }, scope: FilterScope): SQL {
  if (of.length === 1) return filterSql(of[0]!, scope)
  const parts = of.map(part => filterSql(part, scope))
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

/** EXISTS, because it becomes a join where the tree is a conjunction and an index probe a contact elsewhere; IN may become neither. */
function eventTrace(name: string, { projectId }: FilterScope): Trace {
  return {
    at: events.createdAt,
    exists: (further = sql`true`) => sql`exists (
      select from ${events}
       where ${events.projectId} = ${projectId}::uuid and ${events.contactId} = ${contacts.id}
         and ${events.name} = ${name} and ${further})`,
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

function emailTrace(activity: EmailActivity, { projectId }: FilterScope): Trace {
  const at = activityColumns[activity]
  return {
    at,
    exists: (further = sql`${at} is not null`) => sql`exists (
      select from ${emails}
       where ${emails.projectId} = ${projectId}::uuid and ${emails.contactId} = ${contacts.id} and ${further})`,
  }
}

function activitySql(test: ActivityTest, now: Date, trace: Trace): SQL {
  if (test.test === 'ever') return test.not ? sql`not ${trace.exists()}` : trace.exists()
  const since = instant(before(now, test.ms))
  const recent = trace.exists(sql`${trace.at} >= ${since}`)
  if (test.test === 'within') return test.not ? sql`not ${recent}` : recent
  return sql`(${trace.exists(sql`${trace.at} < ${since}`)} and not ${recent})`
}

function segmentSql({ segmentId, not }: { segmentId: string; not: boolean }, scope: FilterScope): SQL {
  const segment = scope.segments.get(segmentId)
  if (!segment) throw new Error(`segment ${segmentId} was not looked up before the predicate was built`)
  if (segment.type === 'DYNAMIC') {
    const members = filterSql(segment.predicate, scope)
    return not ? sql`(${members}) is not true` : members
  }
  const isMember = sql`exists (
    select from ${segmentMembers}
     where ${segmentMembers.projectId} = ${scope.projectId}::uuid and ${segmentMembers.segmentId} = ${segmentId}::uuid
       and ${segmentMembers.contactId} = ${contacts.id})`
  return not ? sql`not ${isMember}` : isMember
}
