// Documented endpoints that this version does not serve. The contract test lets this list shrink and never grow unnoticed: an
// endpoint that is served must be taken off it.

export const notServedYet: readonly string[] = [
  'GET /activity',
  'GET /activity/stats',
  'GET /activity/recent-count',
  'GET /activity/types',
  'GET /activity/upcoming',
  'GET /analytics/timeseries',
  'GET /analytics/top-campaigns',
  'GET /analytics/campaign-stats',
  'GET /analytics/top-events',
  'POST /uploads/image',
  'DELETE /users/@me/projects/:id',
  'POST /users/@me/projects/:id/checkout',
  'POST /users/@me/projects/:id/billing-portal',
  'GET /users/@me/projects/:id/billing-limits',
  'PUT /users/@me/projects/:id/billing-limits',
  'GET /users/@me/projects/:id/billing-consumption',
  'GET /users/@me/projects/:id/billing-invoices',
  'GET /users/@me/projects/:id/security',
  'POST /users/@me/projects/:id/reset',
  'GET /projects/:id/security',
  'POST /webhooks/incoming/stripe',
]
