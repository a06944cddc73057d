// Endpoints and their deliveries as clients see them.
import { type Static, Type } from '@sinclair/typebox'
import { answeredId, answeredInstant, nullableId, nullableInstant } from '../../../lib/answered'
import { ownEventNames } from '../../../lib/event-names'
import { cursorListOf, cursorQuery, uncounted } from '../../../lib/paging'
import type { DeliveryRow, EndpointRow, TryRow } from './queries'

const eventTypes = Type.Array(Type.String({ minLength: 1, maxLength: 255 }), {
  minItems: 1,
  maxItems: 100,
  description: `Names of events: ${ownEventNames.join(', ')}, \`segment.<name>.entry\`, \`segment.<name>.exit\`, and those that you track`,
})
const members = {
  url: Type.String({ minLength: 1, maxLength: 2_000 }),
  description: Type.Optional(Type.String({ maxLength: 500 })),
  eventTypes,
  enabled: Type.Optional(Type.Boolean()),
}

export const endpointBody = Type.Object(members, { title: 'WebhookEndpointRequest' })
export type EndpointBody = Static<typeof endpointBody>
export const endpointChanges = Type.Partial(endpointBody, { title: 'WebhookEndpointChanges' })
export type EndpointChanges = Static<typeof endpointChanges>

export const rotateBody = Type.Object(
  {
    overlapHours: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 720,
        description: 'How long the previous secret signs as well; default 24',
      }),
    ),
  },
  { title: 'WebhookRotation' },
)

export const replayBody = Type.Object(
  {
    since: Type.String({ maxLength: 100, examples: ['2030-01-31T09:00:00Z'] }),
    until: Type.Optional(Type.String({ maxLength: 100 })),
    status: Type.Optional(
      Type.Union([Type.Literal('FAILED'), Type.Literal('ALL')], { description: 'Default FAILED' }),
    ),
  },
  { title: 'WebhookReplay' },
)

const uuid = Type.String({ format: 'uuid' })
export const idParams = Type.Object({ id: uuid })
export const deliveryParams = Type.Object({ id: uuid, deliveryId: uuid })
export const deliveriesQuery = Type.Object(cursorQuery)

const text = Type.Union([Type.String(), Type.Null()])

const endpoint = {
  id: answeredId(),
  url: Type.String(),
  description: Type.String(),
  eventTypes: Type.Array(Type.String()),
  enabled: Type.Boolean(),
  disabledReason: text,
  failingSince: nullableInstant(),
  previousSecretUntil: nullableInstant(),
  createdAt: answeredInstant(),
  updatedAt: answeredInstant(),
}
export const endpointAnswer = Type.Object(endpoint, { title: 'WebhookEndpoint' })
export const secretAnswer = Type.Object(
  { ...endpoint, secret: Type.String({ description: 'Shown only this once' }) },
  { title: 'WebhookEndpointWithSecret' },
)
export const endpointList = Type.Array(endpointAnswer)

const delivery = {
  id: answeredId({ description: 'Sent as the `webhook-id` header of each attempt' }),
  endpointId: answeredId(),
  eventId: nullableId(),
  eventType: Type.String(),
  status: Type.String({ description: 'PENDING, DELIVERED or FAILED' }),
  attempts: Type.Integer(),
  nextAttemptAt: nullableInstant(),
  createdAt: answeredInstant(),
}
export const deliveryList = cursorListOf(Type.Object(delivery, { title: 'WebhookDelivery' }), uncounted)
export const deliveryAnswer = Type.Object(
  {
    ...delivery,
    body: Type.String(),
    tries: Type.Array(
      Type.Object(
        {
          attempt: Type.Integer(),
          statusCode: Type.Union([Type.Integer(), Type.Null()]),
          error: text,
          response: text,
          startedAt: answeredInstant(),
          finishedAt: answeredInstant(),
        },
        { title: 'WebhookTry' },
      ),
    ),
  },
  { title: 'WebhookDeliveryWithTries' },
)
export const testAnswer = Type.Object(
  { id: answeredId({ description: 'Id of the delivery' }) },
  { title: 'WebhookTest' },
)
export const replayAnswer = Type.Object({ replayed: Type.Integer() }, { title: 'WebhookReplayed' })

const iso = (date: Date | null): string | null => date?.toISOString() ?? null

export function toEndpoint(row: EndpointRow): Static<typeof endpointAnswer> {
  const { id, url, description, eventTypes: names, enabled, disabledReason } = row
  return {
    ...{ id, url, description, eventTypes: names, enabled, disabledReason },
    failingSince: iso(row.failingSince),
    previousSecretUntil: iso(row.previousUntil),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  }
}

export function toDelivery(row: DeliveryRow) {
  const { id, endpointId, eventId, eventType, status, attempts } = row
  return {
    ...{ id, endpointId, eventId, eventType, status, attempts },
    nextAttemptAt: iso(row.nextAttemptAt),
    createdAt: row.createdAt.toISOString(),
  }
}

export function toDeliveryWithTries({ delivery: row, tries }: { delivery: DeliveryRow; tries: TryRow[] }) {
  return {
    ...toDelivery(row),
    body: row.body,
    tries: tries.map(({ attempt, statusCode, error, response, startedAt, finishedAt }) => ({
      ...{ attempt, statusCode, error, response },
      startedAt: startedAt.toISOString(),
      finishedAt: finishedAt.toISOString(),
    })),
  }
}
