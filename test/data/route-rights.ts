// Who may call what: a row for every route of the application. The test of the matrix calls each route as eight callers and holds the
// answers against the rule of its row; a route without a row fails it. Add the row together with the route.

/**
 * What a caller is told: `in` is anything but 401 and 403, and not 404 either for whoever should find what the address
 * names; `refused` is any error. */
export type Verdict = 'in' | 'refused' | 401 | 403 | 404

/**
 * The columns: owner, admin, member and a stranger with a session; the public key, the secret key, the secret key of another project;
 * nobody. Sessions name the project by the path, or by X-Project-Id. A foreign key that asks for something by id finds nothing (404),
 * and without an id it acts on its own project.
 */
export const callers = [
  'owner',
  'admin',
  'member',
  'stranger',
  'public',
  'secret',
  'foreign',
  'nobody',
] as const
export type Caller = (typeof callers)[number]

type Rule = Record<Caller, Verdict>

const rule = (...verdicts: Verdict[]): Rule =>
  Object.fromEntries(callers.map((caller, index) => [caller, verdicts[index]!])) as Rule

export const rules = {
  //                                  owner admin member stranger public secret foreign nobody
  /** Anybody, whatever they carry. */
  open: rule(/*                     */ 'in', 'in', 'in', 'in', 'in', 'in', 'in', 'in'),
  /** Whoever can prove it by a signature; none of these callers can. */
  signature: rule(/*                */ ...callers.map(() => 'refused' as const)),
  /** People, each about themselves. */
  session: rule(/*                  */ 'in', 'in', 'in', 'in', 401, 401, 401, 401),
  publicKey: rule(/*                */ 401, 401, 401, 401, 'in', 401, 401, 401),
  secretKey: rule(/*                */ 401, 401, 401, 401, 401, 'in', 'in', 401),
  /** A person or a key, each about what is theirs. */
  anyCaller: rule(/*                */ 'in', 'in', 'in', 'in', 401, 'in', 'in', 401),
  /** Something of the project, named by an id. */
  content: rule(/*                  */ 'in', 'in', 'in', 403, 401, 'in', 404, 401),
  /** The same without an id: everybody sees their own project. */
  contents: rule(/*                 */ 'in', 'in', 'in', 403, 401, 'in', 'in', 401),
  administration: rule(/*           */ 'in', 'in', 403, 403, 401, 'in', 404, 401),
  administrations: rule(/*          */ 'in', 'in', 403, 403, 401, 'in', 'in', 401),
  /** The project of the path. */
  project: rule(/*                  */ 'in', 'in', 'in', 404, 401, 'in', 404, 401),
  projectAdministration: rule(/*    */ 'in', 'in', 403, 404, 401, 'in', 404, 401),
  /** Who belongs to a project is decided by its people. */
  people: rule(/*                   */ 'in', 'in', 403, 404, 401, 403, 404, 401),
} as const satisfies Record<string, Rule>

export interface Row {
  rule: keyof typeof rules
  /** A body that gets as far as the question of rights. Text in `<...>` is an id of the prepared project. */
  body?: object
  /** Ends something that other rows need: each caller gets a project of their own. */
  alone?: boolean
  /** Answers when a job has done its part. */
  works?: boolean
  /** The route takes no JSON. */
  form?: boolean
}

const text = { subject: 'S', body: '<p>B</p>', from: 'a@acme.example' }
const ids = { contactIds: ['<goner>'] }

export const routeRights: Record<string, Row> = {
  'DELETE /campaigns/:id': { rule: 'content' },
  'DELETE /contacts/:id': { rule: 'content' },
  'DELETE /contacts/fields/:field': { rule: 'contents' },
  'DELETE /domains/:id': { rule: 'administration' },
  'DELETE /events/:eventName': { rule: 'contents' },
  'DELETE /projects/:id/invitations/:invitationId': { rule: 'people' },
  'DELETE /projects/:id/members/:userId': { rule: 'people' },
  'DELETE /segments/:id': { rule: 'content' },
  'DELETE /segments/:id/members': { rule: 'content', body: { emails: ['spare@example.com'] } },
  'DELETE /suppressions/:email': { rule: 'content' },
  'DELETE /templates/:id': { rule: 'content' },
  'DELETE /users/@me/projects/:id': { rule: 'projectAdministration', alone: true },
  'DELETE /workflows/:id': { rule: 'content' },
  'DELETE /workflows/:id/executions/:executionId': { rule: 'content' },
  'DELETE /workflows/:id/steps/:stepId': { rule: 'content' },
  'DELETE /workflows/:id/transitions/:transitionId': { rule: 'content' },
  'GET /': { rule: 'open' },
  'GET /app': { rule: 'open' },
  'GET /app/*': { rule: 'open' },
  'GET /app/assets/:name': { rule: 'open' },
  'GET /app/mail-frame': { rule: 'open' },
  'GET /activity': { rule: 'contents' },
  'GET /activity/recent-count': { rule: 'contents' },
  'GET /activity/stats': { rule: 'contents' },
  'GET /activity/types': { rule: 'contents' },
  'GET /activity/upcoming': { rule: 'contents' },
  'GET /analytics/campaign-stats': { rule: 'contents' },
  'GET /analytics/timeseries': { rule: 'contents' },
  'GET /analytics/top-campaigns': { rule: 'contents' },
  'GET /analytics/top-events': { rule: 'contents' },
  'GET /auth/forgot-password': { rule: 'open' },
  'GET /auth/invitation': { rule: 'open' },
  'GET /auth/login': { rule: 'open' },
  'GET /auth/logout': { rule: 'open', alone: true },
  'GET /auth/oauth-config': { rule: 'open' },
  'GET /auth/reset-password': { rule: 'open' },
  'GET /auth/verify-email': { rule: 'open' },
  'GET /campaigns': { rule: 'contents' },
  'GET /campaigns/:id': { rule: 'content' },
  'GET /campaigns/:id/recipients': { rule: 'content' },
  'GET /campaigns/:id/stats': { rule: 'content' },
  'GET /config': { rule: 'open' },
  'GET /contacts': { rule: 'contents' },
  'GET /contacts/:id': { rule: 'content' },
  'GET /contacts/:id/segments': { rule: 'content' },
  'GET /contacts/bulk/:jobId': { rule: 'content' },
  'GET /contacts/export': { rule: 'contents' },
  'GET /contacts/fields': { rule: 'contents' },
  'GET /contacts/fields/:field/usage': { rule: 'contents' },
  'GET /contacts/fields/:field/values': { rule: 'contents' },
  'GET /contacts/import/:jobId': { rule: 'content' },
  'GET /contacts/public/:id': { rule: 'open' },
  'GET /docs': { rule: 'open' },
  'GET /domains': { rule: 'contents' },
  'GET /domains/:id/verify': { rule: 'content' },
  'GET /domains/project/:projectId': { rule: 'content' },
  'GET /emails': { rule: 'contents' },
  'GET /emails/:id': { rule: 'content' },
  'GET /emails/:id/events': { rule: 'content' },
  'GET /emails/troubles': { rule: 'contents' },
  'GET /events': { rule: 'contents' },
  'GET /events/:eventName/usage': { rule: 'contents' },
  // Of a contact that is not theirs, others see an empty list.
  'GET /events/contact/:contactId': { rule: 'contents' },
  'GET /events/names': { rule: 'contents' },
  'GET /events/stats': { rule: 'contents' },
  'GET /health': { rule: 'open' },
  'GET /manage/:id': { rule: 'open' },
  'GET /metrics': { rule: 'open' },
  'GET /oauth/github/callback': { rule: 'open' },
  'GET /oauth/github/outbound': { rule: 'open' },
  'GET /oauth/google/callback': { rule: 'open' },
  'GET /oauth/google/outbound': { rule: 'open' },
  'GET /openapi.json': { rule: 'open' },
  'GET /projects': { rule: 'anyCaller' },
  'GET /projects/:id': { rule: 'project' },
  'GET /projects/:id/audit-log': { rule: 'projectAdministration' },
  'GET /projects/:id/invitations': { rule: 'projectAdministration' },
  'GET /projects/:id/members': { rule: 'project' },
  'GET /projects/:id/security': { rule: 'project' },
  'GET /projects/:id/setup-state': { rule: 'project' },
  'GET /segments': { rule: 'contents' },
  'GET /segments/:id': { rule: 'content' },
  'GET /segments/:id/contacts': { rule: 'content' },
  'GET /segments/:id/history': { rule: 'content' },
  'GET /settings': { rule: 'open' },
  'GET /subscribe/:id': { rule: 'open' },
  'GET /suppressions': { rule: 'contents' },
  'GET /t/c/:token': { rule: 'open' },
  'GET /t/o/:token': { rule: 'open' },
  'GET /templates': { rule: 'contents' },
  'GET /templates/:id': { rule: 'content' },
  'GET /templates/:id/usage': { rule: 'content' },
  'GET /unsubscribe/:id': { rule: 'open' },
  'GET /uploads/*': { rule: 'open' },
  'GET /users/@me': { rule: 'session' },
  'GET /users/@me/projects': { rule: 'session' },
  'GET /users/@me/projects/:id/billing-consumption': { rule: 'project' },
  'GET /users/@me/projects/:id/billing-invoices': { rule: 'project' },
  'GET /users/@me/projects/:id/billing-limits': { rule: 'project' },
  'GET /users/@me/projects/:id/security': { rule: 'project' },
  'GET /workflows': { rule: 'contents' },
  'GET /workflows/:id': { rule: 'content' },
  'GET /workflows/:id/executions': { rule: 'content' },
  'GET /workflows/:id/executions/:executionId': { rule: 'content' },
  'GET /workflows/fields': { rule: 'contents' },
  'PATCH /contacts/:id': { rule: 'content', body: { data: { plan: 'pro' } } },
  'PATCH /emails/:id': { rule: 'content', body: { scheduledFor: '2020-01-31T09:00:00Z' } },
  'PATCH /projects/:id/members/:userId': { rule: 'people', body: { role: 'ADMIN' } },
  'PATCH /segments/:id': { rule: 'content', body: { name: 'S' } },
  'PATCH /templates/:id': { rule: 'content', body: { name: 'T' } },
  'PATCH /users/@me/projects/:id': { rule: 'projectAdministration', body: { name: 'Acme' } },
  'PATCH /workflows/:id': { rule: 'content', body: { name: 'W' } },
  'PATCH /workflows/:id/steps/:stepId': { rule: 'content', body: { name: 'S' } },
  'POST /auth/forgot-password/form': { rule: 'open', form: true },
  'POST /auth/invitation/form': { rule: 'open', form: true },
  'POST /auth/login': { rule: 'open', body: {} },
  'POST /auth/login/form': { rule: 'open', form: true },
  'POST /auth/logout': { rule: 'open', alone: true },
  'POST /auth/logout-everywhere': { rule: 'session', alone: true },
  'POST /auth/request-password-reset': { rule: 'open', body: {} },
  'POST /auth/request-verification': { rule: 'session' },
  'POST /auth/reset-password': { rule: 'open', body: {} },
  'POST /auth/reset-password/form': { rule: 'open', form: true },
  'POST /auth/signup': { rule: 'open', body: {} },
  'POST /auth/verify-email': { rule: 'open', body: {} },
  'POST /auth/verify-email/form': { rule: 'open', form: true },
  'POST /campaigns': { rule: 'contents', body: { name: 'C', audienceType: 'ALL', ...text } },
  'POST /campaigns/:id/cancel': { rule: 'content' },
  'POST /campaigns/:id/duplicate': { rule: 'content' },
  'POST /campaigns/:id/pause': { rule: 'content' },
  'POST /campaigns/:id/preview': { rule: 'content', body: {} },
  'POST /campaigns/:id/resume': { rule: 'content' },
  'POST /campaigns/:id/retry-failed': { rule: 'content' },
  'POST /campaigns/:id/send': { rule: 'content', body: { scheduledFor: '2030-01-01T00:00:00.000Z' } },
  'POST /campaigns/:id/test': { rule: 'content', body: { email: 'ada@example.com' } },
  'POST /contacts': { rule: 'contents', body: { email: 'new@example.com' } },
  'POST /contacts/bulk-delete': { rule: 'contents', body: ids },
  'POST /contacts/bulk-subscribe': { rule: 'contents', body: ids },
  'POST /contacts/bulk-unsubscribe': { rule: 'contents', body: ids },
  'POST /contacts/import': { rule: 'contents', form: true },
  'POST /contacts/lookup': { rule: 'contents', body: { emails: ['ada@example.com'] } },
  'POST /contacts/public/:id/snooze': { rule: 'open', body: {} },
  'POST /contacts/public/:id/subscribe': { rule: 'open' },
  'POST /contacts/public/:id/unsubscribe': { rule: 'open' },
  'POST /contacts/search': { rule: 'contents', body: {} },
  'POST /domains': { rule: 'administrations', body: { domain: 'more.example' } },
  'POST /emails/:id/cancel': { rule: 'content' },
  'POST /emails/:id/resend': { rule: 'content' },
  'POST /events/track': { rule: 'contents', body: { email: 'ada@example.com', event: 'seen' } },
  'POST /manage': { rule: 'open', form: true },
  'POST /manage/:id': { rule: 'open', form: true },
  'POST /projects/:id/members': { rule: 'people', body: { email: 'another@example.com' } },
  'POST /segments': { rule: 'contents', body: { name: 'S', type: 'STATIC' } },
  'POST /segments/:id/compute': { rule: 'content' },
  'POST /segments/:id/members': { rule: 'content', body: { emails: ['spare@example.com'] } },
  'POST /segments/:id/refresh': { rule: 'content' },
  'POST /subscribe': { rule: 'open', form: true },
  'POST /subscribe/:id': { rule: 'open', form: true },
  'POST /suppressions': { rule: 'contents', body: { emails: ['gone@example.com'] } },
  'POST /templates': { rule: 'contents', body: { name: 'T', ...text } },
  'POST /templates/:id/duplicate': { rule: 'content' },
  'POST /templates/preview': { rule: 'contents', body: { subject: 'S', body: 'B' } },
  'POST /unsubscribe': { rule: 'open', form: true },
  'POST /unsubscribe/:id': { rule: 'open', form: true },
  'POST /uploads/image': { rule: 'contents', form: true },
  'POST /users/@me/password': { rule: 'session', alone: true, body: {} },
  'POST /users/@me/projects': { rule: 'session', body: { name: 'Another' } },
  'POST /users/@me/projects/:id/billing-portal': { rule: 'projectAdministration' },
  'POST /users/@me/projects/:id/checkout': { rule: 'projectAdministration' },
  'POST /users/@me/projects/:id/regenerate-keys': { rule: 'projectAdministration', alone: true },
  'POST /users/@me/projects/:id/reset': { rule: 'projectAdministration', alone: true, works: true },
  'POST /users/@me/projects/:id/rotate-webhook-secret': { rule: 'projectAdministration' },
  'POST /v1/send': { rule: 'secretKey', body: { to: 'ada@example.com', ...text } },
  'POST /v1/send/batch': {
    rule: 'secretKey',
    body: { messages: [{ to: 'ada@example.com', ...text }] },
  },
  'POST /v1/track': { rule: 'publicKey', body: { email: 'ada@example.com', event: 'seen' } },
  'POST /v1/verify': { rule: 'secretKey', body: { email: 'ada@example.com' } },
  'POST /webhooks/bounce': { rule: 'signature', body: {} },
  'POST /webhooks/dsn': { rule: 'signature', body: {} },
  'POST /webhooks/incoming/stripe': { rule: 'signature', body: {} },
  'POST /webhooks/sns': { rule: 'signature', body: {} },
  'POST /workflows': { rule: 'contents', body: { name: 'W', eventName: 'seen' } },
  'POST /workflows/:id/duplicate': { rule: 'content' },
  'POST /workflows/:id/executions': { rule: 'content', body: { contactId: '<contact>' } },
  'POST /workflows/:id/executions/cancel-all': { rule: 'content' },
  'POST /workflows/:id/simulate': { rule: 'content', body: {} },
  'POST /workflows/:id/steps': { rule: 'content', body: { type: 'EXIT', name: 'E', autoConnect: false } },
  'POST /workflows/:id/transitions': {
    rule: 'content',
    body: { fromStepId: '<stepId>', toStepId: '<stepId>' },
  },
  'PUT /campaigns/:id': { rule: 'content', body: { name: 'C' } },
  'PUT /workflows/:id/graph': { rule: 'content', body: { steps: [], transitions: [] } },
  'PUT /users/@me/projects/:id/billing-limits': {
    rule: 'projectAdministration',
    body: { workflows: null, campaigns: null, transactional: null, inbound: null },
  },
}
