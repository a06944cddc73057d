// A message as data, before it becomes bytes: what a template and a scope make for one recipient.

import { appendFooter, appendFooterText } from '../../lib/html-end'
import type { TemplateCache } from '../../liquid/cache'
import { type CompiledTemplate, compileTemplate, type Scope } from '../../liquid/template'
import { asDocument } from './document'
import { compileText } from './text'

/** What the author wrote. */
export interface ContentSource {
  subject: string
  /** HTML. */
  body: string
  /** What is rendered as HTML in place of the body in its document: the same with other links. The text is made from the body. */
  document?: string
  /** The author's own text part, in place of the one that is made from the body. */
  text?: string
}

export interface Content {
  subject: string
  html: string
  text: string
}

export interface Footer {
  html: string
  text: string
}

/** Subject, HTML and plain text for one recipient. Throws nothing but TooCostly; each source is compiled once for as long as `cache` keeps it. */
export function renderContent(
  cache: TemplateCache,
  source: ContentSource,
  scope: Scope,
  footer?: Footer,
): Content {
  const html = source.body === '' ? '' : htmlTemplate(cache, source).render(scope)
  const text = textTemplate(cache, source).render(scope)
  return {
    subject: storable(cache.get(source.subject, 'line').render(scope).slice(0, maxSubjectLength)),
    html: storable(footer ? appendFooter(html, footer.html) : html),
    text: storable(footer ? appendFooterText(text, footer.text) : text),
  }
}

function textTemplate(cache: TemplateCache, { body, text }: ContentSource): CompiledTemplate {
  if (text === undefined) return cache.get(body, 'text', compileText)
  // The same source is compiled differently as a body. No source contains a NUL.
  return cache.get(`\0${text}`, 'text', key => compileTemplate(key.slice(1), 'text'))
}

export function htmlTemplate(cache: TemplateCache, { body, document }: ContentSource): CompiledTemplate {
  return document === undefined
    ? cache.get(body, 'html', source => compileTemplate(asDocument(source)))
    : cache.get(document, 'html')
}

/** The limit for subjects that are written by hand. */
const maxSubjectLength = 998

/** Filters can decode a NUL or cut a character in half, and the database takes neither. */
function storable(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()
}
