// Searching contacts by name: which contacts a search means besides those with the text in their address.
import type { Context } from '../../../../platform/context'
import { nameFields } from '../person-name'
import { selectFieldNames, selectNamed } from '../queries'

/** Newest contacts whose names are read: a tenth of a second. */
const namesRead = 100_000
/** Contacts that a search finds by name. */
const mostNamed = 1_000

/** The listing with the contacts that its search finds by name, where it asks for that. */
export async function withNamed<L extends { search: string | null; searchNames: boolean }>(
  ctx: Context,
  projectId: string,
  listing: L,
): Promise<L & { named: readonly string[] }> {
  const { search: text, searchNames } = listing
  // An address is not in a name.
  if (!searchNames || text === null || text.includes('@')) return { ...listing, named: [] }
  const fields = nameFields(await selectFieldNames(ctx, projectId))
  const named =
    fields.length === 0 ? [] : await selectNamed(ctx, projectId, { text, fields }, namesRead, mostNamed)
  return { ...listing, named }
}
