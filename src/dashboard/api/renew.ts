// What the server has just answered takes the place of what was read before.
import type { QueryClient, QueryKey } from '@tanstack/react-query'

/** A query that is under way may have been answered before the change, so it does not count. */
export async function renew<T>(queries: QueryClient, queryKey: QueryKey, stored: T): Promise<void> {
  await queries.cancelQueries({ queryKey, exact: true })
  queries.setQueryData(queryKey, stored)
}
