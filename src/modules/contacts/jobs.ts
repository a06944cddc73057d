// Background work of contacts: imports and bulk changes, the end of snoozes, and what is cleared away and added up.
import { hour, minute, second } from '../../lib/time'
import { callHook } from '../../platform/hooks'
import type { JobHandlers } from '../../platform/jobs/handlers'
import { schedule } from '../../platform/jobs/schedule'
import { purgeContactEvents } from '../events/service'
import { contactsDeleted } from './hooks'
import {
  cleanContactRecords,
  finishFieldDeletion,
  foldContactTotals,
  runBulk,
  runImport,
  wakeSnoozedContacts,
} from './service'

export const contactJobs = {
  'contact.bulk': (ctx, { bulkId }, run) => runBulk(ctx, run.projectId!, bulkId, run),
  'contact.clean': (ctx, _, run) => cleanContactRecords(ctx, run.signal),
  'contact.clearField': (ctx, { field, until }, run) =>
    finishFieldDeletion(ctx, run.projectId!, field, until, run.signal),
  'contact.fold': async (ctx, _, run) => ({ folded: await foldContactTotals(ctx, run.signal) }),
  'contact.import': (ctx, { importId }, run) => runImport(ctx, run.projectId!, importId, run),
  'contact.purge': async (ctx, { contactIds }, run) => {
    const gone = { projectId: run.projectId!, contactIds, signal: run.signal }
    const events = await purgeContactEvents(ctx, gone.projectId, contactIds, run.signal)
    return Object.assign({ events }, ...(await callHook(ctx, contactsDeleted, gone)))
  },
  'contact.wake': (ctx, _, run) => wakeSnoozedContacts(ctx, run.signal),
} satisfies JobHandlers

export const contactSchedules = [
  schedule('contact.fold', { everyMs: 10 * second }, {}),
  schedule('contact.wake', { everyMs: minute }, {}),
  schedule('contact.clean', { everyMs: hour }, {}),
]
