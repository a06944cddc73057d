// All accounts of the instance, for its operator.
import type { Context } from '../../../platform/context'
import { pageOfUsers, type UserRow } from '../queries'

const pageSize = 500

/** In the order in which they were made, read a page at a time. */
export async function* listUsers(ctx: Context): AsyncGenerator<UserRow> {
  let after: string | undefined
  for (;;) {
    const page = await pageOfUsers(ctx, after, pageSize)
    yield* page
    after = page.at(-1)?.id
    if (page.length < pageSize) return
  }
}
