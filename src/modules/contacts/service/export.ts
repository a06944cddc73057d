// Exporting contacts: page after page while the client reads, so that a million of them need the memory of one page.
import type { SQL } from 'drizzle-orm'
import type { Context } from '../../../platform/context'
import { exportHeader, exportRow } from '../export-rows'
import type { ContactListing } from '../listing'
import { toConsent } from '../model'
import { consentOf, selectFieldNames, selectPage } from '../queries'

const pageSize = 1_000

/** The lines of a CSV file, a page at a time; the listing's own position and limit play no part. */
export async function* exportContacts(
  ctx: Context,
  projectId: string,
  listing: ContactListing,
  { condition, withConsent = false }: { condition?: SQL | undefined; withConsent?: boolean } = {},
): AsyncGenerator<string> {
  const fields = await selectFieldNames(ctx, projectId)
  yield exportHeader(fields, withConsent)
  let after: string | null = null
  for (;;) {
    // A page and one row more is what the query answers; that row belongs to this page here.
    const rows = await selectPage(ctx, projectId, { ...listing, after, limit: pageSize - 1 }, condition)
    const ledgers = withConsent ? await readLedgers(ctx, projectId, rows) : undefined
    if (rows.length > 0) yield rows.map(row => exportRow(row, fields, ledgers?.get(row.id))).join('')
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = listing.sort === 'email' ? last.email : last.id
  }
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
