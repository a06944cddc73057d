// The kinds of background work of contacts. A job carries ids, never data: what it needs it reads when it runs.
import { Type } from '@sinclair/typebox'
import { minute } from '../../../lib/time'
import { chore, idArgument, job, projectJob } from '../../../platform/jobs/kind'

export const contactKinds = {
  /** Subscribes, unsubscribes or deletes contacts by id; its own record holds what is left to do. */
  bulk: projectJob('contact.bulk', 'system', { bulkId: idArgument }),
  /** The same for a list. A kind of its own: an older program would take what it does not know for an unsubscription. */
  bulkSegment: projectJob(
    'contact.bulkSegment',
    'system',
    { bulkId: idArgument },
    { formerly: 'contact.list' },
  ),
  /** Deletes old imports and bulk jobs, and ends those that were given up. */
  clean: job('contact.clean', 'system', {}, chore),
  /** Finishes the deletion of a custom field where the request could not. */
  clearField: projectJob(
    'contact.clearField',
    'system',
    { field: Type.String({ maxLength: 255 }), until: idArgument },
    { timeLimitMs: 30 * minute },
  ),
  /** Rolls up the counts of contacts and fields. */
  rollUp: job('contact.rollUp', 'system', {}, { ...chore, formerly: 'contact.fold' }),
  /** Imports a CSV file; its own record holds the position in it. A kind of its own: an older program would not find the parts. */
  import: projectJob('contact.importParts', 'system', { importId: idArgument }, { timeLimitMs: 30 * minute }),
  /** The same for what older releases have queued, where the record holds the file too. */
  importWhole: projectJob('contact.import', 'system', { importId: idArgument }, { timeLimitMs: 30 * minute }),
  /** Takes back what an import did; the record of its changes holds what is left to do. */
  undoImport: projectJob(
    'contact.undoImport',
    'system',
    { importId: idArgument },
    { timeLimitMs: 30 * minute },
  ),
  /** Deletes what belonged to contacts that are gone. */
  purge: projectJob('contact.purge', 'system', { contactIds: Type.Array(idArgument, { maxItems: 1_000 }) }),
  /** Subscribes contacts again when their snooze ends. */
  endSnoozes: job('contact.endSnoozes', 'system', {}, { ...chore, formerly: 'contact.wake' }),
}
