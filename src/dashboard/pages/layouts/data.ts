// The layout pages' queries to the API.
import type { Schemas } from '../../api/client'
import { cursorQuery, read, readQuery, whileEdited } from '../../api/queries'
import type { Stored } from '../../editor/use-edited'

export type LayoutRow = Schemas['Layout']

export const layoutPages = cursorQuery(['layouts', 'list'], (cursor, signal) =>
  read('/layouts', { query: { limit: 12, cursor } }, signal),
)

export const layoutQuery = (id: string) =>
  readQuery(['layouts', 'one', id], '/layouts/{id}', { path: { id } }, whileEdited)

export const usageQuery = (id: string) =>
  readQuery(['layouts', 'usage', id], '/layouts/{id}/usage', { path: { id } })

/** A layout in the form that editors work with: a name and a source. */
export const asWritten = ({ name, body, version }: LayoutRow): Stored => ({
  ...{ name, body, version, subject: '', from: '', fromName: null, replyTo: null },
  ...{ type: 'MARKETING', editor: null, layoutId: null },
})
