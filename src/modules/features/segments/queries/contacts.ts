// Contacts by condition: counts and pages. The shape follows the tree, so these go through the builder, and each is planned afresh.

import { and, count, desc, eq, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../../../platform/context'
import { type ContactRow, contacts } from '../../../audience/contacts'
import { segmentMembers } from '../schema'

/** `where` may be any condition on the table contacts. */
export async function countContacts(ctx: Context, projectId: string, where: SQL): Promise<number> {
  const [row] = await ctx.db
    .select({ matches: count() })
    .from(contacts)
    .where(and(eq(contacts.projectId, projectId), where))
  return row?.matches ?? 0
}

/** Newest first; ids are made from the time of creation. */
export async function selectContactPage(
  ctx: Context,
  projectId: string,
  where: SQL,
  page: { pageSize: number; offset: number },
): Promise<ContactRow[]> {
  return await ctx.db
    .select()
    .from(contacts)
    .where(and(eq(contacts.projectId, projectId), where))
    .orderBy(desc(contacts.id))
    .limit(page.pageSize)
    .offset(page.offset)
}

export async function contactMatches(
  ctx: Context,
  projectId: string,
  contactId: string,
  where: SQL,
): Promise<boolean> {
  const rows = await ctx.db
    .select({ one: sql`1` })
    .from(contacts)
    .where(and(eq(contacts.projectId, projectId), eq(contacts.id, contactId), where))
  return rows.length > 0
}

/** Which of the conditions hold for a contact, in their order. A null, as a comparison with nothing gives, is no. */
export async function testContact(
  ctx: Context,
  projectId: string,
  contactId: string,
  conditions: readonly SQL[],
): Promise<boolean[]> {
  const tests = conditions.map((condition, index) => [`t${index}`, sql`(${condition})`.mapWith(Boolean)])
  const [row] = await ctx.db
    .select(Object.fromEntries(tests) as Record<string, SQL<boolean>>)
    .from(contacts)
    .where(and(eq(contacts.projectId, projectId), eq(contacts.id, contactId)))
  return conditions.map((_, index) => row?.[`t${index}`] === true)
}

/** Members of a static segment; the last to enter come first. */
export async function selectMemberPage(
  ctx: Context,
  projectId: string,
  segmentId: string,
  page: { pageSize: number; offset: number },
): Promise<ContactRow[]> {
  const rows = await ctx.db
    .select({ contact: contacts })
    .from(segmentMembers)
    .innerJoin(
      contacts,
      and(eq(contacts.projectId, segmentMembers.projectId), eq(contacts.id, segmentMembers.contactId)),
    )
    .where(and(eq(segmentMembers.projectId, projectId), eq(segmentMembers.segmentId, segmentId)))
    .orderBy(desc(segmentMembers.enteredAt), desc(segmentMembers.contactId))
    .limit(page.pageSize)
    .offset(page.offset)
  return rows.map(row => row.contact)
}
