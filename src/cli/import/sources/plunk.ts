// `waxwing import plunk https://…`: contacts of Plunk, or of anything else with its API, Waxwing included.

import { type Answered, answeredList, answeredText, byCursor, listOf, objectOf, timeOf } from '../answered'
import type { Api } from '../api'
import type { ImportSource, PeerRecord } from '../record'
import { plunkContent } from './plunk-content'

/** As many as it hands out at once. */
const rowsAtATime = 100
const mostOptOuts = 10_000

export function plunkSource(api: Api, { content = false } = {}): ImportSource {
  return {
    read: () => contacts(api),
    addressesAreUnique: true,
    ...(content ? { content: () => plunkContent(api) } : {}),
  }
}

async function* contacts(api: Api): AsyncGenerator<PeerRecord> {
  const optOuts = await readOptOuts(api)
  const rows = byCursor(async cursor => {
    const answer = objectOf(
      await api.get('/contacts', { limit: rowsAtATime, ...(cursor === undefined ? {} : { cursor }) }),
    )
    const next = answer['hasMore'] === true ? answeredText(answer['cursor']) : ''
    return { rows: answeredList(answer['data'], 'contacts'), next }
  })
  for await (const row of rows) yield toRecord(row, optOuts)
}

interface OptOuts {
  /** When, by contact. */
  at: ReadonlyMap<string, Date>
  isComplete: boolean
}

/**
 * In Plunk, a contact is "not subscribed" whether it opted out or was never asked; its events tell the two apart. They are not paged:
 * where there are more than one answer holds, every "not subscribed" counts as an opt-out.
 */
async function readOptOuts(api: Api): Promise<OptOuts> {
  const query = { eventName: 'contact.unsubscribed', limit: mostOptOuts }
  const events = listOf(objectOf(await api.get('/events', query))['events'])
  const at = new Map<string, Date>()
  for (const { contactId, createdAt } of events) {
    const [id, time] = [answeredText(contactId), timeOf(createdAt)]
    if (id !== '' && time && !at.has(id)) at.set(id, new Date(time))
  }
  return { at, isComplete: events.length < mostOptOuts }
}

function toRecord(row: Answered, optOuts: OptOuts): PeerRecord {
  const created = timeOf(row['createdAt'])
  return {
    ...{
      place: `contact ${answeredText(row['id'])}`,
      email: answeredText(row['email']),
      texts: {},
      lists: [],
    },
    values: { ...(created ? { signedUpAt: created } : {}), ...objectOf(row['data']) },
    subscribed: row['subscribed'] === true,
    ...optOutOf(row, optOuts),
  }
}

/** Waxwing says it itself. */
function optOutOf(row: Answered, { at, isComplete }: OptOuts): Pick<PeerRecord, 'optedOutAt'> {
  if (row['subscribed'] === true) return {}
  if ('optedOutAt' in row) {
    const time = timeOf(row['optedOutAt'])
    return time ? { optedOutAt: new Date(time) } : {}
  }
  const known = at.get(answeredText(row['id'])) ?? (isComplete ? undefined : 'unknown')
  return known ? { optedOutAt: known } : {}
}
