// The addresses that listmonk put into its mail, for as long as people keep that mail and its host name points here. No credentials and no
// rate limit, as for links of ours: whoever holds one may always opt out. A GET changes nothing and counts nothing.

import { Elysia, t } from 'elysia'
import { answer, redirect } from '../../../http/openapi/media'
import { pageHeaders } from '../../../lib/hosted-page'
import type { Context } from '../../../platform/context'
import {
  browserLocale,
  decisionForm,
  expectPage,
  invalidPage,
  isOneClick,
  oneClickAnswer,
  renderMoved,
} from '../preferences'
import { findOldLink, findPages, leaveByOldLink } from './service'

const subscription = t.Object({ campaign: t.String(), subscriber: t.String() })

export function redirectRoutes(ctx: Context) {
  return (
    new Elysia({ tags: ['Subscriptions'], detail: { addition: true } })
      .get(
        '/subscription/:campaign/:subscriber',
        ({ params, request }) => showSubscription(ctx, params, request),
        {
          params: subscription,
          detail: {
            summary: "Unsubscribe page for links in listmonk's mail",
            description: "Redirects to the contact's page here. The token is the subscriber's UUID.",
            responses: {
              303: redirect("The contact's page"),
              404: answer('The link is not valid', 'text/html'),
            },
          },
        },
      )
      .post(
        '/subscription/:campaign/:subscriber',
        ({ params, request }) => answerSubscription(ctx, params, request),
        {
          params: subscription,
          parse: 'none',
          detail: {
            summary: "One-click unsubscribe for listmonk's mail (RFC 8058)",
            description:
              "For mail that listmonk sent, as long as its host name points here. A mail program gets 200 for any subscriber; a browser is sent on to the contact's page.",
            requestBody: decisionForm,
            responses: {
              200: answer('For mail programs, whether or not the link is valid', 'text/plain'),
              303: redirect("For browsers: the contact's page"),
              404: answer('The link is not valid', 'text/html'),
            },
          },
        },
      )
      .get('/link/:link/:campaign/:subscriber', ({ params, request }) => follow(ctx, params.link, request), {
        params: t.Object({ link: t.String(), campaign: t.String(), subscriber: t.String() }),
        detail: {
          summary: "Target of a tracked link in listmonk's mail",
          description: 'Redirects to where the link led, if it was imported, and counts nothing.',
          responses: {
            302: redirect('Where the link led'),
            404: answer('No such link was imported', 'text/html'),
          },
        },
      })
      // The message in a browser, forms and the archive: they are not here, and that is said on a page.
      .get('/campaign/:campaign/:subscriber', ({ request }) => gone(request), {
        params: subscription,
        detail: { hide: true },
      })
      .get('/subscription/form', ({ request }) => gone(request), { detail: { hide: true } })
      .post('/subscription/form', ({ request }) => gone(request), { parse: 'none', detail: { hide: true } })
      .get('/archive', ({ request }) => gone(request), { detail: { hide: true } })
      .get('/archive.xml', ({ request }) => gone(request), { detail: { hide: true } })
      .get('/campaign/:campaign/:subscriber/px.png', () => picture(), {
        params: subscription,
        detail: { hide: true },
      })
  )
}

type Params = { campaign: string; subscriber: string }

async function showSubscription(ctx: Context, { campaign, subscriber }: Params, request: Request) {
  return await orInvalid(request, async () => {
    const pages = await findPages(ctx, subscriber)
    if (!pages) return undefined
    // Whoever was asked to confirm confirms here, by a form.
    if (campaign === 'optin') return leadTo(pages.subscribeUrl)
    // A request for one's own data, or its erasure, begins there as well.
    const isManaging =
      ['export', 'wipe'].includes(campaign) || new URL(request.url).searchParams.get('manage') === 'true'
    return leadTo(isManaging ? pages.manageUrl : pages.unsubscribeUrl)
  })
}

/** Mail programs get the same answer whether or not there is such a person. A form that was open when its host moved leads to the page. */
async function answerSubscription(ctx: Context, params: Params, request: Request): Promise<Response> {
  if (!isOneClick(await request.text())) return await showSubscription(ctx, params, request)
  await leaveByOldLink(ctx, params.subscriber, request)
  return oneClickAnswer()
}

async function follow(ctx: Context, id: string, request: Request): Promise<Response> {
  return await orInvalid(request, async () => {
    const url = await findOldLink(ctx, id)
    return url === undefined ? undefined : leadTo(url, 302)
  })
}

function leadTo(location: string, status = 303): Response {
  return new Response(null, {
    status,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' },
  })
}

/** The page about an invalid link is in the browser's language, since nobody knows whose link it is. */
async function orInvalid(request: Request, make: () => Promise<Response | undefined>): Promise<Response> {
  expectPage(request)
  return (await make()) ?? invalidPage(request)
}

function gone(request: Request): Response {
  return new Response(renderMoved(browserLocale(request)), { status: 404, headers: pageHeaders })
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAAC0lEQVR42mNgAAIAAAUAAen63NgAAAAASUVORK5CYII=',
  'base64',
)

function picture(): Response {
  return new Response(png, { headers: { 'content-type': 'image/png', 'cache-control': 'no-store' } })
}
