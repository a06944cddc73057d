// Reading the email log: what was sent, what the other side said, and the message itself.
import { notFound } from '../../../../lib/errors'
import type { Context } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { messageBody } from '../hooks'
import {
  type AttemptRow,
  countEmails,
  countTroubles,
  type EmailRow,
  type EmailSummaryRow,
  findEmail,
  listAttempts,
  listEmailsById,
  maxRowsScanned,
  pageOfEmails,
  searchEmails,
  selectContactId,
  selectEmailEvents,
} from '../queries'
import {
  type EmailPosition,
  type EmailSearch,
  type EmailSearchRequest,
  isSought,
  readEmailPosition,
  readEmailSearch,
  type TroubleKind,
  troubleKinds,
} from '../search'

export interface EmailPage {
  /** One row more than `limit` where there are more. */
  rows: EmailSummaryRow[]
  total: number
  /** Where a search stopped for now; the next page continues from there. */
  stoppedAt: EmailPosition | null
}

const nothing: EmailPage = { rows: [], total: 0, stoppedAt: null }

/** Newest first. `total` is counted on the first page only, and not for a search. */
export async function listEmails(
  ctx: Context,
  projectId: string,
  { limit, most = maxRowsScanned, ...request }: EmailSearchRequest & { limit: number; most?: number },
): Promise<EmailPage> {
  const search = readEmailSearch(request)
  if (!search) return nothing
  const after = readEmailPosition(request.cursor)
  if (isSought(search)) return await searchPage(ctx, { projectId, search, after, limit, most })
  const rows = await pageOfEmails(ctx, projectId, search, after, limit + 1)
  return { rows, total: after ? 0 : await countEmails(ctx, projectId, search), stoppedAt: null }
}

async function searchPage(ctx: Context, asked: Parameters<typeof searchEmails>[1]): Promise<EmailPage> {
  const { projectId, search } = asked
  const { ids, stoppedAt } = await searchEmails(ctx, {
    ...asked,
    search: await ofContact(ctx, projectId, search),
  })
  return { rows: await listEmailsById(ctx, projectId, ids), total: 0, stoppedAt }
}

/** An address that belongs to a contact stands for that contact's messages, which an index finds. */
async function ofContact(ctx: Context, projectId: string, search: EmailSearch): Promise<EmailSearch> {
  if (!search.address || search.contactId) return search
  const contactId = await selectContactId(ctx, projectId, search.address)
  return contactId ? { ...search, contactId } : search
}

const maxTroubles = 10_000

export async function listTroubles(ctx: Context, projectId: string): Promise<Record<TroubleKind, number>> {
  const rows = await countTroubles(ctx, projectId, troubleKinds, maxTroubles)
  return Object.fromEntries(rows.map(({ kind, count }) => [kind, count])) as Record<TroubleKind, number>
}

/** Opens, clicks and whatever else was recorded about a message, oldest first. */
export async function listEmailEvents(ctx: Context, projectId: string, id: string) {
  const email = await findEmail(ctx, projectId, id)
  if (!email) throw notFound('E-mail', id)
  return await selectEmailEvents(ctx, email, { most: 10_000, limit: 500 })
}

/** 404 for an id of another project too. */
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
