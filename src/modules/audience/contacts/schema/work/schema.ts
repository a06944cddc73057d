// Tables of what is done to many contacts at a time: imports and bulk changes.
import { sql } from 'drizzle-orm'
import { check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bytea, createdAt, json, listed, time } from '../../../../../platform/db/columns'
import type { ConsentOrigin } from '../people/schema'

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
    /** Line ends before that: people find a row by its line. */
    lines: integer('lines').notNull().default(0),
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
    /** Columns that may say who gets no email, and are not read so. */
    warnings: json<string[]>('warnings').notNull().default([]),
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
