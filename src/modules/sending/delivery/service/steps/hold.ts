// Holds marketing mail back by the rules of its project: quiet hours, and a cap that is booked in the row of the contact. Costs nothing where
// a project has no such rule.
import { after } from '../../../../../lib/time'
import type { Context } from '../../../../../platform/context'
import { type DeliveryOutcome, skipped, waiting } from '../../../../../platform/transports/outcome'
import type { MailCap } from '../../../../accounts/projects'
import { type DueEmail, furthestAhead } from '../../../emails'
import { freeAt, type HoldRules, whyNotNow } from '../../hold'
import * as queries from '../../queries'
import { type EmailStep, type Make, type Result, untried } from '../step'

type Booker = Pick<DueEmail, 'id' | 'projectId' | 'contactId'>

export const makeHold: Make<EmailStep> = ctx => {
  return async ({ email, rules }) => {
    if (!rules) return undefined
    const held = whyNotNow(ctx.clock.now(), rules) ?? (await whyCapped(email, rules))
    if (held) return untried(whileKept(ctx, email, held))
    if (!rules.mailCap) return undefined
    return async result => {
      if (keepsPlace(result)) return
      await queries.releaseMail(ctx, email.projectId, placeOf(email)).catch((error: unknown) => {
        ctx.log.warn({ error: String(error) }, 'a place under the cap of a contact could not be given back')
      })
    }
  }

  async function whyCapped(email: Booker, { mailCap: cap }: HoldRules): Promise<DeliveryOutcome | undefined> {
    const free = cap && (await book(ctx, email, cap))
    if (!free) return undefined
    return cap.whenHeld === 'LATER' ? waiting('cap', free) : skipped('cap')
  }
}

/** What was sent keeps its place, and so does what was tried and is tried again: it may have arrived. */
function keepsPlace(result: Result | undefined): boolean {
  if (!result) return false
  const { outcome, tries } = result
  return outcome.sentAt !== null || (outcome.status === 'PENDING' && tries.length > 0)
}

/** An email that would be sent after its body is deleted for its age is skipped. The body of a campaign is kept with the campaign. */
function whileKept(
  ctx: Context,
  { campaignId, createdAt }: DueEmail,
  held: DeliveryOutcome,
): DeliveryOutcome {
  const { nextAttemptAt } = held
  if (!nextAttemptAt || campaignId !== null || nextAttemptAt <= after(createdAt, furthestAhead(ctx.config)))
    return held
  return skipped(held.reason!, { until: nextAttemptAt.toISOString() })
}

/** Books a place under the cap; resolves with the time at which one is free if there is none now. */
async function book(ctx: Context, email: Booker, cap: MailCap): Promise<Date | undefined> {
  const booked = await queries.bookMail(ctx, email.projectId, cap, placeOf(email))
  return freeAt(booked, cap, email.id)
}

function placeOf({ id, contactId }: Booker): queries.Place {
  return { emailId: id, contactId }
}
