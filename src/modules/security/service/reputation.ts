// A project's standing: its figures for three spans of time, and what a member or its key sees of them.

import { notFound } from '../../../lib/errors'
import { after, day, hour } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import { selectReputation } from '../../emails'
import { type SecurityAnswer, toSecurityAnswer } from '../model'
import {
  type AssessedProject,
  pageOfProjects,
  selectAssessed,
  selectLongRun,
  selectSuspensions,
} from '../queries'
import type { Measures } from '../rules'

const newFor = 30 * day

/** From counts by the hour and the day, however many messages there are. */
export async function measure(ctx: Context, project: AssessedProject): Promise<Measures> {
  const now = ctx.clock.now()
  const { id, createdAt, liftedAt } = project
  // What happened before somebody lifted a suspension no longer counts: otherwise the next bounce would bring it back.
  const from = (ms: number): Date => latest(startOfHour(after(now, -ms)), liftedAt)
  const [twentyFourHour, sevenDay, allTime] = await Promise.all([
    selectReputation(ctx, id, from(day)),
    selectReputation(ctx, id, from(7 * day)),
    selectLongRun(ctx, id, liftedAt?.toISOString().slice(0, 10) ?? null),
  ])
  return { twentyFourHour, sevenDay, allTime, isNewProject: after(createdAt, newFor) > now }
}

/** Counts are kept by the hour; the span is never shorter than asked for. */
function startOfHour(at: Date): Date {
  return new Date(Math.floor(at.getTime() / hour) * hour)
}

function latest(one: Date, other: Date | null): Date {
  return other && other > one ? other : one
}

export async function getSecurity(ctx: Context, projectId: string): Promise<SecurityAnswer> {
  const project = await selectAssessed(ctx, projectId)
  if (!project) throw notFound('Project', projectId)
  const [measures, suspensions] = await Promise.all([
    measure(ctx, project),
    selectSuspensions(ctx, projectId),
  ])
  const disablesAutomatically = ctx.config.autoProjectDisable
  return toSecurityAnswer({ project, measures, suspensions, disablesAutomatically })
}

export async function projectExists(ctx: Context, projectId: string): Promise<boolean> {
  return (await selectAssessed(ctx, projectId)) !== undefined
}

const pageSize = 500

/** All projects of the instance, oldest first, read page by page. */
export async function* listProjectStates(ctx: Context): AsyncGenerator<AssessedProject> {
  for (let after: string | undefined; ; ) {
    const page = await pageOfProjects(ctx, after, pageSize)
    yield* page
    if (page.length < pageSize) return
    after = page.at(-1)!.id
  }
}
