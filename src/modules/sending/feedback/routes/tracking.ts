// The links and the picture of tracked messages. Open to everybody, without limits, and without reading the database: everything that an
// answer needs is in the token. A HEAD takes the routes of GET, gets the same answer and is not counted.

import { createHash } from 'node:crypto'
import { Elysia } from 'elysia'
import { answer, redirect } from '../../../../http/openapi/media'
import { clientAddress } from '../../../../http/request-id'
import { pageHeaders } from '../../../../lib/hosted-page'
import { storable } from '../../../../lib/storable'
import type { Context } from '../../../../platform/context'
import type { HitKind } from '../../../../tracking/classify'
import { type ReadToken, readToken } from '../../../../tracking/token'
import { renderInvalid } from '../../preferences'
import { hitRecorder } from '../service/record-hits'

export function trackingRoutes(ctx: Context) {
  const open = ({ params, request }: Asked) => answerOpen(ctx, params.token, request)
  const click = ({ params, request }: Asked) => answerClick(ctx, params.token, request)
  const picture = {
    detail: {
      summary: 'The picture by which opens are seen; always 200',
      description:
        'Mail programs load it. A genuine token counts an open; any other gets the same picture and counts nothing.',
      responses: { 200: answer('A picture of one transparent pixel, whatever the token is', 'image/gif') },
    },
  }
  const link = {
    detail: {
      summary: 'A tracked link: 302 to where it leads, 400 for an invalid token',
      description:
        'The token is signed and holds the address, so nobody can make the instance lead elsewhere. The click is counted, as that of a person or of a program.',
      responses: {
        200: answer('A link for programs, which no person sees', 'text/plain'),
        302: redirect('Where the link leads'),
        400: answer('The link was altered: a page that says so', 'text/html'),
      },
    },
  }
  return new Elysia({ prefix: '/t', tags: ['Tracking'], detail: { addition: true } })
    .get('/o/:token', open, picture)
    .get('/c/:token', click, link)
}

interface Asked {
  params: { token: string }
  request: Request
}

const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

const neverStored = { 'cache-control': 'no-store, max-age=0', 'x-robots-tag': 'noindex, nofollow' }

/** The same picture whatever the token is: a broken image would look like our fault, and nobody learns anything. */
function answerOpen(ctx: Context, token: string, request: Request): Response {
  const read = readToken(ctx.vault, token)
  if (read?.kind === 'open') record(ctx, read, 'open', request)
  return new Response(gif, { headers: { ...neverStored, 'content-type': 'image/gif' } })
}

function answerClick(ctx: Context, token: string, request: Request): Response {
  const read = readToken(ctx.vault, token)
  if (read?.kind === 'trap') {
    record(ctx, read, 'trap', request)
    const text = 'This link is for programs; it shows that no person followed it.\n'
    return new Response(text, {
      headers: { ...neverStored, 'content-type': 'text/plain; charset=utf-8' },
    })
  }
  const location = read?.kind === 'link' ? addressOf(read.url) : undefined
  if (!read || location === undefined)
    return new Response(renderInvalid(), { status: 400, headers: pageHeaders })
  record(ctx, read, 'click', request)
  return new Response(null, {
    status: 302,
    headers: { ...neverStored, location, 'referrer-policy': 'no-referrer' },
  })
}

/** The address as a header may hold it. What was signed is a web address; this checks it once more. */
function addressOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, href } = new URL(url)
  return protocol === 'https:' || protocol === 'http:' ? href : undefined
}

const maxUserAgentLength = 300

function record(ctx: Context, { projectId, emailId, url }: ReadToken, kind: HitKind, request: Request): void {
  const userAgent = (request.headers.get('user-agent') ?? '').slice(0, maxUserAgentLength)
  hitRecorder(ctx).record({
    ...{ projectId, emailId, userAgent, hits: 1, at: ctx.clock.now() },
    // Whoever requests the hidden link is found out, whatever the method.
    kind: request.method === 'HEAD' && kind !== 'trap' ? 'probe' : kind,
    link: kind === 'click' ? storable(url) : '',
    client: clientName(ctx, clientAddress(request), userAgent),
  })
}

/** Tells clients apart for a while without recording who they are. */
function clientName(ctx: Context, address: string, userAgent: string): string {
  return createHash('sha256')
    .update(ctx.vault.sign('tracking-client', `${address} ${userAgent}`))
    .digest('base64url')
    .slice(0, 16)
}
