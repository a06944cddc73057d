// Remembers which templates took too long, so that nobody comes back to them for ever. A template that did so several times in a row is
// given up for an hour, in all processes; a project with many of them renders nothing costly for as long.
import { hour, after as later } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { countOverruns, deleteOverruns, recordOverrun } from '../queries'

/** After this many in a row it is the template's own doing rather than that of a recipient's data or of a busy machine. */
const maxOverruns = 3
/** Of all templates of a project, in one process. */
const maxPerProject = 10
const rememberedMs = hour
/** Projects and templates that this process remembers. */
const maxKept = 10_000

interface Overruns {
  count: number
  until: number
}

/** By project, and by project and template: known before the database is asked, and where a transaction did not commit. */
const known = new Map<string, Overruns>()

function countOf(ctx: Context, key: string): number {
  const overruns = known.get(key)
  return overruns && overruns.until > ctx.clock.now().getTime() ? overruns.count : 0
}

function add(ctx: Context, key: string): void {
  const now = ctx.clock.now()
  const count = countOf(ctx, key) + 1
  known.delete(key)
  known.set(key, { count, until: later(now, rememberedMs).getTime() })
  if (known.size > maxKept) known.delete(known.keys().next().value!)
}

const templateKey = (projectId: string, hash: string): string => `${projectId} ${hash}`

/** Without asking the database. */
export function isKnownSlow(ctx: Context, projectId: string, hash: string): boolean {
  return countOf(ctx, projectId) >= maxPerProject || countOf(ctx, templateKey(projectId, hash)) >= maxOverruns
}

export async function isGivenUp(ctx: Context, projectId: string, hash: string): Promise<boolean> {
  if (isKnownSlow(ctx, projectId, hash)) return true
  const since = later(ctx.clock.now(), -rememberedMs)
  return (await countOverruns(ctx, projectId, hash, since)) >= maxOverruns
}

/** For this process only; `reportOverrun` tells the others. */
export function noteOverrun(ctx: Context, projectId: string, hash: string): void {
  add(ctx, projectId)
  add(ctx, templateKey(projectId, hash))
}

export async function reportOverrun(ctx: Context, projectId: string, hash: string): Promise<void> {
  const now = ctx.clock.now()
  await recordOverrun(ctx, { projectId, hash, now, since: later(now, -rememberedMs) })
}

/** It was done in time after all. */
export async function forgive(ctx: Context, projectId: string, hash: string): Promise<void> {
  if (!known.delete(templateKey(projectId, hash))) return
  await deleteOverruns(ctx, projectId, hash)
}
