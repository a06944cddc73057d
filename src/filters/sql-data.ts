// Tests of custom fields as SQL. The forms were chosen by measurement on 200,000 contacts: containment and jsonpath cost less than
// taking a value out, finding out its type and casting it, and a pattern match of every text costs six times as much as a comparison. There is
// no GIN index on data: it answers a rare value in 4 ms instead of 130, but every patched contact then writes all of its indexes,
// which took a quarter to a half off the rate of updates, and those are what requests wait for.
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import { datePattern } from '../lib/time'
import type { DataField, DataTest, InequalityOperator } from './predicate'

const symbols: Record<InequalityOperator, { sql: SQL; jsonpath: string }> = {
  greaterThan: { sql: sql`>`, jsonpath: '>' },
  lessThan: { sql: sql`<`, jsonpath: '<' },
  greaterThanOrEqual: { sql: sql`>=`, jsonpath: '>=' },
  lessThanOrEqual: { sql: sql`<=`, jsonpath: '<=' },
}

export function compare(left: SQL, comparison: InequalityOperator, right: SQL): SQL {
  return sql`${left} ${symbols[comparison].sql} ${right}`
}

/** Where a value is: in which column, and below which of its keys. */
interface Spot {
  column: PgColumn
  keys: string[]
}

/** True of the rows whose jsonb `column` passes the test at that field. */
export function dataSql(column: PgColumn, field: DataField, test: DataTest, now: Date): SQL {
  const literal = testAt({ column, keys: [field.key] }, test, now)
  if (!field.path) return literal
  return sql`case when ${column} ? ${field.key}::text then ${literal} else ${testAt({ column, keys: field.path }, test, now)} end`
}

/** Keys lead through objects only, never into an array. */
function testAt(spot: Spot, test: DataTest, now: Date): SQL {
  switch (test.test) {
    case 'within':
      return datesSql(spot, 'greaterThanOrEqual', new Date(now.getTime() - test.ms))
    case 'olderThan':
      return datesSql(spot, 'lessThan', new Date(now.getTime() - test.ms))
    case 'compareDate':
      return datesSql(spot, test.comparison, test.at)
    case 'exists':
      return test.not ? sql`coalesce(${typeAt(spot)} = 'null', true)` : sql`${typeAt(spot)} <> 'null'`
    case 'equals':
      return equalsSql(spot, test.value, test.not)
    case 'day':
      return daySql(spot, test.day, test.not)
    case 'contains':
      return containsSql(spot, test.text, test.not)
    case 'compareNumber':
      return sql`${spot.column} @@ ${jsonpath(spot, symbols[test.comparison].jsonpath, test.value)}::jsonpath`
    case 'compareText':
      return sql`(${typeAt(spot)} = 'string' and ${compare(sql`${textAt(spot)} collate "C"`, test.comparison, sql`${test.value}`)})`
  }
}

/** The value as text; null for a stored null as well as for a missing one. */
function textAt(spot: Spot): SQL {
  return sql`${objectAt(spot)} ->> ${spot.keys.at(-1)}::text`
}

/** `number`, `string`, `null` and so on; SQL's null for a missing value. */
function typeAt(spot: Spot): SQL {
  return sql`jsonb_typeof(${objectAt(spot)} -> ${spot.keys.at(-1)}::text)`
}

function objectAt(spot: Spot): SQL {
  return spot.keys.slice(0, -1).reduce((object, key) => sql`${object} -> ${key}::text`, sql`${spot.column}`)
}

/** Containment compares values of one type only, and inside objects it never looks into arrays. */
function equalsSql(spot: Spot, value: string | number | boolean | null, not: boolean): SQL {
  if (value === null) return not ? sql`${typeAt(spot)} <> 'null'` : sql`false`
  const wanted = spot.keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value)
  const isEqual = sql`${spot.column} @> ${JSON.stringify(wanted)}::jsonb`
  if (!not) return isEqual
  // The text of a value that is not a string is JSON, so a string that is not JSON differs from all of those anyway.
  if (typeof value === 'string' && !isJson(value)) return sql`${textAt(spot)} <> ${value}`
  return sql`(${typeAt(spot)} <> 'null' and not ${isEqual})`
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Of a list, whether the text is one of its items. */
function containsSql(spot: Spot, text: string, not: boolean): SQL {
  const item = sql`${objectAt(spot)} -> ${spot.keys.at(-1)}::text @> ${JSON.stringify(text)}::jsonb`
  const contains = sql`case ${typeAt(spot)} when 'string' then strpos(${textAt(spot)}, ${text}) > 0 when 'array' then ${item} else false end`
  return not ? sql`(${typeAt(spot)} <> 'null' and not ${contains})` : contains
}

/** A value that is not a string never begins like a date. */
function daySql(spot: Spot, day: string, not: boolean): SQL {
  const text = textAt(spot)
  const isOnDay = sql`(${text} = ${day} or starts_with(${text}, ${`${day}T`}))`
  return not ? sql`(${text} is not null and not ${isOnDay})` : isOnDay
}

/**
 * Stored dates in their three spellings, brought to one in which the order of text is that of time. The pattern is matched last and
 * only where the comparison holds; CASE is what keeps that order.
 */
function datesSql(spot: Spot, comparison: InequalityOperator, at: Date): SQL {
  const text = textAt(spot)
  const spelling = sql`case length(${text})
    when 24 then ${text} when 20 then left(${text}, 19) || '.000Z' when 10 then (${text}) || 'T00:00:00.000Z' end`
  return sql`case when ${compare(sql`(${spelling}) collate "C"`, comparison, sql`${at.toISOString()}`)}
    then ${text} ~ ${datePattern} else false end`
}

function jsonpath(spot: Spot, symbol: string, value: number): string {
  const path = spot.keys.map(key => `.${JSON.stringify(key)}`).join('')
  return `strict $${path} ${symbol} ${JSON.stringify(value)}`
}
