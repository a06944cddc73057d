// The email log as clients see it.
import { Type } from '@sinclair/typebox'
import {
  answeredAddress,
  answeredId,
  answeredInstant,
  nullableId,
  nullableInstant,
} from '../../../lib/answered'
import { describedAs, filterDate, filterId, filterWord, instantText, queryText } from '../../../lib/described'
import { anyKey, freeForm } from '../../../lib/free-form'
import { cursorListOf, cursorQuery } from '../../../lib/paging'
import { emailReasons, sentenceOf } from '../../../platform/transports/reason'
import type { StoredCopy } from './copies'
import type { AttemptRow, EmailRow, EmailSummaryRow } from './queries'
import { emailStatuses } from './schema'
import { troubleWords } from './search'

export const listQuery = Type.Object({
  ...cursorQuery,
  contactId: Type.Optional(filterId('Only messages to this contact')),
  to: Type.Optional(queryText(320, 'An address, or a part of one')),
  subject: Type.Optional(queryText(200, 'Part of the subject; case is ignored')),
  templateId: Type.Optional(filterId('Only messages made from this template')),
  campaignId: Type.Optional(filterId('Only messages of this campaign')),
  workflowId: Type.Optional(filterId('Only messages of this workflow')),
  status: Type.Optional(filterWord(emailStatuses, 'Only messages in this state')),
  trouble: Type.Optional(filterWord(troubleWords, 'Only messages with which this went wrong')),
  since: Type.Optional(filterDate('Only messages from this moment on')),
  until: Type.Optional(filterDate('Only messages before this moment')),
})

export const idParams = Type.Object({ id: Type.String({ format: 'uuid' }) })

const text = Type.Union([Type.String(), Type.Null()])

export const emailReason = Type.Union(
  [describedAs(Type.String(), { title: 'EmailReason', type: 'string', enum: emailReasons }), Type.Null()],
  { description: 'Why it waits, was not sent, or failed' },
)

export const emailReasonDetail = Type.Union(
  [
    Type.Object(
      {
        words: Type.Optional(Type.String({ description: 'Answer of the other side, or what is wrong' })),
        code: Type.Optional(Type.String({ description: 'Its enhanced status code or reply code' })),
        attempts: Type.Optional(Type.Integer({ description: 'Attempts after which it failed' })),
        provider: Type.Optional(Type.String({ description: 'Mailbox provider' })),
        suppression: Type.Optional(Type.String({ description: 'Why the address is suppressed' })),
      },
      { title: 'EmailReasonDetail' },
    ),
    Type.Null(),
  ],
  { description: 'What belongs to `reason`' },
)

const copy = Type.Object(
  {
    kind: Type.String({ description: 'cc or bcc' }),
    email: answeredAddress(),
    name: text,
    status: Type.String({ description: 'PENDING, SENT, BOUNCED or FAILED' }),
    error: text,
    reason: Type.Optional(Type.String({ description: 'Why it did not arrive, as in events' })),
  },
  { title: 'EmailCopy' },
)

const summary = {
  id: answeredId(),
  contactId: answeredId(),
  to: Type.String({ description: 'Email address, or `erased` if the data of this person was erased' }),
  toName: text,
  from: answeredAddress(),
  fromName: text,
  replyTo: Type.Union([Type.String(), Type.Null()], { description: 'An address, or `Name <address>`' }),
  copies: Type.Array(copy, {
    description: 'Further recipients of the same message, and what became of each',
  }),
  subject: Type.String(),
  sourceType: Type.String(),
  templateId: nullableId(),
  campaignId: nullableId(),
  workflowExecutionId: nullableId(),
  messageId: Type.String(),
  tags: Type.Array(Type.String()),
  metadata: freeForm,
  scheduledFor: nullableInstant(),
  status: describedAs(Type.String(), { title: 'EmailStatus', type: 'string', enum: emailStatuses }),
  error: text,
  reason: emailReason,
  reasonDetail: emailReasonDetail,
  attempts: Type.Integer({ description: 'Attempts so far' }),
  nextAttemptAt: nullableInstant(),
  sentAt: nullableInstant(),
  deliveredAt: nullableInstant(),
  openedAt: nullableInstant(),
  clickedAt: nullableInstant(),
  bouncedAt: nullableInstant(),
  complainedAt: nullableInstant(),
  opens: Type.Integer({ description: 'By people, as far as one can tell' }),
  clicks: Type.Integer({ description: 'By people, as far as one can tell' }),
  machineOpens: Type.Integer({ description: 'By scanners and prefetching programs; not part of opens' }),
  machineClicks: Type.Integer({ description: 'By scanners; not part of clicks' }),
  simulated: Type.Boolean({ description: 'To a mailbox simulator of the provider: counted in no rate' }),
  createdAt: answeredInstant(),
  updatedAt: answeredInstant(),
}

const attempt = Type.Object(
  {
    attempt: Type.Integer(),
    transport: Type.Optional(
      Type.String({ description: 'Missing where a process died while it tried one of several' }),
    ),
    transportName: Type.Optional(
      Type.String({ description: 'Which of them, where the instance has several' }),
    ),
    outcome: Type.String({ description: 'accepted, deferred or refused' }),
    stage: text,
    code: Type.Union([Type.Integer(), Type.Null()]),
    enhanced: text,
    response: Type.String(),
    startedAt: answeredInstant(),
    finishedAt: answeredInstant(),
  },
  { title: 'EmailAttempt' },
)

export const emailSummaryAnswer = Type.Object(summary, { title: 'Email' })

export const emailList = Type.Composite(
  [
    cursorListOf(
      emailSummaryAnswer,
      'Total over all pages, up to 100,000, on the first page only; 0 on later pages and for searches',
    ),
    Type.Object({
      searchedTo: nullableInstant({
        description:
          'A search looks at 20,000 messages per request: how far back this one got, if there are more',
      }),
    }),
  ],
  { title: 'EmailCursorPage' },
)

const troubleCount = Type.Integer({ description: 'Counted up to 10,000' })

export const troublesAnswer = Type.Object(
  {
    waiting: troubleCount,
    failed: troubleCount,
    bounced: troubleCount,
    complained: troubleCount,
    suppressed: troubleCount,
  },
  { title: 'EmailTroubles' },
)

export const emailEvents = Type.Object(
  {
    events: Type.Array(
      Type.Object({
        name: Type.String(),
        data: Type.Union([freeForm, Type.Null()]),
        createdAt: Type.String({ format: 'date-time' }),
      }),
    ),
  },
  { title: 'EmailEvents' },
)

export const rescheduleBody = Type.Object(
  {
    scheduledFor: Type.Union([
      instantText({
        description: 'When the email is sent, with `Z` or an offset; a time in the past means now',
      }),
      Type.Null({ description: 'Accepted for an email without a send time; changes nothing' }),
    ]),
  },
  { title: 'RescheduleRequest' },
)

export const resentAnswer = Type.Object(
  { id: Type.String({ format: 'uuid', description: 'Of the new message' }) },
  { title: 'ResentEmail' },
)

export const emailAnswer = Type.Object(
  {
    ...summary,
    headers: Type.Record(anyKey, Type.String()),
    body: Type.String({ description: 'The HTML that was sent; empty once its retention is over' }),
    text: Type.String(),
    tries: Type.Array(attempt, { description: 'What the other side answered to each attempt' }),
  },
  { title: 'EmailWithContent' },
)

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

/** If the message did not leave, neither did its copies. */
function shownCopies({ copies, status }: EmailSummaryRow) {
  const hasEnded = status === 'FAILED' || status === 'SKIPPED' || status === 'BOUNCED'
  const settle = (copy: StoredCopy): StoredCopy =>
    copy.status === 'PENDING' && hasEnded
      ? { ...copy, status: 'FAILED', error: 'the message was not sent' }
      : copy
  return (copies ?? []).map(settle)
}

export function toSummary(row: EmailSummaryRow) {
  return {
    id: row.id,
    contactId: row.contactId,
    to: row.toEmail,
    toName: row.toName,
    from: row.fromEmail,
    fromName: row.fromName,
    replyTo: row.replyTo,
    copies: shownCopies(row),
    subject: row.subject,
    sourceType: row.sourceType,
    templateId: row.templateId,
    campaignId: row.campaignId,
    workflowExecutionId: row.workflowExecutionId,
    messageId: `<${row.messageId}>`,
    tags: row.tags ?? [],
    metadata: row.metadata ?? {},
    scheduledFor: iso(row.scheduledFor),
    status: row.status,
    error: sentenceOf(row),
    reason: row.reason,
    reasonDetail: row.reasonDetail,
    attempts: row.attempts,
    nextAttemptAt: iso(row.nextAttemptAt),
    sentAt: iso(row.sentAt),
    deliveredAt: iso(row.deliveredAt),
    openedAt: iso(row.openedAt),
    clickedAt: iso(row.clickedAt),
    bouncedAt: iso(row.bouncedAt),
    complainedAt: iso(row.complainedAt),
    opens: row.opens,
    clicks: row.clicks,
    machineOpens: row.machineOpens,
    machineClicks: row.machineClicks,
    simulated: row.simulated,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function toEmail(row: EmailRow, attempts: AttemptRow[]) {
  return {
    ...toSummary(row),
    headers: row.headers,
    body: row.html,
    text: row.text,
    tries: attempts.map(
      ({ emailId, projectId, transport, transportName, startedAt, finishedAt, ...rest }) => ({
        ...rest,
        ...(transport === null ? {} : { transport }),
        ...(transportName === null ? {} : { transportName }),
        startedAt: startedAt.toISOString(),
        finishedAt: finishedAt.toISOString(),
      }),
    ),
  }
}
