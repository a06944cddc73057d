// Tables of contacts, the registry of their custom fields, and the counts that are kept of both.
import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { createdAt, json, listed, time, updatedAt } from '../../platform/db/columns'

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
}

/** Characters of a wording; longer ones are cut. */
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
 * `contact.fold` rolls these up, and a read adds what is not rolled up yet, so the counts are exact at any moment.
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

const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

/** A row of a file that could not be applied. */
export interface ImportFault {
  row: number
  email: string
  error: string
}

/** A row that said yes about somebody who opted out or is taking a break. Its fields were imported. */
export type LeftOutRow = Pick<ImportFault, 'row' | 'email'>

/** CSV files that were uploaded, the progress of their import, and its results. Kept for a while after it has ended. */
export const contactImports = pgTable(
  'contact_imports',
  {
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    /** The queue's job; what it says counts as long as the import has not ended. */
    jobId: uuid('job_id').notNull(),
    filename: text('filename').notNull(),
    /** Who asked for it, for the ledger of consent; null in those of older releases, as in bulk jobs. */
    origin: json<ConsentOrigin>('origin'),
    /** Ids of the topics that everybody in the file wants; null for none. */
    topics: json<string[]>('topics'),
    /** In those of older releases, the file as UTF-8; otherwise empty, see `contact_import_parts`. Null as soon as the import has ended. */
    content: bytea('content'),
    size: integer('size').notNull(),
    /** Bytes that are done. It moves in the transaction that writes their rows, so that no row is ever done twice. */
    position: integer('position').notNull(),
    rows: integer('rows').notNull(),
    created: integer('created').notNull(),
    updated: integer('updated').notNull(),
    failed: integer('failed').notNull(),
    /** The first thousand. */
    faults: json<ImportFault[]>('faults').notNull(),
    /** Of the imported rows: those that would have subscribed somebody who opted out or is taking a break. */
    leftOut: integer('left_out').notNull(),
    /** The first thousand. */
    leftOutRows: json<LeftOutRow[]>('left_out_rows').notNull(),
    failedReason: text('failed_reason'),
    createdAt: createdAt(),
    finishedAt: time('finished_at'),
  },
  each => [
    primaryKey({ name: 'contact_imports_pkey', columns: [each.projectId, each.id] }),
    index('contact_imports_created').on(each.createdAt),
    check('contact_imports_content', sql`(content is null) = (finished_at is not null)`),
    check('contact_imports_rows', sql`rows = created + updated + failed`),
  ],
)

/**
 * The files of imports that have not ended, in parts of equal length (`importPartLength`) as UTF-8, each compressed with zstd and stored
 * in a transaction of its own before the record of the import: one large commit would hold up those of all others.
 */
export const contactImportParts = pgTable(
  'contact_import_parts',
  {
    projectId: uuid('project_id').notNull(),
    importId: uuid('import_id').notNull(),
    /** From 0. */
    part: integer('part').notNull(),
    content: bytea('content').notNull(),
    createdAt: createdAt(),
  },
  each => [
    primaryKey({ name: 'contact_import_parts_pkey', columns: [each.projectId, each.importId, each.part] }),
    check('contact_import_parts_content', sql`octet_length(content) <= 300000`),
  ],
)

/** `add` adds to a static segment, `remove` removes those whom a job added. */
export const bulkOperations = ['subscribe', 'unsubscribe', 'delete', 'add', 'remove'] as const
export type BulkOperation = (typeof bulkOperations)[number]

/** A contact that a bulk job changed, and when that was. Moments are the server's own text, to the microsecond. */
export interface ChangedThen {
  id: string
  changedAt: string
}

/** The subscription of a contact before a bulk job changed it. */
export interface EarlierState extends ChangedThen {
  subscribed: boolean
  snoozedUntil: string | null
  optedOutAt: string | null
}

/** Changes of many contacts by id, with their progress and results. */
export const contactBulks = pgTable(
  'contact_bulks',
  {
    id: uuid('id').notNull(),
    projectId: uuid('project_id').notNull(),
    jobId: uuid('job_id').notNull(),
    operation: text('operation').$type<BulkOperation>().notNull(),
    origin: json<ConsentOrigin>('origin'),
    /** The contacts that are not done yet: what is done leaves the list in the transaction that does it. */
    waiting: uuid('waiting').array().notNull(),
    total: integer('total').notNull(),
    changed: integer('changed').notNull(),
    unchanged: integer('unchanged').notNull(),
    /** Ids that are not contacts of the project. */
    unknown: uuid('unknown').array().notNull(),
    /** The static segment that contacts are added to or removed from. */
    segmentId: uuid('segment_id'),
    /** The previous state of the contacts that it changed, so that it can be undone; null in jobs of older releases. */
    earlier: json<EarlierState[] | ChangedThen[]>('earlier'),
    /** The job that this one undoes. */
    undoes: uuid('undoes'),
    failedReason: text('failed_reason'),
    createdAt: createdAt(),
    finishedAt: time('finished_at'),
  },
  bulk => [
    primaryKey({ name: 'contact_bulks_pkey', columns: [bulk.projectId, bulk.id] }),
    index('contact_bulks_created').on(bulk.createdAt),
    check('contact_bulks_operation', sql`operation in ${listed(bulkOperations)}`),
    check('contact_bulks_segment', sql`operation not in ('add', 'remove') or segment_id is not null`),
    check(
      'contact_bulks_total',
      sql`total = changed + unchanged + cardinality(unknown) + cardinality(waiting)`,
    ),
  ],
)
