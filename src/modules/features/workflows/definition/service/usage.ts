// Where workflows use things of other modules, for those modules to ask before they change or delete them.
import { fieldReferenceName } from '../../../../../filters/references'
import type { Context } from '../../../../../platform/context'
import type { SegmentUse } from '../../../segments'
import {
  isBulkTakenByEnabled,
  isNamedByEnabled,
  isSentByEnabled,
  selectStepsUsingTemplate,
  selectWorkflowsNaming,
  type TemplateUse,
  type WorkflowName,
} from '../queries/graph'

export async function eventsInWorkflows(
  ctx: Context,
  { projectId, name }: { projectId: string; name: string },
): Promise<{ workflows: WorkflowName[] }> {
  return { workflows: await selectWorkflowsNaming(ctx, projectId, 'event', name) }
}

/** `field` with or without the prefix `data.`. */
export async function fieldsInWorkflows(
  ctx: Context,
  { projectId, field }: { projectId: string; field: string },
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
  { projectId, templateId }: { projectId: string; templateId: string },
): Promise<TemplateUse[]> {
  return await selectStepsUsingTemplate(ctx, projectId, templateId)
}

/** Keeps a topic from being deleted while a workflow names it. */
export async function topicInWorkflows(
  tx: Context,
  { projectId, topicId }: { projectId: string; topicId: string },
): Promise<boolean> {
  return (await selectWorkflowsNaming(tx, projectId, 'topic', topicId)).length > 0
}

/** Whether an enabled workflow starts with many changes at once too. */
export async function bulkStartsWorkflows(
  ctx: Context,
  { projectId }: { projectId: string },
): Promise<boolean> {
  return await isBulkTakenByEnabled(ctx, projectId)
}

export async function segmentDueInWorkflows(
  ctx: Context,
  { projectId, segmentId }: { projectId: string; segmentId: string },
): Promise<boolean> {
  return await isNamedByEnabled(ctx, projectId, 'segment', [segmentId.toLowerCase()])
}

export async function eventsDueInWorkflows(
  ctx: Context,
  { projectId, names }: { projectId: string; names: readonly string[] },
): Promise<boolean> {
  return await isNamedByEnabled(ctx, projectId, 'event', names)
}

export async function contentDueInWorkflows(
  ctx: Context,
  { projectId, templateIds }: { projectId: string; templateIds: readonly string[] },
): Promise<boolean> {
  return templateIds.length > 0 && (await isSentByEnabled(ctx, projectId, templateIds))
}

/** Keeps a segment from being deleted while a workflow names it. */
export async function segmentInWorkflows(
  tx: Context,
  { projectId, segmentId }: { projectId: string; segmentId: string },
): Promise<SegmentUse> {
  const workflows = await workflowsUsingSegment(tx, projectId, segmentId)
  return { noun: 'workflow(s)', count: workflows.length }
}
