// What a key with scopes (`wk_...`) may be allowed, and which of it each route asks for. A route that is behind a guard of
// projects and is not in this list takes no such key; `pairOnly` says so on purpose. A test calls every route with each scope.

export const scopes = ['send', 'track', 'read', 'write'] as const
export type KeyScope = (typeof scopes)[number]

/** All of these together; `pairOnly` for what only the secret key and people may do. */
export type Needed = readonly KeyScope[] | 'pairOnly'

const send = ['send'] as const
const track = ['track'] as const
const read = ['read'] as const
const write = ['write'] as const
/** Mail leaves, and what is sent comes from the project. */
const writeAndSend = ['write', 'send'] as const

const publicApi: Record<string, Needed> = {
  'POST /events/track': track,
  'POST /v1/send': send,
  'POST /v1/send/batch': send,
  'POST /v1/track': track,
  'POST /v1/verify': read,
}

/** What a tool does asks for the scopes of the routes that it calls. */
const assistants: Record<string, Needed> = { 'POST /mcp': read }

/** Including what is asked by POST because it does not fit into an address. */
const reading: Record<string, Needed> = Object.fromEntries(
  [
    ...['GET /activity', 'GET /activity/recent-count', 'GET /activity/stats', 'GET /activity/types'],
    ...['GET /activity/upcoming', 'GET /analytics/campaign-stats', 'GET /analytics/timeseries'],
    ...[
      'GET /analytics/rejections',
      'GET /analytics/top-campaigns',
      'GET /analytics/top-events',
      'GET /analytics/top-templates',
    ],
    ...['GET /campaigns', 'GET /campaigns/:id', 'GET /campaigns/:id/links', 'GET /campaigns/:id/recipients'],
    ...['GET /campaigns/:id/recipients/export', 'GET /campaigns/:id/stats', 'GET /campaigns/:id/timeline'],
    ...[
      'GET /contacts',
      'GET /contacts/:id',
      'GET /contacts/:id/consent',
      'GET /contacts/:id/executions',
      'GET /contacts/:id/links',
    ],
    ...[
      'GET /contacts/:id/segments',
      'GET /contacts/:id/topics',
      'GET /topics',
      'GET /contacts/bulk/:jobId',
      'GET /contacts/export',
    ],
    ...['GET /contacts/fields', 'GET /contacts/fields/:field/usage', 'GET /contacts/fields/:field/values'],
    ...['GET /contacts/import/:jobId', 'GET /domains', 'GET /domains/:id/verify'],
    ...['GET /domains/:id/dkim', 'GET /domains/:id/health', 'GET /domains/:id/warm-up'],
    ...['GET /campaigns/:id/forecast', 'GET /campaigns/:id/ab-test'],
    ...['GET /domains/project/:projectId', 'GET /emails', 'GET /emails/:id', 'GET /emails/:id/events'],
    ...['GET /emails/:id/source'],
    ...[
      'GET /emails/troubles',
      'GET /events',
      'GET /events/:eventName/series',
      'GET /events/:eventName/usage',
    ],
    ...['GET /events/contact/:contactId', 'GET /events/names', 'GET /events/stats', 'GET /projects'],
    ...['GET /projects/:id', 'GET /projects/:id/security'],
    ...['GET /layouts', 'GET /layouts/:id', 'GET /layouts/:id/usage', 'POST /layouts/preview'],
    ...['GET /projects/:id/setup-state', 'GET /segments', 'GET /segments/:id', 'GET /segments/:id/contacts'],
    ...['GET /segments/:id/history', 'GET /suppressions', 'GET /suppressions/export', 'GET /templates'],
    ...['GET /templates/:id', 'GET /templates/:id/usage'],
    ...['GET /users/@me/projects/:id/security', 'GET /webhook-endpoints', 'GET /webhook-endpoints/:id'],
    ...['GET /webhook-endpoints/:id/deliveries', 'GET /webhook-endpoints/:id/deliveries/:deliveryId'],
    ...['GET /workflows', 'GET /workflows/:id', 'GET /workflows/:id/executions'],
    ...['GET /workflows/:id/executions/:executionId', 'GET /workflows/fields', 'POST /campaigns/:id/preview'],
    ...[
      'POST /campaigns/audience',
      'POST /contacts/export',
      'POST /contacts/lookup',
      'POST /contacts/search',
    ],
    ...['GET /signup-forms', 'GET /signup-forms/:id'],
    ...['POST /templates/preview', 'POST /workflows/:id/simulate'],
  ].map(route => [route, read]),
)

const writing: Record<string, Needed> = Object.fromEntries(
  [
    ...['DELETE /campaigns/:id', 'DELETE /contacts/:id', 'DELETE /contacts/fields/:field'],
    ...['DELETE /layouts/:id', 'PATCH /layouts/:id', 'POST /layouts'],
    ...['DELETE /events/:eventName', 'DELETE /segments/:id', 'DELETE /segments/:id/members'],
    ...['DELETE /suppressions/:email', 'DELETE /templates/:id', 'DELETE /workflows/:id'],
    ...['DELETE /workflows/:id/executions/:executionId', 'DELETE /workflows/:id/steps/:stepId'],
    ...['DELETE /workflows/:id/transitions/:transitionId', 'PATCH /contacts/:id'],
    ...['PATCH /segments/:id', 'PATCH /templates/:id', 'PATCH /workflows/:id'],
    ...['PATCH /workflows/:id/steps/:stepId', 'POST /campaigns', 'POST /campaigns/:id/cancel'],
    ...[
      'POST /campaigns/:id/duplicate',
      'POST /campaigns/:id/pause',
      'POST /campaigns/:id/receivers/:receiver/leave-out',
      'PUT /campaigns/:id/archive',
      'POST /campaigns/:id/recipients/segment',
    ],
    ...['POST /contacts', 'POST /contacts/bulk-delete', 'POST /contacts/bulk-subscribe'],
    ...['POST /contacts/bulk-add-to-segment', 'PUT /contacts/:id/topics'],
    ...['DELETE /signup-forms/:id'],
    ...['DELETE /topics/:id', 'PATCH /topics/:id', 'POST /topics'],
    ...['POST /contacts/bulk-unsubscribe', 'POST /contacts/bulk/:jobId/undo', 'POST /contacts/import'],
    ...['POST /emails/:id/cancel'],
    ...['POST /segments', 'POST /segments/:id/compute', 'POST /segments/:id/members'],
    ...[
      'POST /segments/:id/refresh',
      'POST /suppressions',
      'POST /templates',
      'POST /templates/:id/duplicate',
    ],
    ...['POST /uploads/image', 'POST /workflows', 'POST /workflows/:id/duplicate'],
    ...['POST /workflows/:id/executions/cancel-all', 'POST /workflows/:id/steps'],
    ...['POST /workflows/:id/transitions', 'PUT /campaigns/:id', 'PUT /workflows/:id/graph'],
  ].map(route => [route, write]),
)

const sendingWhatIsThere: Record<string, Needed> = {
  'POST /campaigns/:id/ab-test/winner': writeAndSend,
  'POST /campaigns/:id/resume': writeAndSend,
  'POST /campaigns/:id/receivers/:receiver/resume': writeAndSend,
  'POST /campaigns/:id/retry-failed': writeAndSend,
  'POST /campaigns/:id/send': writeAndSend,
  'POST /campaigns/:id/test': writeAndSend,
  'PATCH /emails/:id': writeAndSend,
  'POST /emails/:id/resend': writeAndSend,
  'POST /workflows/:id/executions': writeAndSend,
  // Whoever asks by the form gets a mail from the project.
  'POST /signup-forms': writeAndSend,
  'PATCH /signup-forms/:id': writeAndSend,
}

/** Who belongs to the project, what it may send as, its secrets, its money and its end. */
const administration: Record<string, Needed> = Object.fromEntries(
  [
    ...['DELETE /domains/:id', 'DELETE /domains/:id/dkim/rotate', 'POST /domains/:id/dkim/rotate'],
    'PUT /domains/:id/dkim',
    ...['DELETE /domains/:id/warm-up', 'PUT /domains/:id/warm-up'],
    ...['DELETE /projects/:id/invitations/:invitationId'],
    ...['GET /projects/:id/invitations/:invitationId/link', 'GET /outbox', 'GET /outbox/:id'],
    ...['DELETE /projects/:id/api-keys/:keyId', 'DELETE /projects/:id/members/:userId'],
    ...['DELETE /users/@me/projects/:id', 'DELETE /webhook-endpoints/:id', 'GET /projects/:id/api-keys'],
    ...['GET /projects/:id/audit-log', 'GET /projects/:id/invitations', 'GET /projects/:id/members'],
    ...['GET /users/@me/projects/:id/billing-consumption', 'GET /users/@me/projects/:id/billing-invoices'],
    ...['GET /users/@me/projects/:id/billing-limits', 'PATCH /projects/:id/members/:userId'],
    ...['PATCH /users/@me/projects/:id', 'PATCH /webhook-endpoints/:id', 'POST /domains'],
    ...['POST /projects/:id/api-keys', 'POST /projects/:id/members'],
    ...['POST /users/@me/projects/:id/billing-portal', 'POST /users/@me/projects/:id/checkout'],
    ...['POST /users/@me/projects/:id/regenerate-keys', 'POST /users/@me/projects/:id/reset'],
    ...['POST /users/@me/projects/:id/rotate-webhook-secret', 'POST /webhook-endpoints'],
    ...['POST /webhook-endpoints/:id/deliveries/:deliveryId/replay', 'POST /webhook-endpoints/:id/replay'],
    ...['POST /webhook-endpoints/:id/rotate-secret', 'POST /webhook-endpoints/:id/test'],
    ...['PUT /users/@me/projects/:id/billing-limits', 'GET /projects/:id/retention'],
    ...['PUT /projects/:id/retention', 'POST /projects/:id/retention/preview'],
  ].map(route => [route, 'pairOnly' as const]),
)

export const routeScopes: Readonly<Record<string, Needed>> = {
  ...publicApi,
  ...assistants,
  ...reading,
  ...writing,
  ...sendingWhatIsThere,
  ...administration,
}

/** Whether a key with these scopes may call a route; one that is not declared stays closed. */
export function opens(given: readonly KeyScope[], route: string): boolean {
  const needed = routeScopes[route] ?? 'pairOnly'
  return needed !== 'pairOnly' && needed.every(scope => given.includes(scope))
}
