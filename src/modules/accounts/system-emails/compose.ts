// The form of platform mails: the same content as text and as HTML. Pure; what people wrote is escaped.
import { escapeHtml } from '../../../lib/escape'

export interface ComposedEmail {
  subject: string
  text: string
  html: string
}

export interface EmailParts {
  subject: string
  /** What happened, before the link. */
  opening: string[]
  link: { words: string; url: string }
  /** What else to know, after the link. */
  closing: string[]
  /** In whose name it is written, and in which language; left out: ours, in English. */
  from?: { name: string; language: string }
}

export function composeEmail({ subject, opening, link, closing, from }: EmailParts): ComposedEmail {
  const text = [...opening, `${link.words}:\n${link.url}`, ...closing].join('\n\n')
  const body = [...opening.map(paragraph), button(link), ...closing.map(paragraph)].join('\n')
  return { subject, text, html: sheet(body, from ? escapeHtml(from.name) : brand, from?.language) }
}

const paragraph = (words: string): string => `<p style="margin:0 0 16px">${escapeHtml(words)}</p>`

/** A table cell with a background of its own, which every mail client draws. */
function button({ words, url }: EmailParts['link']): string {
  const style = 'display:inline-block;padding:12px 20px;color:#ffffff;text-decoration:none;font-weight:600'
  return (
    '<table role="presentation" cellpadding="0" cellspacing="0" style="margin:8px 0 24px"><tr>' +
    `<td bgcolor="#2a2522" style="border-radius:7px"><a href="${escapeHtml(url)}" style="${style}">${escapeHtml(words)}</a></td></tr></table>`
  )
}

const font = "font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif"

const brand = '<span style="color:#d9482f">&#9679;</span> Waxwing'

/** One column on a quiet background, under the name; tables, because some mail clients know nothing else. */
function sheet(body: string, name: string, language = 'en'): string {
  return `<!doctype html><html lang="${language}"><body style="margin:0;background:#faf9f7">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" bgcolor="#faf9f7"><tr><td align="center" style="padding:32px 12px">
<table role="presentation" width="560" cellpadding="0" cellspacing="0" bgcolor="#ffffff" style="width:100%;max-width:560px;border:1px solid #e8e4df;border-radius:10px">
<tr><td style="padding:28px 32px 12px;${font};font-size:15px;line-height:1.5;color:#211d1a">
<p style="margin:0 0 20px;font-weight:700">${name}</p>
${body}
</td></tr></table>
</td></tr></table>
</body></html>`
}
