// Layouts, and which templates use them.
import { and, count, desc, eq, getTableColumns, lt, sql } from 'drizzle-orm'
import type { Context } from '../../../../platform/context'
import { layouts, templates } from '../schema'

export type LayoutRow = typeof layouts.$inferSelect
/** Lists leave out what only an editor needs. */
export type ListedLayout = Omit<LayoutRow, 'editor'>

export async function insertLayout(ctx: Context, row: LayoutRow): Promise<void> {
  await ctx.db.insert(layouts).values(row)
}

export async function findLayout(
  ctx: Context,
  projectId: string,
  id: string,
): Promise<LayoutRow | undefined> {
  const [row] = await ctx.db.select().from(layouts).where(isLayout(projectId, id))
  return row
}

/** Newest first, past that id. */
export async function pageOfLayouts(
  ctx: Context,
  projectId: string,
  behind: string | undefined,
  limit: number,
): Promise<ListedLayout[]> {
  const { editor: _, ...listed } = getTableColumns(layouts)
  return await ctx.db
    .select(listed)
    .from(layouts)
    .where(and(eq(layouts.projectId, projectId), behind ? lt(layouts.id, behind) : undefined))
    .orderBy(desc(layouts.id))
    .limit(limit)
}

export async function countLayouts(ctx: Context, projectId: string): Promise<number> {
  const [row] = await ctx.db.select({ total: count() }).from(layouts).where(eq(layouts.projectId, projectId))
  return row?.total ?? 0
}

export type LayoutChanges = Partial<Pick<LayoutRow, 'name' | 'description' | 'body' | 'editor'>>

/** Undefined if there is none, or not of the version that is expected. */
export async function updateLayout(
  ctx: Context,
  projectId: string,
  id: string,
  changes: LayoutChanges,
  expectedVersion?: number,
): Promise<LayoutRow | undefined> {
  const [row] = await ctx.db
    .update(layouts)
    .set({ ...changes, version: sql`${layouts.version} + 1`, updatedAt: ctx.clock.now() })
    .where(
      and(
        isLayout(projectId, id),
        expectedVersion === undefined ? undefined : eq(layouts.version, expectedVersion),
      ),
    )
    .returning()
  return row
}

/** Keeps the layout from being deleted until the transaction ends; false if there is none. */
export async function holdLayout(ctx: Context, projectId: string, id: string): Promise<boolean> {
  const rows = await ctx.db
    .select({ id: layouts.id })
    .from(layouts)
    .where(isLayout(projectId, id))
    .for('share')
  return rows.length > 0
}

/** Keeps others from beginning to use the layout until the transaction ends; false if there is none. */
export async function lockLayout(ctx: Context, projectId: string, id: string): Promise<boolean> {
  const rows = await ctx.db
    .select({ id: layouts.id })
    .from(layouts)
    .where(isLayout(projectId, id))
    .for('update')
  return rows.length > 0
}

export async function deleteLayout(ctx: Context, projectId: string, id: string): Promise<void> {
  await ctx.db.delete(layouts).where(isLayout(projectId, id))
}

const isLayout = (projectId: string, id: string) => and(eq(layouts.projectId, projectId), eq(layouts.id, id))

/** Newest first, up to `limit`. */
export async function templatesInLayout(
  ctx: Context,
  projectId: string,
  layoutId: string,
  limit: number,
): Promise<Array<{ id: string; name: string }>> {
  return await ctx.db
    .select({ id: templates.id, name: templates.name })
    .from(templates)
    .where(usesLayout(projectId, layoutId))
    .orderBy(desc(templates.createdAt), desc(templates.id))
    .limit(limit)
}

export async function countTemplatesInLayout(
  ctx: Context,
  projectId: string,
  layoutId: string,
): Promise<number> {
  const [row] = await ctx.db.select({ total: count() }).from(templates).where(usesLayout(projectId, layoutId))
  return row?.total ?? 0
}

const usesLayout = (projectId: string, layoutId: string) =>
  and(eq(templates.projectId, projectId), eq(templates.layoutId, layoutId))
