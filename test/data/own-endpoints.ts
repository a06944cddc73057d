// Endpoints beyond the interface document, on purpose.

export const ownEndpoints: readonly string[] = [
  'GET /contacts/export',
  'GET /emails',
  'GET /emails/:id',
  'GET /health',
  'GET /metrics',
  'POST /auth/logout',
  'POST /templates/preview',
  'POST /users/@me/projects/:id/rotate-webhook-secret',
]
