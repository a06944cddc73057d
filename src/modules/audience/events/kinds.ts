// The kinds of background work of events. A job carries ids, never data: what it needs it reads when it runs.
import { Type } from '@sinclair/typebox'
import { chore, idArgument, job, projectJob } from '../../../platform/jobs/kind'

/** How much of a slot a run takes that shares its transaction with others: the more there are at once, the less each of them costs. */
const shared = 1 / 16

export const eventKinds = {
  /** Continues deleting the events of a name; the times of the first and the last one are in ISO 8601. */
  remove: projectJob('event.delete', 'system', {
    name: Type.String({ maxLength: 255 }),
    from: Type.String({ maxLength: 30 }),
    until: Type.String({ maxLength: 30 }),
  }),
  /** Rolls up the counts of events. */
  rollUp: job('event.rollUp', 'system', {}, { ...chore, formerly: 'event.fold' }),
  /** Deletes values that were sent for a single event and have waited long enough. */
  clearTransient: job('event.clearTransient', 'system', {}, { ...chore, formerly: 'event.forget' }),
  /** Hands an event to the workflows that start with it or wait for it. */
  route: projectJob('event.route', 'workflow', { eventId: idArgument }, { slotShare: shared }),
}
