// Pages and their headers as answers.
import { requestInfo } from '../../../http/request-id'
import { pageHeaders } from '../../../lib/hosted-page'
import { acceptedLanguages, type Locale, pickLocale, renderBroken } from '../../preferences'
import { type FormPage, renderGone } from '../page'

export function answerPage(
  status: number,
  { html, headers }: FormPage,
  more: Record<string, string> = {},
): Response {
  return new Response(html, { status, headers: { ...headers, ...more } })
}

/** In the language of the browser: whose it is, is not known or not told. */
export function answerGone(request: Request, what: 'closed' | 'over'): Response {
  return new Response(renderGone(browserLocale(request), what), { status: 404, headers: pageHeaders })
}

/** Should we fail, a person is told so by a page. */
export function expectPage(request: Request): void {
  requestInfo(request).errorPage = () => renderBroken(browserLocale(request))
}

function browserLocale(request: Request): Locale {
  return pickLocale(...acceptedLanguages(request.headers.get('accept-language')))
}
