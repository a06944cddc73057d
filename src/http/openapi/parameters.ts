// What parameters mean where their schema does not say it, and the one header that is read.
import type { Parameter } from './types'

/** By name: in all paths and queries the same name means the same. */
export const parameterMeanings: Record<string, string> = {
  contactId: 'Id of a contact',
  cursor: 'The cursor of the previous page',
  dir: 'asc or desc (default)',
  email: 'An address',
  eventName: 'Name of an event',
  executionId: 'Id of an execution of the workflow',
  field: 'Name of a field, such as data.plan',
  id: 'Id of what the path names',
  invitationId: 'Id of an open invitation',
  jobId: 'The jobId that the request was answered with',
  key: 'The key of an upload; it may hold slashes',
  limit: 'Most items of the answer',
  projectId: 'Id of the project of the request',
  reason: 'Only those with this reason',
  action: 'Only entries of this action',
  search: 'Only what contains this text, in any case',
  sort: 'What the list is ordered by; an unknown word counts as the default',
  splice: 'true: leads what came before the step to what comes behind',
  status: 'Only what has this status',
  stepId: 'Id of a step of the workflow',
  currency: 'usd (default), eur or gbp',
  token: 'The signed token of the link',
  transitionId: 'Id of a transition of the workflow',
  userId: 'Id of a user who is a member',
}

export const idempotent: readonly string[] = ['POST /v1/send', 'POST /v1/track', 'POST /events/track']

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The request is performed at most once under this key; a second one is 409. Kept for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7E]+$' },
}
