// Endpoints that receive a project's events, the deliveries to each, and the answer to each attempt.
import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { createdAt, id, json, listed, time, updatedAt } from '../../../platform/db/columns'

export const webhookEndpoints = pgTable(
  'webhook_endpoints',
  {
    id: id(),
    projectId: uuid('project_id').notNull(),
    url: text('url').notNull(),
    description: text('description').notNull(),
    eventTypes: json<string[]>('event_types').notNull(),
    enabled: boolean('enabled').notNull(),
    /** Why Waxwing switched it off. */
    disabledReason: text('disabled_reason'),
    secretSealed: text('secret_sealed').notNull(),
    /** The previous secret, which also signs until then. */
    previousSecretSealed: text('previous_secret_sealed'),
    previousUntil: time('previous_until'),
    /** Since when no attempt has succeeded. */
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
    /** The receiver knows it by this id: the same for every attempt. */
    id: id(),
    projectId: uuid('project_id').notNull(),
    endpointId: uuid('endpoint_id').notNull(),
    /** Null for one that was made to test the endpoint. */
    eventId: uuid('event_id'),
    eventType: text('event_type').notNull(),
    body: text('body').notNull(),
    status: text('status').$type<DeliveryStatus>().notNull(),
    attempts: integer('attempts').notNull().default(0),
    nextAttemptAt: time('next_attempt_at'),
    /** When the day of attempts begins: when it was made, or sent again by hand. */
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
