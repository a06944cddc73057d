// The routes behind the links in mails. No credentials and no rate limit: whoever holds a link may always opt out. A GET changes nothing,
// because mail clients and scanners follow links.

import { Elysia } from 'elysia'
import { pageAnswers } from '../../../http/openapi/media'
import { AppError, badRequest } from '../../../lib/errors'
import { pageHeaders } from '../../../lib/hosted-page'
import { isUuid } from '../../../lib/ids'
import type { Context } from '../../../platform/context'
import { projectAccess } from '../../accounts/projects'
import { getContact } from '../../audience/contacts'
import { contactLinks } from '../emails'
import { browserLocale, expectPage, invalidPage } from './browser'
import { isOneClick, type ListLink, type PageName, pageAfter, queryOf, readAction, readLink } from './link'
import {
  decisionAnswers,
  decisionForm,
  decisionTexts,
  linkParams,
  linkQuery,
  linksAnswer,
  oneClickSummary,
  readDuration,
  recipientAnswer,
  shownDescription,
  snoozeBody,
  stateAnswer,
  toPreferencesRecipient,
  toState,
} from './model'
import { type PageNotice, type PageRecipient, pageHeadersOf, renderPreferencesPage, renderTest } from './page'
import { decide, decideByOneClick, findRecipient, isGenuineLink, isTestLink, requireToken } from './service'
import type { Decision } from './wording'

export function preferencesRoutes(ctx: Context) {
  return new Elysia({ name: 'preferences', tags: ['Subscriptions'] })
    .use(dataRoutes(ctx))
    .use(ownRoutes(ctx))
    .use(pageRoutes(ctx, 'unsubscribe'))
    .use(pageRoutes(ctx, 'subscribe'))
    .use(pageRoutes(ctx, 'manage'))
}

/** For members of the project: the links to what a contact decides. */
function ownRoutes(ctx: Context) {
  return new Elysia({ prefix: '/contacts', tags: ['Contacts'], detail: { addition: true } })
    .use(projectAccess(ctx))
    .get(
      '/:id/links',
      async ({ access, params }) => {
        const { id } = await getContact(ctx, access.project.id, params.id)
        return contactLinks(ctx.vault, ctx.config.baseUrl, { projectId: access.project.id, contactId: id })
      },
      {
        scope: 'read',
        params: linkParams,
        response: linksAnswer,
        detail: {
          summary: 'Where a contact changes its subscription',
          description:
            'The links of its emails, outside an email. Anyone who has a link can decide for the contact.',
        },
      },
    )
}

/** For pages that others build. */
function dataRoutes(ctx: Context) {
  const options = (summary: string, description: string, errors: number[] = [413]) => ({
    params: linkParams,
    query: linkQuery,
    response: stateAnswer,
    detail: {
      summary,
      description: `For a page of your own: id and query are those of the link. ${description}`,
      errors,
    },
  })
  const answer = async (id: string, request: Request, decision: Decision) =>
    toState(await decide(ctx, readLink(id, request.url), decision, { request }))
  return new Elysia({ prefix: '/contacts/public', tags: ['Subscriptions'], detail: { addition: true } })
    .onBeforeHandle(({ set }) => {
      set.headers['cache-control'] = 'no-store'
    })
    .get(
      '/:id',
      async ({ params, request }) =>
        toPreferencesRecipient(await findRecipient(ctx, readLink(params.id, request.url))),
      {
        params: linkParams,
        query: linkQuery,
        response: recipientAnswer,
        detail: {
          summary: 'Who a link is about',
          description:
            'For a page of your own that is opened by a link from a mail: take id and query from the link. A wrong token is 404. It needs no key and changes nothing.',
        },
      },
    )
    .post(
      '/:id/subscribe',
      ({ params, request }) => answer(params.id, request, { type: 'subscribe' }),
      options('Subscribe by a link', 'It also ends a snooze. A wrong token is 404.'),
    )
    .post(
      '/:id/unsubscribe',
      ({ params, request }) => answer(params.id, request, { type: 'unsubscribe' }),
      options('Unsubscribe by a link', 'The contact counts as having opted out. A wrong token is 404.'),
    )
    .post(
      '/:id/snooze',
      async ({ params, request, body }) => {
        requireToken(ctx, readLink(params.id, request.url))
        const duration = readDuration(body.duration)
        if (!duration) throw badRequest('duration must be 2_weeks, 1_month, 6_months or 1_year')
        return answer(params.id, request, { type: 'snooze', duration })
      },
      {
        ...options(
          'Unsubscribe for a while by a link',
          'When the time is over, the contact is subscribed again automatically; 409 for one that is not subscribed.',
          [409, 413],
        ),
        body: snoozeBody,
        // The body of a request with a false token is not read: the handler answers 404.
        parse: ({ request, params }) =>
          isGenuineLink(ctx, readLink(params.id, request.url)) ? undefined : {},
      },
    )
}

function pageRoutes(ctx: Context, page: PageName) {
  const summary = page === 'unsubscribe' ? oneClickSummary : `The form of the ${page} page`
  return new Elysia({ prefix: `/${page}`, tags: ['Subscriptions'], detail: { addition: true } })
    .get('/:id', ({ params, request }) => showPage(ctx, page, params.id, request), {
      params: linkParams,
      detail: {
        summary: `The ${page} page`,
        description: shownDescription,
        responses: pageAnswers,
      },
    })
    .post('/:id', async ({ params, request }) => await answerForm(ctx, page, params.id, request), {
      params: linkParams,
      parse: 'none',
      detail: {
        summary,
        description: decisionTexts[page],
        requestBody: decisionForm,
        responses: decisionAnswers,
      },
    })
    .post(
      '/',
      () => {
        throw badRequest('The address names no contact')
      },
      { parse: 'none', detail: { hide: true } },
    )
}

/** In the language of the browser, since a test is for no contact. */
function testPage(request: Request): Response {
  return html(200, renderTest(browserLocale(request)))
}

async function showPage(ctx: Context, page: PageName, id: string, request: Request): Promise<Response> {
  return await asPage(request, async () => {
    const link = readLink(id, request.url)
    if (isTestLink(ctx, link)) return testPage(request)
    return shown(200, page, link, await findRecipient(ctx, link), noticeFromUrl(request.url))
  })
}

async function answerForm(ctx: Context, page: PageName, id: string, request: Request): Promise<Response> {
  const link = readLink(id, request.url)
  // Elsewhere the token is looked at before the body. Here the body decides: it shows whether a program or a person asks, and programs get
  // the same answer for every token (RFC 8058). A stranger gains little by it: 16 kB at most are read, in linear time.
  const early = page === 'unsubscribe' ? await request.text() : undefined
  if (early !== undefined && isOneClick(early)) return await oneClick(ctx, link, request)
  return await asPage(request, async () => {
    requireToken(ctx, link)
    if (isTestLink(ctx, link)) return testPage(request)
    const form = new URLSearchParams(early ?? (await request.text()))
    const refuse = async (status: number, notice: PageNotice): Promise<Response> =>
      shown(status, page, link, await findRecipient(ctx, link), notice)
    const decision = readDecision(page, form)
    if (!decision) return await refuse(400, 'choose')
    try {
      const { id: contactId } = await decide(ctx, link, decision, { request, page })
      // A client that posts without a form, as older mail clients do, gets a sentence instead of a page.
      return form.has('action')
        ? confirm(pageAfter(page, decision.type), contactId, link)
        : plainText('Done.')
    } catch (error) {
      if (!(error instanceof AppError) || error.status !== 409) throw error
      return await refuse(409, 'notSubscribed')
    }
  })
}

/**
 * Redirects to a page that confirms the decision and can be reloaded without sending the form again: yesterday's decision must not undo
 * today's. Relative, so that it works under any name and path of the instance.
 */
function confirm(page: PageName, contactId: string, link: ListLink): Response {
  const location = `../${page}/${contactId}?${queryOf(link)}&saved=1`
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } })
}

/** Whether the page is the answer to a decision. Anyone can write this into an address: what the page shows is the stored state. */
function noticeFromUrl(url: string): PageNotice | undefined {
  const said = new URL(url).searchParams
  if (said.get('asked') === '1') return 'asked'
  return said.get('saved') === '1' ? 'saved' : undefined
}

function readDecision(page: PageName, form: URLSearchParams): Decision | undefined {
  const type = readAction(page, form)
  if (type === 'snooze') {
    const duration = readDuration(form.get('duration'))
    return duration && { type, duration }
  }
  if (type !== 'join' && type !== 'leave') return type && { type }
  const topicId = form.get('topic') ?? ''
  return isUuid(topicId) ? { type, topicId } : undefined
}

/** The same answer whether or not there is such a contact: mail clients show it to nobody, and others learn nothing. */
async function oneClick(ctx: Context, link: ListLink, request: Request): Promise<Response> {
  try {
    await decideByOneClick(ctx, link, request)
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 404) throw error
  }
  return oneClickAnswer()
}

/** Whatever the link was. */
export function oneClickAnswer(): Response {
  return plainText('You are unsubscribed.')
}

/** A page about a false link or a failure is in the language of the browser, since it is not known whom it is for. */
async function asPage(request: Request, make: () => Promise<Response>): Promise<Response> {
  expectPage(request)
  try {
    return await make()
  } catch (error) {
    if (!(error instanceof AppError) || error.status !== 404) throw error
    return invalidPage(request)
  }
}

/** With the logo and color of the project. */
function shown(
  status: number,
  page: PageName,
  link: ListLink,
  recipient: PageRecipient,
  notice?: PageNotice,
): Response {
  const text = renderPreferencesPage(page, link, recipient, notice)
  return new Response(text, { status, headers: pageHeadersOf(recipient) })
}

function html(status: number, text: string): Response {
  return new Response(text, { status, headers: pageHeaders })
}

function plainText(text: string): Response {
  return new Response(text, {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
  })
}
