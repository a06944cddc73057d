// Requests and answers of the topic routes.

import { type Static, t } from 'elysia'
import { answeredId } from '../../../lib/answered'
import type { DecidedTopic, TopicRow } from './queries'

const name = t.String({ minLength: 1, maxLength: 100, examples: ['Product news'] })
const offeredOnPages = t.Optional(
  t.Boolean({
    description:
      'Whether preference pages list it and let people join it; default true. If false, its name appears only on pages that are opened from an email of the topic',
  }),
)
const description = t.Union([t.String({ maxLength: 500 }), t.Null()], {
  description: 'Recipients read it below the name',
})

export const createBody = t.Object({
  name,
  description: t.Optional(description),
  offeredOnPages,
  subscribedByDefault: t.Optional(
    t.Boolean({
      description:
        'What holds for contacts that decided nothing; default false. It can never be changed afterwards',
    }),
  ),
})

export const updateBody = t.Object({
  name: t.Optional(name),
  description: t.Optional(description),
  subscribedByDefault: t.Optional(t.Boolean({ description: "Can't be changed: 422 if it differs" })),
  offeredOnPages,
  archived: t.Optional(t.Boolean({ description: 'No longer offered, on pages and for new campaigns' })),
  publicArchive: t.Optional(
    t.Boolean({ description: 'Everybody may read its campaigns that were sent and are marked for it' }),
  ),
})

export type CreateBody = Static<typeof createBody>
export type UpdateBody = Static<typeof updateBody>

/** Any text: what is not a UUID is answered like an unknown one. */
export const idParams = t.Object({ id: answeredId() })

const members = {
  id: t.String({ format: 'uuid' }),
  name: t.String(),
  description: t.Union([t.String(), t.Null()]),
  subscribedByDefault: t.Boolean(),
  archived: t.Boolean(),
  offeredOnPages: t.Boolean(),
  publicArchive: t.Boolean({ description: 'At /archive/<project>/<topic>' }),
}

export const topicAnswer = t.Object(
  { ...members, createdAt: t.String({ format: 'date-time' }), updatedAt: t.String({ format: 'date-time' }) },
  { title: 'Topic' },
)

export const topicList = t.Object({ data: t.Array(topicAnswer) })

/** More than a project may have. */
const maxDecisions = 100

const decidedAt = t.Optional(
  t.Union([t.String({ maxLength: 100 }), t.Null()], {
    description:
      'As read: a topic sent back with the same `subscribed` and `decidedAt` is not recorded as a new decision',
  }),
)

export const decisionsBody = t.Object({
  topics: t.Array(t.Object({ id: t.String({ format: 'uuid' }), subscribed: t.Boolean(), decidedAt }), {
    maxItems: maxDecisions,
  }),
})

export const decidedList = t.Object({
  data: t.Array(
    t.Object(
      {
        ...members,
        subscribed: t.Boolean({
          description: 'Whether its mail goes to the contact, while the contact is subscribed at all',
        }),
        decidedAt: t.Union([t.String({ format: 'date-time' }), t.Null()], {
          description: 'Null where the default holds',
        }),
      },
      { title: 'TopicOfContact' },
    ),
  ),
})

function shown({ id, name, description, byDefault, archivedAt, offered, publicArchive }: TopicRow) {
  const archived = archivedAt !== null
  const standing = { subscribedByDefault: byDefault, archived, offeredOnPages: offered, publicArchive }
  return { id, name, description, ...standing }
}

export function toTopic(row: TopicRow): Static<typeof topicAnswer> {
  return { ...shown(row), createdAt: row.createdAt.toISOString(), updatedAt: row.updatedAt.toISOString() }
}

export function toDecided(row: DecidedTopic): Static<typeof decidedList>['data'][number] {
  return { ...shown(row), subscribed: row.subscribed, decidedAt: row.decidedAt?.toISOString() ?? null }
}
