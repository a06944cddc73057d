// Reading the ledger: what was sent, what the other side said, and the message itself.
import { cursorDate, decodeCursor } from '../../../lib/cursor'
import { notFound } from '../../../lib/errors'
import { isUuid } from '../../../lib/ids'
import type { Context } from '../../../platform/context'
import { callHook } from '../../../platform/hooks'
import { messageBody } from '../hooks'
import {
  type AttemptRow,
  countEmails,
  type EmailRow,
  type EmailSummaryRow,
  findEmail,
  listAttempts,
  pageOfEmails,
} from '../queries'

export interface EmailPage {
  /** One row more than `limit` when there are more. */
  rows: EmailSummaryRow[]
  total: number
}

/** Newest first. `total` is counted on the first page only. */
export async function listEmails(
  ctx: Context,
  projectId: string,
  query: { limit: number; cursor?: string; contactId?: string },
): Promise<EmailPage> {
  const filter = { contactId: query.contactId && isUuid(query.contactId) ? query.contactId : undefined }
  if (query.contactId && !filter.contactId) return { rows: [], total: 0 }
  const position = query.cursor ? decodeCursor(query.cursor) : undefined
  const after = position ? { createdAt: cursorDate(position), id: position.id } : undefined
  const rows = await pageOfEmails(ctx, projectId, filter, after, query.limit + 1)
  return { rows, total: after ? 0 : await countEmails(ctx, projectId, filter) }
}

/** 404 for an id of another project, too. */
export async function getEmail(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<{ email: EmailRow; attempts: AttemptRow[] }> {
  const email = await findEmail(ctx, projectId, id)
  if (!email) throw notFound('E-mail', id)
  const [bodies, attempts] = await Promise.all([
    callHook(ctx, messageBody, email),
    listAttempts(ctx, projectId, id),
  ])
  return { email: Object.assign({}, email, ...bodies), attempts }
}
