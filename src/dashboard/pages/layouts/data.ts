// The layout pages' queries to the API.
import type { Schemas } from '../../api/client'
import { cursorQuery, read, readQuery, whileEdited } from '../../api/queries'
import { type MailDocument, readDocument } from '../../editor/mail/document'
import { renderMail } from '../../editor/mail/render'

export type LayoutRow = Schemas['Layout']

export const layoutPages = cursorQuery(['layouts', 'list'], (cursor, signal) =>
  read('/layouts', { query: { limit: 12, cursor } }, signal),
)

export const layoutQuery = (id: string) =>
  readQuery(['layouts', 'one', id], '/layouts/{id}', { path: { id } }, whileEdited)

export const usageQuery = (id: string) =>
  readQuery(['layouts', 'usage', id], '/layouts/{id}/usage', { path: { id } })

/** Drawn in blocks, or written as HTML. */
export interface LayoutDraft {
  name: string
  /** Undefined if it is HTML. */
  blocks?: MailDocument
  source: string
  /** Of the texts of the project. */
  language: string
}

export function readLayout({ name, body, editor }: LayoutRow, language: string): LayoutDraft {
  const blocks = editor?.kind === 'blocks' ? { blocks: readDocument(editor.document) } : {}
  return { name, ...blocks, source: body, language }
}

/** The HTML around emails. */
export const layoutBody = ({ blocks, source, language }: LayoutDraft): string =>
  blocks ? renderMail(blocks, language) : source

export const savedLayout = (draft: LayoutDraft) => ({
  name: draft.name,
  body: layoutBody(draft) || ' ',
  editor: draft.blocks ? { kind: 'blocks' as const, document: draft.blocks } : null,
})

/** Whether something is shown or sent in it. */
export function isInUse({ templateCount, campaignCount }: Schemas['LayoutUsage']): boolean {
  return templateCount + campaignCount > 0
}
