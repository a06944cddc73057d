// Tables of what is done to many contacts at a time: imports and bulk changes.
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
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

/** How the cells of a column are written; what is read of them is text, a number, a date or yes and no. */
export const cellTypes = [
  'text',
  'number',
  'numberComma',
  'boolean',
  'date',
  'dateDayFirst',
  'dateMonthFirst',
] as const
export type CellType = (typeof cellTypes)[number]

/** A cell that is not of the type that was chosen for its column; what it holds is not kept here. */
export interface MisfitCell extends LeftOutRow {
  field: string
}

/** What becomes of the fields of contacts that are there already: written over, filled where they are empty, or kept as they are. */
export const existingModes = ['update', 'fill', 'keep'] as const
export type ExistingMode = (typeof existingModes)[number]

/** What a person chose for an import. */
export interface ImportOptions {
  /** By column; empty for one whose type is found. */
  types: Array<CellType | ''>
  /** A cell that is not of its type is left out; otherwise it is kept as text. */
  skipsMisfits: boolean
  existing: ExistingMode
  /** New contacts are subscribed where the file says nothing. */
  subscribes: boolean
  /** Where these people agreed, in the words of whoever imports them, and the day of it (`YYYY-MM-DD`). */
  consentSource: string | null
  consentDate: string | null
  /** A static segment that all of the file are added to. */
  segmentId: string | null
}

/** What undoing an import did so far. */
export interface ImportUndo {
  jobId: string
  origin: ConsentOrigin | null
  /** Contacts that the import made or changed. */
  total: number
  removed: number
  restored: number
  /** Made by the import, and changed since: not removed. */
  keptEdited: number
  /** Made by the import, and an email, event, form or workflow run of theirs is there: not removed. */
  keptUsed: number
  /** Changed by the import, and something of it was changed since: that was left as it is. */
  keptChanged: number
  finishedAt: string | null
}

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
    /** Null in those of older releases, which can't be undone. */
    options: json<ImportOptions>('options'),
    /** Of the updated rows: those that changed nothing. */
    unchanged: integer('unchanged').notNull().default(0),
    misfits: integer('misfits').notNull().default(0),
    /** The first thousand. */
    misfitCells: json<MisfitCell[]>('misfit_cells').notNull().default([]),
    undo: json<ImportUndo>('undo'),
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

/** The custom fields of a contact before and after an import changed them, whole: comparing them waits until somebody undoes it. */
export interface FieldChanges {
  was: Record<string, unknown>
  is: Record<string, unknown>
}

/** A decision about a topic that an import wrote, and the one before it; null where there was none. */
export interface DecisionChange {
  was: boolean | null
  is: boolean
  wasAt: string | null
  isAt: string
}

/** The subscription of a contact before an import changed it. */
export type SubscriptionBefore = Omit<EarlierState, 'id' | 'changedAt'>

/**
 * What an import did to each contact, written by the statement that did it, so that the import can be undone for an hour. Deleted after that,
 * or a batch at a time while it is undone.
 */
export const contactImportChanges = pgTable(
  'contact_import_changes',
  {
    projectId: uuid('project_id').notNull(),
    importId: uuid('import_id').notNull(),
    contactId: uuid('contact_id').notNull(),
    created: boolean('created').notNull(),
    /** The contact's version after the last change by the import. */
    version: integer('version').notNull(),
    /** Somebody else changed the contact between two changes by the import. */
    touched: boolean('touched').notNull().default(false),
    /** Of a contact that was there before, where they changed. */
    fields: json<FieldChanges>('fields'),
    /** Of such a contact, where that changed. */
    subscription: json<SubscriptionBefore>('subscription'),
    /** Of such a contact: decisions about topics, by id. */
    topics: json<Record<string, DecisionChange>>('topics'),
  },
  change => [
    primaryKey({
      name: 'contact_import_changes_pkey',
      columns: [change.projectId, change.importId, change.contactId],
    }),
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
