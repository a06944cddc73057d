// Gives addresses of older data their one spelling, once for a database. An instance does it before it answers or sends anything: what comes in
// has that spelling already, and a suppression or an account of another spelling would not be found.
import type postgres from 'postgres'
import { respellInvitations } from '../modules/accounts/projects'
import { respellUsers } from '../modules/accounts/users'
import { respellContacts } from '../modules/audience/contacts'
import { respellSuppressions } from '../modules/audience/suppressions'
import { respellMessagesOfContact, respellWaiting } from '../modules/sending/emails'
import type { Context } from '../platform/context'
import { noteDone, readDone } from '../platform/db/migration/backfill'
import { defaultLockWait, withLock } from '../platform/db/migration/session'

const name = 'spelling of addresses'

/** Of several instances one does it while the others wait. What was interrupted is begun anew, and passes over what is done. */
export async function respellAddresses(ctx: Context, database: postgres.Sql): Promise<void> {
  if ((await readDone(ctx, name)).length > 0) return
  await withLock(database, { log: ctx.log, patience: defaultLockWait }, async () => {
    if ((await readDone(ctx, name)).length > 0) return
    const accounts = await respellUsers(ctx)
    await respellInvitations(ctx)
    const suppressions = await respellSuppressions(ctx)
    const emails = await respellWaiting(ctx)
    const contacts = await respellContacts(ctx, respellMessagesOfContact)
    const parts: Record<Part, number> = {
      accounts: accounts.renamed,
      'accounts with the mailbox of another': accounts.taken,
      suppressions,
      'waiting emails': emails,
      'contacts renamed': contacts.renamed,
      'contacts merged': contacts.merged,
      'contacts without a valid address': contacts.left,
      'fields dropped when contacts were merged': contacts.fieldsLost,
    }
    await noteDone(ctx, name, parts, ctx.clock.now())
    if (Object.values(parts).some(rows => rows > 0))
      ctx.log.info(parts, 'addresses of older data have one spelling')
  })
}

type Part =
  | 'accounts'
  | 'accounts with the mailbox of another'
  | 'suppressions'
  | 'waiting emails'
  | 'contacts renamed'
  | 'contacts merged'
  | 'contacts without a valid address'
  | 'fields dropped when contacts were merged'

export interface Respelling {
  at: Date
  /** How many rows, where there are any. */
  parts: ReadonlyArray<{ part: string; rows: number }>
}

/** What was respelled, and when; undefined before. */
export async function readRespelling(ctx: Pick<Context, 'sql'>): Promise<Respelling | undefined> {
  const done = await readDone(ctx, name)
  if (done.length === 0) return undefined
  const parts = done.filter(({ rows }) => rows > 0)
  return {
    at: done[0]!.finishedAt,
    parts: parts.map(({ tag, rows }) => ({ part: tag.slice(name.length + 2), rows })),
  }
}
