// A message as data, before it becomes bytes: what a template and a scope make for one recipient.

import { appendFooter, appendFooterText } from '../../../lib/html-end'
import type { Vault } from '../../../lib/vault'
import type { TemplateCache } from '../../../liquid/cache'
import { maxSourceLength } from '../../../liquid/engine'
import { hasDelimiters } from '../../../liquid/syntax'
import { type CompiledTemplate, compileTemplate, type Scope } from '../../../liquid/template'
import { type FencedTemplate, fenceLinks, givenLinks, withoutFences } from '../../../tracking/authored'
import type { TrackingTools } from '../../../tracking/message'
import { asDocument, hasEmptyTitle } from './document'
import { mendPlaceholders } from './placeholders'
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
  return contentAround(html, cache, source, scope, footer)
}

function contentAround(
  html: string,
  cache: TemplateCache,
  source: ContentSource,
  scope: Scope,
  footer: Footer | undefined,
): Content {
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
  source: Omit<ContentSource, 'document'>,
  scope: Scope,
  { vault, baseUrl }: TrackingTools,
  footer?: Footer,
): StoredContent {
  if (!hasDelimiters(source.body)) return renderContent(cache, source, scope, footer)
  const fenced = fencedOf(htmlTemplate(cache, source), source, vault)
  const { html, links } = withoutFences(fenced, fencedTemplate(cache, source, fenced).render(scope))
  const content = contentAround(html, cache, source, scope, footer)
  const given = givenLinks(content.html, baseUrl, fenced.whole, links)
  return given ? { ...content, givenLinks: given } : content
}

/** As long as the template is kept. */
const fencedTemplates = new WeakMap<CompiledTemplate, FencedTemplate>()

function fencedOf(
  template: CompiledTemplate,
  { body, subject }: ContentSource,
  vault: Vault,
): FencedTemplate {
  const found =
    fencedTemplates.get(template) ??
    fenceLinks(asDocument(body, subject), vault.sign('tracking-fence', 'stored'))
  fencedTemplates.set(template, found)
  return found
}

/** Without links that have values it is the template itself, and also where fences would make it too long. */
function fencedTemplate(
  cache: TemplateCache,
  source: ContentSource,
  { fenced, document }: FencedTemplate,
): CompiledTemplate {
  if (fenced === 0 || document.length > maxSourceLength) return htmlTemplate(cache, source)
  return cache.get(document, 'html')
}

function textTemplate(cache: TemplateCache, { body, text }: ContentSource): CompiledTemplate {
  if (text === undefined) return cache.get(body, 'text', compileText)
  // The same source is compiled differently as a body. No source contains a NUL.
  return cache.get(`\0${text}`, 'text', key => compileTemplate(mendPlaceholders(key.slice(1)), 'text'))
}

export function htmlTemplate(
  cache: TemplateCache,
  { subject, body, document }: ContentSource,
): CompiledTemplate {
  if (document !== undefined) return cache.get(document, 'html')
  const key = hasEmptyTitle(body) ? `${body}\0${subject}` : body
  return cache.get(key, 'html', () => compileTemplate(asDocument(body, subject)))
}

/** The limit for subjects that are written by hand. */
const maxSubjectLength = 998

/** Filters can decode a NUL or cut a character in half, and the database takes neither. */
function storable(text: string): string {
  return (text.includes('\0') ? text.replaceAll('\0', '') : text).toWellFormed()
}
