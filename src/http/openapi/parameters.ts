// What parameters and groups of operations mean where nothing else says it, and the one header that is read.
import type { Parameter } from './types'

/** By name: in all paths and queries the same name means the same. */
export const parameterMeanings: Record<string, string> = {
  campaign: 'UUID of a listmonk campaign; any text where the link names none',
  campaignId: 'Id of a campaign',
  contactId: 'Id of a contact',
  cursor: 'The cursor of the previous page',
  deliveryId: 'Id of a delivery of the endpoint',
  dir: 'asc or desc (default)',
  email: 'An address',
  eventName: 'Name of an event',
  executionId: 'Id of an execution of the workflow',
  field: 'Name of a field, such as data.plan',
  id: 'Id of what the path names',
  invitationId: 'Id of an open invitation',
  jobId: 'The jobId that the request was answered with',
  key: 'The key of an upload; it may hold slashes',
  keyId: "Id of a key, from the list of the project's keys",
  limit: 'How many items at most',
  link: 'UUID of a tracked link in listmonk',
  projectId: 'Id of the project of the request',
  reason: 'Only those with this reason',
  action: 'Only entries of this action',
  search: 'Only what contains this text; case is ignored',
  sessionId: 'Id of a session, from the list of sessions',
  sort: 'Field to sort by',
  splice: 'true connects the previous steps to the next step',
  status: 'Only what has this status',
  stepId: 'Id of a step of the workflow',
  subscriber: 'UUID of a listmonk subscriber',
  topicId: 'Id of a topic',
  currency: 'usd (default), eur or gbp',
  token: 'The signed token of the link',
  transitionId: 'Id of a transition of the workflow',
  userId: 'Id of a user who is a member',
}

export const idempotent: readonly string[] = [
  'POST /v1/send',
  'POST /v1/send/batch',
  'POST /v1/track',
  'POST /events/track',
]

export const idempotencyKey: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The request is performed at most once under this key; a second one is 409. Kept for 24 hours.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x20-\\x7E]+$' },
}

export const tagMeanings: Record<string, string> = {
  Activity: 'What happened to messages, contacts and executions, and what lies ahead',
  Analytics: 'Figures by day, campaign and event',
  Authentication: 'Signing up, in and out, and what the links in mails of the platform do',
  Campaigns: 'One message to many contacts',
  Contacts: 'People and what is known about them',
  Domains: 'The domains that a project may send from',
  Emails: 'Every message with every attempt',
  Events: 'What contacts did',
  Instance: 'The instance about itself',
  Layouts: 'What is put around the bodies of templates and campaigns',
  Members: 'The people of a project',
  Projects: 'Tenants: their settings, keys and billing',
  'Public API': 'Sending, tracking and verifying with a key',
  Segments: 'Contacts by condition or by hand',
  Subscriptions: 'What the links in mails let recipients do',
  Suppressions: 'Addresses that get no more mail',
  Templates: 'Messages to be filled in',
  Topics: 'Kinds of mail that contacts decide about one by one',
  Tracking: 'Links and pictures of tracked messages',
  Uploads: 'Images for the bodies of messages',
  Users: 'The signed-in person',
  Webhooks: 'Where providers report; signed by them',
  Workflows: 'Steps that contacts go through automatically',
}
