// Clears what a closed project owns, page by page, each in a transaction of its own, so that it may stop at any point and be started
// again. It ends when nothing is left and nothing that was under way at that moment can write any more.

import { second, sleep } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { enqueue } from '../../../../platform/jobs/enqueue'
import { dropJobs } from '../../../../platform/jobs/queries'
import { projectKinds } from '../kinds'
import { type OwnedTable, ownedTablesFor } from '../owned-tables'
import {
  type ClosedMark,
  deletePage,
  deleteProjectRow,
  holdClosed,
  lockClosed,
  ownsNothing,
  type PageEnd,
  reopenProject,
  selectClosedMark,
  selectRunsOf,
} from '../queries'

/** `later`: something is still under way, or the time is up. */
export type Wiped = 'done' | 'later'

/** Where the mark has changed, somebody else has ended this, or a deletion has replaced a reset. */
class NotClosed extends Error {}

/** Clears and then opens or removes the project. Nothing happens to an open one; of one that is gone, what came late is removed. */
export async function wipeProject(
  ctx: Context,
  projectId: string,
  { signal, patienceMs = defaultWaitMs }: { signal: AbortSignal; patienceMs?: number },
): Promise<Wiped> {
  const mark = await selectClosedMark(ctx, projectId)
  if (mark === null) return 'done'
  if (mark === undefined) return await clearAll(ctx, { projectId, signal })
  try {
    return await clearUntilQuiet(ctx, { projectId, mark, signal, patienceMs })
  } catch (error) {
    if (error instanceof NotClosed) return 'later'
    throw error
  }
}

interface Clearing {
  projectId: string
  /** Undefined if the project is gone: its id never comes back, so nothing can be deleted by mistake. */
  mark?: ClosedMark
  signal: AbortSignal
}

interface Ending extends Clearing {
  mark: ClosedMark
  /** How long to wait for what is under way; whoever has no more time comes back. */
  patienceMs: number
}

/**
 * All is clear, then all work that was under way at that moment has ended, and all is still clear: whatever began in between found
 * nothing of the project that it could go on with.
 */
async function clearUntilQuiet(ctx: Context, clearing: Ending): Promise<Wiped> {
  const { projectId, mark, signal } = clearing
  const tables = ownedTablesFor(mark.closing)
  for (;;) {
    if ((await clearAll(ctx, clearing)) === 'later') return 'later'
    const underway = await workUnderway(ctx, projectId)
    if (!(await ownsNothing(ctx, projectId, tables))) continue
    if (!(await haveEnded(ctx, clearing, underway))) return 'later'
    await ctx.files.removeFolder(projectId, signal)
    if (await finish(ctx, projectId, mark, tables)) return 'done'
  }
}

async function clearAll(ctx: Context, { projectId, mark, signal }: Clearing): Promise<Wiped> {
  while ((await page(ctx, projectId, mark, tx => dropJobs(tx, projectId, jobsAtOnce))) === jobsAtOnce)
    if (signal.aborted) return 'later'
  for (const table of ownedTablesFor(mark?.closing ?? 'DELETE'))
    if ((await clearTable(ctx, table, { projectId, mark, signal })) === 'later') return 'later'
  await ctx.files.removeFolder(projectId, signal)
  return signal.aborted ? 'later' : 'done'
}

const jobsAtOnce = 1_000

async function clearTable(
  ctx: Context,
  table: OwnedTable,
  { projectId, mark, signal }: Clearing,
): Promise<Wiped> {
  let after: PageEnd | undefined
  do {
    if (signal.aborted) return 'later'
    after = await page(ctx, projectId, mark, tx => deletePage(tx, table, projectId, after))
  } while (after !== undefined)
  return 'done'
}

/** One transaction that locks the mark. */
async function page<T>(
  ctx: Context,
  projectId: string,
  mark: ClosedMark | undefined,
  work: (tx: Context) => Promise<T>,
): Promise<T> {
  return await inTransaction(ctx, async tx => {
    if (mark && !(await holdClosed(tx, projectId, mark))) throw new NotClosed()
    return await work(tx)
  })
}

/** Kinds without a project that write nothing that a project owns. */
const harmless = [
  'domain.check',
  'domain.prune',
  'email.clearBodies',
  'jobs.clean',
  'system.clean',
  'project.clean',
  'project.resumeWipe',
  'project.wipe',
  'system.mail',
  // As older releases call some of them.
  ...['domain.sweep', 'email.empty', 'project.mend'],
]

/** Runs of jobs anywhere that may write something for the project, and requests of this process. */
async function workUnderway(ctx: Context, projectId: string): Promise<Set<unknown>> {
  return new Set<unknown>([...(await selectRunsOf(ctx, projectId, harmless)), ...ctx.requests.underway()])
}

const defaultWaitMs = 2 * second
const betweenLooksMs = 25

/** Requests of other instances are not known here; they get this long, which is far more than one takes. */
const graceMs = 5 * second

/** Waits a little for all of them to end. */
async function haveEnded(
  ctx: Context,
  { projectId, mark, signal, patienceMs }: Ending,
  underway: Set<unknown>,
): Promise<boolean> {
  const openAt = mark.closedAt.getTime() + (ctx.config.databaseUrl ? graceMs : 0)
  for (let waited = 0; ; waited += betweenLooksMs) {
    const left = await workUnderway(ctx, projectId)
    if (underway.isDisjointFrom(left) && ctx.clock.now().getTime() >= openAt) return true
    if (signal.aborted || waited >= patienceMs) return false
    await sleep(betweenLooksMs)
  }
}

/**
 * What somebody wrote for a project that was being deleted, on a machine that was suspended meanwhile, is deleted by this second check.
 */
const secondLookMs = 600 * second

/** False if something has come late. */
async function finish(
  ctx: Context,
  projectId: string,
  mark: ClosedMark,
  tables: readonly OwnedTable[],
): Promise<boolean> {
  return await inTransaction(ctx, async tx => {
    if (!(await lockClosed(tx, projectId, mark))) throw new NotClosed()
    if (!(await ownsNothing(tx, projectId, tables))) return false
    if (mark.closing === 'RESET') await reopenProject(tx, projectId)
    else {
      await deleteProjectRow(tx, projectId)
      const runAt = new Date(tx.clock.now().getTime() + secondLookMs)
      await enqueue(tx, projectKinds.wipe, { projectId }, { runAt })
    }
    return true
  })
}
