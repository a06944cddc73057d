// Where providers and mail servers report. Nobody is signed in here: each receiver proves by a signature who is calling, over the
// very bytes that came.
import { Elysia } from 'elysia'
import type { Context } from '../../../platform/context'
import { receiverAnswer } from '../model'
import { receiveSns } from '../service'

/** The body as it came, whatever type is declared: SNS sends JSON as text. */
const bytes = { parse: ({ request }: { request: Request }) => request.blob() }

export function webhookRoutes(ctx: Context) {
  return new Elysia({ prefix: '/webhooks', tags: ['Webhooks'] }).post(
    '/sns',
    async ({ body }) => receiveSns(ctx, await textOf(body)),
    {
      ...bytes,
      response: receiverAnswer,
      detail: { summary: 'Notifications of Amazon SES through SNS; signed by Amazon' },
    },
  )
}

async function textOf(body: unknown): Promise<string> {
  return body instanceof Blob ? body.text() : ''
}
