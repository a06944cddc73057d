// A message as a page. Its HTML is the author's, and it is served under our own name: so it runs nothing, belongs to no origin, and sends nothing but
// requests for pictures, styles and fonts. Pure.
import { escapeHtml } from '../../lib/escape'
import { pageDocument, pageHeaders } from '../../lib/hosted-page'

const policy = [
  "default-src 'none'",
  'img-src http: https: data:',
  "style-src 'unsafe-inline' http: https:",
  'font-src http: https: data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  'sandbox allow-popups allow-popups-to-escape-sandbox allow-top-navigation-by-user-activation',
].join('; ')

export interface MessagePage {
  html: string
  headers: Readonly<Record<string, string>>
}

/** Replaces the headers for our own pages where the author's HTML is shown. */
const messageHeaders: Readonly<Record<string, string>> = {
  ...pageHeaders,
  'content-security-policy': policy,
  // The address holds the token; pictures of others are asked for without it.
  'referrer-policy': 'no-referrer',
}

/** Without HTML, the text as it is. */
export function renderMessage({
  subject,
  html,
  text,
}: {
  subject: string
  html: string
  text: string
}): MessagePage {
  if (html !== '') return { html, headers: messageHeaders }
  const title = escapeHtml(subject)
  const style = 'pre { white-space: pre-wrap; font: inherit; margin: 0; }'
  const body = `<h1>${title}</h1><pre>${escapeHtml(text)}</pre>`
  return { html: pageDocument(title, body, 'en', style), headers: messageHeaders }
}
