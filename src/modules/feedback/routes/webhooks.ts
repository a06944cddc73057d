// Where providers and mail servers report. Nobody is signed in here: each receiver checks a signature over the exact bytes of the body,
// which proves who is calling.
import { Elysia } from 'elysia'
import type { Context } from '../../../platform/context'
import { receiverAnswer, reportsAnswer, reportsBody } from '../model'
import { receiveMailedReport, receiveReports, receiveSns, type SignedCall } from '../service'

/** The body as it came, whatever type is declared: SNS sends JSON as text. */
const bytes = { parse: ({ request }: { request: Request }) => request.blob() }

export function webhookRoutes(ctx: Context) {
  return new Elysia({ prefix: '/webhooks', tags: ['Webhooks'] })
    .post('/sns', async ({ request }) => receiveSns(ctx, () => request.text()), {
      parse: 'none',
      response: receiverAnswer,
      detail: { summary: 'Notifications of Amazon SES through SNS; signed by Amazon' },
    })
    .post('/bounce', async ({ body, headers }) => receiveReports(ctx, await signedCall(body, headers)), {
      ...bytes,
      response: reportsAnswer,
      detail: {
        summary: 'Reports of any provider; signed with FEEDBACK_WEBHOOK_SECRET (Standard Webhooks)',
        description:
          'Each report names its message by `emailId`, by `messageId`, or by `recipient` and `projectId`.',
        requestBody: { required: true, content: { 'application/json': { schema: reportsBody } } },
      },
    })
    .post('/dsn', async ({ body, headers }) => receiveMailedReport(ctx, await signedCall(body, headers)), {
      ...bytes,
      response: reportsAnswer,
      detail: {
        summary:
          'A delivery status notification or complaint as it came by mail; signed with FEEDBACK_WEBHOOK_SECRET',
      },
    })
}

async function signedCall(body: unknown, headers: Record<string, string | undefined>): Promise<SignedCall> {
  return {
    id: headers['webhook-id'],
    timestamp: headers['webhook-timestamp'],
    signature: headers['webhook-signature'],
    body: body instanceof Blob ? new Uint8Array(await body.arrayBuffer()) : new Uint8Array(),
  }
}
