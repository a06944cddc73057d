// Reads which archives are public.
import type { Context } from '../../platform/context'

export interface PublicTopic {
  id: string
  projectId: string
  name: string
  description: string | null
  projectName: string
  language: string
}

/** Undefined for a topic that is not there or not public, and of a project that may not send: all of that looks alike from outside. */
export async function selectPublicTopic(
  ctx: Context,
  projectId: string,
  topicId: string,
): Promise<PublicTopic | undefined> {
  const [row] = await ctx.sql<PublicTopic[]>`
    select t.id, t.project_id as "projectId", t.name, t.description, p.name as "projectName", p.language
      from topics t join projects p on p.id = t.project_id and not p.disabled and p.closing is null
     where t.project_id = ${projectId}::uuid and t.id = ${topicId}::uuid and t.public_archive`
  return row
}
