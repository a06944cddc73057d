// Holds marketing mail back by the rules of its project: quiet hours, and a cap that is booked in the row of the contact. Costs nothing where
// a project has no such rule.
import { batcher, type Settled } from '../../../lib/batcher'
import type { Week } from '../../../lib/local-time'
import { after, day } from '../../../lib/time'
import type { Context } from '../../../platform/context'
import type { DeliveryOutcome } from '../../../platform/mail/outcome'
import type { MailCap } from '../../projects'
import { freeAt, heldOrSkipped, type MailRules, whyNotNow } from '../hold'
import type { DueEmail, EmailSettlement } from '../queries'
import * as queries from '../queries'

type Mail = Pick<DueEmail, 'id' | 'projectId' | 'contactId'>

export interface MailHold {
  /** Why it may not leave now, or undefined: then it has its place, if there is a cap. */
  enter(
    mail: Mail,
    rules: MailRules | null,
    zone: string,
    window?: Week,
  ): Promise<DeliveryOutcome | undefined>
  /** Must be told what became of it: what did not leave needs no place. */
  leave(rules: MailRules | null, settlement: EmailSettlement): Promise<void>
}

interface Asked extends Mail {
  cap: MailCap
}

/** One for each process: messages that are sent at the same moment share their statements. */
export function makeMailHold(ctx: Context): MailHold {
  const book = batcher<Asked, Date | undefined>(asked => bookEach(ctx, asked), { maxItems: 200, slots: 2 })
  const release = batcher<Mail, void>(mails => releaseEach(ctx, mails), { maxItems: 200, slots: 1 })
  return {
    async enter(mail, rules, zone, window) {
      if (!rules && !window) return undefined
      const { quietHours = null, mailCap: cap = null } = rules ?? {}
      const held = whyNotNow({ now: ctx.clock.now(), zone, quietHours, window })
      if (held || !cap) return held
      const free = await book({ ...mail, cap })
      return free && heldOrSkipped(cap.whenHeld, 'cap', free)
    },
    async leave(rules, { email, outcome, tries }) {
      if (!rules?.mailCap || outcome.sentAt) return
      // What was tried and is tried again keeps its place: it may have arrived.
      if (outcome.status === 'PENDING' && tries.length > 0) return
      await release(email).catch((error: unknown) => {
        ctx.log.warn({ error: String(error) }, 'a place under the cap of a contact could not be given back')
      })
    },
  }
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

function roundsOf<T extends Mail>(mails: readonly T[]): T[][] {
  const rounds: T[][] = []
  for (const [, ofContact] of Map.groupBy(mails, ({ projectId, contactId }) => `${projectId} ${contactId}`))
    for (const [number, mail] of ofContact.entries()) {
      if (!rounds[number]) rounds.push([])
      rounds[number]!.push(mail)
    }
  return rounds
}

async function releaseEach(ctx: Context, mails: Mail[]): Promise<Settled<void>[]> {
  for (const [projectId, ofProject] of Map.groupBy(mails, mail => mail.projectId))
    await queries.releaseMails(ctx, projectId, ofProject.map(toPlace))
  return mails.map(() => ({ value: undefined }))
}

function toPlace({ id, contactId }: Mail): queries.Place {
  return { emailId: id, contactId }
}

/** Longer than a cap may count. */
const keptMs = 31 * day
const pageSize = 5_000

/** Deletes the places that count for no cap any more. */
export async function dropOldBookings(ctx: Context, signal: AbortSignal): Promise<void> {
  const before = after(ctx.clock.now(), -keptMs)
  while (!signal.aborted && (await queries.deleteBookings(ctx, before, pageSize)) === pageSize);
}
