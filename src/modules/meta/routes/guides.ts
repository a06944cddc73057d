// The guides, as pages for everybody. Nothing of them is read before somebody asks.
import { Elysia } from 'elysia'
import type { Context } from '../../../platform/context'
import { guideNames, readGuide } from '../guide-files'
import { type Guides, guidePolicy, renderGuide, renderNoGuide, titleOf } from '../guides'
import { madeOnce } from './made-once'

export function guideRoutes(ctx: Context) {
  const root = new URL(ctx.config.baseUrl).pathname.replace(/\/$/, '')
  let known: Promise<Guides> | undefined
  const guides = (): Promise<Guides> => {
    known ??= titlesOf().then(titles => ({ root, titles }))
    return known
  }
  const pageOf = (name: string) =>
    madeOnce(async () => renderGuide(await guides(), name, (await readGuide(name)) ?? ''))
  const pages = new Map(['README', ...guideNames].map(name => [name, pageOf(name)]))
  const none = madeOnce(async () => renderNoGuide(await guides()))
  const answer = (request: Request, name: string): Promise<Response> =>
    pages.get(name)?.(request, headers) ?? none(request, headers, 404)
  return new Elysia({ prefix: '/guides', detail: { hide: true } })
    .get('', ({ request }) => answer(request, 'README'))
    .get('/*', ({ request, params }) => answer(request, params['*'] === 'README' ? '' : params['*']))
}

async function titlesOf(): Promise<ReadonlyMap<string, string>> {
  const titles = new Map<string, string>()
  for (const name of guideNames) titles.set(name, titleOf((await readGuide(name)) ?? ''))
  return titles
}

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': guidePolicy,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  vary: 'Accept-Encoding',
}
