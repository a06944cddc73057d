// Renders the messages of accepted sends and writes them, within bounds: what one statement carries, and how long this process may
// be busy with rendering.

import { invalid } from '../../../../lib/errors'
import { second, sleep } from '../../../../lib/time'
import type { TemplateCache } from '../../../../liquid/cache'
import { messageIdOf } from '../../../../mail/mime/message-id'
import type { Context } from '../../../../platform/context'
import { becauseSuppressed, noReason, type Reasoned } from '../../../../platform/transports/reason'
import type { UpsertedContact } from '../../../audience/contacts'
import {
  type Content,
  createEmails,
  listLinks,
  type NewEmail,
  renderStored,
  waitingCopies,
} from '../../../sending/emails'
import { buildScope } from '../../../sending/templates'
import type { PreparedSend } from './prepare'

/** A send with the ids that its messages will have. */
export interface DraftedSend {
  send: PreparedSend
  emailIds: string[]
  /** The ids that its recipients get if they are not contacts yet. */
  contactIds: string[]
  attachmentSet: string | null
  /** Where the bytes of a finished message are. */
  submittedSet: string | null
}

export interface Recipients {
  drafts: DraftedSend[]
  /** The contacts of each draft, in the order of its recipients. */
  contacts: Map<DraftedSend, UpsertedContact[]>
  /** Reasons by `projectId address`. */
  suppressed: Map<string, string>
  /** Message-IDs of programs that the project has used before, by `projectId id`. */
  taken: ReadonlySet<string>
}

/** Renders a message; `scope` names what it is rendered for. Undefined: not yet. */
export type Render = <T>(work: () => T, scope: () => string) => T | undefined

/** What would take long is thrown out, with the whole transaction: others share it. */
export const renderNow: Render = work => work()

/** Some messages could not be rendered yet; the transaction has to be begun again when they can. */
export class Unfinished extends Error {}

/** Characters of rendered mail that one statement carries: it is one text in memory, here and in the database. */
const statementLength = 4_000_000
/** Rendering is synchronous, and its transaction holds locks: a send that takes more of it is refused as a whole. */
const renderBudgetMs = 10 * second
/** After this much of it in one go, other requests have their turn. */
const breathMs = 50

export async function writeMessages(
  tx: Context,
  cache: TemplateCache,
  recipients: Recipients,
  render: Render,
): Promise<void> {
  const budget = renderBudget(tx)
  let batch: NewEmail[] = []
  let length = 0
  let isUnfinished = false
  for (const { scope, compose } of composers(tx, cache, recipients)) {
    budget.start()
    const row = render(compose, scope)
    await budget.spend()
    isUnfinished ||= !row
    if (!row || isUnfinished) continue
    batch.push(row)
    length += row.html.length + row.text.length
    if (length >= statementLength) {
      await createEmails(tx, batch)
      batch = []
      length = 0
    }
  }
  if (isUnfinished) throw new Unfinished()
  await createEmails(tx, batch)
}

/** Throws 422 once rendering has taken more than its share of a request. */
export function renderBudget({ clock }: Context) {
  let startedAt = clock.now().getTime()
  let spent = 0
  let unbroken = 0
  return {
    start: () => {
      startedAt = clock.now().getTime()
    },
    /** Counts the time since `start`; throws 422 when there is none left. */
    async spend(): Promise<void> {
      const ms = clock.now().getTime() - startedAt
      spent += ms
      unbroken += ms
      if (spent > renderBudgetMs) throw tooSlow()
      if (unbroken < breathMs) return
      unbroken = 0
      await sleep(0)
    },
  }
}

function tooSlow() {
  const message = 'takes too long to render for so many recipients; send it in several requests'
  return invalid([{ field: 'body', message, code: 'too_big' }])
}

interface Composer {
  scope: () => string
  compose: () => NewEmail
}

/** One message per recipient. */
function* composers(
  tx: Context,
  cache: TemplateCache,
  { drafts, contacts, suppressed, taken }: Recipients,
): Iterable<Composer> {
  for (const entry of drafts)
    for (const [index, { contact }] of contacts.get(entry)!.entries()) {
      const reason = suppressed.get(`${entry.send.projectId} ${contact.email}`)
      const outcome = reason
        ? { status: 'FAILED' as const, ...becauseSuppressed(reason) }
        : { status: 'PENDING' as const, ...noReason }
      const compose = (): NewEmail => ({
        ...composeOne(tx, cache, entry, contact, index),
        ...named(entry, index, taken),
        ...outcome,
      })
      // Of what is rendered, only the contact may differ when the transaction is begun again.
      const scope = (): string =>
        JSON.stringify([entry.emailIds[index], contact.id, contact.subscribed, contact.data])
      yield { scope, compose }
    }
}

function finished({ subject, body, text = '' }: PreparedSend): Content {
  return { subject, html: body, text }
}

function composeOne(
  tx: Context,
  cache: TemplateCache,
  { send, emailIds, attachmentSet, submittedSet }: DraftedSend,
  contact: UpsertedContact['contact'],
  index: number,
): Omit<NewEmail, 'status' | keyof Reasoned | 'messageId'> {
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
    ...(send.source
      ? finished(send)
      : renderStored(cache, send, scope, { vault: tx.vault, baseUrl: tx.config.baseUrl })),
    headers: send.headers,
    attachmentSet,
    ...(submittedSet ? { submittedSet } : {}),
    ...(send.copies.length > 0 ? { copies: waitingCopies(send.copies) } : {}),
    ...(send.tags ? { tags: send.tags } : {}),
    ...(send.metadata ? { metadata: send.metadata } : {}),
    ...(send.scheduledFor ? { scheduledFor: send.scheduledFor, followsContact: true } : {}),
    tracking: send.tracking,
  }
}

/** A finished message is the same for all recipients, its Message-ID included: the program's, which is one message alone. */
function named({ send, emailIds }: DraftedSend, index: number, taken: ReadonlySet<string>) {
  const own = send.source?.messageId
  if (own !== undefined && !taken.has(`${send.projectId} ${own}`)) return { messageId: own }
  return { messageId: messageIdOf(emailIds[send.source ? 0 : index]!, send.from.email) }
}
