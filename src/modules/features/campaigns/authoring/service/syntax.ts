// Whether a campaign can be read. A draft keeps whatever somebody writes; broken syntax is refused where it would be sent.
import type { AppError } from '../../../../../lib/errors'
import type { Context } from '../../../../../platform/context'
import { brokenSyntax } from '../../../../sending/templates'
import type { CampaignRow } from '../../queries'
import { selectVariants } from '../queries/ab-tests'

interface Written {
  subject?: string | null | undefined
  body?: string | null | undefined
}

/** The 400 for the first message whose Liquid can't be read, with the place. Parsing a long one takes time, so no row may be locked. */
export async function brokenMessage(
  projectId: string,
  messages: readonly Written[],
): Promise<AppError | undefined> {
  for (const { subject, body } of messages) {
    const broken = await brokenSyntax(projectId, {
      ...(subject ? { subject } : {}),
      ...(body ? { body } : {}),
    })
    if (broken) return broken
  }
  return undefined
}

/** Throws if the message of the campaign, or that of one of its variants, can't be read. */
export async function refuseBrokenCampaign(ctx: Context, campaign: CampaignRow): Promise<void> {
  const { projectId, id } = campaign
  const broken = await brokenMessage(projectId, [campaign, ...(await selectVariants(ctx, projectId, id))])
  if (broken) throw broken
}
