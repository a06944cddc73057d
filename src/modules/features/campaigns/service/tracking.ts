// The links of a campaign, replaced in its template once for everybody who gets it.
import type { Context } from '../../../../platform/context'
import { type TrackedTemplate, trackTemplate } from '../../../../tracking/template'
import { asDocument } from '../../../sending/emails'

/** Undefined for a template that can't be tracked without changing what it renders. */
export function trackingOf(
  { vault, config }: Context,
  {
    projectId,
    campaignId,
    ...content
  }: { projectId: string; campaignId: string; subject: string; body: string },
): TrackedTemplate | undefined {
  const group = { projectId, groupId: campaignId }
  return trackTemplate({ vault, baseUrl: config.baseUrl }, group, asDocument(content.body, content.subject))
}
