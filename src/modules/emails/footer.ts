// The class of a message, which decides on its footer and headers, and the place where a footer goes.
import type { MailClass, SourceType } from './schema'

export type ContentType = 'TRANSACTIONAL' | 'MARKETING' | 'HEADLESS'

/** What a message counts as: a send is transactional whatever its template says, the others are unless their content is not. */
export function sourceTypeOf(origin: 'send' | 'campaign' | 'workflow', type: ContentType): SourceType {
  if (origin === 'send' || type === 'TRANSACTIONAL') return 'TRANSACTIONAL'
  return origin === 'campaign' ? 'CAMPAIGN' : 'WORKFLOW'
}

/** HEADLESS content wins, then a transactional source; all the rest is marketing. `type` is null for content without one. */
export function mailClassOf(type: ContentType | null, source: SourceType): MailClass {
  if (type === 'HEADLESS') return 'headless'
  return source === 'TRANSACTIONAL' ? 'transactional' : 'marketing'
}

export function hasFooter(mailClass: MailClass): boolean {
  return mailClass === 'marketing'
}

/** The offset of the last `</body>`; -1 where there is none. */
export function bodyEnd(html: string): number {
  let last = -1
  for (const match of html.matchAll(/<\/body\s*>/gi)) last = match.index
  return last
}

/** Puts the footer in front of the last `</body>`, or at the end where there is none. */
export function appendFooter(html: string, footerHtml: string): string {
  const last = bodyEnd(html)
  return last === -1 ? `${html}${footerHtml}` : `${html.slice(0, last)}${footerHtml}${html.slice(last)}`
}

/** The footer of the plain-text part, an empty line below the text. */
export function appendFooterText(text: string, footerText: string): string {
  return text === '' ? footerText : `${text}\n\n${footerText}`
}
