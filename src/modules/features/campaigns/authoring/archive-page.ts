// A message as a page. Its HTML is the author's, and it is served under our own name: so it runs nothing, belongs to no origin, and sends nothing but
// requests for pictures, styles and fonts. Pure.
import { escapeHtml } from '../../../../lib/escape'
import { pageDocument, pageHeaders } from '../../../../lib/hosted-page'
import { dateInWords, pickLocale } from '../../../sending/preferences'

export interface ArchiveEntry {
  id: string
  subject: string
  sentAt: Date
}

export interface PublicTopic {
  id: string
  projectId: string
  name: string
  description: string | null
  projectName: string
  language: string
}

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

/** The same for everybody, so it may be kept for a while. */
const kept = 'public, max-age=300'

export function archiveUrl(
  baseUrl: string,
  { projectId, id }: Pick<PublicTopic, 'projectId' | 'id'>,
): string {
  return `${baseUrl}/archive/${projectId}/${id}`
}

/** `older`: the query of the next page. */
export function renderArchive(
  topic: PublicTopic,
  url: string,
  { entries, older }: { entries: readonly ArchiveEntry[]; older: string | undefined },
): MessagePage {
  const { code } = pickLocale(topic.language)
  const name = escapeHtml(topic.name)
  const items = entries.map(
    ({ id, subject, sentAt }) =>
      `<dt><time datetime="${sentAt.toISOString()}">${escapeHtml(dateInWords(sentAt, code))}</time></dt>` +
      `<dd><a href="${escapeHtml(`${url}/${id}`)}"><bdi>${escapeHtml(subject) || '–'}</bdi></a></dd>`,
  )
  const last = entries.at(-1)
  const body = [
    `<h1><bdi>${name}</bdi></h1><p><bdi>${escapeHtml(topic.projectName)}</bdi></p>`,
    topic.description ? `<p><bdi>${escapeHtml(topic.description)}</bdi></p>` : '',
    items.length > 0 ? `<dl>${items.join('')}</dl>` : '',
    older && last
      ? `<p><a rel="next" href="?after=${older}">&lt; ${escapeHtml(dateInWords(last.sentAt, code))}</a></p>`
      : '',
    `<p><a href="${escapeHtml(`${url}/feed`)}">Atom</a></p>`,
  ]
  return {
    html: pageDocument(`${name} · ${escapeHtml(topic.projectName)}`, body.join(''), code),
    headers: { ...pageHeaders, 'cache-control': kept },
  }
}

export function renderFeed(topic: PublicTopic, url: string, entries: readonly ArchiveEntry[]): MessagePage {
  const text = (words: string): string => escapeHtml(words.replace(/\p{Cc}/gu, ' '))
  const items = entries.map(({ id, subject, sentAt }) => {
    const [link, at] = [text(`${url}/${id}`), sentAt.toISOString()]
    return (
      `<entry><title>${text(subject)}</title><id>${link}</id><link rel="alternate" type="text/html" href="${link}"/>` +
      `<published>${at}</published><updated>${at}</updated></entry>`
    )
  })
  const updated = (entries[0]?.sentAt ?? new Date(0)).toISOString()
  const html =
    `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${text(topic.language)}">` +
    `<title>${text(topic.name)}</title><id>${text(url)}</id><updated>${updated}</updated>` +
    `<author><name>${text(topic.projectName)}</name></author>` +
    `<link rel="self" type="application/atom+xml" href="${text(`${url}/feed`)}"/><link rel="alternate" type="text/html" href="${text(url)}"/>` +
    `${items.join('')}</feed>`
  const headers = {
    'content-type': 'application/atom+xml; charset=utf-8',
    'cache-control': kept,
    'x-content-type-options': 'nosniff',
  }
  return { html, headers }
}
