// Undoing an import, for an hour after it has ended: a job takes back what the import did to contacts, a batch at a time. What is done leaves
// the record of changes in the transaction that does it, so a job that dies goes on where it was and does nothing twice.
import { AppError, conflict, notFound } from '../../../../lib/errors'
import { isUuid } from '../../../../lib/ids'
import { after } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { enqueue } from '../../../../platform/jobs/enqueue'
import type { JobRun } from '../../../../platform/jobs/kind'
import { Snooze } from '../../../../platform/jobs/outcome'
import { findJob } from '../../../../platform/jobs/queries'
import { throttleLongWork } from '../../../../platform/requests'
import { changeReasons, contactsWithEvents } from '../../events'
import { byProgram } from '../consent'
import { contactsInUse, fieldReferences, topicsRestored } from '../hooks'
import { contactKinds } from '../kinds'
import {
  countImportChanges,
  deleteImportChanges,
  deleteImportParts,
  deleteUnusedFields,
  finishImport,
  holdFieldRegistry,
  type ImportChange,
  lockImportOrder,
  lockUnchanged,
  lockUndoable,
  restoreImported,
  selectImportChanges,
  selectUnusedFields,
  type UndoableImport,
  undoImportForMs,
  writeUndo,
} from '../queries'
import type { ConsentOrigin, ImportUndo } from '../schema'
import { breachOfData } from './breach'
import { requireNewest } from './import-order'
import { deleteContacts } from './single'
import { recordSubscriptionChanges } from './subscription-events'

/** Contacts per transaction, and batches after which a run makes room for other jobs. */
const batchSize = 200
const batchesInTurn = 50

/** Queues the undo of an import, and stops one that still runs. A second request changes nothing. 409 where it is too late. */
export async function undoImport(
  ctx: Context,
  projectId: string,
  id: string,
  origin: ConsentOrigin | null = null,
): Promise<void> {
  if (!isUuid(id)) throw notFound('Job', id)
  await inTransaction(ctx, async tx => {
    // In the order of a piece of the import, or each would wait for the other.
    await lockImportOrder(tx, projectId)
    const held = await lockUndoable(tx, projectId, id)
    if (!held) throw notFound('Job', id)
    if (held.undo && !(await isGivenUp(tx, projectId, held.undo))) return
    const now = tx.clock.now()
    if (!held.undo) requireUndoable(held, now)
    await requireNewest(tx, projectId, held)
    if (!held.finishedAt) {
      await finishImport(tx, projectId, id, 'The import was stopped because it is being undone', now)
      await deleteImportParts(tx, projectId, id)
    }
    const jobId = (await enqueue(tx, contactKinds.undoImport, { importId: id }, { projectId }))!
    const total = await countImportChanges(tx, projectId, id)
    await writeUndo(tx, projectId, id, { ...(held.undo ?? begun(total, origin)), jobId })
  })
}

/** A job that failed too often left the rest undone: it may be asked for again. */
async function isGivenUp(
  tx: Context,
  projectId: string,
  { finishedAt, jobId }: ImportUndo,
): Promise<boolean> {
  if (finishedAt !== null) return false
  const job = await findJob(tx, projectId, jobId)
  return job?.state !== 'queued' && job?.state !== 'running'
}

function requireUndoable({ keepsChanges, finishedAt }: UndoableImport, now: Date): void {
  if (!keepsChanges) throw conflict("This import can't be undone: an older release ran it")
  if (finishedAt && after(finishedAt, undoImportForMs) <= now)
    throw conflict('This import can no longer be undone: it ended more than an hour ago', {
      suggestion: 'Select the contacts in the list of contacts and delete or change them.',
    })
}

function begun(total: number, origin: ConsentOrigin | null): Omit<ImportUndo, 'jobId'> {
  const counts = { removed: 0, restored: 0, keptEdited: 0, keptUsed: 0, keptChanged: 0 }
  return { origin, total, ...counts, finishedAt: null }
}

/** Takes back what is left. Ends well, or with the instruction to go on later. */
export async function runImportUndo(ctx: Context, projectId: string, id: string, run: JobRun): Promise<void> {
  for (let batch = 0; batch < batchesInTurn; batch++) {
    run.signal.throwIfAborted()
    let isDone = false
    await throttleLongWork(ctx.requests, async () => {
      isDone = await undoBatch(ctx, projectId, id, batchSize)
    })
    if (isDone) return
  }
  throw new Snooze(0)
}

/** Where a batch is refused as a whole, because a contact holds too much by now, it is halved until that contact is left alone. */
async function undoBatch(ctx: Context, projectId: string, id: string, limit: number): Promise<boolean> {
  try {
    return await inTransaction(ctx, tx => undoNext(tx, projectId, id, limit, false))
  } catch (error) {
    if (!isTooMuch(error)) throw error
    if (limit > 1) return await undoBatch(ctx, projectId, id, Math.floor(limit / 2))
    return await inTransaction(ctx, tx => undoNext(tx, projectId, id, 1, true))
  }
}

function isTooMuch(error: unknown): boolean {
  return error instanceof AppError && error.status < 500
}

/** True when nothing is left. */
async function undoNext(
  tx: Context,
  projectId: string,
  id: string,
  limit: number,
  keepsAll: boolean,
): Promise<boolean> {
  const held = await lockUndoable(tx, projectId, id)
  if (!held?.undo || held.undo.finishedAt !== null) return true
  const undo = { ...held.undo }
  const changes = await selectImportChanges(tx, projectId, id, limit)
  if (changes.length === 0) {
    const now = tx.clock.now()
    await removeUnusedFields(tx, projectId, { from: held.createdAt, to: held.finishedAt ?? now })
    await writeUndo(tx, projectId, id, { ...undo, finishedAt: now.toISOString() })
    return true
  }
  if (keepsAll) undo.keptChanged += changes.length
  else await takeBack(tx, projectId, changes, undo)
  await deleteImportChanges(
    tx,
    projectId,
    id,
    changes.map(({ contactId }) => contactId),
  )
  await writeUndo(tx, projectId, id, undo)
  return false
}

/** Deletes fields that came with the import, where neither a contact nor a condition, form or step has them. */
async function removeUnusedFields(
  tx: Context,
  projectId: string,
  between: { from: Date; to: Date },
): Promise<void> {
  const unused: string[] = []
  for (const name of await selectUnusedFields(tx, projectId, between)) {
    const found = await callHook(tx, fieldReferences, { projectId, field: `data.${name}` })
    if (!found.some(part => Object.values(part).some(list => list.length > 0))) unused.push(name)
  }
  if (unused.length === 0) return
  await holdFieldRegistry(tx, projectId)
  await deleteUnusedFields(tx, projectId, unused)
}

/** Counts into `undo`. Contacts that are gone by now are not counted. */
async function takeBack(
  tx: Context,
  projectId: string,
  changes: readonly ImportChange[],
  undo: ImportUndo,
): Promise<void> {
  const found = await lockUnchanged(tx, projectId, changes)
  const there = new Set(found.there)
  const left = changes.filter(({ contactId }) => there.has(contactId))
  await removeCreated(
    tx,
    projectId,
    left.filter(({ created }) => created),
    new Set(found.unchanged),
    undo,
  )
  await restoreChanged(
    tx,
    projectId,
    left.filter(({ created }) => !created),
    undo,
  )
}

async function removeCreated(
  tx: Context,
  projectId: string,
  created: readonly ImportChange[],
  unchanged: ReadonlySet<string>,
  undo: ImportUndo,
): Promise<void> {
  if (created.length === 0) return
  const own = created.filter(({ contactId, touched }) => !touched && unchanged.has(contactId))
  const contactIds = own.map(({ contactId }) => contactId)
  const used = new Set([
    ...(await contactsWithEvents(tx, projectId, contactIds)),
    ...(await callHook(tx, contactsInUse, { projectId, contactIds })).flat(),
  ])
  const removed = await deleteContacts(
    tx,
    projectId,
    contactIds.filter(contactId => !used.has(contactId)),
  )
  undo.keptEdited += created.length - own.length
  undo.keptUsed += used.size
  undo.removed += removed.length
}

async function restoreChanged(
  tx: Context,
  projectId: string,
  changed: readonly ImportChange[],
  undo: ImportUndo,
): Promise<void> {
  if (changed.length === 0) return
  const origin = undo.origin ?? byProgram
  const restored = await restoreImported(tx, projectId, changed, origin, tx.clock.now()).catch(error => {
    throw breachOfData(error) ?? error
  })
  await recordSubscriptionChanges(
    tx,
    restored.filter(({ hasChanged }) => hasChanged),
    { data: { reason: changeReasons.undo } },
  )
  const decisions = changed.flatMap(({ contactId, topics }) =>
    Object.entries(topics ?? {}).map(([topicId, decision]) => ({ contactId, topicId, ...decision })),
  )
  const decided =
    decisions.length === 0 ? [] : await callHook(tx, topicsRestored, { projectId, decisions, origin })
  const kept = new Set([
    ...restored.flatMap(({ id, keepsSome }) => (keepsSome ? [id] : [])),
    ...decided.flat(),
  ])
  undo.keptChanged += kept.size
  undo.restored += changed.length - kept.size
}
