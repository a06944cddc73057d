// Gives accounts of older data the one spelling of their address, by which people are found when they sign in.
import { isEmail, normaliseEmail } from '../../../../lib/address'
import type { Context } from '../../../../platform/context'
import { pageOfUsers, respellUser, selectStrayUsers, type UserRow } from '../queries'

/** Of two accounts with one mailbox, the other one keeps its spelling, and is counted as `taken`: nobody signs in to it by its address. */
export async function respellUsers(ctx: Context): Promise<{ renamed: number; taken: number }> {
  const done = { renamed: 0, taken: 0 }
  for (const { id, email } of await selectStrayUsers(ctx)) {
    const spelled = normaliseEmail(email)
    if (spelled === email || !isEmail(spelled)) continue
    if (await respellUser(ctx, id, spelled)) done.renamed++
    else {
      ctx.log.warn({ userId: id, email }, 'two accounts have one mailbox')
      done.taken++
    }
  }
  return done
}

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
