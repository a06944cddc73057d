// Projects at a glance: what there is, and what a project still needs before it can send.
import type { Context } from '../../../../platform/context'
import { staysHere } from '../../../../platform/transports/relay-hosts'
import {
  type OverviewRow,
  type SetupRow,
  selectOverviews,
  selectProjectsOfUser,
  selectSetup,
} from '../queries'

/** What the project has set up so far. */
export async function describeSetup(ctx: Context, projectId: string): Promise<SetupRow> {
  return await selectSetup(ctx, projectId, countsSandbox(ctx))
}

/** One project, with the domain that it may send from. */
export async function describeProject(ctx: Context, projectId: string): Promise<OverviewRow> {
  const [row] = await selectOverviews(ctx, [projectId], countsSandbox(ctx))
  return row!
}

/** All projects of a user. */
export async function describeProjects(ctx: Context, userId: string): Promise<OverviewRow[]> {
  const rows = await selectProjectsOfUser(ctx, userId)
  return await selectOverviews(
    ctx,
    rows.map(row => row.project.id),
    countsSandbox(ctx),
  )
}

/** A domain that can never be real is worth something only where mail stays on the machine. */
function countsSandbox(ctx: Context): boolean {
  return staysHere(ctx.config)
}
