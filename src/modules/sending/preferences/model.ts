// Requests and answers of the routes by which recipients manage their subscription, and the links that open them.

import { type Static, t } from 'elysia'
import { answer, formBody, redirect } from '../../../http/openapi/media'
import { answeredAddress } from '../../../lib/answered'
import { describedAs, describedWith } from '../../../lib/described'
import { type SnoozeDuration, snoozeDurations } from '../../audience/contacts'
import type { PageName } from './link'

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

/** What the buttons of a page send. */
export const decisionForm = formBody(
  {
    action: { type: 'string', maxLength: 20, description: 'What the person chose' },
    duration: { type: 'string', maxLength: 20, description: 'Of a snooze' },
    'List-Unsubscribe': { type: 'string', maxLength: 20, description: 'One-Click (RFC 8058)' },
  },
  { isOptional: true },
)

export const decisionAnswers = {
  200: answer('Done, for a program that posts without a form', 'text/plain'),
  303: redirect('Done; the page that says so'),
  400: answer('Nothing was chosen; the page again', 'text/html'),
  404: answer('The link is not valid', 'text/html'),
  409: answer('Not possible in the present state; the page again', 'text/html'),
}

export const oneClickSummary = 'One-click unsubscribe (RFC 8058), and the form of the page'

export const shownDescription =
  'Opening the page changes nothing; only its buttons do. It needs no script and is in the language of the contact. A wrong token gets a page that says so, with 404.'

export const decisionTexts: Record<PageName, string> = {
  unsubscribe:
    'A mail program gets 200 for any id, so that the answer tells nothing; one click in a mail with a topic unsubscribes from that topic only. A browser is sent on (303) to the page that says what was done.',
  subscribe: 'It also ends a snooze. A browser is sent on (303) to the page that says what was done.',
  manage:
    'Subscribes, unsubscribes, snoozes, or joins or leaves a topic. A browser is sent on (303) to the page that says what was done; 409 for a snooze of a contact who is not subscribed.',
}
