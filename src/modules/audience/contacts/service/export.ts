// Exporting contacts: page after page while the client reads, so that a million of them need the memory of one page.
import type { SQL } from 'drizzle-orm'
import { nilUuid } from '../../../../lib/ids'
import type { Context } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { type ExportColumns, exportHeader, exportRow, fieldColumns } from '../export-rows'
import { decisionsAsked, topicsListed } from '../hooks'
import type { ContactListing } from '../listing'
import { toConsent } from '../model'
import { consentOf, selectFieldNames, selectPage, selectUnplainFields } from '../queries'
import type { ContactRow } from '../queries/rows'
import { withNamed } from './named'

const pageSize = 1_000

/** The lines of a CSV file, a page at a time; the listing's own position and limit play no part. */
export async function* exportContacts(
  ctx: Context,
  projectId: string,
  asked: ContactListing,
  { condition, withConsent = false }: { condition?: SQL | undefined; withConsent?: boolean } = {},
): AsyncGenerator<string> {
  const listing = await withNamed(ctx, projectId, asked)
  const names = await selectFieldNames(ctx, projectId)
  const unplain = await findUnplainFields(ctx, projectId, listing, condition)
  const topics = (await callHook(ctx, topicsListed, { projectId })).flat()
  const columns: ExportColumns = { fields: fieldColumns(names, unplain), topics, hasConsent: withConsent }
  yield exportHeader(columns)
  let after: string | null = null
  for (;;) {
    // A page and one row more is what the query answers; that row belongs to this page here.
    const rows = await selectPage(ctx, projectId, { ...listing, after, limit: pageSize - 1 }, condition)
    if (rows.length > 0) yield await writePage(ctx, projectId, rows, columns)
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = listing.sort === 'email' ? last.email : last.id
  }
}

async function writePage(
  ctx: Context,
  projectId: string,
  rows: readonly ContactRow[],
  columns: ExportColumns,
): Promise<string> {
  const ledgers = columns.hasConsent ? await readLedgers(ctx, projectId, rows) : undefined
  const decisions = columns.topics.length > 0 ? await readDecisions(ctx, projectId, rows) : undefined
  const lines = rows.map(row =>
    exportRow(row, columns, { consent: ledgers?.get(row.id), decisions: decisions?.get(row.id) }),
  )
  return lines.join('')
}

/** Contacts looked at in one statement; their data may be 64 KB each. */
const lookedAt = 2_000

/** The first line says which columns hold JSON, so it is found out before: a value that changes meanwhile is written as it is. */
async function findUnplainFields(
  ctx: Context,
  projectId: string,
  listing: ContactListing,
  condition: SQL | undefined,
): Promise<Set<string>> {
  const found = new Set<string>()
  for (let after = nilUuid; ; ) {
    const next: { names: string[]; last: string | null } = await selectUnplainFields(
      ctx,
      projectId,
      { ...listing, after, limit: lookedAt },
      condition,
    )
    for (const name of next.names) found.add(name)
    if (next.last === null) return found
    after = next.last
  }
}

/** Of each contact what it decided about topics, by their ids. */
async function readDecisions(
  ctx: Context,
  projectId: string,
  rows: readonly { id: string }[],
): Promise<Map<string, Map<string, boolean>>> {
  const decisions = new Map<string, Map<string, boolean>>(rows.map(({ id }) => [id, new Map()]))
  const found = await callHook(ctx, decisionsAsked, { projectId, contactIds: [...decisions.keys()] })
  for (const { contactId, topicId, subscribed } of found.flat())
    decisions.get(contactId)?.set(topicId, subscribed)
  return decisions
}

/** Changes of consent of one contact; older ones are left out. */
const mostChanges = 100

/** Of each contact the changes of its consent, as the API answers them, oldest first. */
async function readLedgers(
  ctx: Context,
  projectId: string,
  rows: readonly { id: string }[],
): Promise<Map<string, unknown[]>> {
  const ledgers = new Map<string, unknown[]>(rows.map(({ id }) => [id, []]))
  const ids = [...ledgers.keys()]
  for (const change of await consentOf(ctx, projectId, ids, mostChanges))
    ledgers.get(change.contactId)?.push(toConsent(change))
  return ledgers
}
