// Resetting and deleting a project. The project is closed at once, in one transaction with the job that clears it; the request then
// clears as much as it can itself, so that a project of ordinary size is done when the answer comes.

import { AppError, forbidden, notFound } from '../../../../lib/errors'
import { after, second } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { enqueue } from '../../../../platform/jobs/enqueue'
import { projectDeleted } from '../hooks'
import { projectKinds } from '../kinds'
import { closeProject, selectClosedMark, selectClosedProjects } from '../queries'
import type { Closing } from '../schema'
import { recordAudit } from './audit'
import type { ProjectActor } from './settings'
import { type Wiped, wipeProject } from './wipe'

/** Deletes what a project has gathered and made, and keeps its settings, keys, members and domains. */
export async function resetProject(ctx: Context, actor: ProjectActor): Promise<Wiped> {
  await close(ctx, actor, 'RESET')
  return await wipeNow(ctx, actor.projectId)
}

/** Deletes a project with everything it owns. Its keys are dead and it is unknown everywhere with the commit. */
export async function deleteProject(ctx: Context, actor: ProjectActor): Promise<Wiped> {
  await close(ctx, actor, 'DELETE')
  ctx.log.warn({ projectId: actor.projectId, by: actor.by }, 'a project is being deleted')
  return await wipeNow(ctx, actor.projectId)
}

async function close(ctx: Context, { projectId, by }: ProjectActor, closing: Closing): Promise<void> {
  await inTransaction(ctx, async tx => {
    if (!(await closeProject(tx, projectId, closing))) throw await whyNotClosed(tx, projectId)
    const action = closing === 'RESET' ? 'project.reset' : 'project.deleted'
    await recordAudit(tx, { projectId, actor: by, action })
    if (closing === 'DELETE') await callHook(tx, projectDeleted, projectId)
    const runAt = after(tx.clock.now(), jobStartsMs)
    await enqueue(tx, projectKinds.wipe, { projectId }, { uniqueKey: wipeKey(projectId), runAt })
  })
}

async function whyNotClosed(tx: Context, projectId: string): Promise<AppError> {
  const mark = await selectClosedMark(tx, projectId)
  if (mark === undefined || mark?.closing === 'DELETE') return notFound('Project', projectId)
  if (mark?.closing === 'RESET') return beingReset()
  return forbidden('PROJECT_DISABLED', 'This project is disabled', {
    suggestion: 'Settle why it was disabled before you reset or delete it.',
  })
}

/** The answer to what would write into a project that is being cleared. */
export function beingReset(): AppError {
  return new AppError(423, 'PROJECT_RESETTING', 'This project is being reset', {
    suggestion: 'Reading works; try again in a few seconds.',
    headers: { 'Retry-After': '5' },
  })
}

/** The request's own work has ended by the time the job begins. */
const ownTimeMs = 10 * second
const jobStartsMs = 15 * second

function wipeKey(projectId: string): string {
  return `project.wipe:${projectId}`
}

/** What goes wrong here is logged, and made up for by the job that is queued already. */
async function wipeNow(ctx: Context, projectId: string): Promise<Wiped> {
  try {
    return await wipeProject(ctx, projectId, {
      signal: AbortSignal.timeout(ownTimeMs),
      patienceMs: ownTimeMs,
    })
  } catch (error) {
    ctx.log.warn({ projectId, error: String(error) }, 'a project was not cleared at once; a job goes on')
    return 'later'
  }
}

/** Queues the clearing of closed projects again, in case a job of it was given up. */
export async function requeueWipes(ctx: Context): Promise<number> {
  const ids = await selectClosedProjects(ctx, 1_000)
  for (const projectId of ids) {
    const runAt = after(ctx.clock.now(), jobStartsMs)
    await enqueue(ctx, projectKinds.wipe, { projectId }, { uniqueKey: wipeKey(projectId), runAt })
  }
  return ids.length
}
