// Endpoints beyond the interface document, on purpose.

export const ownEndpoints: readonly string[] = [
  'GET /contacts/export',
  'GET /contacts/public/:id',
  'POST /contacts/public/:id/subscribe',
  'POST /contacts/public/:id/unsubscribe',
  'POST /contacts/public/:id/snooze',
  'GET /emails',
  'GET /emails/:id',
  'GET /unsubscribe/:id',
  'POST /unsubscribe/:id',
  'GET /subscribe/:id',
  'POST /subscribe/:id',
  'GET /manage/:id',
  'POST /manage/:id',
  'GET /health',
  'GET /metrics',
  'POST /auth/logout',
  'POST /templates/preview',
  'POST /users/@me/projects/:id/rotate-webhook-secret',
]
