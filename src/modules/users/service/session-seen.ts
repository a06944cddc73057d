// When a session was last seen, to the minute: written alongside the request, which does not wait for it. While the database is away a
// visit is not recorded; the next one is.
import { after, minute } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { perContext } from '../../../platform/per-context'
import { noteSessionsSeen, type SessionRow } from '../queries'

interface Visits {
  /** `lastSeenAt`: as stored in the database; null where the session has no row. */
  note(session: Omit<SessionRow, 'lastSeenAt'>, lastSeenAt: Date | null): void
}

/** One for each process. */
export const sessionVisits = perContext<Visits>(ctx => {
  const underway = new Set<string>()
  return {
    note(session, lastSeenAt) {
      const { id } = session
      if (underway.has(id) || (lastSeenAt !== null && lastSeenAt > aMinuteAgo(ctx))) return
      underway.add(id)
      void writeVisit(ctx, { ...session, lastSeenAt: ctx.clock.now() }).finally(() => underway.delete(id))
    },
  }
})

function aMinuteAgo(ctx: Context): Date {
  return after(ctx.clock.now(), -minute)
}

/** Never rejects: nobody waits for it. */
async function writeVisit(ctx: Context, row: SessionRow): Promise<void> {
  try {
    await noteSessionsSeen(ctx, [row], aMinuteAgo(ctx))
  } catch (error) {
    ctx.log.warn({ error: String(error) }, 'the visit of a session could not be written')
  }
}
