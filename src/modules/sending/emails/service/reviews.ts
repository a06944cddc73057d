// After a hard bounce or a complaint, the reputation of its project is reviewed.

import type { Context } from '../../../../platform/context'
import { enqueueMany } from '../../../../platform/jobs/enqueue'
import { emailKinds } from '../kinds'

/**
 * One review per project and call, in the caller's transaction. It has no key that would merge it with a waiting one, which may begin
 * before the caller commits, and would not see what the caller wrote.
 */
export async function enqueueReviews(tx: Context, projectIds: readonly string[]): Promise<void> {
  const jobs = [...new Set(projectIds)].map(projectId => ({ args: { projectId }, projectId }))
  await enqueueMany(tx, emailKinds.review, jobs)
}
