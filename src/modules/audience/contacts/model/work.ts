// Requests and answers about work on many contacts that a job does: imports and bulk changes.
import { type Static, t } from 'elysia'
import { givenTree } from '../../../../filters/schema'
import { answeredId } from '../../../../lib/answered'
import { oneOfWords } from '../../../../lib/described'
import { type JobStanding, jobStateNames } from '../job-state'
import type { BulkOperation } from '../schema'

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
  searchNames: t.Optional(
    t.Boolean({
      description: 'For query: also contacts with the text of `search` in their name',
      'x-waxwing-addition': true,
    }),
  ),
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

export const queuedAnswer = t.Object(
  { message: t.String(), jobId: t.String({ format: 'uuid' }) },
  { title: 'QueuedJob' },
)

const state = oneOfWords(jobStateNames)

/** What the state of each kind of work begins with. */
export const jobStandingAnswer = {
  id: t.String({ format: 'uuid' }),
  state,
  progress: t.Integer({ minimum: 0, maximum: 100 }),
  failedReason: t.Union([t.String(), t.Null()]),
}

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
    ...jobStandingAnswer,
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
