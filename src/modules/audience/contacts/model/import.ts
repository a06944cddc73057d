// Requests and answers about imports of CSV files.
import { type Static, t } from 'elysia'
import { answeredAddress, answeredId } from '../../../../lib/answered'
import { describedWith, oneOfWords } from '../../../../lib/described'
import { type JobStanding, wholePercent } from '../job-state'
import {
  cellTypes,
  existingModes,
  type ImportFault,
  type ImportUndo,
  type LeftOutRow,
  type MisfitCell,
} from '../schema'
import { jobStandingAnswer } from './work'

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
    types: t.Optional(
      t.String({
        maxLength: 200_000,
        description: `A JSON list with the type of each column: ${cellTypes.join(', ')}, or an empty string to detect it. Existing fields keep their type`,
        'x-waxwing-addition': true,
      }),
    ),
    misfits: t.Optional(
      t.Union([t.Literal('keep'), t.Literal('skip')], {
        description:
          "What happens to cells that don't match the type of their column: kept as text, or left out",
        default: 'keep',
        'x-waxwing-addition': true,
      }),
    ),
    existing: t.Optional(
      oneOfWords(existingModes, {
        description: 'Custom fields of existing contacts: updated, filled if empty, or kept',
        default: 'update',
        'x-waxwing-addition': true,
      }),
    ),
    consent: t.Optional(
      t.Union([t.Literal('given'), t.Literal('none')], {
        description:
          'Whether these people agreed to marketing email. With `none` new contacts are subscribed only where the file says so',
        default: 'given',
        'x-waxwing-addition': true,
      }),
    ),
    consentSource: t.Optional(
      t.String({
        maxLength: 300,
        description: 'Where they agreed, for the consent log',
        'x-waxwing-addition': true,
      }),
    ),
    consentDate: t.Optional(
      t.String({
        format: 'date',
        description: 'When they agreed, for the consent log: `YYYY-MM-DD`',
        'x-waxwing-addition': true,
      }),
    ),
    segmentId: t.Optional(
      t.String({
        format: 'uuid',
        description: 'A static segment that everyone in the file is added to',
        'x-waxwing-addition': true,
      }),
    ),
  }),
  'file',
)

export type ImportBody = Static<typeof importBody>

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
  unchangedCount: t.Integer({
    description: 'Of the updated rows: those that changed nothing',
    'x-waxwing-addition': true,
  }),
  misfitCount: t.Integer({
    description: "Cells that don't match the type given for their column",
    'x-waxwing-addition': true,
  }),
  misfits: t.Array(t.Object({ row: t.Integer(), email: answeredAddress(), field: t.String() }), {
    description: 'The first thousand of them',
    'x-waxwing-addition': true,
  }),
  warnings: t.Array(t.String(), {
    description:
      'Columns that may say who gets no email but were imported as custom fields, and whether the segment was deleted during the import',
    'x-waxwing-addition': true,
  }),
})

const undoAnswer = t.Object({
  state: t.Union([t.Literal('active'), t.Literal('completed')]),
  progress: t.Integer({ minimum: 0, maximum: 100 }),
  removedCount: t.Integer({ description: 'Contacts that the import created, now deleted' }),
  restoredCount: t.Integer({ description: 'Contacts that are as they were before the import' }),
  keptCount: t.Integer({
    description: 'Contacts that the import created, kept because they have changed since then',
  }),
  usedCount: t.Integer({
    description:
      'Contacts that the import created, kept because they have an email, event, form, or workflow run',
  }),
  changedCount: t.Integer({
    description:
      'Contacts that the import updated and that have changed since then; the later changes are kept',
  }),
})

export const importAnswer = t.Object(
  {
    ...jobStandingAnswer,
    result: t.Union([importResult, t.Null()]),
    data: t.Object({ projectId: answeredId(), filename: t.String() }),
    undoableUntil: t.Union([t.String({ format: 'date-time' }), t.Null()], {
      description: 'Until when the import can be undone; null if it can no longer be undone',
      'x-waxwing-addition': true,
    }),
    undo: t.Union([undoAnswer, t.Null()], {
      description: 'Progress and counts of the undo; null if it was not requested',
      'x-waxwing-addition': true,
    }),
  },
  { title: 'ImportJob' },
)

interface ImportStatus extends JobStanding {
  progress: number
  undoableUntil: Date | null
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
    unchanged: number
    misfits: number
    misfitCells: MisfitCell[]
    undo: ImportUndo | null
  }
}

/** A failed import that has done rows reports what became of them. */
export function toImport({ job, undoableUntil, ...rest }: ImportStatus): Static<typeof importAnswer> {
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
    unchangedCount: job.unchanged,
    misfitCount: job.misfits,
    misfits: job.misfitCells,
    warnings: job.warnings,
  }
  return {
    id: job.id,
    ...rest,
    result: hasResult ? result : null,
    data: { projectId: job.projectId, filename: job.filename },
    undoableUntil: undoableUntil?.toISOString() ?? null,
    undo: job.undo && toUndo(job.undo),
  }
}

function toUndo(undo: ImportUndo): Static<typeof undoAnswer> {
  const { total, removed, restored, keptEdited, keptUsed, keptChanged, finishedAt } = undo
  const done = removed + restored + keptEdited + keptUsed + keptChanged
  return {
    state: finishedAt === null ? 'active' : 'completed',
    progress: finishedAt === null ? wholePercent(done, total) : 100,
    removedCount: removed,
    restoredCount: restored,
    keptCount: keptEdited,
    usedCount: keptUsed,
    changedCount: keptChanged,
  }
}
