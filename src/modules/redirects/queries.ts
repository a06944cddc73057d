// All SQL of old links.
import { and, eq, sql } from 'drizzle-orm'
import type { Context } from '../../platform/context'
import { insertRows } from '../../platform/db/insert-rows'
import { oldLinks, oldRecipients } from './schema'

export type OldRecipient = typeof oldRecipients.$inferSelect
export type OldLink = typeof oldLinks.$inferSelect

const recipientColumns = ['projectId', 'contactId', 'tokenHash'] as const
const linkColumns = ['projectId', 'id', 'url'] as const

/** Returns how many are new. */
export async function insertOldRecipients(ctx: Context, rows: readonly OldRecipient[]): Promise<number> {
  const { count } =
    await ctx.sql`${insertRows(ctx, oldRecipients, recipientColumns, rows)} on conflict do nothing`
  return count
}

/** Returns how many are new. A link keeps where it led when it was first imported. */
export async function insertOldLinks(ctx: Context, rows: readonly OldLink[]): Promise<number> {
  const { count } = await ctx.sql`${insertRows(ctx, oldLinks, linkColumns, rows)} on conflict do nothing`
  return count
}

const mostRecipients = 100

/** Of several projects, if they imported the same person; one that is being deleted may have the old link longer than the contact. */
export async function selectOldRecipients(ctx: Context, tokenHash: string): Promise<OldRecipient[]> {
  return await ctx.db
    .select()
    .from(oldRecipients)
    .where(
      and(
        eq(oldRecipients.tokenHash, tokenHash),
        sql`exists (select from contacts c where c.project_id = ${oldRecipients.projectId} and c.id = ${oldRecipients.contactId})`,
      ),
    )
    .orderBy(oldRecipients.projectId, oldRecipients.contactId)
    .limit(mostRecipients)
}

export async function selectOldLink(ctx: Context, id: string): Promise<string | undefined> {
  const [row] = await ctx.db.select({ url: oldLinks.url }).from(oldLinks).where(eq(oldLinks.id, id)).limit(1)
  return row?.url
}

export async function deleteOldRecipients(
  ctx: Context,
  projectId: string,
  contactIds: readonly string[],
): Promise<void> {
  await ctx.sql`
    delete from old_recipients
     where project_id = ${projectId}::uuid and contact_id = any(${contactIds as string[]}::uuid[])`
}
