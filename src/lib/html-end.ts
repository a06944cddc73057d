// The end of a message's body, where a footer and marks go.

/** The offset of the last `</body>`; -1 if there is none. */
export function bodyEnd(html: string): number {
  let last = -1
  for (const match of html.matchAll(/<\/body\s*>/gi)) last = match.index
  return last
}

/** Puts the footer in front of the last `</body>`, or at the end if there is none. */
export function appendFooter(html: string, footerHtml: string): string {
  const last = bodyEnd(html)
  return last === -1 ? `${html}${footerHtml}` : `${html.slice(0, last)}${footerHtml}${html.slice(last)}`
}

/** The footer of the plain-text part, an empty line below the text. */
export function appendFooterText(text: string, footerText: string): string {
  return text === '' ? footerText : `${text}\n\n${footerText}`
}
