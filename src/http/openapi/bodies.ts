// Bodies that a handler reads by itself, so that no schema of a route describes them: forms of pages, and what is signed byte by byte.
import type { Schema } from './schema'
import type { Operation } from './types'

const signUpBody: NonNullable<Operation['requestBody']> = {
  required: true,
  content: {
    'application/x-www-form-urlencoded': {
      schema: {
        type: 'object',
        properties: {
          email: { type: 'string', format: 'email', maxLength: 254 },
          language: { type: 'string', maxLength: 10, description: 'Of the page that showed the form' },
          ticket: { type: 'string', maxLength: 100, description: 'From its own page, or from the puzzle' },
          answer: { type: 'string', maxLength: 20, description: 'Of the puzzle' },
          website: { type: 'string', maxLength: 100, description: 'Stays empty: a trap for programs' },
        },
        required: ['email'],
        additionalProperties: true,
      },
    },
  },
}

const ownData: NonNullable<Operation['requestBody']> = {
  required: true,
  content: {
    'application/x-www-form-urlencoded': {
      schema: {
        type: 'object',
        properties: {
          action: { type: 'string', enum: ['read', 'save', 'erase'] },
          sure: { type: 'string', maxLength: 1, description: '1, for the erasure' },
        },
        required: ['action'],
      },
    },
  },
}

const decision: NonNullable<Operation['requestBody']> = {
  required: false,
  content: {
    'application/x-www-form-urlencoded': {
      schema: {
        type: 'object',
        properties: {
          action: { type: 'string', maxLength: 20, description: 'What the person chose' },
          duration: { type: 'string', maxLength: 20, description: 'Of a snooze' },
          'List-Unsubscribe': { type: 'string', maxLength: 20, description: 'One-Click (RFC 8058)' },
        },
      },
    },
  },
}

const events = (schema: Schema): NonNullable<Operation['requestBody']> => ({
  required: true,
  content: { 'application/json': { schema } },
})
const oneEvent: Schema = {
  type: 'object',
  additionalProperties: true,
  description: 'An event of the provider',
}

const message: Schema = { type: 'string', maxLength: 2_097_152 }

/** Bodies that a handler reads by itself. */
export const bodies: Record<string, NonNullable<Operation['requestBody']>> = {
  'POST /forms/{id}': signUpBody,
  'POST /privacy/{id}': ownData,
  'POST /manage/{id}': decision,
  'POST /subscribe/{id}': decision,
  'POST /unsubscribe/{id}': decision,
  'POST /subscription/{campaign}/{subscriber}': decision,
  'POST /webhooks/brevo': events(oneEvent),
  'POST /webhooks/dsn': { required: true, content: { 'message/rfc822': { schema: message } } },
  'POST /webhooks/incoming/stripe': {
    required: true,
    content: {
      'application/json': {
        schema: { type: 'object', additionalProperties: true, description: 'An event of Stripe' },
      },
    },
  },
  'POST /webhooks/mailgun': events(oneEvent),
  'POST /webhooks/mailjet': events({ type: 'array', maxItems: 2_000, items: oneEvent }),
  'POST /webhooks/postmark': events(oneEvent),
  'POST /webhooks/resend': events(oneEvent),
  'POST /webhooks/sendgrid': events({ type: 'array', maxItems: 2_000, items: oneEvent }),
  'POST /webhooks/sns': {
    required: true,
    content: {
      'text/plain': { schema: message },
      'application/json': { schema: { type: 'object', additionalProperties: true } },
    },
  },
}
