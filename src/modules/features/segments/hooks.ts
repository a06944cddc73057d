// The hooks of segments: what they ask the modules above.
import { defineHook } from '../../../platform/hooks'

/** What names a segment, as the refusal to delete it says it: `active campaign(s)`. */
export interface SegmentUse {
  noun: string
  count: number
}

/** Asked in the transaction that deletes, after the segment was locked: whoever stores a reference holds the segment first. */
export const segmentUses = defineHook<{ projectId: string; segmentId: string }, SegmentUse>('segment uses')

/** Whether a workflow that is on, or a campaign that is scheduled or sending, uses the segment. */
export const segmentDue = defineHook<{ projectId: string; segmentId: string }, boolean>('segment due')

/**
 * Asked before the condition of a segment changes: the names of campaigns that use one of these segments and are recording their recipients.
 * No other campaign starts to before the caller's transaction ends.
 */
export const segmentReaders = defineHook<{ projectId: string; segmentIds: readonly string[] }, string[]>(
  'segment readers',
)

/** Whether an enabled workflow starts with one of these events, or waits for it. */
export const eventsDue = defineHook<{ projectId: string; names: readonly string[] }, boolean>('events due')
