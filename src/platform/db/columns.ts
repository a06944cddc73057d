// Column makers that every table shares: ids, timestamps that survive a JS Date, typed JSON.
import { sql } from 'drizzle-orm'
import { customType, jsonb, timestamp, uuid } from 'drizzle-orm/pg-core'

export const id = () => uuid('id').primaryKey()

/** Milliseconds, because a cursor made from a JS Date would otherwise skip rows. */
export const time = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' })

export const createdAt = () => time('created_at').notNull()
export const updatedAt = () => time('updated_at').notNull()

export const json = <T>(name: string) => jsonb(name).$type<T>()

export const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/** `('A', 'B')` for a CHECK, from the list that the types are made of: `sql`status in ${listed(statuses)}``. */
export const listed = (words: readonly string[]) =>
  sql`(${sql.join(
    words.map(word => sql`${word}`),
    sql`, `,
  )})`.inlineParams()
