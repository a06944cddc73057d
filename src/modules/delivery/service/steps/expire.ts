// Emails that are too late: every process that tried to send them ended, or their content is no longer kept.
import { after } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { failed } from '../../../../platform/mail/outcome'
import { type DueEmail, isContentKept } from '../../../emails'
import { type EmailStep, type Make, untried } from '../step'

const lostEachTime = failed('gave up: the process that sent it ended each time')
const notKept = failed('its content is no longer kept (EMAIL_BODY_RETENTION_DAYS)', 'expired')

export const makeExpire: Make<EmailStep> =
  ctx =>
  async ({ email, isLost }) => {
    if (isLost) return untried(lostEachTime)
    return isAged(ctx, email) && !(await isContentKept(ctx, email)) ? untried(notKept) : undefined
  }

/** Whether its content may have been deleted for its age. That of a campaign is kept with the campaign. */
function isAged({ clock, config }: Context, { campaignId, createdAt }: DueEmail): boolean {
  const { bodyRetentionMs } = config
  if (bodyRetentionMs === undefined || campaignId !== null) return false
  return createdAt <= after(clock.now(), -bodyRetentionMs)
}
