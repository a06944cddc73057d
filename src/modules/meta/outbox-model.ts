// Answers of the routes by which people look at mail that is in no ledger.

import { type Static, Type } from '@sinclair/typebox'
import { answeredId } from '../../lib/answered'
import { describedAs, oneOfWords } from '../../lib/described'
import { outboxKinds, type ShownMail } from '../letters'

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
