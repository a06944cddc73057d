// One message for many recipients: what is the same for all of them is rendered and encoded once, and only the personal parts are filled
// in. What can't be separated (loops, conditions, values that change the lines around them) is rendered the ordinary way; both ways give
// the same bytes.

import { appendFooterText, bodyEnd } from '../../../lib/html-end'
import type { TemplateCache } from '../../../liquid/cache'
import type { CompiledTemplate, Scope } from '../../../liquid/template'
import { makePieceEncoder, type PieceEncoder } from '../../../mail/mime/chunks'
import type { EncodedBodies } from '../../../mail/mime/message'
import { type Content, type ContentSource, type Footer, htmlTemplate, renderContent } from './compose'
import { compileText } from './text'

export interface BulkContent extends Content {
  encoded: EncodedBodies
}

/** Renders for one recipient after another, each under the id that the message has. Throws nothing but TooCostly. */
export type BulkRenderer = (scope: Scope, footer: Footer | undefined, emailId: string) => BulkContent

/** Changes the HTML on its way: `document` is rendered in its place, with another scope, and its pieces are processed at the end. */
export interface DocumentChange {
  document: string
  prepare(scope: Scope, emailId: string): Scope
  finish(pieces: readonly string[], emailId: string): readonly string[]
}

export function makeBulkRenderer(
  cache: TemplateCache,
  { subject: line, body }: ContentSource,
  change?: DocumentChange,
  encoder: PieceEncoder = makePieceEncoder(),
): BulkRenderer {
  const source: ContentSource = { subject: line, body, ...(change ? { document: change.document } : {}) }
  const html = htmlTemplate(cache, source)
  let compiled: CompiledTemplate | undefined
  const subject = cache.get(source.subject, 'line')
  const withFooter = footerPlacer(html)
  return (given, footer, emailId) => {
    const scope = change ? change.prepare(given, emailId) : given
    const finish = (pieces: readonly string[]): readonly string[] => change?.finish(pieces, emailId) ?? pieces
    const placed = withFooter?.(html.pieces(scope), footer)
    if (!placed) {
      const content = renderContent(cache, source, scope, footer)
      return { ...content, html: finish([content.html]).join(''), encoded: {} }
    }
    const htmlPieces = finish(placed)
    // With the first recipient: it may have to be made by a thread.
    compiled ??= cache.get(source.body, 'text', compileText)
    const textPieces = compiled.pieces(scope)
    const fullText = footer ? [...textPieces, ...footerTail(textPieces, footer)] : textPieces
    return {
      subject: subject.render(scope),
      html: joined(htmlPieces),
      text: joined(fullText),
      encoded: encodedBodies(encoder, htmlPieces, fullText),
    }
  }
}

/**
 * Looks like one string. The engine copies the pieces only when somebody looks at it, which never happens where they are encoded already.
 */
function joined(pieces: readonly string[]): string {
  let text = ''
  for (const piece of pieces) text += piece
  return text
}

function encodedBodies(
  encoder: PieceEncoder,
  html: readonly string[],
  text: readonly string[],
): EncodedBodies {
  const isBlank = text.every(piece => piece.trim() === '')
  const bodies = { html: encoder(html), text: isBlank ? undefined : encoder(text) }
  return {
    ...(bodies.html ? { html: bodies.html } : {}),
    ...(bodies.text ? { text: bodies.text } : {}),
  }
}

/** What the footer adds to the text; `appendFooterText` says what comes between them. Its last line, with the link, is a piece of its own. */
function footerTail(pieces: readonly string[], footer: Footer): string[] {
  const isAlone = pieces.every(piece => piece === '')
  const tail = isAlone ? footer.text : appendFooterText(' ', footer.text).slice(1)
  const lastLine = tail.lastIndexOf('\n') + 1
  return [tail.slice(0, lastLine), tail.slice(lastLine)]
}

type InsertFooter = (pieces: readonly string[], footer: Footer | undefined) => string[] | undefined

/** Finds once where the footer goes, in what is the same for all: values are text, and don't move that place. */
function footerPlacer({ layout }: CompiledTemplate): InsertFooter | undefined {
  if (!layout) return undefined
  const { index, offset } = placeIn(layout, bodyEnd(layout.map(piece => piece ?? 'x').join('')))
  const piece = layout[index] ?? ''
  const [before, after] = [piece.slice(0, offset), piece.slice(offset)]
  return (pieces, footer) => {
    if (pieces.length !== layout.length) return undefined
    if (!footer) return [...pieces]
    return [...pieces.slice(0, index), before, footer.html, after, ...pieces.slice(index + 1)]
  }
}

/** The piece that holds an offset of the joined pieces, or starts there; behind the last one if there is none. */
function placeIn(layout: ReadonlyArray<string | null>, at: number): { index: number; offset: number } {
  let left = at
  for (const [index, piece] of layout.entries()) {
    if (piece !== null && left <= piece.length) return { index, offset: left }
    left -= piece?.length ?? 1
  }
  return { index: layout.length, offset: 0 }
}
