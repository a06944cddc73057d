// SQL of deliveries to endpoints: made with the events, settled by attempts, listed, opened again, and deleted.
import { and, asc, desc, eq, lt } from 'drizzle-orm'
import type { Context } from '../../../../platform/context'
import { insertRows } from '../../../../platform/db/insert-rows'
import { webhookDeliveries, webhookTries } from '../schema'

export type DeliveryRow = typeof webhookDeliveries.$inferSelect
export type TryRow = typeof webhookTries.$inferSelect

/** Which endpoints want which of the events, with the addresses of the contacts that the events are about. */
export async function selectWanted(
  ctx: Context,
  events: ReadonlyArray<{ id: string; projectId: string }>,
): Promise<Array<{ eventId: string; endpointId: string; contactEmail: string | null }>> {
  return await ctx.sql<Array<{ eventId: string; endpointId: string; contactEmail: string | null }>>`
    select e.id as "eventId", w.id as "endpointId", c.email as "contactEmail"
      from events e
      join event_listeners l on l.project_id = e.project_id and l.name = e.name
      join webhook_endpoints w on w.project_id = e.project_id and w.id = l.listener_id and w.enabled
      left join contacts c on c.project_id = e.project_id and c.id = e.contact_id
     where (e.project_id, e.id) in (
           select * from unnest(${events.map(event => event.projectId)}::uuid[], ${events.map(event => event.id)}::uuid[]))`
}

export type NewDelivery = Pick<
  DeliveryRow,
  'id' | 'projectId' | 'endpointId' | 'eventId' | 'eventType' | 'body'
>

export async function insertDeliveries(ctx: Context, rows: readonly NewDelivery[]): Promise<void> {
  const now = ctx.clock.now()
  await ctx.sql`
    insert into webhook_deliveries (id, project_id, endpoint_id, event_id, event_type, body, status, since, created_at, updated_at)
    select r.id, r."projectId", r."endpointId", r."eventId", r."eventType", r.body, 'PENDING', ${now}, ${now}, ${now}
      from json_to_recordset(${JSON.stringify(rows)}::json) as r(
           id uuid, "projectId" uuid, "endpointId" uuid, "eventId" uuid, "eventType" text, body text)`
}

export interface DueDelivery extends DeliveryRow {
  url: string
  enabled: boolean
  secretSealed: string
  previousSecretSealed: string | null
  previousUntil: Date | null
  projectDisabled: boolean
}

export type DeliveryName = Pick<DeliveryRow, 'projectId' | 'id'>

/** Undefined if it's over. */
export async function findDue(
  ctx: Context,
  { projectId, id }: DeliveryName,
): Promise<DueDelivery | undefined> {
  const [due] = await ctx.sql<[DueDelivery?]>`
    select d.id, d.project_id as "projectId", d.endpoint_id as "endpointId", d.event_id as "eventId",
           d.event_type as "eventType", d.body, d.status, d.attempts, d.next_attempt_at as "nextAttemptAt", d.since,
           d.created_at as "createdAt", d.updated_at as "updatedAt", p.disabled as "projectDisabled",
           w.url, w.enabled, w.secret_sealed as "secretSealed", w.previous_secret_sealed as "previousSecretSealed",
           w.previous_until as "previousUntil"
      from webhook_deliveries d
      join webhook_endpoints w on w.project_id = d.project_id and w.id = d.endpoint_id
      join projects p on p.id = d.project_id
     where d.project_id = ${projectId}::uuid and d.id = ${id}::uuid and d.status = 'PENDING'`
  return due
}

/** One call, and what becomes of its delivery. */
export type SettledCall = TryRow & Pick<DeliveryRow, 'endpointId' | 'status' | 'nextAttemptAt'>

const tryNames = [
  'projectId',
  'deliveryId',
  'attempt',
  'statusCode',
  'error',
  'response',
  'startedAt',
  'finishedAt',
] as const

/** Records the attempt, and what it means for its delivery; false if another run recorded it. */
export async function settleDelivery(ctx: Context, call: SettledCall): Promise<boolean> {
  const { count } = await ctx.sql`
    with tried as (
      ${insertRows(ctx, webhookTries, tryNames, [call])}
      on conflict do nothing returning project_id, delivery_id, attempt
    )
    update webhook_deliveries d
       set status = ${call.status}, attempts = t.attempt, next_attempt_at = ${call.nextAttemptAt}, updated_at = ${ctx.clock.now()}
      from tried t
     where d.project_id = t.project_id and d.id = t.delivery_id`
  return count > 0
}

/** One that is not called any more. */
export async function failDelivery(ctx: Context, { projectId, id }: DeliveryName): Promise<void> {
  await ctx.db
    .update(webhookDeliveries)
    .set({ status: 'FAILED', nextAttemptAt: null, updatedAt: ctx.clock.now() })
    .where(and(eq(webhookDeliveries.projectId, projectId), eq(webhookDeliveries.id, id)))
}

export async function failOpenDeliveries(ctx: Context, projectId: string, endpointId: string): Promise<void> {
  await ctx.sql`
    update webhook_deliveries set status = 'FAILED', next_attempt_at = null, updated_at = ${ctx.clock.now()}
     where project_id = ${projectId}::uuid and endpoint_id = ${endpointId}::uuid and status = 'PENDING'`
}

/** Newest first, past that id. */
export async function pageOfDeliveries(
  ctx: Context,
  projectId: string,
  endpointId: string,
  behind: string | undefined,
  limit: number,
): Promise<DeliveryRow[]> {
  return await ctx.db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.projectId, projectId),
        eq(webhookDeliveries.endpointId, endpointId),
        behind ? lt(webhookDeliveries.id, behind) : undefined,
      ),
    )
    .orderBy(desc(webhookDeliveries.id))
    .limit(limit)
}

export async function findDelivery(
  ctx: Context,
  projectId: string,
  endpointId: string,
  id: string,
): Promise<{ delivery: DeliveryRow; tries: TryRow[] } | undefined> {
  const [delivery] = await ctx.db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        eq(webhookDeliveries.projectId, projectId),
        eq(webhookDeliveries.endpointId, endpointId),
        eq(webhookDeliveries.id, id),
      ),
    )
  if (!delivery) return undefined
  const tries = await ctx.db
    .select()
    .from(webhookTries)
    .where(and(eq(webhookTries.projectId, projectId), eq(webhookTries.deliveryId, id)))
    .orderBy(asc(webhookTries.attempt))
  return { delivery, tries }
}

/** Opens deliveries of a span again, the oldest first; returns their ids. Those that still wait are left alone. */
export async function reopenDeliveries(
  ctx: Context,
  { projectId, endpointId }: Pick<DeliveryRow, 'projectId' | 'endpointId'>,
  span: { since: Date; until: Date; onlyFailed: boolean; limit: number },
): Promise<string[]> {
  const now = ctx.clock.now()
  const rows = await ctx.sql<{ id: string }[]>`
    update webhook_deliveries set status = 'PENDING', since = ${now}, next_attempt_at = null, updated_at = ${now}
     where project_id = ${projectId}::uuid and id in (
       select id from webhook_deliveries
        where project_id = ${projectId}::uuid and endpoint_id = ${endpointId}::uuid and status <> 'PENDING'
          and created_at >= ${span.since} and created_at < ${span.until}
          and (not ${span.onlyFailed}::boolean or status = 'FAILED')
        order by id limit ${span.limit} for update)
    returning id`
  return rows.map(({ id }) => id)
}

export async function reopenDelivery(
  ctx: Context,
  { projectId, id }: Pick<DeliveryRow, 'projectId' | 'id'>,
): Promise<boolean> {
  const now = ctx.clock.now()
  const { count } = await ctx.sql`
    update webhook_deliveries set status = 'PENDING', since = ${now}, next_attempt_at = null, updated_at = ${now}
     where project_id = ${projectId}::uuid and id = ${id}::uuid and status <> 'PENDING'`
  return count > 0
}

/** Deletes up to `limit` deliveries before that id, with their attempts. Ids are in the order of time. */
export async function deleteDeliveries(ctx: Context, before: string, limit: number): Promise<number> {
  const rows = await ctx.sql<{ id: string }[]>`
    with old as (
      delete from webhook_deliveries
       where id in (select id from webhook_deliveries where id < ${before}::uuid order by id limit ${limit})
      returning project_id, id
    ), tries as (
      delete from webhook_tries t using old where t.project_id = old.project_id and t.delivery_id = old.id
    )
    select id from old`
  return rows.length
}

/** A place in the log of a project. */
export interface DeliveryPlace {
  endpointId: string
  id: string
}

/** Deletes those of the next deliveries of the project that are about the contact, with their attempts; returns the last that was looked at. */
export async function deleteDeliveriesAbout(
  ctx: Context,
  projectId: string,
  contactId: string,
  { behind, limit }: { behind: DeliveryPlace; limit: number },
): Promise<DeliveryPlace | undefined> {
  const [last] = await ctx.sql<DeliveryPlace[]>`
    with page as materialized (
      select endpoint_id, id, strpos(body, ${contactId}) > 0 as is_theirs from webhook_deliveries
       where project_id = ${projectId}::uuid and (endpoint_id, id) > (${behind.endpointId}::uuid, ${behind.id}::uuid)
       order by endpoint_id, id limit ${limit}
    ), gone as (
      delete from webhook_deliveries d using page p
       where d.project_id = ${projectId}::uuid and d.id = p.id and p.is_theirs
    ), tries as (
      delete from webhook_tries t using page p
       where t.project_id = ${projectId}::uuid and t.delivery_id = p.id and p.is_theirs
    )
    select endpoint_id as "endpointId", id from page order by endpoint_id desc, id desc limit 1`
  return last
}
