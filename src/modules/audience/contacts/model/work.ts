// Requests and answers about work on many contacts that a job does: imports and bulk changes.
import { type Static, t } from 'elysia'
import { givenTree } from '../../../../filters/schema'
import { answeredAddress, answeredId } from '../../../../lib/answered'
import { describedWith, oneOfWords } from '../../../../lib/described'
import { type JobStanding, jobStateNames } from '../job-state'
import type { BulkOperation, ImportFault, LeftOutRow } from '../schema'

export const jobParams = t.Object({ jobId: t.String({ maxLength: 100 }) })

/** Contacts of one query: each is locked and changed by itself, and what is left is written with each step. */
export const maxPerQuery = 10_000

export const bulkBody = t.Object({
  mode: t.Optional(
    t.Union([t.Literal('ids'), t.Literal('query')], {
      description: 'What says which contacts; ids by default',
    }),
  ),
  contactIds: t.Optional(
    t.Array(t.String({ format: 'uuid' }), { maxItems: 1_000, description: 'Needed by the mode ids' }),
  ),
  search: t.Optional(t.String({ maxLength: 500, description: 'For query: part of the address' })),
  subscribed: t.Optional(t.Boolean({ description: 'For query: only those of this state' })),
  filter: givenTree,
})

export type BulkBody = Static<typeof bulkBody>

export const addToSegmentBody = t.Object({
  segmentId: t.String({ format: 'uuid', description: 'A static segment' }),
  ...bulkBody.properties,
})

export const bulkQueuedAnswer = t.Object(
  {
    message: t.String(),
    jobId: t.String({ format: 'uuid' }),
    totalRequested: t.Optional(
      t.Integer({ description: 'Of a query: how many contacts matched, up to `maximum`' }),
    ),
    maximum: t.Optional(t.Integer({ description: 'Of a query: how many contacts one job changes' })),
  },
  { title: 'QueuedBulkJob' },
)

export const importBody = describedWith(
  t.Object({
    file: t.Optional(t.File({ description: 'CSV with a header row and a column "email", at most 5 MB' })),
    topics: t.Optional(
      t.String({
        maxLength: 4_000,
        description:
          'Ids of topics, separated by commas, that everybody in the file wants who is not said to want nothing',
        'x-waxwing-addition': true,
      }),
    ),
    columns: t.Optional(
      t.String({
        maxLength: 600_000,
        description:
          'A JSON list of headings that are read in place of those of the file; an empty one leaves its column out',
        'x-waxwing-addition': true,
      }),
    ),
  }),
  'file',
)

export const queuedAnswer = t.Object(
  { message: t.String(), jobId: t.String({ format: 'uuid' }) },
  { title: 'QueuedJob' },
)

const state = oneOfWords(jobStateNames)

const standing = {
  id: t.String({ format: 'uuid' }),
  state,
  progress: t.Integer({ minimum: 0, maximum: 100 }),
  failedReason: t.Union([t.String(), t.Null()]),
}

const importResult = t.Object({
  totalRows: t.Integer(),
  successCount: t.Integer(),
  createdCount: t.Integer(),
  updatedCount: t.Integer(),
  failureCount: t.Integer(),
  errors: t.Array(t.Object({ row: t.Integer(), email: t.String(), error: t.String() }), {
    description:
      'The first thousand; `row` is the line of the file where the row begins. Also rows that say no and are imported without the rest of what they say',
  }),
  optedOutCount: t.Integer({
    description:
      'Of the imported rows: those that say yes about somebody who opted out or is snoozed, left as is',
    'x-waxwing-addition': true,
  }),
  optedOut: t.Array(t.Object({ row: t.Integer(), email: answeredAddress() }), {
    description: 'The first thousand of them',
    'x-waxwing-addition': true,
  }),
  warnings: t.Array(t.String(), {
    description: 'Columns that may say who gets no email, and are imported as custom fields',
    'x-waxwing-addition': true,
  }),
})

export const importAnswer = t.Object(
  {
    ...standing,
    result: t.Union([importResult, t.Null()]),
    data: t.Object({ projectId: answeredId(), filename: t.String() }),
  },
  { title: 'ImportJob' },
)

const bulkResult = t.Object({
  operation: t.String({ examples: ['subscribe'] }),
  totalRequested: t.Integer(),
  successCount: t.Integer(),
  unchangedCount: t.Integer(),
  failureCount: t.Integer(),
  errors: t.Array(t.Object({ contactId: answeredId(), email: t.String(), error: t.String() })),
})

export const bulkAnswer = t.Object(
  {
    ...standing,
    result: t.Union([bulkResult, t.Null()]),
    data: t.Object({
      projectId: answeredId(),
      operation: t.String(),
      totalRequested: t.Integer(),
      segmentId: t.Optional(t.String({ description: 'Where contacts are put on a list or taken off' })),
    }),
  },
  { title: 'BulkJob' },
)

interface ImportStatus extends JobStanding {
  progress: number
  job: {
    id: string
    projectId: string
    filename: string
    rows: number
    created: number
    updated: number
    failed: number
    faults: ImportFault[]
    leftOut: number
    leftOutRows: LeftOutRow[]
    warnings: string[]
  }
}

/** A failed import that has done rows reports what became of them. */
export function toImport({ job, ...rest }: ImportStatus): Static<typeof importAnswer> {
  const hasResult = rest.state === 'completed' || (rest.state === 'failed' && job.rows > 0)
  const result = {
    totalRows: job.rows,
    successCount: job.created + job.updated,
    createdCount: job.created,
    updatedCount: job.updated,
    failureCount: job.failed,
    errors: job.faults,
    optedOutCount: job.leftOut,
    optedOut: job.leftOutRows,
    warnings: job.warnings,
  }
  return {
    id: job.id,
    ...rest,
    result: hasResult ? result : null,
    data: { projectId: job.projectId, filename: job.filename },
  }
}

interface BulkStatus extends JobStanding {
  progress: number
  bulk: {
    id: string
    projectId: string
    operation: BulkOperation
    total: number
    changed: number
    unchanged: number
    unknown: string[]
    segmentId: string | null
  }
}

export function toBulk({ bulk, ...rest }: BulkStatus): Static<typeof bulkAnswer> {
  const { operation, total, changed, unchanged, unknown, segmentId } = bulk
  const result = {
    operation,
    totalRequested: total,
    successCount: changed,
    unchangedCount: unchanged,
    // A job that was given up has left contacts undone.
    failureCount: total - changed - unchanged,
    errors: unknown.map(contactId => ({ contactId, email: '', error: 'Contact not found' })),
  }
  return {
    id: bulk.id,
    ...rest,
    result: rest.state === 'completed' || rest.state === 'failed' ? result : null,
    data: { projectId: bulk.projectId, operation, totalRequested: total, ...(segmentId && { segmentId }) },
  }
}
