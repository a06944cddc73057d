// A message as data, before it becomes bytes: what a template and a scope make for one recipient.

import { appendFooter, appendFooterText } from '../../lib/html-end'
import type { TemplateCache } from '../../liquid/cache'
import { hasDelimiters } from '../../liquid/syntax'
import { type CompiledTemplate, compileTemplate, type Scope } from '../../liquid/template'
import { type AuthoredLinks, authoredLinks, givenLinks } from '../../tracking/authored'
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

export interface StoredContent extends Content {
  givenLinks?: string[]
}

/** For a row whose links are tracked when it leaves: also says which of them came with values. */
export function renderStored(
  cache: TemplateCache,
  source: ContentSource,
  scope: Scope,
  { footer, baseUrl }: { footer?: Footer | undefined; baseUrl: string },
): StoredContent {
  const content = renderContent(cache, source, scope, footer)
  if (!hasDelimiters(source.body)) return content
  const given = givenLinks(authoredOf(htmlTemplate(cache, source), source.body), content.html, baseUrl)
  return given ? { ...content, givenLinks: given } : content
}

/** As long as the template is kept. */
const authored = new WeakMap<CompiledTemplate, AuthoredLinks>()

function authoredOf(template: CompiledTemplate, body: string): AuthoredLinks {
  const found = authored.get(template) ?? authoredLinks(body)
  authored.set(template, found)
  return found
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
