// Messages in a browser. No credentials: the link in a message opens that message. A GET changes nothing and counts nothing.
import { Elysia, t } from 'elysia'
import { requestInfo } from '../../http/request-id'
import { pageHeaders } from '../../lib/hosted-page'
import type { Context } from '../../platform/context'
import { acceptedLanguages, pickLocale, renderBroken, renderInvalid } from '../preferences'
import { renderMessage } from './page'
import { findMessage } from './service'

export function archiveRoutes(ctx: Context) {
  return new Elysia({ tags: ['Subscriptions'] }).get(
    '/message/:id',
    async ({ params, request }) => {
      const locale = pickLocale(...acceptedLanguages(request.headers.get('accept-language')))
      requestInfo(request).errorPage = () => renderBroken(locale)
      const token = new URL(request.url).searchParams.get('t') ?? ''
      const message = await findMessage(ctx, params.id, token)
      if (!message) return new Response(renderInvalid(locale), { status: 404, headers: pageHeaders })
      const { html, headers } = renderMessage(message)
      return new Response(html, { headers })
    },
    {
      params: t.Object({ id: t.String() }),
      detail: {
        summary: 'A message as a page, as its recipient got it',
        description: 'Behind `{{browserUrl}}`. It runs no script, and measures nothing.',
      },
    },
  )
}
