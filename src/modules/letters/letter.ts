// The form of platform mails: the same content as text and as HTML. Pure; what people wrote is escaped.
import { escapeHtml } from '../../lib/escape'

export interface Letter {
  subject: string
  text: string
  html: string
}

export interface LetterContent {
  subject: string
  /** What happened, before the link. */
  opening: string[]
  link: { words: string; url: string }
  /** What else to know, after it. */
  closing: string[]
}

export function writeLetter({ subject, opening, link, closing }: LetterContent): Letter {
  const text = [...opening, `${link.words}:\n${link.url}`, ...closing].join('\n\n')
  const paragraph = (words: string): string => `<p>${escapeHtml(words)}</p>`
  const anchor = `<p><a href="${escapeHtml(link.url)}">${escapeHtml(link.words)}</a></p>`
  const body = [...opening.map(paragraph), anchor, ...closing.map(paragraph)].join('\n')
  return { subject, text, html: `<!doctype html><html lang="en"><body>\n${body}\n</body></html>` }
}
