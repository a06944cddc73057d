// Tables of contacts, the registry of their custom fields, and the counts that are kept of both.
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, json, listed, time, updatedAt } from '../../../../../platform/db/columns'

export const contacts = pgTable(
  'contacts',
  {
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    /** Trimmed and in lower case. */
    email: text('email').notNull(),
    subscribed: boolean('subscribed').notNull(),
    /** Unsubscribed until then only. */
    snoozedUntil: time('snoozed_until'),
    /** When the contact opted out. Null in one that is unsubscribed: it was never asked, or is snoozed. */
    optedOutAt: time('opted_out_at'),
    /** Custom fields. No value at the top level is null: a null in a request removes the key. */
    data: json<Record<string, unknown>>('data').notNull(),
    /** How many of them it may have, if it had more than 500 before that was a bound: it can be changed, and get no more. Null otherwise. */
    keysAllowed: integer('keys_allowed'),
    /** Counts the writes of the statements that may change the subscription: the order of the ledger, under the row's lock. */
    version: integer('version').notNull().default(0),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  contact => [
    // Ids are UUID v7 made from created_at, so this is also the order of creation, and pages go through it.
    primaryKey({ name: 'contacts_pkey', columns: [contact.projectId, contact.id] }),
    uniqueIndex('contacts_project_email').on(contact.projectId, contact.email),
    // The project is part of the index (btree_gin); otherwise a search would visit the matches of every tenant.
    index('contacts_email_search').using('gin', contact.projectId, contact.email.op('gin_trgm_ops')),
    index('contacts_snoozed').on(contact.snoozedUntil).where(sql`snoozed_until is not null`),
    index('contacts_snoozed_project').on(contact.projectId, contact.id).where(sql`snoozed_until is not null`),
    check('contacts_email', sql`char_length(email) between 3 and 254`),
    check('contacts_snoozed_is_unsubscribed', sql`snoozed_until is null or not subscribed`),
    check(
      'contacts_opted_out_is_unsubscribed',
      sql`opted_out_at is null or not (subscribed or snoozed_until is not null)`,
    ),
    check('contacts_data_is_object', sql`jsonb_typeof(data) = 'object'`),
    check('contacts_data_size', sql`octet_length(data::text) <= 65536`),
    // Counting keys costs more than measuring; 501 different ones take four thousand bytes at least.
    check(
      'contacts_data_keys',
      sql`octet_length(data::text) < 4000 or jsonb_array_length(jsonb_path_query_array(data, '$.keyvalue()')) <= coalesce(keys_allowed, 500)`,
    ),
  ],
)

/** `notAsked`: unsubscribed without having said no. */
export const consentStates = ['subscribed', 'snoozed', 'optedOut', 'notAsked'] as const
export type ConsentState = (typeof consentStates)[number]

/**
 * `api`: a secret key, or a key with scopes; `publicKey`: a key that anybody may hold; `member`: a person of the project; `page`: the
 * recipient on a page; `oneClick`: the recipient's mail program; `form`: the recipient confirmed what a form took; `inbound`: the
 * recipient wrote to us; `program`: nobody in particular.
 */
export const consentSources = [
  'api',
  'publicKey',
  'member',
  'import',
  'page',
  'oneClick',
  'form',
  'bounce',
  'complaint',
  'workflow',
  'inbound',
  'snoozeEnd',
  'program',
] as const
export type ConsentSource = (typeof consentSources)[number]

/** Where a change comes from. */
export interface ConsentOrigin {
  source: ConsentSource
  /** The id of a user, a workflow or a form, or the beginning of a key. */
  actor?: string
  /** What the recipient was shown. */
  wording?: string
  /** A keyed hash of the client's address and program. */
  client?: string
  /** When the person decided (ISO 8601), if another program knew it: before the change arrived here. */
  at?: string
  /** What another program recorded of the decision: its dates, and the address that confirmed it. */
  evidence?: string
}

/** Characters of a wording, and of evidence; longer ones are cut. */
export const longestWording = 500

/**
 * The ledger of consent: a row for each change of a contact's subscription, written by the very statement that makes it, never changed, and
 * deleted with the contact. A contact that is created without being subscribed has said nothing, so it begins without a row.
 */
export const consentChanges = pgTable(
  'consent_changes',
  {
    projectId: uuid('project_id').notNull(),
    contactId: uuid('contact_id').notNull(),
    /** The contact's version after the change. */
    version: integer('version').notNull(),
    at: time('at').notNull(),
    /** The topic that it is about; null for the one switch over all mail. */
    topicId: uuid('topic_id'),
    /** Null where the contact was created. */
    before: text('before').$type<ConsentState>(),
    after: text('after').$type<ConsentState>().notNull(),
    source: text('source').$type<ConsentSource>().notNull(),
    actor: text('actor'),
    /** The message with the link that was followed, or that came back. */
    emailId: uuid('email_id'),
    wording: text('wording'),
    client: text('client'),
    evidence: text('evidence'),
  },
  change => [
    // A page of a contact's changes, newest first, is a stretch of it.
    primaryKey({
      name: 'consent_changes_pkey',
      columns: [change.projectId, change.contactId, change.version],
    }),
    check('consent_changes_before', sql`before in ${listed(consentStates)}`),
    check('consent_changes_after', sql`after in ${listed(consentStates)}`),
    check('consent_changes_wording', sql`char_length(wording) <= 500`),
    check('consent_changes_evidence', sql`char_length(evidence) <= 500`),
  ],
)

/** Types of custom fields; the first non-null value decides, until the field is deleted. */
export const fieldTypes = ['string', 'number', 'boolean', 'date'] as const
export type FieldType = (typeof fieldTypes)[number]

/** The custom fields that a project has seen, without the prefix `data.`. */
export const contactFields = pgTable(
  'contact_fields',
  {
    projectId: uuid('project_id').notNull(),
    name: text('name').notNull(),
    type: text('type').$type<FieldType>().notNull(),
    createdAt: createdAt(),
  },
  field => [
    primaryKey({ name: 'contact_fields_pkey', columns: [field.projectId, field.name] }),
    check('contact_fields_type', sql`type in ${listed(fieldTypes)}`),
  ],
)

/**
 * Fields that were deleted. What conditions say about one matches nobody, that it is missing too, until the project sees it again: until it
 * is in `contact_fields`.
 */
export const contactDeletedFields = pgTable(
  'contact_deleted_fields',
  {
    projectId: uuid('project_id').notNull(),
    name: text('name').notNull(),
    deletedAt: time('deleted_at').notNull(),
  },
  field => [primaryKey({ name: 'contact_deleted_fields_pkey', columns: [field.projectId, field.name] })],
)

/** How many contacts a project has, as far as the deltas have been rolled up. */
export const contactTotals = pgTable('contact_totals', {
  projectId: uuid('project_id').primaryKey(),
  contacts: bigint('contacts', { mode: 'number' }).notNull(),
  subscribed: bigint('subscribed', { mode: 'number' }).notNull(),
})

/** How many contacts have a custom field, as far as the deltas have been rolled up. */
export const contactFieldTotals = pgTable(
  'contact_field_totals',
  {
    projectId: uuid('project_id').notNull(),
    name: text('name').notNull(),
    contacts: bigint('contacts', { mode: 'number' }).notNull(),
  },
  total => [primaryKey({ name: 'contact_field_totals_pkey', columns: [total.projectId, total.name] })],
)

/**
 * Changes of those totals, appended by the very statement that changes contacts. No row is shared between requests; the job
 * `contact.rollUp` rolls these up, and a read adds what is not rolled up yet, so the counts are exact at any moment.
 */
export const contactDeltas = pgTable(
  'contact_deltas',
  {
    projectId: uuid('project_id').notNull(),
    contacts: integer('contacts').notNull(),
    subscribed: integer('subscribed').notNull(),
    /** Field name -> contacts gained (or lost); null if none changed. */
    fields: json<Record<string, number>>('fields'),
  },
  delta => [index('contact_deltas_project').on(delta.projectId)],
)
