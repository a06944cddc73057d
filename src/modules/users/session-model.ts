// Requests and answers about one's own sessions.
import { type Static, Type } from '@sinclair/typebox'
import { answeredInstant } from '../../lib/answered'
import { cursorListOf, cursorQuery } from '../../lib/page'
import type { SessionRow } from './queries'

export const sessionsQuery = Type.Object(cursorQuery)

export const sessionParams = Type.Object({ sessionId: Type.String({ format: 'uuid' }) })

const sessionAnswer = Type.Object(
  {
    id: Type.String({ format: 'uuid' }),
    current: Type.Boolean({ description: 'The one that this request came with' }),
    agent: Type.Union([Type.String(), Type.Null()], {
      description: 'Browser and system, as far as they are known',
      examples: ['Firefox, Linux'],
    }),
    address: Type.Union([Type.String(), Type.Null()], {
      description: 'IP address at sign-in; only if the instance has SESSION_ADDRESSES set',
    }),
    createdAt: answeredInstant(),
    lastSeenAt: answeredInstant({ description: 'To the minute' }),
    expiresAt: answeredInstant(),
  },
  { title: 'Session' },
)

export const sessionList = cursorListOf(sessionAnswer)

export function toSession(
  { id, agent, address, createdAt, lastSeenAt, expiresAt }: SessionRow,
  currentId: string,
): Static<typeof sessionAnswer> {
  return {
    ...{ id, current: id === currentId, agent, address },
    createdAt: createdAt.toISOString(),
    lastSeenAt: lastSeenAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }
}
