// All SQL of the templates module.
import type { Context } from '../../platform/context'
import { type TemplateType, templates } from './schema'

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
    select id, project_id as "projectId", name, description, subject, body, from_email as "fromEmail",
           from_name as "fromName", reply_to as "replyTo", type, created_at as "createdAt", updated_at as "updatedAt"
      from templates where project_id = ${projectId}::uuid and id = ${id}::uuid`
  return row
}

export type { TemplateType }
