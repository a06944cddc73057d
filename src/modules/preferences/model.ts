// Requests and answers of the routes by which recipients manage their subscription, and the links that open them.

import { type Static, t } from 'elysia'
import { answeredAddress } from '../../lib/answered'
import { describedAs, describedWith } from '../../lib/described'
import { type SnoozeDuration, snoozeDurations } from '../contacts'

/** Any text: what is not a UUID is answered like an unknown contact. */
export const linkParams = t.Object({ id: t.String() })

export const linkQuery = t.Object({
  t: t.Optional(t.String({ description: 'The token of the link' })),
  e: t.Optional(t.String({ description: 'The message that the link was in' })),
})

export const linksAnswer = t.Object({
  unsubscribeUrl: t.String(),
  subscribeUrl: t.String(),
  manageUrl: t.String({ description: 'The page that shows everything' }),
})

export const snoozeBody = describedWith(
  t.Object({
    duration: t.Optional(describedAs(t.Unknown(), { type: 'string', enum: snoozeDurations })),
  }),
  'duration',
)

const state = {
  id: t.String({ format: 'uuid' }),
  email: answeredAddress(),
  subscribed: t.Boolean(),
  snoozedUntil: t.Union([t.String({ format: 'date-time' }), t.Null()]),
}

export const stateAnswer = t.Object(state, { title: 'Subscription' })

export const recipientAnswer = t.Object(
  {
    ...state,
    projectName: t.String(),
    language: t.String({ description: "The recipient's, else the project's" }),
  },
  { title: 'SubscriptionOfRecipient' },
)

interface State {
  id: string
  email: string
  subscribed: boolean
  snoozedUntil: Date | null
}

export function toState({ id, email, subscribed, snoozedUntil }: State): Static<typeof stateAnswer> {
  return { id, email, subscribed, snoozedUntil: snoozedUntil?.toISOString() ?? null }
}

export function toPreferencesRecipient(
  recipient: State & { projectName: string; language: string },
): Static<typeof recipientAnswer> {
  const { projectName, language } = recipient
  return { ...toState(recipient), projectName, language }
}

export function readDuration(value: unknown): SnoozeDuration | undefined {
  return snoozeDurations.find(duration => duration === value)
}
