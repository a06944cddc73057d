// SQL of forms as their project sees them, and of the one that a stranger asks for.
import { and, desc, eq, lt, sql } from 'drizzle-orm'
import type { Context } from '../../../../platform/context'
import { type Brand, pageBrand } from '../../../accounts/projects'
import type { PublicForm } from '../page'
import type { FormRow } from '../schema'
import { formRequests, forms } from '../schema'

export async function insertForm(ctx: Context, row: FormRow): Promise<void> {
  await ctx.db.insert(forms).values(row)
}

const isForm = (projectId: string, id: string) => and(eq(forms.projectId, projectId), eq(forms.id, id))

/** What is still kept of requests counts as well, so that the figures are exact. */
const counted = {
  asked: sql`(forms.asked + (select coalesce(sum(r.asked), 0) from ${formRequests} r
    where r.project_id = forms.project_id and r.form_id = forms.id))`.mapWith(Number),
  confirmed: sql`(forms.confirmed + (select coalesce(sum(r.confirmed), 0) from ${formRequests} r
    where r.project_id = forms.project_id and r.form_id = forms.id))`.mapWith(Number),
}

/** Newest first, one more than asked for. */
export async function selectForms(
  ctx: Context,
  projectId: string,
  { behind, limit }: { behind: string | undefined; limit: number },
): Promise<FormRow[]> {
  const { columns } = shape
  return await ctx.db
    .select({ ...columns, ...counted })
    .from(forms)
    .where(and(eq(forms.projectId, projectId), behind === undefined ? undefined : lt(forms.id, behind)))
    .orderBy(desc(forms.id))
    .limit(limit + 1)
}

export async function countForms(ctx: Context, projectId: string): Promise<number> {
  return await ctx.db.$count(forms, eq(forms.projectId, projectId))
}

export async function selectForm(ctx: Context, projectId: string, id: string): Promise<FormRow | undefined> {
  const [row] = await ctx.db
    .select({ ...shape.columns, ...counted })
    .from(forms)
    .where(isForm(projectId, id))
  return row
}

const shape = {
  columns: {
    id: forms.id,
    projectId: forms.projectId,
    name: forms.name,
    enabled: forms.enabled,
    language: forms.language,
    topicIds: forms.topicIds,
    fields: forms.fields,
    look: forms.look,
    templateId: forms.templateId,
    redirectUrl: forms.redirectUrl,
    version: forms.version,
    createdAt: forms.createdAt,
    updatedAt: forms.updatedAt,
  },
}

/** One at a time for a project, so that none goes beyond the limit. */
export async function lockForms(tx: Context, projectId: string): Promise<void> {
  await tx.sql`select pg_advisory_xact_lock(hashtextextended('forms ' || ${projectId}::text, 0))`
}

export type FormChanges = Partial<
  Omit<FormRow, 'id' | 'projectId' | 'version' | 'asked' | 'confirmed' | 'createdAt'>
>

/** False if there is none, or not of the version that is expected. */
export async function changeForm(
  ctx: Context,
  projectId: string,
  id: string,
  changes: FormChanges,
  expectedVersion: number | undefined,
): Promise<boolean> {
  const rows = await ctx.db
    .update(forms)
    .set({ ...changes, version: sql`${forms.version} + 1`, updatedAt: ctx.clock.now() })
    .where(
      and(
        isForm(projectId, id),
        expectedVersion === undefined ? undefined : eq(forms.version, expectedVersion),
      ),
    )
    .returning({ id: forms.id })
  return rows.length > 0
}

/** The name of the form that was deleted. */
export async function deleteForm(ctx: Context, projectId: string, id: string): Promise<string | undefined> {
  const [row] = await ctx.db.delete(forms).where(isForm(projectId, id)).returning({ name: forms.name })
  return row?.name
}

export async function formsNameTopic(ctx: Context, projectId: string, topicId: string): Promise<boolean> {
  const [row] = await ctx.sql<{ some: boolean }[]>`
    select exists (select from forms where project_id = ${projectId}::uuid and ${topicId}::uuid = any(topic_ids)) as some`
  return row!.some
}

/** Those that mail with a template; a project has at most 200. */
export async function selectFormsWith(
  ctx: Context,
  projectId: string,
  templateId: string,
): Promise<Array<{ id: string; name: string }>> {
  return await ctx.sql<Array<{ id: string; name: string }>>`
    select id, name from forms where project_id = ${projectId}::uuid and template_id = ${templateId}::uuid order by id desc`
}

/** Whether an enabled form mails with one of the templates. */
export async function isMailedByEnabled(
  ctx: Context,
  projectId: string,
  templateIds: readonly string[],
): Promise<boolean> {
  const rows = await ctx.sql<Array<{ id: string }>>`
    select id from forms
     where project_id = ${projectId}::uuid and template_id = any(${[...templateIds]}::uuid[]) and enabled limit 1`
  return rows.length > 0
}

/** Whatever project it is of; not where that is being cleared. */
export async function selectPublicForm(ctx: Context, id: string): Promise<PublicForm | undefined> {
  const [row] = await ctx.sql<Array<Omit<PublicForm, 'brand'> & { brand: Partial<Brand> | null }>>`
    select f.id, f.project_id as "projectId", f.enabled, f.language, f.topic_ids as "topicIds", f.fields, f.look,
           f.redirect_url as "redirectUrl", p.name as "projectName", p.language as "projectLanguage",
           p.disabled as "projectDisabled", p.keeps_clients as "keepsClients", p.brand
      from forms f join projects p on p.id = f.project_id and p.closing is null
     where f.id = ${id}::uuid`
  return row && { ...row, brand: pageBrand(ctx, row.projectName, row.brand) }
}

/** Forms that ask for a custom field. */
export async function selectFormsAsking(
  ctx: Context,
  projectId: string,
  key: string,
): Promise<Array<{ id: string; name: string }>> {
  return await ctx.sql<{ id: string; name: string }[]>`
    select id, name from forms
     where project_id = ${projectId}::uuid and fields @> ${JSON.stringify([{ key }])}::jsonb order by id`
}
