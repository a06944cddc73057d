// The warnings about a workflow when it is enabled or tried out: none of them prevents anything.
import type { Context } from '../../../../platform/context'
import type { Graph } from '../definition'
import { loopThrough, loopWarning, type WorkflowWarning } from '../loops'
import { selectGraph, selectLinks } from '../queries'
import { stepWarnings } from '../step-warnings'
import { asGraph } from './edit'

/** For the workflow as it would be if enabled, with its own graph or another. */
export async function listWorkflowWarnings(
  ctx: Context,
  projectId: string,
  workflowId: string,
  graph?: Graph,
): Promise<WorkflowWarning[]> {
  const links = await selectLinks(ctx, projectId, workflowId)
  const own = links.find(({ id }) => id === workflowId)
  const looked = graph ?? asGraph(await selectGraph(ctx, projectId, workflowId))
  return [...(own ? loopWarning(loopThrough(own, links)) : []), ...stepWarnings(looked)]
}
