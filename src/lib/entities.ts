// Character references of HTML, all of them, as browsers read them.
import { decodeHTML, decodeHTMLAttribute } from 'entities/decode'

/** Of text between tags: some names need no semicolon (`&copy2026`). */
export function decodeHtmlEntities(text: string): string {
  return text.includes('&') ? decodeHTML(text) : text
}

/** Of the value of an attribute, where `&copy=1` is part of an address. */
export function decodeHtmlAttribute(text: string): string {
  return text.includes('&') ? decodeHTMLAttribute(text) : text
}
