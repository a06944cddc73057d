// Mail that is in no ledger, shown while all mail stays in the outbox: tests of campaigns, invitations, and what the instance writes itself.
// Who may see a mail is said by whoever sends it; where nothing is said, it is for the operator alone.
import { notFound } from '../../../lib/errors'
import { isUuid } from '../../../lib/ids'
import type { Context } from '../../../platform/context'
import { insertOutboxMail, type OutboxReader, type OutboxRow, selectOutboxMails } from '../queries'
import type { OutboxAudience, OutboxKind } from '../schema'

/** Besides the operator, who sees what belongs to nobody else. */
export interface SeenBy {
  projectId: string
  audience: Exclude<OutboxAudience, 'operator'>
  kind: Exclude<OutboxKind, 'ACCOUNT'>
}

export interface OutboxContent {
  from: string
  fromName: string | null
  text: string
  html: string
}

export interface OutboxMail extends OutboxContent {
  id: string
  to: string
  subject: string
  /** Nobody but the operator sees it without one. */
  seenBy?: SeenBy
}

const purpose = 'outbox-mail'

/** Does nothing where mail leaves the machine. */
export async function keepInOutbox(ctx: Context, mail: OutboxMail): Promise<void> {
  if (ctx.config.mailTransport !== 'outbox') return
  const { id, to: toEmail, subject, seenBy, from, fromName, text, html } = mail
  const { projectId = null, kind = 'ACCOUNT', audience = 'operator' } = seenBy ?? {}
  const contentSealed = ctx.vault.seal(purpose, JSON.stringify({ from, fromName, text, html }))
  await insertOutboxMail(ctx, { id, projectId, kind, audience, toEmail, subject, contentSealed })
}

export type ShownMail = Omit<OutboxRow, 'contentSealed'> & OutboxContent

const shownAtOnce = 100

/** The newest of what the reader may see. */
export async function listOutbox(ctx: Context, reader: OutboxReader): Promise<ShownMail[]> {
  const rows = await selectOutboxMails(ctx, reader, { id: null, limit: shownAtOnce })
  return rows.map(row => opened(ctx, row))
}

/** 404 alike for what is not there and for what somebody else may see. */
export async function getOutboxMail(ctx: Context, reader: OutboxReader, id: string): Promise<ShownMail> {
  const [row] = isUuid(id) ? await selectOutboxMails(ctx, reader, { id, limit: 1 }) : []
  if (!row) throw notFound('Email', id)
  return opened(ctx, row)
}

function opened(ctx: Context, { contentSealed, ...row }: OutboxRow): ShownMail {
  return { ...row, ...(JSON.parse(ctx.vault.open(purpose, contentSealed)) as OutboxContent) }
}
