// The email log over HTTP.

import { Elysia } from 'elysia'
import { answer } from '../../../http/openapi/media'
import { encodeCursor } from '../../../lib/cursor'
import { cursorList, limitOf } from '../../../lib/paging'
import type { Context } from '../../../platform/context'
import { projectAccess } from '../../accounts/projects'
import {
  emailAnswer,
  emailEvents,
  emailList,
  emailSummaryAnswer,
  idParams,
  listQuery,
  rescheduleBody,
  resentAnswer,
  toEmail,
  toSummary,
  troublesAnswer,
} from './model'
import { cursorAt } from './search'
import {
  cancel,
  type EmailPage,
  getEmail,
  getSource,
  listEmailEvents,
  listEmails,
  listTroubles,
  reschedule,
  resend,
} from './service'

export function emailsRoutes(ctx: Context) {
  return new Elysia({ name: 'emails' }).use(listRoutes(ctx)).use(singleRoutes(ctx)).use(scheduledRoutes(ctx))
}

function scheduledRoutes(ctx: Context) {
  return new Elysia({ prefix: '/emails', tags: ['Emails'], detail: { addition: true } })
    .use(projectAccess(ctx))
    .patch(
      '/:id',
      async ({ access, params, body }) =>
        toSummary(await reschedule(ctx, access.project.id, params.id, body.scheduledFor)),
      {
        scope: ['write', 'send'],
        params: idParams,
        body: rescheduleBody,
        response: emailSummaryAnswer,
        detail: {
          summary: 'Send a scheduled message at another time',
          description: '409 once its time has come.',
          errors: [400, 409],
        },
      },
    )
    .post(
      '/:id/cancel',
      async ({ access, params }) => toSummary(await cancel(ctx, access.project.id, params.id)),
      {
        scope: 'write',
        params: idParams,
        response: emailSummaryAnswer,
        detail: {
          summary: 'Do not send a scheduled message',
          description: 'It becomes SKIPPED. 409 once its time has come.',
          errors: [409],
        },
      },
    )
}

function listRoutes(ctx: Context) {
  return new Elysia({ prefix: '/emails', tags: ['Emails'], detail: { addition: true } })
    .use(projectAccess(ctx))
    .get(
      '/',
      async ({ access, query }) => {
        const limit = limitOf(query.limit)
        return toPage(await listEmails(ctx, access.project.id, { ...query, limit }), limit)
      },
      {
        scope: 'read',
        query: listQuery,
        response: emailList,
        detail: {
          summary: 'List messages, newest first',
          description:
            '`total` is counted up to 100,000, and is 0 of a search. A search may return fewer messages than asked for, or none, and go on with the next page: `searchedTo` says how far it got.',
        },
      },
    )
    .get('/troubles', ({ access }) => listTroubles(ctx, access.project.id), {
      scope: 'read',
      response: troublesAnswer,
      detail: {
        summary: 'How many messages went wrong, and how',
        description:
          'Counts the messages that are waiting, failed, bounced, drew a complaint or were stopped by a suppression, each up to 10,000. `GET /emails` filters by the same words.',
      },
    })
}

function toPage({ rows, total, stoppedAt }: EmailPage, limit: number) {
  const page = cursorList(rows, limit, total, toSummary, cursorAt)
  if (!stoppedAt) return { ...page, searchedTo: null }
  return {
    ...page,
    cursor: encodeCursor(cursorAt(stoppedAt)),
    hasMore: true,
    searchedTo: stoppedAt.createdAt.toISOString(),
  }
}

function singleRoutes(ctx: Context) {
  return new Elysia({ prefix: '/emails', tags: ['Emails'], detail: { addition: true } })
    .use(projectAccess(ctx))
    .get(
      '/:id',
      async ({ access, params }) => {
        const { email, attempts } = await getEmail(ctx, access.project.id, params.id)
        return toEmail(email, attempts)
      },
      {
        scope: 'read',
        params: idParams,
        response: emailAnswer,
        detail: {
          summary: 'A message with its body and the answer to each attempt',
          description:
            'The body is emptied after the days for which the instance keeps bodies. Address, subject, status and attempts stay as long as the project, unless its rules of retention say less.',
        },
      },
    )
    .get(
      '/:id/events',
      async ({ access, params }) => {
        const found = await listEmailEvents(ctx, access.project.id, params.id)
        return { events: found.map(event => ({ ...event, createdAt: event.createdAt.toISOString() })) }
      },
      {
        scope: 'read',
        params: idParams,
        response: emailEvents,
        detail: {
          summary: 'Events of an email, oldest first',
          description: 'At most 500.',
        },
      },
    )
    .get(
      '/:id/source',
      async ({ access, params, set }) => {
        const source = await getSource(ctx, access.project, params.id)
        set.headers['content-type'] = 'message/rfc822'
        set.headers['content-disposition'] = `attachment; filename="${params.id}.eml"`
        return source
      },
      {
        scope: 'read',
        params: idParams,
        detail: {
          summary: 'The source of a message, with all its headers',
          description:
            'RFC 5322 with CRLF, 7-bit. It is made again from what is kept: the very bytes that left, unless the tracking mode, the signing key or BASE_URL has changed since, or, for a campaign, the name or language of the project. Relays and providers add headers of their own. A message that was not handed over yet is not signed. 409 where the content is no longer kept, is not written yet, or came in.',
          errors: [409],
          responses: { 200: answer('The message', 'message/rfc822') },
        },
      },
    )
    .post(
      '/:id/resend',
      async ({ access, params, status }) =>
        status(201, { id: await resend(ctx, access.project.id, params.id) }),
      {
        scope: ['write', 'send'],
        params: idParams,
        response: { 201: resentAnswer },
        detail: {
          summary: 'Send a message once more',
          description:
            'As a new one with the same content. 409 while it is on its way, where its address is suppressed, its contact did not subscribe to what it is, or its content is no longer kept.',
          errors: [409],
        },
      },
    )
}
