// What the operator of an instance sees: what it runs on, what the doctor finds, and its jobs.

import { type Static, Type } from '@sinclair/typebox'
import { nullableId } from '../../lib/answered'
import { findingLevels, oneOfWords } from '../../lib/described'
import { cursorListOf, cursorQuery, uncounted } from '../../lib/page'
import type { FailedJob, KindFigures } from '../../platform/jobs/queries'
import { parseSmtpUrl } from '../../platform/mail/smtp-options'
import { isForAll } from '../../platform/mail/ways/list'
import type { MailWay } from '../../platform/mail/ways/ways'
import type { TransportDay } from '../domains'
import { returnedOutcomes } from '../feedback'

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

const transport = Type.Object(
  {
    name: Type.String(),
    kind: Type.String({ description: 'smtp, ses or sendmail' }),
    host: Type.Union([Type.String(), Type.Null()], { description: 'Of the relay' }),
    isForAll: Type.Boolean({ description: 'It has no conditions' }),
    working: Type.Boolean({ description: 'As this process has found it' }),
    failures: Type.Integer({ description: 'In a row' }),
    passedOverUntil: nullableMoment,
    fault: Type.Union([Type.String(), Type.Null()], { description: 'What it said when it failed last' }),
    warmUp: Type.Optional(
      Type.Object(
        { sent: Type.Integer(), allowance: Type.Integer() },
        { description: 'Today (UTC), while it is in warm-up' },
      ),
    ),
  },
  { title: 'TransportState' },
)

export const stateAnswer = Type.Object(
  {
    version: Type.String({
      description: 'Version, with the commit it was built from and the date of that commit',
    }),
    startedAt: moment,
    baseUrl: Type.String(),
    transport: Type.Object({
      name: Type.String({
        description: 'outbox, smtp, ses or sendmail; several, where TRANSPORTS_FILE lists them',
      }),
      host: Type.Union([Type.String(), Type.Null()], { description: 'Of the relay' }),
    }),
    transports: Type.Optional(
      Type.Array(transport, { description: 'Where there are several, in the order of preference' }),
    ),
    database: Type.Object({
      version: Type.String(),
      builtIn: Type.Boolean({ description: 'Run by the program itself' }),
      bytes: Type.Integer(),
    }),
    jobs: Type.Array(kind, { description: 'By kind; of each state at most 100,000 are counted' }),
    returnedEmails: Type.Array(
      Type.Object({ outcome: oneOfWords(returnedOutcomes), emails: Type.Integer() }),
      {
        description:
          'Bounces, complaints and other replies of the last 30 days (UTC), by what was done with them',
      },
    ),
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
    projectId: nullableId(),
    attempts: Type.Integer(),
    error: nullableText,
    createdAt: moment,
    finishedAt: moment,
  },
  { title: 'FailedJob' },
)

export const failedList = cursorListOf(failed, uncounted)

export type StateAnswer = Static<typeof stateAnswer>
export type FindingsAnswer = Static<typeof findingsAnswer>

export function toKind(row: KindFigures): StateAnswer['jobs'][number] {
  return { ...row, dueSince: row.dueSince?.toISOString() ?? null }
}

export function toTransport(
  { entry, health }: MailWay,
  days: ReadonlyMap<string, TransportDay>,
): Static<typeof transport> {
  const { name, kind, target, warmUp } = entry
  const day = days.get(name)
  const { failures, coolsUntil, fault } = health()
  return {
    ...{ name, kind, failures, working: failures === 0, isForAll: isForAll(entry) },
    host: kind === 'smtp' ? parseSmtpUrl(target!).host : null,
    passedOverUntil: coolsUntil?.toISOString() ?? null,
    fault: fault ?? null,
    ...(warmUp && !day?.isOver
      ? { warmUp: { sent: day?.sent ?? 0, allowance: day?.allowance || warmUp.firstDay } }
      : {}),
  }
}

export function toFailed(row: FailedJob): Static<typeof failed> {
  return { ...row, createdAt: row.createdAt.toISOString(), finishedAt: row.finishedAt.toISOString() }
}
