// Pages for a browser of which nobody knows whose it is: in the language that it asks for.
import { requestInfo } from '../../../http/request-id'
import { pageHeaders } from '../../../lib/hosted-page'
import { acceptedLanguages, pickLocale } from './language'
import type { Locale } from './locales'
import { renderBroken, renderInvalid } from './page'

export function browserLocale(request: Request): Locale {
  return pickLocale(...acceptedLanguages(request.headers.get('accept-language')))
}

/** Should we fail, a person is told so by a page. */
export function expectPage(request: Request): void {
  requestInfo(request).errorPage = () => renderBroken(browserLocale(request))
}

/** The answer to a link that is not valid, or no longer. */
export function invalidPage(request: Request): Response {
  return new Response(renderInvalid(browserLocale(request)), { status: 404, headers: pageHeaders })
}
