// Endpoints that a project wants told of its events, what each was to be told, and what it said to each try.
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, json, listed, time, updatedAt } from '../../platform/db/columns'

export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: id(),
    projectId: uuid('project_id').notNull(),
    url: text('url').notNull(),
    description: text('description').notNull(),
    eventTypes: json<string[]>('event_types').notNull(),
    enabled: boolean('enabled').notNull(),
    /** Why the program switched it off. */
    disabledReason: text('disabled_reason'),
    secretSealed: text('secret_sealed').notNull(),
    /** The secret before, which signs as well until then. */
    previousSecretSealed: text('previous_secret_sealed'),
    previousUntil: time('previous_until'),
    /** Since when no try has succeeded. */
    failingSince: time('failing_since'),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  table => [index('webhook_endpoints_project').on(table.projectId, table.id)],
)

export const deliveryStatuses = ['PENDING', 'DELIVERED', 'FAILED'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    /** What the receiver knows it by: the same for every try. */
    id: id(),
    projectId: uuid('project_id').notNull(),
    endpointId: uuid('endpoint_id').notNull(),
    /** Null for one that was made to try the endpoint. */
    eventId: uuid('event_id'),
    eventType: text('event_type').notNull(),
    body: text('body').notNull(),
    status: text('status').$type<DeliveryStatus>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: time('next_attempt_at'),
    /** From when on the day of tries counts: when it was made, or sent again by hand. */
    since: time('since').notNull(),
    createdAt: createdAt(),
    updatedAt: updatedAt(),
  },
  table => [
    index('webhook_deliveries_endpoint').on(table.projectId, table.endpointId, table.id),
    check('webhook_deliveries_status', sql`status in ${listed(deliveryStatuses)}`),
  ],
)

export const webhookTries = pgTable(
  'webhook_tries',
  {
    projectId: uuid('project_id').notNull(),
    deliveryId: uuid('delivery_id').notNull(),
    attempt: integer('attempt').notNull(),
    statusCode: integer('status_code'),
    error: text('error'),
    response: text('response'),
    startedAt: time('started_at').notNull(),
    finishedAt: time('finished_at').notNull(),
  },
  table => [
    primaryKey({ name: 'webhook_tries_pkey', columns: [table.projectId, table.deliveryId, table.attempt] }),
  ],
)
