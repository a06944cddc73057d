// The audit log: read newest first. Entries stay as they were written; only what somebody is still working on may get another name.
import type { Context } from '../../../../platform/context'
import type { AuditAction, AuditDetails } from '../audit'

export interface AuditRow {
  id: string
  actor: string
  /** The address of the user who did it; null for keys and for the program itself. */
  actorEmail: string | null
  action: AuditAction
  subject: string | null
  details: AuditDetails | null
  createdAt: Date
}

export interface NewAuditRow extends Omit<AuditRow, 'actorEmail'> {
  projectId: string
}

export async function insertAuditEntry(ctx: Context, row: NewAuditRow): Promise<void> {
  await ctx.sql`
    insert into audit_log (id, project_id, actor, action, subject, details, created_at)
    values (${row.id}::uuid, ${row.projectId}::uuid, ${row.actor}, ${row.action}, ${row.subject},
            ${row.details && JSON.stringify(row.details)}::jsonb, ${row.createdAt}::timestamptz)`
}

/** Where else the newest entry about it is not looked for. */
const maxLookedAt = 100

/**
 * Gives the newest entry about the thing with this id the subject. False, and nothing is done, if that entry is of another actor, has other
 * details, or is not newer than `since`.
 */
export async function renameRecentEntry(
  ctx: Context,
  entry: Pick<NewAuditRow, 'projectId' | 'actor' | 'action' | 'subject' | 'details'> & {
    id: string
    since: Date
  },
): Promise<boolean> {
  const { projectId, actor, action, subject, details, id, since } = entry
  const { count } = await ctx.sql`
    update audit_log set subject = ${subject}
     where project_id = ${projectId}::uuid and actor = ${actor} and details = ${JSON.stringify(details)}::jsonb
       and created_at > ${since}::timestamptz
       and id = (
         select newest.id
           from (select l.id, l.details from audit_log l
                  where l.project_id = ${projectId}::uuid and l.action = ${action} order by l.id desc limit ${maxLookedAt}) newest
          where newest.details->>'id' = ${id} order by newest.id desc limit 1)`
  return count > 0
}

/** Newest first, past `before` where it is given; one index gives the order with a filter, and one without. */
export async function pageOfAuditLog(
  ctx: Context,
  projectId: string,
  filter: { action?: AuditAction; before?: string },
  limit: number,
): Promise<AuditRow[]> {
  const action = filter.action ? ctx.sql`and l.action = ${filter.action}` : ctx.sql``
  const position = filter.before ? ctx.sql`and l.id < ${filter.before}::uuid` : ctx.sql``
  return await ctx.sql<AuditRow[]>`
    select l.id, l.actor, u.email as "actorEmail", l.action, l.subject, l.details, l.created_at as "createdAt"
      from audit_log l
      left join users u on u.id = case when length(l.actor) = 36 then l.actor::uuid end
     where l.project_id = ${projectId}::uuid ${action} ${position}
     order by l.id desc limit ${limit}`
}

/** Counted up to this: nobody reads the number of a longer log to the last digit. */
const maxCounted = 10_000

export async function countAuditLog(
  ctx: Context,
  projectId: string,
  { action }: { action?: AuditAction },
): Promise<number> {
  const matching = action ? ctx.sql`and action = ${action}` : ctx.sql``
  const [row] = await ctx.sql<[{ total: number }]>`
    select count(*)::int as total
      from (select from audit_log where project_id = ${projectId}::uuid ${matching} limit ${maxCounted}) as counted`
  return row.total
}
