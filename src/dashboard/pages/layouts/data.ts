// The layout pages' queries to the API.
import type { Schemas } from '../../api/client'
import { cursorQuery, read, readQuery, whileEdited } from '../../api/queries'

export type LayoutRow = Schemas['Layout']

export const layoutPages = cursorQuery(['layouts', 'list'], (cursor, signal) =>
  read('/layouts', { query: { limit: 12, cursor } }, signal),
)

export const layoutQuery = (id: string) =>
  readQuery(['layouts', 'one', id], '/layouts/{id}', { path: { id } }, whileEdited)

export const usageQuery = (id: string) =>
  readQuery(['layouts', 'usage', id], '/layouts/{id}/usage', { path: { id } })

export type LayoutDraft = Pick<LayoutRow, 'name' | 'body'>

/** Whether something is shown or sent in it. */
export function isInUse({ templateCount, campaignCount }: Schemas['LayoutUsage']): boolean {
  return templateCount + campaignCount > 0
}
