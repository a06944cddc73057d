// What the instance says about itself: features, health.
import { type Static, Type } from '@sinclair/typebox'
import { answeredId, nullableId } from '../../../lib/answered'
import { describedAs, findingLevels, oneOfWords } from '../../../lib/described'
import { cursorListOf, cursorQuery, uncounted } from '../../../lib/paging'
import { parseSmtpUrl } from '../../../mail/smtp/options'
import type { MailRoute } from '../../../platform/transports/several/several'
import { isForAll } from '../../../settings/transport-list'
import { outboxKinds, type ShownMail } from '../../accounts/system-emails'
import type { TransportDay } from '../../sending/domains'
import { returnedOutcomes } from '../../sending/feedback'
import type { FailedJob, KindFigures } from './queries'

const nullableText = Type.Union([Type.String(), Type.Null()])
const port = Type.Union([Type.Integer(), Type.Null()])
const enabled = Type.Object({ enabled: Type.Boolean() })

export const configAnswer = Type.Object(
  {
    environment: Type.String(),
    urls: Type.Object({
      api: Type.String(),
      dashboard: Type.String(),
      landing: Type.String(),
      wiki: nullableText,
    }),
    features: Type.Object({
      billing: enabled,
      storage: Type.Object({ s3Enabled: Type.Boolean() }),
      authProviders: Type.Object({
        github: Type.Boolean(),
        google: Type.Boolean(),
        oidc: Type.Optional(
          Type.Object(
            { label: Type.String() },
            {
              description:
                'A provider of OpenID Connect, and what its button says; absent where there is none',
            },
          ),
        ),
      }),
      signup: Type.Object({
        signupsDisabled: Type.Boolean({ description: 'Whoever is not invited is refused' }),
        isFirstAccount: Type.Boolean({ description: 'There is no account yet' }),
        needsSetupToken: Type.Boolean({ description: 'The first account needs the setup token' }),
      }),
      email: Type.Object({
        trackingToggleEnabled: Type.Boolean(),
        outbox: Type.Boolean({ description: 'Mail is kept on the machine and does not leave it' }),
      }),
      smtp: Type.Object(
        {
          enabled: Type.Boolean(),
          domain: nullableText,
          ports: Type.Union([Type.Object({ secure: port, submission: port }), Type.Null()]),
        },
        { description: 'Where programs submit mail by SMTP: TLS from the first byte, and STARTTLS' },
      ),
    }),
    aws: Type.Object({ sesRegion: nullableText, mailFromSubdomain: nullableText }),
  },
  { title: 'InstanceConfig' },
)

const band = Type.Object({ waiting: Type.Integer(), oldestSeconds: Type.Number() })

export const healthAnswer = Type.Object(
  {
    status: Type.Union([Type.Literal('ok'), Type.Literal('error')]),
    version: Type.String(),
    database: Type.Union([Type.Literal('ok'), Type.Literal('failed')]),
    jobs: Type.Union([
      Type.Object({
        running: Type.Integer(),
        bands: Type.Object({ transactional: band, system: band, workflow: band, bulk: band }),
      }),
      Type.Literal('failed'),
    ]),
    /** Paused after a restore or a copy, until `waxwing resume`. */
    sending: Type.Object({
      paused: Type.Boolean(),
      because: Type.Optional(Type.String()),
      since: Type.Optional(Type.String({ format: 'date-time' })),
    }),
    transports: Type.Optional(
      Type.Array(Type.Object({ name: Type.String(), working: Type.Boolean() }), {
        description: 'Where there are several: whether this process has found each of them working',
      }),
    ),
    warnings: Type.Array(Type.String(), {
      description:
        'What needs attention: settings that keep mail from doing its job, missing months of a split table; the instance is healthy all the same',
    }),
  },
  { title: 'InstanceHealth' },
)

export type ConfigAnswer = Static<typeof configAnswer>
export type HealthAnswer = Static<typeof healthAnswer>

const moment = Type.String({ format: 'date-time' })
const nullableMoment = Type.Union([moment, Type.Null()])
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
  { entry, health }: MailRoute,
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

export const mailParams = Type.Object({ id: answeredId() })

const mail = {
  id: Type.String({ format: 'uuid' }),
  kind: describedAs(Type.String(), { title: 'OutboxKind', ...oneOfWords(outboxKinds) }),
  to: Type.String(),
  from: Type.String(),
  fromName: Type.Union([Type.String(), Type.Null()]),
  subject: Type.String(),
  createdAt: Type.String({ format: 'date-time' }),
}

export const outboxList = Type.Object({ data: Type.Array(Type.Object(mail, { title: 'OutboxMail' })) })

export const outboxMail = Type.Object(
  { ...mail, body: Type.String({ description: 'HTML; empty where it has none' }), text: Type.String() },
  { title: 'WholeOutboxMail' },
)

export function toListedMail({ id, kind, toEmail: to, from, fromName, subject, createdAt }: ShownMail) {
  return { id, kind, to, from, fromName, subject, createdAt: createdAt.toISOString() }
}

export function toWholeMail(row: ShownMail): Static<typeof outboxMail> {
  return { ...toListedMail(row), body: row.html, text: row.text }
}
