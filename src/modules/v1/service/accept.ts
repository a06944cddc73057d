// Accepts prepared sends, several at once: contacts, messages, attachments, jobs and idempotency keys in one transaction. When it
// has committed, every one of them is durable; when it has not, none of them happened.
import { asciiAddress, domainOf } from '../../../lib/address'
import type { Settled } from '../../../lib/collect'
import { type Context, inTransaction, newId } from '../../../platform/context'
import { type UpsertedContact, upsertProjectContacts } from '../../contacts/service'
import { renderContent } from '../../emails/compose'
import { listLinks } from '../../emails/links'
import { findSuppressed, insertAttachments, type NewEmail } from '../../emails/queries'
import { createEmails } from '../../emails/service'
import type { TemplateCache } from '../../templates/cache'
import { buildScope } from '../../templates/variables'
import type { SendResult } from '../model'
import type { Mailbox } from '../request'
import { claimFor, type OptionalClaim, refusal } from './claims'
import type { PreparedSend } from './prepare'

/** A send with the ids that its messages will have. */
interface Draft {
  send: PreparedSend
  emailIds: string[]
  attachmentSet: string | null
}

/** One answer a send, in order. Sends whose key is taken are refused and leave no trace. */
export async function acceptSends(
  ctx: Context,
  cache: TemplateCache,
  sends: PreparedSend[],
): Promise<Settled<SendResult>[]> {
  return await inTransaction(ctx, async tx => {
    const timestamp = tx.clock.now().toISOString()
    const drafts = sends.map(send => draft(tx, send))
    const free = await claimFor(tx, drafts, claimOf)
    const accepted = drafts.filter(entry => free.has(entry))
    // Sent together, answered together: one round trip. Nothing that writes may join them: contacts are written behind a
    // savepoint, and a round of theirs that has to be repeated would undo it.
    const [suppressed, contacts] = await Promise.all([
      suppressedAddresses(tx, accepted),
      upsertRecipients(tx, accepted),
    ])
    await storeAttachments(tx, accepted)
    await writeEmails(tx, compose(tx, cache, accepted, contacts, suppressed))
    return await Promise.all(
      drafts.map(async entry => {
        if (!free.has(entry)) return { error: await refusal(tx, entry.send) }
        return { value: { emails: resultOf(entry, contacts.get(entry)!), timestamp } }
      }),
    )
  })
}

function draft(ctx: Context, send: PreparedSend): Draft {
  return {
    send,
    emailIds: send.to.map(() => newId(ctx)),
    attachmentSet: send.attachments.length > 0 ? newId(ctx) : null,
  }
}

function claimOf({ send, emailIds }: Draft): OptionalClaim {
  return { projectId: send.projectId, key: send.key, path: '/v1/send', result: { emails: emailIds } }
}

/** The contacts of each draft, in the order of its recipients. */
async function upsertRecipients(tx: Context, drafts: Draft[]): Promise<Map<Draft, UpsertedContact[]>> {
  const entries = drafts.flatMap(({ send }) =>
    send.to.map(recipient => ({
      projectId: send.projectId,
      email: recipient.email,
      patch: withName(send, recipient),
      subscribed: send.subscribed,
      defaultSubscribed: false,
    })),
  )
  const contacts = await upsertProjectContacts(tx, entries)
  const results = new Map<Draft, UpsertedContact[]>()
  let start = 0
  for (const entry of drafts) {
    const end = start + entry.send.to.length
    results.set(entry, contacts.slice(start, end))
    start = end
  }
  return results
}

/** A recipient's own name is kept on the contact and beats a `name` in the request's data. */
function withName({ patch }: PreparedSend, { name }: Mailbox): PreparedSend['patch'] {
  if (!name) return patch
  return { ...patch, set: { ...patch.set, name }, remove: patch.remove.filter(key => key !== 'name') }
}

async function storeAttachments(tx: Context, drafts: Draft[]): Promise<void> {
  for (const { send, attachmentSet } of drafts) {
    if (attachmentSet === null) continue
    const rows = send.attachments.map((item, position) => ({ ...item, setId: attachmentSet, position }))
    await insertAttachments(tx, send.projectId, rows)
  }
}

/** Characters of rendered mail that one statement carries: it is one text in memory, here and in the database. */
const statementLength = 4_000_000

async function writeEmails(tx: Context, rows: Iterable<NewEmail>): Promise<void> {
  let batch: NewEmail[] = []
  let length = 0
  for (const row of rows) {
    batch.push(row)
    length += row.html.length + row.text.length
    if (length < statementLength) continue
    await createEmails(tx, batch)
    batch = []
    length = 0
  }
  await createEmails(tx, batch)
}

/** One message a recipient, rendered when it is asked for. */
function* compose(
  tx: Context,
  cache: TemplateCache,
  drafts: Draft[],
  contacts: Map<Draft, UpsertedContact[]>,
  suppressed: Map<string, string>,
): Iterable<NewEmail> {
  for (const entry of drafts)
    for (const [index, { contact }] of contacts.get(entry)!.entries()) {
      const reason = suppressed.get(`${entry.send.projectId} ${contact.email}`)
      const outcome = reason
        ? { status: 'FAILED' as const, error: `address is suppressed (${reason})` }
        : { status: 'PENDING' as const, error: null }
      yield { ...composeOne(tx, cache, entry, contact, index), ...outcome }
    }
}

async function suppressedAddresses(tx: Context, drafts: Draft[]): Promise<Map<string, string>> {
  const asked = drafts.flatMap(({ send }) =>
    send.to.map(({ email }) => ({ projectId: send.projectId, email })),
  )
  const found = await findSuppressed(tx, asked)
  return new Map(found.map(({ projectId, email, reason }) => [`${projectId} ${email}`, reason]))
}

function composeOne(
  tx: Context,
  cache: TemplateCache,
  { send, emailIds, attachmentSet }: Draft,
  contact: UpsertedContact['contact'],
  index: number,
): Omit<NewEmail, 'status' | 'error'> {
  const id = emailIds[index]!
  const name = send.to[index]!.name
  const links = listLinks(
    tx.vault,
    tx.config.baseUrl,
    { projectId: send.projectId, contactId: contact.id },
    id,
  )
  const scope = buildScope({ contact, links, data: send.data, ...(name ? { recipientName: name } : {}) })
  return {
    id,
    projectId: send.projectId,
    contactId: contact.id,
    sourceType: 'TRANSACTIONAL',
    mailClass: send.mailClass,
    templateId: send.templateId,
    toEmail: contact.email,
    toName: name,
    fromEmail: send.from.email,
    fromName: send.from.name,
    replyTo: send.replyTo,
    ...renderContent(cache, send, scope),
    headers: send.headers,
    attachmentSet,
    messageId: `${id}@${domainOf(asciiAddress(send.from.email))}`,
  }
}

function resultOf({ emailIds }: Draft, contacts: UpsertedContact[]): SendResult['emails'] {
  return contacts.map(({ contact }, index) => ({
    contact: { id: contact.id, email: contact.email },
    email: emailIds[index]!,
  }))
}
