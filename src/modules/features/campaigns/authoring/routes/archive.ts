// Messages in a browser. No credentials: the link in a message opens that message, and what is public is for everybody. A GET changes nothing and
// counts nothing.
import { Elysia, t } from 'elysia'
import { answer, pageAnswers } from '../../../../../http/openapi/media'
import { decodeCursor, encodeCursor } from '../../../../../lib/cursor'
import { parseDate } from '../../../../../lib/time'
import type { Context } from '../../../../../platform/context'
import { expectPage, invalidPage } from '../../../../sending/preferences'
import type { PublicTopic } from '../archive-page'
import { archiveUrl, type MessagePage, renderArchive, renderFeed, renderMessage } from '../archive-page'
import { findArchive, findArchivedMessage, findMessage, listArchive } from '../service/archive'

const place = { projectId: t.String(), topicId: t.String() }

export function archiveRoutes(ctx: Context) {
  return new Elysia({ tags: ['Subscriptions'], detail: { addition: true } })
    .get('/message/:id', ({ params, request }) => showMessage(ctx, params.id, request), {
      params: t.Object({ id: t.String() }),
      detail: {
        summary: 'A message as a page, as its recipient got it',
        description: 'Behind `{{browserUrl}}`. It runs no script, and measures nothing.',
        responses: pageAnswers,
      },
    })
    .get(
      '/archive/:projectId/:topicId',
      ({ params, request }) =>
        inArchive(ctx, params, request, async (topic, url) => {
          const { entries, more } = await listArchive(ctx, topic, readPlace(request))
          const older = more && encodeCursor({ value: more.sentAt.toISOString(), id: more.id })
          return renderArchive(topic, url, { entries, older })
        }),
      {
        params: t.Object(place),
        query: t.Object({ after: t.Optional(t.String({ description: 'Where the page begins' })) }),
        detail: {
          summary: 'The public archive of a topic',
          description:
            "Lists campaigns that were sent and are marked for it, newest first. 404 until the topic's `publicArchive` is on, and while the project is suspended.",
          responses: pageAnswers,
        },
      },
    )
    .get(
      '/archive/:projectId/:topicId/feed',
      ({ params, request }) =>
        inArchive(ctx, params, request, async (topic, url) =>
          renderFeed(topic, url, (await listArchive(ctx, topic)).entries),
        ),
      {
        params: t.Object(place),
        detail: {
          summary: 'The newest of a public archive, as Atom',
          description:
            "For feed readers; it lists the same campaigns as the page. 404 until the topic's `publicArchive` is on.",
          responses: {
            200: answer('The feed', 'application/atom+xml'),
            404: answer('There is no such archive', 'text/html'),
          },
        },
      },
    )
    .get(
      '/archive/:projectId/:topicId/:campaignId',
      ({ params, request }) =>
        inArchive(ctx, params, request, async topic => {
          const message = await findArchivedMessage(ctx, topic, params.campaignId)
          return message && renderMessage(message)
        }),
      {
        params: t.Object({ ...place, campaignId: t.String() }),
        detail: {
          summary: 'A campaign of a public archive, rendered for nobody in particular',
          description:
            'Every variable is empty; there is no footer, and no link that belongs to a recipient. The page runs no script and tracks nothing.',
          responses: pageAnswers,
        },
      },
    )
}

async function showMessage(ctx: Context, id: string, request: Request): Promise<Response> {
  expectPage(request)
  const asked = new URL(request.url).searchParams
  const message = await findMessage(ctx, id, asked.get('t') ?? '', asked.get('variant'))
  return answerPage(request, message && renderMessage(message))
}

async function inArchive(
  ctx: Context,
  { projectId, topicId }: { projectId: string; topicId: string },
  request: Request,
  make: (topic: PublicTopic, url: string) => Promise<MessagePage | undefined>,
): Promise<Response> {
  expectPage(request)
  const topic = await findArchive(ctx, projectId, topicId)
  return answerPage(request, topic && (await make(topic, archiveUrl(ctx.config.baseUrl, topic))))
}

/** What can't be read is the beginning. */
function readPlace(request: Request): { sentAt: Date; id: string } | undefined {
  try {
    const cursor = decodeCursor(new URL(request.url).searchParams.get('after') ?? undefined)
    const sentAt = typeof cursor?.value === 'string' ? parseDate(cursor.value) : undefined
    return cursor && sentAt && { sentAt, id: cursor.id }
  } catch {
    return undefined
  }
}

function answerPage(request: Request, page: MessagePage | undefined): Response {
  return page ? new Response(page.html, { headers: page.headers }) : invalidPage(request)
}
