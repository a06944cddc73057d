// A copy of what is kept about somebody. The file is written while it is read, a page of events or messages at a time, so that a hundred thousand
// of them need the memory of two hundred; the page shows the newest of each kind. The content of messages is left out: it was sent to the person.
import { encodeCursor } from '../../../../lib/cursor'
import type { Context } from '../../../../platform/context'
import { getContact, listConsent, toConsent, toContact } from '../../../audience/contacts'
import { listEvents } from '../../../audience/events'
import { selectTopicsOf } from '../../../audience/topics'
import { type EmailSummaryRow, pageOfEmails } from '../../../sending/emails'
import type { Person, ReadableCopy, ReadablePart } from '../page'

const pageSize = 200

/** A part of the copy page after page, newest first. */
type Pages = AsyncGenerator<object[]>

type Position = { createdAt: Date; id: string } | undefined

async function* consentPages(ctx: Context, { projectId, id }: Person): Pages {
  for (let cursor: string | undefined; ; ) {
    const { rows } = await listConsent(ctx, projectId, id, { limit: pageSize, ...(cursor ? { cursor } : {}) })
    const page = rows.slice(0, pageSize)
    // Who of the team it was is not about the person.
    yield page.map(row => ({ ...toConsent(row), actor: undefined, actorEmail: undefined }))
    const last = page.at(-1)
    if (rows.length <= pageSize || !last) return
    cursor = encodeCursor({ value: last.version, id: last.contactId })
  }
}

async function* eventPages(ctx: Context, { projectId, id: contactId }: Person): Pages {
  for (let after: Position; ; ) {
    const listing = { of: { contactId }, after: after ?? null, limit: pageSize }
    const { rows } = await listEvents(ctx, projectId, listing)
    const page = rows.slice(0, pageSize)
    yield page.map(({ name, data, createdAt }) => ({ at: createdAt.toISOString(), name, data }))
    after = page.at(-1)
    if (rows.length <= pageSize || !after) return
  }
}

async function* messagePages(ctx: Context, { projectId, id: contactId }: Person): Pages {
  for (let after: Position; ; ) {
    const page = await pageOfEmails(ctx, projectId, { contactId }, after, pageSize)
    yield page.map(toMessage)
    after = page.at(-1)
    if (page.length < pageSize || !after) return
  }
}

function toMessage(row: EmailSummaryRow): object {
  const { id, fromEmail: from, toEmail: to, subject, status, opens, clicks } = row
  const [sentAt, openedAt, clickedAt] = [row.sentAt, row.openedAt, row.clickedAt].map(iso)
  return {
    at: row.createdAt.toISOString(),
    id,
    from,
    to,
    subject,
    status,
    sentAt,
    openedAt,
    opens,
    clickedAt,
    clicks,
  }
}

const iso = (moment: Date | null): string | null => moment?.toISOString() ?? null

const parts = { consent: consentPages, events: eventPages, messages: messagePages }
type PartName = keyof typeof parts
const partNames = Object.keys(parts) as PartName[]

/** What there is one of. */
async function personOf(ctx: Context, { projectId, id, projectName }: Person) {
  const topics = await selectTopicsOf(ctx, projectId, id)
  return {
    project: { name: projectName },
    madeAt: ctx.clock.now().toISOString(),
    contact: toContact(await getContact(ctx, projectId, id)),
    // A topic that is not offered is named to those only who are on it or left it.
    topics: topics
      .filter(topic => topic.offered || topic.subscribed || topic.decidedAt)
      .map(({ name, subscribed, decidedAt }) => ({
        name,
        subscribed,
        decidedAt: iso(decidedAt),
      })),
  }
}

/** The whole of it as one JSON object. */
export async function* copyAsJson(ctx: Context, person: Person): AsyncGenerator<string> {
  yield JSON.stringify(await personOf(ctx, person)).slice(0, -1)
  for (const name of partNames) {
    yield `,"${name}":[`
    let separator = ''
    for await (const page of parts[name](ctx, person)) {
      if (page.length === 0) break
      yield separator + page.map(item => JSON.stringify(item)).join(',')
      separator = ','
    }
    yield ']'
  }
  yield '}'
}

/** The newest of each kind. */
export async function copyToRead(ctx: Context, person: Person): Promise<ReadableCopy> {
  const newest = async (name: PartName): Promise<ReadablePart> => {
    const pages = parts[name](ctx, person)
    const { value: items = [] } = await pages.next()
    const { value: remaining = [] } = await pages.next()
    return { items, hasMore: remaining.length > 0 }
  }
  return {
    person: await personOf(ctx, person),
    consent: await newest('consent'),
    events: await newest('events'),
    messages: await newest('messages'),
  }
}
