// Answers that no schema of a route describes: pages, files and redirects, and errors that come
// from what a handler finds. A test compares the errors with every answer that any test has seen.
import type { Schema } from './schema'
import type { Answer, MediaTypes } from './types'

type Answers = Record<string, Answer>

const text: Schema = { type: 'string' }
const binary: Schema = { type: 'string', format: 'binary' }
const object: Schema = { type: 'object', additionalProperties: true }

function answer(description: string, ...media: string[]): Answer {
  if (media.length === 0) return { description }
  const content: MediaTypes = Object.fromEntries(media.map(type => [type, { schema: schemaOf(type) }]))
  return { description, content }
}

function schemaOf(type: string): Schema {
  if (type === 'application/json') return object
  return type.startsWith('image/') ? binary : text
}

function redirect(description: string): Answer {
  return { description, headers: { Location: { description: 'Where to continue', schema: text } } }
}

const noContent: Answers = { 204: answer('Done; there is no body') }

const page: Answers = {
  200: answer('The page', 'text/html'),
  404: answer('The link is not valid', 'text/html'),
}
const form: Answers = {
  200: answer('Done, for a program that posts without a form', 'text/plain'),
  303: redirect('Done; the page that says so'),
  400: answer('Nothing was chosen; the page again', 'text/html'),
  404: answer('The link is not valid', 'text/html'),
  409: answer('Not possible in the present state; the page again', 'text/html'),
}
const signUpForm: Answers = {
  200: answer('One more page, with a button to press; for a script: taken', 'text/html', 'application/json'),
  303: redirect('Taken; the page that says so'),
  404: answer('There is no such form, or it is off', 'text/html'),
  422: answer('Something can not be taken; the page again', 'text/html', 'application/json'),
  429: answer('Too many from this client', 'text/html', 'application/json'),
}
const signIn: Answers = { 302: redirect('On to the provider, or back to the dashboard') }

export const answersByMedia: Record<string, Answers> = {
  'DELETE /campaigns/{id}': noContent,
  'DELETE /contacts/{id}': noContent,
  'DELETE /projects/{id}/api-keys/{keyId}': noContent,
  'DELETE /layouts/{id}': noContent,
  'DELETE /topics/{id}': noContent,
  'DELETE /projects/{id}/invitations/{invitationId}': noContent,
  'DELETE /users/@me/sessions/{sessionId}': noContent,
  'DELETE /segments/{id}': noContent,
  'DELETE /suppressions/{email}': noContent,
  'DELETE /templates/{id}': noContent,
  'DELETE /webhook-endpoints/{id}': noContent,
  'DELETE /workflows/{id}': noContent,
  'DELETE /workflows/{id}/steps/{stepId}': noContent,
  'DELETE /workflows/{id}/transitions/{transitionId}': noContent,
  'GET /suppressions/export': { 200: answer('A header row, and a row for each address', 'text/csv') },
  'POST /contacts/export': { 200: answer('A header row, and a row for each contact', 'text/csv') },
  'GET /contacts/export': { 200: answer('A header row, and a row for each contact', 'text/csv') },
  'GET /emails/{id}/source': { 200: answer('The message', 'message/rfc822') },
  'GET /manage/{id}': page,
  'GET /metrics': { 200: answer('Figures in the text form of Prometheus', 'text/plain') },
  'GET /oauth/github/callback': signIn,
  'GET /oauth/github/outbound': signIn,
  'GET /oauth/google/callback': signIn,
  'GET /oauth/google/outbound': signIn,
  'GET /oauth/oidc/callback': signIn,
  'GET /oauth/oidc/outbound': signIn,
  'GET /subscribe/{id}': page,
  'GET /t/c/{token}': {
    200: answer('A link for programs, which no person sees', 'text/plain'),
    302: redirect('Where the link leads'),
    400: answer('The link was altered: a page that says so', 'text/html'),
  },
  'GET /t/o/{token}': {
    200: answer('A picture of one transparent pixel, whatever the token is', 'image/gif'),
  },
  'GET /unsubscribe/{id}': page,
  'GET /uploads/{key}': {
    200: answer('The image', 'image/jpeg', 'image/png', 'image/gif', 'image/webp'),
    304: answer('What the client has is still current'),
  },
  'DELETE /signup-forms/{id}': noContent,
  'GET /forms/{id}': page,
  'GET /forms/{id}/confirm': page,
  'POST /forms/{id}': signUpForm,
  'POST /forms/{id}/confirm': {
    303: redirect('Confirmed; the page that says so'),
    404: answer('The link is not valid, or no longer', 'text/html'),
  },
  'GET /message/{id}': page,
  'GET /link/{link}/{campaign}/{subscriber}': {
    302: redirect('Where the link led'),
    404: answer('No such link was imported', 'text/html'),
  },
  'GET /subscription/{campaign}/{subscriber}': {
    303: redirect("The contact's page"),
    404: answer('The link is not valid', 'text/html'),
  },
  'POST /subscription/{campaign}/{subscriber}': {
    200: answer('For mail programs, whether or not the link is valid', 'text/plain'),
    303: redirect("For browsers: the contact's page"),
    404: answer('The link is not valid', 'text/html'),
  },
  'GET /archive/{projectId}/{topicId}': page,
  'GET /archive/{projectId}/{topicId}/feed': {
    200: answer('The feed', 'application/atom+xml'),
    404: answer('There is no such archive', 'text/html'),
  },
  'GET /archive/{projectId}/{topicId}/{campaignId}': page,
  'GET /privacy/{id}': page,
  'POST /privacy/{id}': {
    200: answer('The copy, or the page that says that all is erased', 'text/html', 'application/json'),
    400: answer('Nothing was chosen, or not confirmed; the page again', 'text/html'),
    404: answer('The link is not valid, or no longer', 'text/html'),
    429: answer('Too many copies, or too many requests from this client', 'text/html'),
  },
  'POST /privacy/{id}/link': {
    303: redirect('Taken; the page that says so'),
    404: answer('The link is not valid', 'text/html'),
    429: answer('Too many from this client', 'text/html'),
  },
  'POST /manage/{id}': form,
  'POST /subscribe/{id}': form,
  'POST /unsubscribe/{id}': form,
}

/** 400s of bodies that are checked by hand, as the interface names them. */
export const shortForms: Record<string, readonly string[]> = {
  'PATCH /segments/{id}': ['400'],
  'DELETE /segments/{id}/members': ['400'],
  'POST /contacts': ['400'],
  'POST /segments': ['400'],
  'POST /segments/{id}/members': ['400'],
  'POST /templates': ['400'],
  'POST /uploads/image': ['400', '403', '503', '507'],
  'POST /workflows': ['400'],
  'POST /workflows/{id}/executions': ['400'],
  'POST /workflows/{id}/steps': ['400'],
  'POST /workflows/{id}/transitions': ['400'],
}

/** What handlers find beyond guard, body and parameters. */
export const moreErrors: Record<string, readonly string[]> = {
  'DELETE /campaigns/{id}': ['400', '409'],
  'DELETE /domains/{id}': ['409'],
  'DELETE /layouts/{id}': ['409'],
  'DELETE /topics/{id}': ['409'],
  'POST /signup-forms': ['404', '409'],
  'GET /forms/{id}/puzzle': ['404'],
  'PATCH /topics/{id}': ['409'],
  'POST /topics': ['409'],
  'DELETE /segments/{id}': ['409'],
  'DELETE /templates/{id}': ['409'],
  'DELETE /users/@me/projects/{id}': ['423'],
  'DELETE /workflows/{id}': ['409'],
  'DELETE /workflows/{id}/executions/{executionId}': ['409'],
  'GET /emails/{id}/source': ['409'],
  'GET /metrics': ['401', '404'],
  'GET /oauth/github/callback': ['404'],
  'GET /oauth/github/outbound': ['404'],
  'GET /oauth/google/callback': ['404'],
  'GET /oauth/google/outbound': ['404'],
  'GET /oauth/oidc/callback': ['404'],
  'GET /oauth/oidc/outbound': ['404'],
  'PATCH /contacts/{id}': ['409'],
  'PATCH /emails/{id}': ['400', '409'],
  'PATCH /layouts/{id}': ['409'],
  'PATCH /templates/{id}': ['409'],
  'PATCH /users/@me/projects/{id}': ['409'],
  'PATCH /workflows/{id}': ['409'],
  'PATCH /workflows/{id}/steps/{stepId}': ['409'],
  'PUT /campaigns/{id}': ['409'],
  'PUT /workflows/{id}/graph': ['409'],
  'POST /auth/login': ['401', '403', '429'],
  'POST /auth/login/second-factor': ['400', '401', '403', '429'],
  'POST /auth/logout': ['403'],
  'POST /auth/request-password-reset': ['403', '429'],
  'POST /auth/reset-password': ['403', '429'],
  'POST /auth/signup': ['403', '409', '429'],
  'POST /auth/verify-email': ['403', '429'],
  'POST /campaigns': ['404'],
  'POST /campaigns/audience': ['404'],
  'POST /campaigns/{id}/ab-test/winner': ['400', '409'],
  'POST /campaigns/{id}/pause': ['409'],
  'POST /campaigns/{id}/receivers/{receiver}/leave-out': ['409'],
  'POST /campaigns/{id}/receivers/{receiver}/resume': ['409'],
  'POST /campaigns/{id}/send': ['409'],
  'POST /campaigns/{id}/resume': ['409'],
  'POST /campaigns/{id}/retry-failed': ['409'],
  'POST /contacts/bulk-add-to-segment': ['404'],
  'POST /contacts/import': ['404'],
  'POST /contacts/bulk/{jobId}/undo': ['404', '409'],
  'POST /contacts/public/{id}/snooze': ['409', '413'],
  'POST /contacts/public/{id}/subscribe': ['413'],
  'POST /contacts/public/{id}/unsubscribe': ['413'],
  'POST /contacts/export': ['404'],
  'POST /contacts/search': ['404'],
  'POST /domains': ['404'],
  'POST /domains/{id}/dkim/rotate': ['409'],
  'PUT /domains/{id}/dkim': ['409'],
  'POST /emails/{id}/cancel': ['409'],
  'POST /emails/{id}/resend': ['409'],
  'POST /events/track': ['404', '409'],
  'POST /projects/{id}/members': ['409'],
  'POST /segments': ['404'],
  'POST /layouts/preview': ['404'],
  'POST /privacy/{id}/link': ['413'],
  'POST /templates': ['404'],
  'POST /templates/preview': ['404'],
  'POST /v1/send': ['404', '409'],
  'POST /v1/track': ['409'],
  'POST /webhook-endpoints': ['409'],
  'POST /webhook-endpoints/{id}/deliveries/{deliveryId}/replay': ['409'],
  'POST /webhook-endpoints/{id}/replay': ['400'],
  'POST /webhook-endpoints/{id}/test': ['409'],
  'POST /webhooks/bounce': ['403'],
  'POST /webhooks/dsn': ['403'],
  'POST /webhooks/incoming/stripe': ['404'],
  'POST /webhooks/brevo': ['403', '404'],
  'POST /webhooks/mailgun': ['403', '404'],
  'POST /webhooks/mailjet': ['403', '404'],
  'POST /webhooks/postmark': ['403', '404'],
  'POST /webhooks/resend': ['403', '404'],
  'POST /webhooks/sendgrid': ['403', '404'],
  'POST /webhooks/sns': ['403', '502'],
  'POST /workflows/{id}/executions': ['409'],
  'POST /projects/{id}/api-keys': ['409'],
  'POST /users/@me/projects/{id}/regenerate-keys': ['409'],
  'POST /users/@me/second-factor': ['400', '409'],
  'POST /users/@me/second-factor/confirm': ['404', '409'],
  'POST /users/@me/second-factor/recovery-codes': ['400', '404'],
  'POST /users/@me/second-factor/remove': ['400', '404', '409'],
}
