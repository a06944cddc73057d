// All SQL of old links.
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Context } from '../../../platform/context'
import { insertRows } from '../../../platform/db/insert-rows'
import { oldLinks, oldRecipients } from './schema'

export type OldRecipient = typeof oldRecipients.$inferSelect
export type OldLink = typeof oldLinks.$inferSelect

const recipientColumns = ['projectId', 'contactId', 'tokenHash', 'addressHash'] as const
const linkColumns = ['projectId', 'id', 'url'] as const

/** Returns how many are new. */
export async function insertOldRecipients(ctx: Context, rows: readonly OldRecipient[]): Promise<number> {
  const written = await ctx.sql<{ isNew: boolean }[]>`
    ${insertRows(ctx, oldRecipients, recipientColumns, rows)}
    on conflict (project_id, contact_id, token_hash) do update set address_hash = excluded.address_hash
     where old_recipients.address_hash is distinct from excluded.address_hash
    returning xmax = 0 as "isNew"`
  return written.filter(({ isNew }) => isNew).length
}

export interface KnownRecipient {
  tokenHash: string
  addressHash: string | null
  contactId: string
  email: string
}

/** Whose the tokens are in this project, with their addresses as they are now; the newest contact of each first. */
export async function selectKnownRecipients(
  ctx: Context,
  projectId: string,
  tokenHashes: readonly string[],
): Promise<KnownRecipient[]> {
  return await ctx.sql<KnownRecipient[]>`
    select r.token_hash as "tokenHash", r.address_hash as "addressHash", c.id as "contactId", c.email
      from old_recipients r join contacts c on c.project_id = r.project_id and c.id = r.contact_id
     where r.project_id = ${projectId}::uuid and r.token_hash = any(${tokenHashes as string[]}::text[])
     order by c.id desc`
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
    // Of several contacts with one token the newest is the one that is mailed.
    .orderBy(oldRecipients.projectId, desc(oldRecipients.contactId))
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

/** Of two contacts that became one: the old links of both are those of the one that stays. */
export async function moveOldRecipients(
  ctx: Context,
  { projectId, from, to }: { projectId: string; from: string; to: string },
): Promise<void> {
  await ctx.sql`
    insert into old_recipients (project_id, contact_id, token_hash, address_hash)
    select project_id, ${to}::uuid, token_hash, address_hash from old_recipients
     where project_id = ${projectId}::uuid and contact_id = ${from}::uuid
    on conflict do nothing`
}
