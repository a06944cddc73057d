// Where workflows use things of other modules, for those who ask before they change or delete them.

import { fieldReferenceName } from '../../../filters/references'
import type { Context } from '../../../platform/context'
import type { SegmentUser } from '../../segments/service'
import {
  selectStepsUsingTemplate,
  selectWorkflowsNaming,
  type TemplateUse,
  type WorkflowName,
} from '../queries'

export async function workflowsUsingEvent(
  ctx: Context,
  projectId: string,
  name: string,
): Promise<WorkflowName[]> {
  return await selectWorkflowsNaming(ctx, projectId, 'event', name)
}

/** `field` with or without the prefix `data.`. */
export async function fieldsInWorkflows(
  ctx: Context,
  projectId: string,
  field: string,
): Promise<{ workflows: WorkflowName[] }> {
  return { workflows: await selectWorkflowsNaming(ctx, projectId, 'field', fieldReferenceName(field)) }
}

export async function workflowsUsingSegment(
  ctx: Context,
  projectId: string,
  segmentId: string,
): Promise<WorkflowName[]> {
  return await selectWorkflowsNaming(ctx, projectId, 'segment', segmentId.toLowerCase())
}

export async function stepsUsingTemplate(
  ctx: Context,
  projectId: string,
  templateId: string,
): Promise<TemplateUse[]> {
  return await selectStepsUsingTemplate(ctx, projectId, templateId)
}

/** Keeps a segment from being deleted while a workflow names it. */
export const workflowsNamingSegment: SegmentUser = {
  noun: 'workflow(s)',
  count: async (tx, projectId, segmentId) => (await workflowsUsingSegment(tx, projectId, segmentId)).length,
}
