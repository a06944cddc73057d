// Templates themselves, what they were sent with, and the contact that a preview is rendered for.
import { and, asc, count, desc, eq, getTableColumns, ilike, or, type SQL, sql } from 'drizzle-orm'
import type { Direction, namedSortKeys, Page } from '../../../../lib/paging'
import type { Context } from '../../../../platform/context'
import { type TemplateType, templates } from '../schema'

export type TemplateRow = typeof templates.$inferSelect

export async function insertTemplate(ctx: Context, row: TemplateRow): Promise<void> {
  await ctx.db.insert(templates).values(row)
}

export async function findTemplate(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<TemplateRow | undefined> {
  const [row] = await ctx.sql<TemplateRow[]>`
    select id, project_id as "projectId", name, description, subject, body, layout_id as "layoutId", from_email as "fromEmail",
           from_name as "fromName", reply_to as "replyTo", type, tracking, editor, version, created_at as "createdAt", updated_at as "updatedAt"
      from templates where project_id = ${projectId}::uuid and id = ${id}::uuid`
  return row
}

/** What is sent with a template. */
export type Sendable = Pick<
  TemplateRow,
  'id' | 'subject' | 'body' | 'fromEmail' | 'fromName' | 'replyTo' | 'type' | 'tracking'
>

/** With the body of the layout beside its own. */
export async function selectSendable(
  ctx: Context,
  projectId: string,
  ids: readonly string[],
): Promise<Array<Sendable & { layout: string | null }>> {
  return await ctx.sql<Array<Sendable & { layout: string | null }>>`
    select t.id, t.subject, t.body, l.body as layout, t.from_email as "fromEmail", t.from_name as "fromName",
           t.reply_to as "replyTo", t.type, t.tracking
      from templates t left join layouts l on l.project_id = t.project_id and l.id = t.layout_id
     where t.project_id = ${projectId}::uuid and t.id = any(${ids as string[]}::uuid[])`
}

export interface TemplateListing {
  type?: TemplateType
  /** Part of name, description or subject. */
  search?: string
  sort: (typeof namedSortKeys)[number]
  dir: Direction
}

/** Lists leave out what only an editor needs. */
export type ListedTemplate = Omit<TemplateRow, 'editor'>

export async function selectTemplates(
  ctx: Context,
  projectId: string,
  listing: TemplateListing,
  page: Page,
): Promise<ListedTemplate[]> {
  const order = listing.dir === 'asc' ? asc : desc
  const { editor: _, ...listed } = getTableColumns(templates)
  return await ctx.db
    .select(listed)
    .from(templates)
    .where(matching(projectId, listing))
    .orderBy(order(templates[listing.sort]), order(templates.id))
    .limit(page.pageSize)
    .offset(page.offset)
}

export async function countTemplates(
  ctx: Context,
  projectId: string,
  listing: TemplateListing,
): Promise<number> {
  const [row] = await ctx.db.select({ total: count() }).from(templates).where(matching(projectId, listing))
  return row?.total ?? 0
}

function matching(projectId: string, { type, search }: TemplateListing): SQL | undefined {
  const pattern = search && `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return and(
    eq(templates.projectId, projectId),
    type && eq(templates.type, type),
    pattern
      ? or(
          ilike(templates.name, pattern),
          ilike(templates.description, pattern),
          ilike(templates.subject, pattern),
        )
      : undefined,
  )
}

export type TemplateChanges = Partial<
  Omit<TemplateRow, 'id' | 'projectId' | 'version' | 'createdAt' | 'updatedAt'>
>

/** Undefined if there is none, or not of the version that is expected. */
export async function updateTemplate(
  ctx: Context,
  projectId: string,
  id: string,
  changes: TemplateChanges,
  expectedVersion?: number,
): Promise<TemplateRow | undefined> {
  const [row] = await ctx.db
    .update(templates)
    .set({ ...changes, version: sql`${templates.version} + 1`, updatedAt: ctx.clock.now() })
    .where(
      and(
        eq(templates.projectId, projectId),
        eq(templates.id, id),
        expectedVersion === undefined ? undefined : eq(templates.version, expectedVersion),
      ),
    )
    .returning()
  return row
}

/** Keeps others from referring to the template until the transaction ends; false if there is none. */
export async function lockTemplate(ctx: Context, projectId: string, id: string): Promise<boolean> {
  const rows = await ctx.sql`
    select 1 from templates where project_id = ${projectId}::uuid and id = ${id}::uuid for update`
  return rows.length > 0
}

export async function deleteTemplate(ctx: Context, projectId: string, id: string): Promise<void> {
  await ctx.sql`delete from templates where project_id = ${projectId}::uuid and id = ${id}::uuid`
}

/** How many messages have left with the template. */
export async function countSentWith(ctx: Context, projectId: string, id: string): Promise<number> {
  const [row] = await ctx.sql<{ sent: number }[]>`
    select count(*) as sent from emails
     where project_id = ${projectId}::uuid and template_id = ${id}::uuid and sent_at is not null`
  return row?.sent ?? 0
}

/** The contact that a preview is rendered for. */
export interface PreviewContact {
  id: string
  email: string
  subscribed: boolean
  data: Record<string, unknown>
}

export async function findPreviewContact(
  ctx: Context,
  projectId: string,
  contactId: string,
): Promise<PreviewContact | undefined> {
  const [row] = await ctx.sql<PreviewContact[]>`
    select id, email, subscribed, data from contacts
     where project_id = ${projectId}::uuid and id = ${contactId}::uuid`
  return row
}
