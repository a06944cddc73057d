// What the link in the mail leads to. A GET changes nothing, because mail scanners follow links; the button of its page confirms.

import { Elysia, t } from 'elysia'
import { answer, pageAnswers, redirect } from '../../../http/openapi/media'
import type { Context } from '../../../platform/context'
import { pickLocale } from '../../preferences'
import { renderConfirm } from '../page'
import { confirmRequest, findRequest } from '../service'
import { answerGone, answerPage, expectPage } from './answer'

const params = t.Object({ id: t.String() })

export function confirmRoutes(ctx: Context) {
  return new Elysia({ prefix: '/forms', tags: ['Forms'], detail: { addition: true } })
    .get('/:id/confirm', ({ params, request }) => showConfirm(ctx, params.id, request), {
      params,
      detail: {
        summary: 'The page that asks whether the address wants the mail',
        description:
          'Opened by the link in the mail. Opening it changes nothing: its button does. A link is valid for seven days and works once.',
        responses: pageAnswers,
      },
    })
    .post('/:id/confirm', ({ params, request }) => takeConfirm(ctx, params.id, request), {
      params,
      parse: 'none',
      detail: {
        summary: 'Confirm what was asked for by a form',
        description:
          'Creates or updates the contact with what was sent, and subscribes it; the ledger of consent records what the person read. Then the browser goes to the `redirectUrl` of the form, or to a page that says what was done.',
        responses: {
          303: redirect('Confirmed; the page that says so'),
          404: answer('The link is not valid, or no longer', 'text/html'),
        },
      },
    })
}

const tokenIn = (request: Request): string => new URL(request.url).searchParams.get('t') ?? ''

async function showConfirm(ctx: Context, id: string, request: Request): Promise<Response> {
  expectPage(request)
  const token = tokenIn(request)
  const shown = await findRequest(ctx, id, token)
  if (!shown) return answerGone(request, 'over')
  const { form, email, language, isConfirmed } = shown
  const page = renderConfirm(form, pickLocale(language), { email, token, isConfirmed })
  const isNews = new URL(request.url).searchParams.get('done') === '1'
  if (!isConfirmed || !isNews || form.redirectUrl === null) return answerPage(200, page)
  // A redirect of the form itself would be refused by the policy of the page that it was on.
  return answerPage(200, page, { refresh: `0; url=${new URL(form.redirectUrl).href}` })
}

/** The body says nothing, so it is not read. */
async function takeConfirm(ctx: Context, id: string, request: Request): Promise<Response> {
  expectPage(request)
  const token = tokenIn(request)
  const shown = await findRequest(ctx, id, token)
  if (!shown) return answerGone(request, 'over')
  await confirmRequest(ctx, shown, request)
  const location = `?t=${encodeURIComponent(token)}&done=1`
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
}
