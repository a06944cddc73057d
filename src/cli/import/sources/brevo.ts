// `waxwing import brevo https://api.brevo.com/v3|FILE`: contacts of Brevo with their lists, and the addresses that its transactional mail
// blocks; or the CSV that it exports, where one column has to say who is subscribed.
import { type Answered, answeredList, answeredText, byPage, objectOf, timeOf } from '../answered'
import type { Api } from '../api'
import { uniqueNames } from '../lists'
import type { ImportSource, PeerRecord } from '../record'
import { type CsvChoices, csvSource } from './csv'

const contactsAtATime = 1_000
const blockedAtATime = 100
const listsAtATime = 50

export function brevoSource(api: Api): ImportSource {
  return {
    // Brevo shows lists to nobody.
    outlook: async () => ({
      notes: [],
      lists: [...(await readLists(api)).values()].map(name => ({ name, isOffered: false })),
    }),
    read: () => records(api),
  }
}

async function readLists(api: Api): Promise<ReadonlyMap<unknown, string>> {
  const lists: Array<{ id: unknown; name: string }> = []
  for await (const { id, name } of rowsOf(api, '/contacts/lists', 'lists', listsAtATime))
    lists.push({ id, name: answeredText(name) })
  return uniqueNames(lists.sort((a, b) => Number(a.id) - Number(b.id)))
}

async function* records(api: Api): AsyncGenerator<PeerRecord> {
  const lists = await readLists(api)
  for await (const row of rowsOf(api, '/contacts', 'contacts', contactsAtATime)) yield toRecord(row, lists)
  for await (const row of rowsOf(api, '/smtp/blockedContacts', 'contacts', blockedAtATime)) yield blocked(row)
}

/** In order of creation, so that a contact added meanwhile shifts no page. */
function rowsOf(api: Api, path: string, member: string, limit: number): AsyncGenerator<Answered> {
  return byPage(limit, async page => {
    const answer = objectOf(await api.get(path, { limit, offset: (page - 1) * limit, sort: 'asc' }))
    // Where there is nothing, it leaves the list out.
    return answeredList(answer['count'] === 0 ? [] : answer[member], member)
  })
}

function toRecord(row: Answered, names: ReadonlyMap<unknown, string>): PeerRecord {
  const subscribed = row['emailBlacklisted'] === false
  const namesOf = (ids: unknown): string[] =>
    (Array.isArray(ids) ? ids : []).flatMap((id: unknown) => names.get(id) ?? [])
  const [on, left] = [namesOf(row['listIds']), namesOf(row['listUnsubscribed'])]
  return {
    ...{
      place: `contact ${String(row['id'])}`,
      email: answeredText(row['email']),
      texts: {},
      values: valuesOf(row),
    },
    ...(subscribed ? { subscribed } : { subscribed, optedOutAt: 'unknown' }),
    lists: on,
    topics: [
      ...on.filter(name => !left.includes(name)).map(name => ({ name, subscribed: true })),
      ...left.map(name => ({ name, subscribed: false })),
    ],
  }
}

function valuesOf(row: Answered): Record<string, unknown> {
  const created = timeOf(row['createdAt'])
  const attributes = Object.entries(objectOf(row['attributes']))
  return {
    ...(created ? { signedUpAt: created } : {}),
    ...Object.fromEntries(attributes.map(([name, value]) => [brevoField(name), value])),
  }
}

/** Brevo's attributes are written in capitals; the two that every account has are what they are elsewhere. */
export function brevoField(attribute: string): string {
  const own: Record<string, string> = { FIRSTNAME: 'firstName', LASTNAME: 'lastName' }
  return own[attribute] ?? attribute
}

function blocked(row: Answered): PeerRecord {
  const time = timeOf(row['blockedAt'])
  const { code, message } = objectOf(row['reason'])
  return {
    ...{
      place: `blocked ${answeredText(row['email'])}`,
      email: answeredText(row['email']),
      texts: {},
      values: {},
      lists: [],
    },
    ...{ subscribed: false, optedOutAt: time ? new Date(time) : 'unknown' },
    ...suppressionOf(answeredText(code), answeredText(message)),
  }
}

/** Who unsubscribed gets no marketing mail; the others get nothing at all. */
function suppressionOf(code: string, message: string): Pick<PeerRecord, 'suppressed'> {
  if (/^unsubscribed/.test(code)) return {}
  const source = `brevo: ${(message || code || 'blocked').slice(0, 100)}`
  if (code === 'hardBounce') return { suppressed: { reason: 'bounce', source } }
  if (code === 'contactFlaggedAsSpam') return { suppressed: { reason: 'complaint', source } }
  return { suppressed: { reason: 'manual', source } }
}

/** Columns about Brevo itself. */
const leftOut = /^(contact.?id|modified_time|last_changed|modified_at|list_?ids?|.*sms_marketing)$/i
const statusColumn = /^(subscribed|email[ _]marketing)$/i

export function brevoFile(path: string, map: CsvChoices['map']): ImportSource {
  return csvSource(path, { map, known: { nameOf, finish, needs: ['subscribed'] } })
}

function nameOf(heading: string): string {
  if (statusColumn.test(heading)) return 'subscribed'
  if (leftOut.test(heading)) return ''
  if (/^added_time$/i.test(heading)) return 'signedUpAt'
  return /^e-?mail$/i.test(heading) ? 'email' : brevoField(heading)
}

/** Everybody is subscribed there until they are blocklisted. */
function finish(record: PeerRecord): PeerRecord {
  return record.subscribed === false ? { optedOutAt: 'unknown', ...record } : record
}
