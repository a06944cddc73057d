// Where people get a copy of what is kept about them, and have it erased. No credentials: a link of a mail asks for another mail, and the link in that
// one opens the data. A GET shows nothing but buttons, because mail scanners follow links.

import { Elysia, t } from 'elysia'
import { answer, formBody, pageAnswers, redirect } from '../../../../http/openapi/media'
import { clientAddress } from '../../../../http/request-id'
import { streamOf } from '../../../../http/stream'
import { clientNetwork } from '../../../../lib/client-network'
import { AppError } from '../../../../lib/errors'
import { downloadAs } from '../../../../lib/file-name'
import { hour } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { spendTurn } from '../../../accounts/users'
import { browserLocale, expectPage, invalidPage, queryOf, readLink } from '../../../sending/preferences'
import type { Person } from '../page'
import { type PrivacyPage, renderChoices, renderCopy, renderErased, renderOver, renderTooMany } from '../page'
import { askForLink } from '../service/ask'
import { copyAsJson, copyToRead } from '../service/copy'
import { erasePerson, findPerson, spendCopy } from '../service/person'

/** What one client may do here: a school or an office may share an address. */
const clientLimits = { limit: 100, windowMs: hour }

const params = t.Object({ id: t.String() })

export function privacyRoutes(ctx: Context) {
  return new Elysia({ prefix: '/privacy', tags: ['Subscriptions'], detail: { addition: true } })
    .post('/:id/link', ({ params, request }) => takeAsking(ctx, params.id, request), {
      params,
      parse: 'none',
      detail: {
        summary: "Ask for the link to one's data",
        description:
          'With the query of a link about the subscription. A mail to the address of the contact has the link, which is good for a day; at most one leaves in a day, and the answer does not tell.',
        errors: [413],
        responses: {
          303: redirect('Taken; the page that says so'),
          404: answer('The link is not valid', 'text/html'),
          429: answer('Too many from this client', 'text/html'),
        },
      },
    })
    .get('/:id', ({ params, request }) => showChoices(ctx, params.id, request), {
      params,
      detail: {
        summary: "The page behind the link to one's data",
        description:
          'Opened by a link that was mailed to the person. Opening it changes nothing. On the page people get a copy of what is kept about them, or have it erased; for an expired link it is a page that says so, with 404.',
        responses: pageAnswers,
      },
    })
    .post('/:id', ({ params, request }) => takeChoice(ctx, params.id, request), {
      params,
      parse: 'none',
      detail: {
        summary: 'Get a copy of what is kept about oneself, or have it erased',
        description: 'The form of the page: `action` is `read`, `save` or, with `sure`, `erase`.',
        requestBody: formBody(
          {
            action: { type: 'string', enum: ['read', 'save', 'erase'] },
            sure: { type: 'string', maxLength: 1, description: '1, for the erasure' },
          },
          { required: ['action'] },
        ),
        responses: {
          200: answer('The copy, or the page that says that all is erased', 'text/html', 'application/json'),
          400: answer('Nothing was chosen, or not confirmed; the page again', 'text/html'),
          404: answer('The link is not valid, or no longer', 'text/html'),
          429: answer('Too many copies, or too many requests from this client', 'text/html'),
        },
      },
    })
}

const tokenIn = (request: Request): string => new URL(request.url).searchParams.get('t') ?? ''

async function takeAsking(ctx: Context, id: string, request: Request): Promise<Response> {
  return await asPage(request, invalidPage(request), async () => {
    const busy = await refuseClient(ctx, request)
    if (busy) return busy
    const link = readLink(id, request.url)
    const recipient = await askForLink(ctx, link)
    // A page of its own, so that loading it again asks for nothing.
    const location = `../../manage/${recipient.id}?${queryOf(link)}&asked=1`
    return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
  })
}

async function showChoices(ctx: Context, id: string, request: Request): Promise<Response> {
  return await withPerson(ctx, id, request, async (person, token) => html(200, renderChoices(person, token)))
}

async function takeChoice(ctx: Context, id: string, request: Request): Promise<Response> {
  return await withPerson(ctx, id, request, async (person, token) => {
    const busy = await refuseClient(ctx, request)
    if (busy) return busy
    const form = new URLSearchParams(await request.text())
    const action = form.get('action')
    if (action === 'erase' && form.get('sure') === '1') {
      await erasePerson(ctx, person)
      return html(200, renderErased(person))
    }
    if (action !== 'read' && action !== 'save') return html(400, renderChoices(person, token))
    const wait = await spendCopy(ctx, person)
    if (wait !== undefined) return tooMany(request, wait)
    return action === 'save'
      ? asFile(ctx, person)
      : html(200, renderCopy(person, await copyToRead(ctx, person), token))
  })
}

function asFile(ctx: Context, person: Person): Response {
  return new Response(streamOf(copyAsJson(ctx, person)), {
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-disposition': downloadAs(['data'], ctx.clock.now(), 'json'),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
}

async function withPerson(
  ctx: Context,
  id: string,
  request: Request,
  make: (person: Person, token: string) => Promise<Response>,
): Promise<Response> {
  const token = tokenIn(request)
  return await asPage(request, html(404, renderOver(browserLocale(request))), async () =>
    make(await findPerson(ctx, id, token), token),
  )
}

/** Pages about what is wrong are in the language of the browser: whose link it is, is not known or not told. */
async function asPage(
  request: Request,
  notFound: Response,
  make: () => Promise<Response>,
): Promise<Response> {
  expectPage(request)
  try {
    return await make()
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return notFound
    throw error
  }
}

async function refuseClient(ctx: Context, request: Request): Promise<Response | undefined> {
  const client = `privacy ${clientNetwork(clientAddress(request))}`
  const wait = await spendTurn(ctx, 'client', client, clientLimits)
  return wait === undefined ? undefined : tooMany(request, wait)
}

function tooMany(request: Request, wait: number): Response {
  return html(429, renderTooMany(browserLocale(request)), { 'retry-after': String(wait) })
}

function html(status: number, page: PrivacyPage, more: Record<string, string> = {}): Response {
  return new Response(page.html, { status, headers: { ...page.headers, ...more } })
}
