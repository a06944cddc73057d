// What the operator of an instance sees: what it runs on, what the doctor finds, and its jobs.

import { type Static, Type } from '@sinclair/typebox'
import { findingLevels, oneOfWords } from '../../lib/described'
import { cursorListOf, cursorQuery } from '../../lib/page'
import type { FailedJob, KindFigures } from '../../platform/jobs/queries'

const moment = Type.String({ format: 'date-time' })
const nullableMoment = Type.Union([moment, Type.Null()])
const nullableText = Type.Union([Type.String(), Type.Null()])
const kind = Type.Object(
  {
    kind: Type.String(),
    band: Type.String({ description: 'transactional, system, workflow or bulk' }),
    queued: Type.Integer(),
    running: Type.Integer(),
    failed: Type.Integer(),
    dueSince: nullableMoment,
  },
  { title: 'JobKind' },
)

export const stateAnswer = Type.Object(
  {
    version: Type.String(),
    startedAt: moment,
    baseUrl: Type.String(),
    transport: Type.Object({
      name: Type.String({ description: 'outbox, smtp, ses or sendmail' }),
      host: Type.Union([Type.String(), Type.Null()], { description: 'Of the relay' }),
    }),
    database: Type.Object({
      version: Type.String(),
      builtIn: Type.Boolean({ description: 'Run by the program itself' }),
      bytes: Type.Integer(),
    }),
    jobs: Type.Array(kind, { description: 'By kind; of each state at most 100,000 are counted' }),
  },
  { title: 'InstanceState' },
)

const level = oneOfWords(findingLevels)

export const findingsAnswer = Type.Object(
  {
    findings: Type.Array(Type.Object({ level, about: Type.String(), words: Type.String() })),
    lookedAt: moment,
  },
  { title: 'InstanceFindings' },
)

export const failedQuery = Type.Object({
  ...cursorQuery,
  kind: Type.Optional(Type.String({ maxLength: 100, description: 'Of this kind only' })),
})

const failed = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    kind: Type.String(),
    projectId: nullableText,
    attempts: Type.Integer(),
    error: nullableText,
    createdAt: moment,
    finishedAt: moment,
  },
  { title: 'FailedJob' },
)

export const failedList = cursorListOf(failed)

export type StateAnswer = Static<typeof stateAnswer>
export type FindingsAnswer = Static<typeof findingsAnswer>

export function toKind(row: KindFigures): StateAnswer['jobs'][number] {
  return { ...row, dueSince: row.dueSince?.toISOString() ?? null }
}

export function toFailed(row: FailedJob): Static<typeof failed> {
  return { ...row, createdAt: row.createdAt.toISOString(), finishedAt: row.finishedAt.toISOString() }
}
