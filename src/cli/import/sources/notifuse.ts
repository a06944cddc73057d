// `waxwing import notifuse https://… --workspace ID`: contacts of a workspace of Notifuse with the state of each of their lists.
import { type Answered, answeredList, answeredText, byCursor, listOf, objectOf, timeOf } from '../answered'
import type { Api } from '../api'
import type { ImportSource, PeerRecord } from '../record'
import { notifuseContent } from './notifuse-content'

/** As many as it hands out at once. */
const rowsAtATime = 100

export function notifuseSource(api: Api, workspace: string, { content = false } = {}): ImportSource {
  return {
    read: () => contacts(api, workspace),
    addressesAreUnique: true,
    ...(content ? { content: () => notifuseContent(api, workspace, notifuseField) } : {}),
  }
}

async function* contacts(api: Api, workspace: string): AsyncGenerator<PeerRecord> {
  const query = { workspace_id: workspace, with_contact_lists: 'true', limit: rowsAtATime }
  const rows = byCursor(async cursor => {
    const answer = objectOf(
      await api.get('/api/contacts.list', cursor === undefined ? query : { ...query, cursor }),
    )
    return {
      rows: answeredList(answer['contacts'] ?? [], 'contacts'),
      next: answeredText(answer['next_cursor']),
    }
  })
  for await (const row of rows) yield toRecord(row)
}

interface Membership {
  name: string
  status: string
}

function toRecord(row: Answered): PeerRecord {
  const email = answeredText(row['email'])
  const lists = listOf(row['contact_lists'])
    .filter(list => list['deleted_at'] === undefined || list['deleted_at'] === null)
    .map(list => ({
      name: answeredText(list['list_name']) || answeredText(list['list_id']),
      status: answeredText(list['status']),
    }))
  const subscribed = lists.some(isActive)
  return {
    ...{ place: `contact ${email}`, email, texts: {}, values: valuesOf(row), subscribed },
    ...(!subscribed && lists.some(saidNo) ? { optedOutAt: 'unknown' } : {}),
    ...suppressionOf(lists),
    lists: lists.filter(isActive).map(list => list.name),
    topics: lists
      .filter(list => isActive(list) || saidNo(list))
      .map(list => ({ name: list.name, subscribed: isActive(list) })),
  }
}

const isActive = ({ status }: Membership): boolean => status === 'active'

/** Who is `pending` has not confirmed yet, and said nothing. */
const saidNo = ({ status }: Membership): boolean => ['unsubscribed', 'bounced', 'complained'].includes(status)

/** Notifuse keeps bounces for each list; an address that does not exist, or a person who complained, is the same for all of them. */
function suppressionOf(lists: readonly Membership[]): Pick<PeerRecord, 'suppressed'> {
  const has = (status: string): boolean => lists.some(list => list.status === status)
  if (has('complained')) return { suppressed: { reason: 'complaint', source: 'notifuse: complained' } }
  return has('bounced') ? { suppressed: { reason: 'bounce', source: 'notifuse: bounced' } } : {}
}

/** What is about Notifuse itself, or taken over elsewhere. */
const leftOut = /^(email|contact_lists|contact_segments|created_at|updated_at|db_created_at|db_updated_at)$/

const ownNames: Readonly<Record<string, string>> = { language: 'locale' }

/** The field that a column of Notifuse becomes: `first_name` is `firstName`. */
function notifuseField(column: string): string {
  return ownNames[column] ?? column.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

function valuesOf(row: Answered): Record<string, unknown> {
  const created = timeOf(row['created_at'])
  const fields = Object.entries(row).filter(([column]) => !leftOut.test(column))
  return {
    ...Object.fromEntries(fields.map(([column, value]) => [notifuseField(column), value])),
    ...(created ? { signedUpAt: created } : {}),
  }
}
