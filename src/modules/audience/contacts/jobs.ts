// Background work of contacts: imports and bulk changes, the end of snoozes, clearing up and rolling up.

import { hour, minute, second } from '../../../lib/time'
import { callHook } from '../../../platform/hooks'
import { handle } from '../../../platform/jobs/kind'
import { schedule } from '../../../platform/jobs/schedule'
import { deleteEventsOfContacts } from '../events'
import { contactsDeleted } from './hooks'
import { contactKinds } from './kinds'
import { deleteChangesOfContacts, deleteConsent, hasContactDeltas, hasOverslept } from './queries'
import {
  endSnoozes,
  finishFieldDeletion,
  pruneContactJobs,
  rollUpContactTotals,
  runBulk,
  runImportInTurn,
  runImportUndo,
} from './service'

export const contactJobs = [
  handle(contactKinds.bulk, (ctx, { bulkId }, run) => runBulk(ctx, run.projectId, bulkId, run)),
  handle(contactKinds.bulkSegment, (ctx, { bulkId }, run) => runBulk(ctx, run.projectId, bulkId, run)),
  handle(contactKinds.clean, (ctx, _, run) => pruneContactJobs(ctx, run.signal)),
  handle(contactKinds.clearField, (ctx, { field, until }, run) =>
    finishFieldDeletion(ctx, run.projectId, field, until, run.signal),
  ),
  handle(contactKinds.rollUp, (ctx, _, run) => rollUpContactTotals(ctx, run.signal)),
  handle(contactKinds.import, (ctx, { importId }, run) => runImportInTurn(ctx, run.projectId, importId, run)),
  handle(contactKinds.importWhole, (ctx, { importId }, run) =>
    runImportInTurn(ctx, run.projectId, importId, run),
  ),
  handle(contactKinds.undoImport, (ctx, { importId }, run) =>
    runImportUndo(ctx, run.projectId, importId, run),
  ),
  handle(contactKinds.purge, async (ctx, { contactIds }, run) => {
    const gone = { projectId: run.projectId, contactIds, signal: run.signal }
    await deleteEventsOfContacts(ctx, gone.projectId, contactIds, run.signal)
    await deleteConsent(ctx, gone.projectId, contactIds)
    await deleteChangesOfContacts(ctx, gone.projectId, contactIds)
    await callHook(ctx, contactsDeleted, gone)
  }),
  handle(contactKinds.endSnoozes, (ctx, _, run) => endSnoozes(ctx, run.signal)),
]

export const contactSchedules = [
  schedule(contactKinds.rollUp, 10 * second, hasContactDeltas),
  schedule(contactKinds.endSnoozes, minute, hasOverslept),
  schedule(contactKinds.clean, hour),
]
