// Documented endpoints that this version does not serve. The contract test lets this list shrink and never grow unnoticed: an
// endpoint that is served must be taken off it.

export const notServedYet: readonly string[] = [
  'POST /users/@me/projects/:id/checkout',
  'POST /users/@me/projects/:id/billing-portal',
  'GET /users/@me/projects/:id/billing-limits',
  'PUT /users/@me/projects/:id/billing-limits',
  'GET /users/@me/projects/:id/billing-consumption',
  'GET /users/@me/projects/:id/billing-invoices',
  'POST /webhooks/incoming/stripe',
]
