// Reading the email log for people.
import { and, count, desc, eq, getTableColumns, gte, inArray, lt, sql } from 'drizzle-orm'
import type { Context } from '../../../../platform/context'
import { type IdSpan, readRecentFirst } from '../../../../platform/db/partition/recent'
import { emailAttempts, emails } from '../schema'

export type EmailRow = typeof emails.$inferSelect
/** Without the message itself: a page of large ones would be hundreds of megabytes. */
export type EmailSummaryRow = Omit<EmailRow, 'html' | 'text' | 'headers' | 'givenLinks'>
export type AttemptRow = typeof emailAttempts.$inferSelect

const { html, text, headers, givenLinks, ...summaryColumns } = getTableColumns(emails)

export interface EmailFilter {
  contactId?: string
}

/** Newest first, after the given position; the index of the filter gives the order. */
export async function pageOfEmails(
  ctx: Context,
  projectId: string,
  filter: EmailFilter,
  after: { createdAt: Date; id: string } | undefined,
  limit: number,
): Promise<EmailSummaryRow[]> {
  const position = after
    ? sql`(${emails.createdAt}, ${emails.id}) < (${after.createdAt.toISOString()}::timestamptz, ${after.id}::uuid)`
    : undefined
  const inSpan = ({ from, to }: IdSpan) =>
    and(from ? gte(emails.id, from) : undefined, to ? lt(emails.id, to) : undefined)
  return await readRecentFirst(
    ctx,
    'emails',
    { newest: after?.createdAt, limit },
    async span =>
      await ctx.db
        .select(summaryColumns)
        .from(emails)
        .where(and(matching(projectId, filter), position, inSpan(span)))
        .orderBy(desc(emails.createdAt), desc(emails.id))
        .limit(limit),
  )
}

/** The messages with these ids, newest first. */
export async function listEmailsById(
  ctx: Context,
  projectId: string,
  ids: readonly string[],
): Promise<EmailSummaryRow[]> {
  if (ids.length === 0) return []
  return await ctx.db
    .select(summaryColumns)
    .from(emails)
    .where(and(eq(emails.projectId, projectId), inArray(emails.id, [...ids])))
    .orderBy(desc(emails.createdAt), desc(emails.id))
}

/** Counted up to this: counting millions of emails would take seconds, for a number that nobody reads to the last digit. */
const maxCounted = 100_000

export async function countEmails(ctx: Context, projectId: string, filter: EmailFilter): Promise<number> {
  const counted = ctx.db
    .select({ id: emails.id })
    .from(emails)
    .where(matching(projectId, filter))
    .limit(maxCounted)
    .as('counted')
  const [row] = await ctx.db.select({ total: count() }).from(counted)
  return row?.total ?? 0
}

function matching(projectId: string, { contactId }: EmailFilter) {
  return and(eq(emails.projectId, projectId), contactId ? eq(emails.contactId, contactId) : undefined)
}

export async function findEmail(ctx: Context, projectId: string, id: string): Promise<EmailRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(emails)
    .where(and(eq(emails.projectId, projectId), eq(emails.id, id)))
  return row
}

export async function listAttempts(ctx: Context, projectId: string, emailId: string): Promise<AttemptRow[]> {
  return await ctx.db
    .select()
    .from(emailAttempts)
    .where(and(eq(emailAttempts.projectId, projectId), eq(emailAttempts.emailId, emailId)))
    .orderBy(emailAttempts.attempt)
}

/** Removes the template from up to `limit` messages; returns how many there were. */
export async function clearTemplateId(
  ctx: Context,
  { projectId, templateId, limit }: { projectId: string; templateId: string; limit: number },
): Promise<number> {
  const { count } = await ctx.sql`
    update emails e set template_id = null
      from (select project_id, id from emails
             where project_id = ${projectId}::uuid and template_id = ${templateId}::uuid limit ${limit}) t
     where e.project_id = t.project_id and e.id = t.id`
  return count
}
