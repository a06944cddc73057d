// A form as everybody sees it, and the way in for what they send, from its own page or from any other. Who asks and for which form is looked at
// before the body.
import { Elysia, t } from 'elysia'
import { answer, pageAnswers, redirect } from '../../../../http/openapi/media'
import { clientAddress } from '../../../../http/request-id'
import { clientNetwork } from '../../../../lib/client-network'
import { AppError, notFound, tooMany } from '../../../../lib/errors'
import { pageHeaders } from '../../../../lib/hosted-page'
import { hexToken } from '../../../../lib/ids'
import { hour } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { spendTurn } from '../../../accounts/users'
import { browserLocale, expectPage, type Locale, pickLocale } from '../../../sending/preferences'
import embedText from '../embed.txt' with { type: 'text' }
import { askAnswers, askBody } from '../model'
import {
  type FormPage,
  formLocale,
  formWording,
  type PublicForm,
  renderAsked,
  renderBusy,
  renderConfirm,
  renderForm,
  renderGone,
  renderStep,
} from '../page'
import { type Asked, askByForm, confirmRequest, findRequest, openForm } from '../service'
import { makeTicket, puzzleBits } from '../ticket'

/** What one client may send by all forms: a school or an office may share an address. */
const clientLimits = { limit: 100, windowMs: hour }

const params = t.Object({ id: t.String() })
const puzzleAnswer = t.Object(
  {
    ticket: t.String({ description: 'To be sent as `ticket`' }),
    bits: t.Integer({ description: 'Leading zero bits of SHA-256 over `ticket:email:answer`' }),
  },
  { title: 'FormPuzzle' },
)

export function publicFormRoutes(ctx: Context) {
  return new Elysia({ prefix: '/forms', tags: ['Forms'], detail: { addition: true } })
    .get('/embed.js', () => new Response(embedText, { headers: scriptHeaders }), {
      detail: { hide: true },
    })
    .get('/:id', ({ params, request }) => showForm(ctx, params.id, request), {
      params,
      detail: {
        summary: 'The page of a form',
        description:
          'Without scripts, in the language of the form, or else in that of the browser. 404 for a form that is off.',
        responses: pageAnswers,
      },
    })
    .get(
      '/:id/puzzle',
      async ({ params, set }) => {
        set.headers['cache-control'] = 'no-store'
        const form = await openForm(ctx, params.id)
        if (!form) throw notFound('Form', params.id)
        return { ticket: newTicket(ctx, form.id), bits: puzzleBits }
      },
      {
        params,
        response: puzzleAnswer,
        detail: {
          summary: 'What a script solves before it sends a form',
          description:
            'A small computation and a signed time stamp; with both, a form is accepted without one more page. The script that the instance serves uses it.',
          errors: [404],
        },
      },
    )
    .post('/:id', ({ params, request }) => takeForm(ctx, params.id, request), {
      params,
      parse: 'none',
      detail: {
        summary: 'Ask by a form to be subscribed',
        description: 'Answers alike whether or not the address is known: what becomes of it is in the mail.',
        requestBody: askBody,
        responses: askAnswers,
      },
    })
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

const scriptHeaders = {
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'public, max-age=3600',
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
}

function newTicket(ctx: Context, formId: string): string {
  return makeTicket(ctx.vault, formId, { issuedAt: ctx.clock.now(), nonce: hexToken(ctx.random, 9) })
}

function localeFor(form: PublicForm, request: Request, shown: string | null): Locale {
  return formLocale(form, shown, request.headers.get('accept-language'))
}

async function showForm(ctx: Context, id: string, request: Request): Promise<Response> {
  expectPage(request)
  const form = await openForm(ctx, id)
  if (!form) return answerGone(request, 'closed')
  const query = new URL(request.url).searchParams
  const locale = localeFor(form, request, query.get('language'))
  if (query.get('asked') === '1') return answerPage(200, renderAsked(form, locale))
  return answerPage(200, renderForm(form, locale, newTicket(ctx, form.id)))
}

async function takeForm(ctx: Context, id: string, request: Request): Promise<Response> {
  const isForScript = request.headers.get('accept')?.includes('application/json') === true
  if (!isForScript) expectPage(request)
  const form = await openForm(ctx, id)
  if (!form && isForScript) throw notFound('Form', id)
  if (!form) return answerGone(request, 'closed')
  const wait = await spendTurn(ctx, 'client', `forms ${clientNetwork(clientAddress(request))}`, clientLimits)
  if (wait !== undefined) return refuseClient(form, request, isForScript, wait)
  const posted = new URLSearchParams(await request.text())
  const locale = localeFor(form, request, posted.get('language'))
  const given = { form: posted, language: locale.code, wording: formWording(form, locale) }
  const asked = await askByForm(ctx, form, given)
  return isForScript ? answerScript(asked, locale) : answerPerson(ctx, form, locale, asked, posted)
}

function refuseClient(form: PublicForm, request: Request, isForScript: boolean, wait: number): Response {
  const locale = localeFor(form, request, null)
  if (isForScript) throw tooMany(locale.forms.faults.tooMany, wait)
  return answerPage(429, renderBusy(form, locale), { 'retry-after': String(wait) })
}

function answerScript(asked: Asked, { forms }: Locale): Response {
  if (asked.outcome === 'asked')
    return Response.json({ message: forms.asked.text }, { headers: { 'cache-control': 'no-store' } })
  if (asked.outcome === 'step') throw invalidForm(forms.faults.tooMany, [])
  throw invalidForm(forms.faults[asked.fault], markedBy(asked))
}

/** Without `errors`: those are of bodies that should have been JSON. */
function invalidForm(message: string, fields: readonly string[]): AppError {
  return new AppError(422, 'VALIDATION_ERROR', message, { details: { fields } })
}

function markedBy({ fault, fields }: Asked & { outcome: 'faulty' }): string[] {
  return fault === 'fields' ? fields : ['email', ...fields]
}

/** The page that says what follows is one of its own, so that loading it again sends nothing. */
function answerPerson(
  ctx: Context,
  form: PublicForm,
  locale: Locale,
  asked: Asked,
  posted: URLSearchParams,
): Response {
  if (asked.outcome === 'asked') {
    const location = `${form.id}?asked=1&language=${locale.code}`
    return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
  }
  const ticket = newTicket(ctx, form.id)
  if (asked.outcome === 'step')
    return answerPage(200, renderStep(form, locale, asked.ticket ?? ticket, posted))
  const entered = { posted, fault: asked.fault, marked: markedBy(asked) }
  return answerPage(422, renderForm(form, locale, ticket, entered))
}

const tokenIn = (request: Request): string => new URL(request.url).searchParams.get('t') ?? ''

async function showConfirm(ctx: Context, id: string, request: Request): Promise<Response> {
  expectPage(request)
  const token = tokenIn(request)
  const shown = await findRequest(ctx, id, token)
  if (!shown) return answerGone(request, 'over')
  const { form, email, language, isConfirmed } = shown
  const page = renderConfirm(form, pickLocale(language), { email, token, isConfirmed })
  const isJustDone = new URL(request.url).searchParams.get('done') === '1'
  if (!isConfirmed || !isJustDone || form.redirectUrl === null) return answerPage(200, page)
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

function answerPage(
  status: number,
  { html, headers }: FormPage,
  more: Record<string, string> = {},
): Response {
  return new Response(html, { status, headers: { ...headers, ...more } })
}

/** In the language of the browser: whose it is, is not known or not told. */
function answerGone(request: Request, what: 'closed' | 'over'): Response {
  return new Response(renderGone(browserLocale(request), what), { status: 404, headers: pageHeaders })
}
