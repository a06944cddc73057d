// What is told of a workflow when it is turned on or tried out: nothing of it refuses anything.
import type { Context } from '../../../platform/context'
import { loopThrough, loopWarning, type WorkflowWarning } from '../loops'
import { selectLinks } from '../queries'

/** As the workflow would be if it were on. */
export async function warningsOf(
  ctx: Context,
  projectId: string,
  workflowId: string,
): Promise<WorkflowWarning[]> {
  const links = await selectLinks(ctx, projectId, workflowId)
  const own = links.find(({ id }) => id === workflowId)
  return own ? loopWarning(loopThrough(own, links)) : []
}
