// Exporting contacts: page after page while the client reads, so that a million of them need the memory of one page.
import type { SQL } from 'drizzle-orm'
import type { Context } from '../../../platform/context'
import { exportHeader, exportRow } from '../export-rows'
import type { ContactListing } from '../listing'
import { selectFieldNames, selectPage } from '../queries'

const pageSize = 1_000

/** The lines of a CSV file, a page at a time; the listing's own position and limit play no part. */
export async function* exportContacts(
  ctx: Context,
  projectId: string,
  listing: ContactListing,
  condition?: SQL,
): AsyncGenerator<string> {
  const fields = await selectFieldNames(ctx, projectId)
  yield exportHeader(fields)
  let after: string | null = null
  for (;;) {
    // A page and one row more is what the query answers; that row belongs to this page here.
    const rows = await selectPage(ctx, projectId, { ...listing, after, limit: pageSize - 1 }, condition)
    if (rows.length > 0) yield rows.map(row => exportRow(row, fields)).join('')
    const last = rows.at(-1)
    if (!last || rows.length < pageSize) return
    after = listing.sort === 'email' ? last.email : last.id
  }
}
