// Emails that are too late: every process that tried to send them ended, or their content is no longer kept.
import { after } from '../../../../../lib/time'
import type { Context } from '../../../../../platform/context'
import { failed } from '../../../../../platform/transports/outcome'
import { type DueEmail, isContentKept } from '../../../emails'
import { type EmailStep, type Make, untried } from '../step'

export const makeExpire: Make<EmailStep> =
  ctx =>
  async ({ email, isLost }) => {
    if (isLost) return untried(failed('interrupted'))
    return isAged(ctx, email) && !(await isContentKept(ctx, email))
      ? untried(failed('contentDeleted'))
      : undefined
  }

/** Whether its content may have been deleted for its age. That of a campaign is kept with the campaign. */
function isAged({ clock, config }: Context, { campaignId, createdAt }: DueEmail): boolean {
  const { bodyRetentionMs } = config
  if (bodyRetentionMs === undefined || campaignId !== null) return false
  return createdAt <= after(clock.now(), -bodyRetentionMs)
}
