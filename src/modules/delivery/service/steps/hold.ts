// Holds marketing mail back by the rules of its project: quiet hours, and a cap that is booked in the row of the contact. Costs nothing where
// a project has no such rule.
import { batcher, type Settled } from '../../../../lib/batcher'
import { after } from '../../../../lib/time'
import type { Context } from '../../../../platform/context'
import { type DeliveryOutcome, skipped } from '../../../../platform/mail/outcome'
import { type DueEmail, furthestAhead, heldBy, skippedBy } from '../../../emails'
import type { MailCap } from '../../../projects'
import { freeAt, type HoldRules, heldOrSkipped, whyNotNow } from '../../hold'
import * as queries from '../../queries'
import { type EmailStep, type Make, type Result, untried } from '../step'

type Booker = Pick<DueEmail, 'id' | 'projectId' | 'contactId'>

interface Asked extends Booker {
  cap: MailCap
}

export const makeHold: Make<EmailStep> = ctx => {
  const book = batcher<Asked, Date | undefined>(asked => bookEach(ctx, asked), { maxItems: 200, slots: 2 })
  const giveBack = batcher<Booker, void>(mails => releaseEach(ctx, mails), { maxItems: 200, slots: 1 })
  return async ({ email, rules }) => {
    if (!rules) return undefined
    const held = whyNotNow(ctx.clock.now(), rules) ?? (await whyCapped(email, rules))
    if (held) return untried(whileKept(ctx, email, held))
    if (!rules.mailCap) return undefined
    return async result => {
      if (keepsPlace(result)) return
      await giveBack(email).catch((error: unknown) => {
        ctx.log.warn({ error: String(error) }, 'a place under the cap of a contact could not be given back')
      })
    }
  }

  async function whyCapped(email: Booker, { mailCap: cap }: HoldRules): Promise<DeliveryOutcome | undefined> {
    const free = cap && (await book({ ...email, cap }))
    return free ? heldOrSkipped(cap.whenHeld, 'cap', free) : undefined
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
  return skipped(held.error!.replace(heldBy, skippedBy), 'held')
}

/** In as many rounds as one contact has messages among them: a statement can't book twice in a row. */
async function bookEach(ctx: Context, asked: Asked[]): Promise<Settled<Date | undefined>[]> {
  const free = new Map<string, Date | undefined>()
  for (const round of roundsOf(asked))
    for (const [, mails] of Map.groupBy(round, capOf)) {
      const { projectId, cap } = mails[0]!
      const rows = await queries.bookMails(ctx, projectId, cap, mails.map(toPlace))
      const booked = new Map(rows.map(row => [row.contactId, row.booked]))
      for (const { id, contactId } of mails) free.set(id, freeAt(booked.get(contactId)!, cap, id))
    }
  return asked.map(({ id }) => ({ value: free.get(id) }))
}

function capOf({ projectId, cap: { messages, days } }: Asked): string {
  return `${projectId} ${messages} ${days}`
}

function roundsOf<T extends Booker>(mails: readonly T[]): T[][] {
  const rounds: T[][] = []
  for (const [, ofContact] of Map.groupBy(mails, ({ projectId, contactId }) => `${projectId} ${contactId}`))
    for (const [number, delivery] of ofContact.entries()) {
      if (!rounds[number]) rounds.push([])
      rounds[number]!.push(delivery)
    }
  return rounds
}

async function releaseEach(ctx: Context, mails: Booker[]): Promise<Settled<void>[]> {
  for (const [projectId, ofProject] of Map.groupBy(mails, delivery => delivery.projectId))
    await queries.releaseMails(ctx, projectId, ofProject.map(toPlace))
  return mails.map(() => ({ value: undefined }))
}

function toPlace({ id, contactId }: Booker): queries.Place {
  return { emailId: id, contactId }
}
