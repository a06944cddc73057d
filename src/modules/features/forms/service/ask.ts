// What somebody sends by a form. What is answered depends on what was sent alone: whether the address is known, subscribed, suppressed or
// was asked before is found out by a job, and every request that is taken costs the same two statements.
import { isEmail, normaliseEmail } from '../../../../lib/address'
import { isUuid } from '../../../../lib/ids'
import { after, day, hour } from '../../../../lib/time'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { enqueue } from '../../../../platform/jobs/enqueue'
import { perContext } from '../../../../platform/per-context'
import { spendTurn } from '../../../accounts/users'
import { makeVerifier } from '../../../audience/verify'
import { formKinds } from '../kinds'
import type { PublicForm } from '../page'
import { selectPublicForm, takeRequest } from '../queries'
import { ageOf, isSolved, mostAgeMs, readTicket } from '../ticket'
import { type FormValues, readValues } from '../values'

/** A link is good for a week; what is not confirmed by then is deleted. */
export const confirmWithinMs = 7 * day

/** At most one mail in this time to a mailbox, because of all forms of a project. */
export const mailEveryMs = day

/** How many different addresses one time stamp is good for: a family at one machine, not a list. */
const usesOfTicket = 5

/** Names that every form has, besides `email` and its own fields. The first is for programs alone: people don't see it. */
export const trapName = 'website'
export const ticketName = 'ticket'
export const answerName = 'answer'

export type AskFault = 'email' | 'refused' | 'fields'

/** `asked`: taken, or thrown away because a program sent it; `step`: one more page is needed, which nobody without a time stamp is spared. */
export type Asked =
  | { outcome: 'asked' }
  | { outcome: 'step'; ticket: string | undefined }
  | { outcome: 'faulty'; fault: AskFault; fields: string[] }

export interface Posted {
  form: URLSearchParams
  /** The language that the page was in, and what it said above its button. */
  language: string
  wording: string
}

export async function askByForm(ctx: Context, form: PublicForm, posted: Posted): Promise<Asked> {
  const get = (name: string): string => posted.form.get(name) ?? ''
  if (get(trapName) !== '') return { outcome: 'asked' }
  const email = normaliseEmail(get('email').slice(0, 400))
  const { values, faults } = readValues(form.fields, posted.form)
  if (!isEmail(email)) return { outcome: 'faulty', fault: 'email', fields: faults }
  if (faults.length > 0) return { outcome: 'faulty', fault: 'fields', fields: faults }
  const step = await missingStep(ctx, form, email, get(ticketName), get(answerName))
  if (step) return step
  if (!(await takesMail(ctx, email))) return { outcome: 'faulty', fault: 'refused', fields: [] }
  await take(ctx, form, email, values, posted)
  return { outcome: 'asked' }
}

/** Undefined where the time stamp is as it should be. One that is only too young stays good: the page after it shows it again. */
async function missingStep(
  ctx: Context,
  form: PublicForm,
  email: string,
  text: string,
  answer: string,
): Promise<(Asked & { outcome: 'step' }) | undefined> {
  const ticket = readTicket(ctx.vault, form.id, text)
  if (!ticket) return { outcome: 'step', ticket: undefined }
  const age = ageOf(ticket, ctx.clock.now())
  if (age === 'early' && !isSolved(text, email, answer)) return { outcome: 'step', ticket: text }
  if (age === 'stale') return { outcome: 'step', ticket: undefined }
  const limits = { limit: usesOfTicket, windowMs: mostAgeMs + hour }
  const isUsedUp = (await spendTurn(ctx, 'client', `form ticket ${ticket.nonce}`, limits)) !== undefined
  return isUsedUp ? { outcome: 'step', ticket: undefined } : undefined
}

const verifierOf = perContext(makeVerifier)

/**
 * What `POST /v1/verify` says; a name server that is silent stands in nobody's way. In the outbox no mail needs a domain, and whoever tries
 * things out there may have no names, or such as the DNS does not know.
 */
async function takesMail(ctx: Context, email: string): Promise<boolean> {
  const { valid, isDisposable } = await verifierOf(ctx).verify(email)
  return (valid || ctx.config.mailTransport === 'outbox') && !isDisposable
}

async function take(
  ctx: Context,
  { id: formId, projectId, topicIds }: PublicForm,
  email: string,
  values: FormValues,
  { language, wording }: Posted,
): Promise<void> {
  const now = ctx.clock.now()
  const expiresAt = after(now, confirmWithinMs)
  await inTransaction(ctx, async tx => {
    const request = { id: newId(tx), projectId, formId, email, values, topicIds, language, wording }
    const id = await takeRequest(tx, { ...request, askedAt: now, expiresAt }, after(now, -mailEveryMs))
    const requestId = id ?? request.id
    await enqueue(tx, formKinds.mail, { requestId }, { projectId, uniqueKey: `form.mail ${requestId}` })
  })
}

/** Undefined for one that is not there, is off, or belongs to a project that may not send: all of that looks alike from outside. */
export async function openForm(ctx: Context, id: string): Promise<PublicForm | undefined> {
  const form = await anyForm(ctx, id)
  return form?.enabled && !form.projectDisabled ? form : undefined
}

/** The same where it makes no difference whether it is on: who was asked may answer. */
export async function anyForm(ctx: Context, id: string): Promise<PublicForm | undefined> {
  return isUuid(id) ? await selectPublicForm(ctx, id) : undefined
}
