// A body that was typed rather than designed is wrapped in a document, so that it reads well in every mail client. A body with structure
// of its own is never touched.

import { escapeHtml } from '../../../lib/escape'
import { maxSourceLength } from '../../../liquid/engine'
import { scanTemplate } from '../../../liquid/scan'
import { mendPlaceholders } from './placeholders'

/** Elements and attributes that only designed HTML has. No part may match across a `<`, which keeps the search linear. */
const elements = /<(?:!doctype|html|head|body|style|div|table|form|section|center|link|meta)\b|@media/i
const attributes = /<[a-z][^<>]*\s(?:(?:id|class)\s*=|data-|aria-)/i

const before = `<!DOCTYPE html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
body { margin: 0; padding: 24px 16px; background: #ffffff; color: #1f2328; font: 16px/1.6 -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
.content { max-width: 600px; margin: 0 auto; }
h1, h2, h3 { line-height: 1.25; margin: 1.4em 0 0.5em; }
p, ul, ol, blockquote { margin: 0 0 1em; }
blockquote { padding-left: 1em; border-left: 3px solid #d0d7de; color: #57606a; }
a { color: #0b57d0; }
img { max-width: 100%; height: auto; }
pre, code { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: 0.9em; }
</style>
</head>
<body>
<div class="content">
`
const after = `
</div>
</body>
</html>
`

export function isDesigned(body: string): boolean {
  return elements.test(body) || attributes.test(body)
}

/** `body` inside a plain, readable document, unless it is designed already. Liquid in it stays as it is. A title that is empty is the subject. */
export function asDocument(given: string, subject: string): string {
  const body = mendPlaceholders(given)
  return isDesigned(body) ? withTitle(body, subject) : `${before}${body}${after}`
}

const emptyTitle = '<title></title>'

/** Whether the subject is part of the document. Editors leave the title empty, and some mail programs and screen readers name a mail by it. */
export function hasEmptyTitle(body: string): boolean {
  return body.includes(emptyTitle)
}

function withTitle(document: string, subject: string): string {
  const at = document.indexOf(emptyTitle)
  if (at === -1 || document.length + maxTitleLength > maxSourceLength) return document
  const segments = scanTemplate(subject)
  if (segments.some(({ start, end }) => changesValues.test(subject.slice(start, end)))) return document
  const title = segments
    .map(({ kind, start, end }) => {
      const piece = subject.slice(start, end)
      return kind === 'text' ? escapeHtml(piece) : piece
    })
    .join('')
  return `${document.slice(0, at)}<title>${title}</title>${document.slice(at + emptyTitle.length)}`
}

/** Said twice, it would change what the body says. */
const changesValues = /^\{%-?\s*(?:assign|capture|increment|decrement|cycle)\b/

/** Of a subject whose characters are all escaped. */
const maxTitleLength = 10_000
