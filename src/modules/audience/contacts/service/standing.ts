// The state of a job by its own record and by the queue.
import type { Context } from '../../../../platform/context'
import { findJob } from '../../../../platform/jobs/queries'
import { type Ending, type JobStanding, standingOf } from '../job-state'

interface JobRecord extends Ending {
  projectId: string
  jobId: string
}

/** Undefined if `read` finds no record. It is read again where the queue no longer knows the job: it ended in between. */
export async function readStanding<R extends JobRecord>(
  ctx: Context,
  read: () => Promise<R | undefined>,
): Promise<{ record: R; standing: JobStanding } | undefined> {
  const record = await read()
  if (!record) return undefined
  if (record.finishedAt) return { record, standing: standingOf(record, undefined) }
  const queued = await findJob(ctx, record.projectId, record.jobId)
  const latest = queued ? record : ((await read()) ?? record)
  return { record: latest, standing: standingOf(latest, queued) }
}
