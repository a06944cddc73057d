// Accepts prepared sends, several at once: contacts, messages, attachments, jobs and idempotency keys in one transaction. When it
// has committed, every one of them is durable; when it has not, none of them happened.
import type { Settled } from '../../../../lib/batcher'
import type { TemplateCache } from '../../../../liquid/cache'
import type { Mailbox } from '../../../../mail/mime/mail'
import { emailIdOf } from '../../../../mail/mime/message-id'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import type { UpsertedContact } from '../../../audience/contacts'
import {
  type Excess,
  findExcesses,
  findSuppressed,
  findTakenMessageIds,
  insertAttachments,
  insertSubmitted,
  isOwnSimulator,
  limitReached,
} from '../../../sending/emails'
import type { AcceptedSend } from '../model/bodies'
import { boundLockWaits, releaseKeys } from '../queries'
import { claimFor, type OptionalClaim, refusal } from './claims'
import { upsertInOrder } from './contacts'
import { type DraftedSend, type Render, renderNow, writeMessages } from './messages'
import type { PreparedSend } from './prepare'

export interface Acceptance {
  /** Others wait for the end of the transaction. */
  isShared: boolean
  render?: Render
}

/** One answer per send, in order. Sends whose key is taken are refused and leave no trace. */
export async function acceptSends(
  ctx: Context,
  cache: TemplateCache,
  drafts: DraftedSend[],
  { isShared, render = renderNow }: Acceptance,
): Promise<Settled<AcceptedSend>[]> {
  return await inTransaction(ctx, async tx => {
    if (isShared) boundLockWaits(tx)
    const timestamp = tx.clock.now().toISOString()
    const free = await claimFor(tx, drafts, claimOf)
    const excesses = await refuseExcess(tx, free)
    const accepted = drafts.filter(entry => free.has(entry) && !excesses.has(entry))
    // Sent together, answered together: one round trip.
    const [suppressed, taken, contacts] = await Promise.all([
      suppressedAddresses(tx, accepted),
      takenMessageIds(tx, accepted),
      upsertRecipients(tx, accepted),
    ])
    await storeAttachments(tx, accepted)
    await writeMessages(tx, cache, { drafts: accepted, contacts, suppressed, taken }, render)
    return await Promise.all(
      drafts.map(async entry => {
        if (!free.has(entry)) return { error: await refusal(tx, claimOf(entry)) }
        const excess = excesses.get(entry)
        if (excess) return { error: limitReached(excess) }
        return { value: { emails: resultOf(entry, contacts.get(entry)!), timestamp } }
      }),
    )
  })
}

/** The ids stay the same however often the transaction is begun. */
export function draft(ctx: Context, send: PreparedSend): DraftedSend {
  const submittedSet = send.source ? (send.source.storedAs ?? newId(ctx)) : null
  const attachmentSet = send.attachments.length > 0 ? newId(ctx) : null
  return {
    send,
    emailIds: send.to.map(() => newId(ctx)),
    contactIds: send.to.map(() => newId(ctx)),
    submittedSet,
    attachmentSet: send.source?.hasFiles ? submittedSet : attachmentSet,
  }
}

function claimOf({ send, emailIds }: DraftedSend): OptionalClaim {
  const { projectId, key, said } = send
  return { projectId, byPublicKey: false, key, said, path: '/v1/send', result: { emails: emailIds } }
}

/** Those that billing does not allow; the keys that they claimed are free again. */
async function refuseExcess(
  tx: Context,
  drafts: ReadonlySet<DraftedSend>,
): Promise<Map<DraftedSend, Excess>> {
  const asked = [...drafts]
  const excesses = await findExcesses(
    tx,
    asked.map(({ send: { projectId, to, copies } }) => ({
      projectId,
      sourceType: 'TRANSACTIONAL',
      count: [...to, ...copies].filter(({ email }) => !isOwnSimulator(email)).length,
    })),
  )
  const refused = new Map(
    asked.flatMap((entry, index): Array<[DraftedSend, Excess]> => {
      const excess = excesses[index]
      return excess ? [[entry, excess]] : []
    }),
  )
  const claims = [...refused.keys()].flatMap(({ send: { projectId, key } }) =>
    key === undefined ? [] : { projectId, byPublicKey: false, key },
  )
  if (claims.length > 0) await releaseKeys(tx, claims)
  return refused
}

/** The contacts of each draft, in the order of its recipients. */
async function upsertRecipients(
  tx: Context,
  drafts: DraftedSend[],
): Promise<Map<DraftedSend, UpsertedContact[]>> {
  const entries = drafts.flatMap(({ send, contactIds }) =>
    send.to.map((recipient, index) => ({
      newId: contactIds[index]!,
      projectId: send.projectId,
      email: recipient.email,
      patch: withName(send, recipient),
      subscribed: send.subscribed,
      defaultSubscribed: false,
      origin: send.consent,
    })),
  )
  const contacts = (await upsertInOrder(tx, entries)).values()
  return new Map(drafts.map(draft => [draft, [...contacts.take(draft.send.to.length)]]))
}

/** A recipient's own name is kept on the contact and beats a `name` in the request's data. */
function withName({ patch }: PreparedSend, { name }: Mailbox): PreparedSend['patch'] {
  if (!name) return patch
  return { ...patch, set: { ...patch.set, name }, remove: patch.remove.filter(key => key !== 'name') }
}

async function storeAttachments(tx: Context, drafts: DraftedSend[]): Promise<void> {
  for (const { send, attachmentSet, submittedSet } of drafts) {
    const setId = submittedSet ?? attachmentSet
    if (setId === null) continue
    if (send.source?.storedAs) continue
    if (send.source) await insertSubmitted(tx, send.projectId, setId, send.source.raw)
    else {
      const rows = send.attachments.map((item, position) => ({ ...item, setId, position }))
      await insertAttachments(tx, send.projectId, rows)
    }
  }
}

async function takenMessageIds(tx: Context, drafts: DraftedSend[]): Promise<Set<string>> {
  const asked = drafts.flatMap(({ send: { projectId, source } }) =>
    source?.messageId
      ? [{ projectId, messageId: source.messageId, emailId: emailIdOf(source.messageId) }]
      : [],
  )
  if (asked.length === 0) return new Set()
  const taken = await findTakenMessageIds(tx, asked)
  return new Set(taken.map(({ projectId, messageId }) => `${projectId} ${messageId}`))
}

async function suppressedAddresses(tx: Context, drafts: DraftedSend[]): Promise<Map<string, string>> {
  const asked = drafts.flatMap(({ send }) =>
    send.to.map(({ email }) => ({ projectId: send.projectId, email })),
  )
  const found = await findSuppressed(tx, asked)
  return new Map(found.map(({ projectId, email, reason }) => [`${projectId} ${email}`, reason]))
}

function resultOf({ emailIds }: DraftedSend, contacts: UpsertedContact[]): AcceptedSend['emails'] {
  return contacts.map(({ contact }, index) => ({
    contact: { id: contact.id, email: contact.email },
    email: emailIds[index]!,
  }))
}
