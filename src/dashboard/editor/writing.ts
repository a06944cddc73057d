// What somebody writes, in any of the three ways: how it is read from a template or campaign, and what of it is saved. Pure.
import type { Schemas } from '../api/client'
import { t } from '../texts'
import { documentVersion, emptyDocument, type MailDocument, readDocument } from './mail/document'
import { markdownBlocks } from './mail/markdown'
import { renderMail } from './mail/render'

export const writingFormats = ['blocks', 'markdown', 'source'] as const
export type Format = (typeof writingFormats)[number]

export type MessageType = Schemas['Template']['type']

export interface MarkdownText extends Pick<MailDocument, 'theme' | 'preheader'> {
  text: string
}

export interface Writing {
  name: string
  subject: string
  from: string
  fromName: string
  replyTo: string
  type: MessageType
  /** Empty for none. */
  layoutId: string
  /** The project's language, and so that of the text. */
  language: string
  format: Format
  blocks: MailDocument
  markdown: MarkdownText
  source: string
}

/** What templates and campaigns have in common. */
export type Written = Pick<
  Schemas['Template'],
  'name' | 'subject' | 'body' | 'from' | 'fromName' | 'replyTo' | 'type' | 'editor' | 'layoutId'
>

const { theme, preheader } = emptyDocument
export const emptyMarkdown: MarkdownText = { theme, preheader, text: '' }

export function readWriting(written: Written, language: string): Writing {
  const { name, subject, body, from, fromName, replyTo, type, editor, layoutId } = written
  return {
    ...{ name, subject, from, type, language },
    fromName: fromName ?? '',
    replyTo: replyTo ?? '',
    layoutId: layoutId ?? '',
    format: editor?.kind ?? 'source',
    blocks: editor?.kind === 'blocks' ? readDocument(editor.document) : emptyDocument,
    markdown: editor?.kind === 'markdown' ? readMarkdown(editor.document) : emptyMarkdown,
    source: body,
  }
}

function readMarkdown(kept: unknown): MarkdownText {
  const { theme, preheader } = readDocument(kept)
  const text = (kept as { text?: unknown } | null)?.text
  return { theme, preheader, text: typeof text === 'string' ? text : '' }
}

/** What is shown after the subject; HTML has its own. */
export const preheaderOf = ({ format, blocks, markdown }: Writing): string =>
  (format === 'markdown' ? markdown : blocks).preheader

export function withPreheader(writing: Writing, preheader: string): Writing {
  const { format, blocks, markdown } = writing
  return format === 'markdown'
    ? { ...writing, markdown: { ...markdown, preheader } }
    : { ...writing, blocks: { ...blocks, preheader } }
}

/** The HTML that is sent. */
export function bodyOf({ format, blocks, markdown, source, language }: Writing): string {
  if (format === 'blocks') return renderMail(blocks, language)
  if (format === 'source') return source
  const { theme, preheader, text } = markdown
  return renderMail({ version: documentVersion, theme, preheader, doc: markdownBlocks(text) }, language)
}

export function savedOf(writing: Writing) {
  const { name, subject, from, fromName, replyTo, type, layoutId, format } = writing
  const editor =
    format === 'source'
      ? null
      : { kind: format, document: format === 'blocks' ? writing.blocks : writing.markdown }
  return {
    ...{ name, subject, from, type, editor },
    fromName: fromName || null,
    replyTo: replyTo || null,
    layoutId: layoutId || null,
    body: bodyOf(writing) || ' ',
  }
}

/** Fields without which a message is not stored. */
export function missingOf({ name, subject, from }: Writing): Record<string, string> {
  const { missing } = t.campaigns
  return {
    ...(name.trim() ? {} : { name: missing.name }),
    ...(subject.trim() ? {} : { subject: missing.subject }),
    ...(from.trim() ? {} : { from: missing.from }),
  }
}

/** Switches to another way of writing and keeps what can be converted: everything becomes source, Markdown becomes blocks. */
export function changeFormat(writing: Writing, format: Format): Writing {
  if (format === 'source') return { ...writing, format, source: bodyOf(writing) }
  if (format === 'blocks' && writing.format === 'markdown') {
    const { theme, preheader, text } = writing.markdown
    return {
      ...writing,
      format,
      blocks: { version: documentVersion, theme, preheader, doc: markdownBlocks(text) },
    }
  }
  return { ...writing, format }
}

/** Whether switching to the other way would lose what is written now. */
export function losesWords(writing: Writing, format: Format): boolean {
  return writing.format === 'source'
    ? format !== 'source' && writing.source.trim() !== ''
    : format === 'markdown'
}
