// A mail as blocks: what the block editor and Markdown make, what is kept beside the HTML, and what the HTML is made from. Pure, like
// everything in this folder.
import { type MailFont, readFont } from './fonts'

export interface MailTheme {
  /** The colour behind the sheet. */
  background: string
  sheet: string
  ink: string
  /** The colour of links and buttons. */
  accent: string
  font: MailFont
  /** The same as that of texts where it isn't set. */
  headingFont?: MailFont
}

export interface TextMark {
  type: string
  attrs?: Record<string, unknown>
}

/** In the form that ProseMirror keeps documents in. */
export interface Block {
  type: string
  attrs?: Record<string, unknown>
  content?: Block[]
  marks?: TextMark[]
  text?: string
}

/** What is kept is of this version; older ones are read as if they were. */
export const documentVersion = 2

export interface MailDocument {
  version: typeof documentVersion
  theme: MailTheme
  /** Shown by mail clients after the subject, and nowhere else. */
  preheader: string
  doc: Block
}

export const plainTheme: MailTheme = {
  background: '#f4f3f1',
  sheet: '#ffffff',
  ink: '#24211e',
  accent: '#2f5d8a',
  font: 'sans',
}

export const emptyDocument: MailDocument = {
  version: documentVersion,
  theme: plainTheme,
  preheader: '',
  doc: { type: 'doc', content: [{ type: 'paragraph' }] },
}

const colour = /^#[0-9a-f]{6}$/i

/** A six-digit colour, or `otherwise`. */
export function colourOf(value: unknown, otherwise: string): string {
  return typeof value === 'string' && colour.test(value) ? value : otherwise
}

/** Completes what was kept: anything missing or malformed is as in an empty document. */
export function readDocument(kept: unknown): MailDocument {
  const { version, theme, preheader, doc } = (isObject(kept) ? kept : {}) as Partial<MailDocument>
  const given: Partial<MailTheme> = isObject(theme) ? theme : {}
  return {
    version: documentVersion,
    theme: {
      background: colourOf(given.background, plainTheme.background),
      sheet: colourOf(given.sheet, plainTheme.sheet),
      ink: colourOf(given.ink, plainTheme.ink),
      accent: colourOf(given.accent, plainTheme.accent),
      font: readFont(given.font) ?? 'sans',
      ...(readFont(given.headingFont) && { headingFont: readFont(given.headingFont)! }),
    },
    preheader: typeof preheader === 'string' ? preheader : '',
    doc:
      isObject(doc) && doc.type === 'doc'
        ? version === undefined
          ? secondVersion(doc)
          : doc
        : emptyDocument.doc,
  }
}

/** In the first version the link of a footer was a setting of the block; now it is a link in its text. */
function secondVersion(block: Block): Block {
  if (block.type !== 'footer')
    return block.content ? { ...block, content: block.content.map(secondVersion) } : block
  const { attrs: { unsubscribe, ...attrs } = {}, content = [] } = block
  const text = String(unsubscribe ?? '')
  if (!text) return { ...block, attrs, content }
  const link: Block = {
    type: 'text',
    text,
    marks: [{ type: 'link', attrs: { href: '{{unsubscribeUrl}}' } }],
  }
  return {
    ...block,
    attrs,
    content: [...content, ...(content.length > 0 ? [{ type: 'hardBreak' }] : []), link],
  }
}

function isObject(value: unknown): value is Record<string, never> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
