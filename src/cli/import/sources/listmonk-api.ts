// `waxwing import listmonk https://…`: subscribers with the state of each of their subscriptions, by listmonk's API, where its database can't
// be reached. Templates, campaigns and tracked links are in the database alone.
import { type Answered, answeredList, answeredText, byPage, objectOf, timeOf } from '../answered'
import type { Api } from '../api'
import { type SourceList, uniqueNames } from '../lists'
import type { ImportSource, SourceRecord } from '../record'
import { readList, readSubscription, type Subscription } from './listmonk'
import { type ListmonkSubscriber, subscriberRecord } from './listmonk-record'

const rowsAtATime = 500

export function listmonkApi(api: Api, { topics = false } = {}): ImportSource {
  return {
    outlook: async () => ({ notes: [], lists: [...(await readLists(api)).values()] }),
    read: () => subscribers(api, topics),
    addressesAreUnique: true,
  }
}

function rowsOf(api: Api, path: string, of: string): AsyncGenerator<Answered> {
  return byPage(rowsAtATime, async page => {
    const query = { page, per_page: rowsAtATime, order: 'asc' }
    const { results } = objectOf(objectOf(await api.get(path, query))['data'])
    return answeredList(results, of)
  })
}

type Lists = ReadonlyMap<number, SourceList & { optin: unknown }>

async function readLists(api: Api): Promise<Lists> {
  const rows: Answered[] = []
  for await (const row of rowsOf(api, '/api/lists', 'lists')) rows.push(row)
  const known = rows.map(row => ({ id: Number(row['id']), name: answeredText(row['name']), row }))
  const names = uniqueNames(known.sort((a, b) => a.id - b.id))
  return new Map(
    known.map(({ id, row }) => [id, { name: names.get(id)!, optin: row['optin'], ...readList(row) }]),
  )
}

/** The graver one of each subscriber. */
async function readBounces(api: Api): Promise<Map<number, 'hard' | 'complaint'>> {
  const bounces = new Map<number, 'hard' | 'complaint'>()
  for await (const row of rowsOf(api, '/api/bounces', 'bounces')) {
    const [id, type] = [Number(row['subscriber_id']), row['type']]
    if (type === 'complaint' || (type === 'hard' && !bounces.has(id))) bounces.set(id, type)
  }
  return bounces
}

async function* subscribers(api: Api, topics: boolean): AsyncGenerator<SourceRecord> {
  const [lists, bounces] = [await readLists(api), await readBounces(api)]
  const names = new Map([...lists].map(([id, { name }]) => [id, name]))
  for await (const row of rowsOf(api, '/api/subscribers', 'subscribers')) {
    const subscriber = toSubscriber(row, bounces)
    const given = Array.isArray(row['lists']) ? row['lists'].map(objectOf) : []
    const read = given.map(each =>
      readSubscription({ optin: lists.get(Number(each['id']))?.optin, ...each }, names),
    )
    const place = `subscriber ${subscriber.id}`
    if (!['enabled', 'disabled', 'blocklisted'].includes(subscriber.status))
      yield {
        place,
        email: subscriber.email,
        refused: `unknown status ${JSON.stringify(subscriber.status.slice(0, 40))}`,
      }
    else if (read.includes(undefined) && subscriber.status === 'enabled')
      yield { place, email: subscriber.email, refused: 'a subscription has an unknown status' }
    else {
      const known = read.filter((each): each is Subscription => each !== undefined)
      yield subscriberRecord(subscriber, known, { topics, content: false })
    }
  }
}

function toSubscriber(row: Answered, bounces: ReadonlyMap<number, 'hard' | 'complaint'>): ListmonkSubscriber {
  const id = Number(row['id'])
  return {
    ...{
      id,
      uuid: answeredText(row['uuid']),
      email: answeredText(row['email']),
      name: answeredText(row['name']),
    },
    ...{ attribs: row['attribs'], status: answeredText(row['status']), createdAt: timeOf(row['created_at']) },
    bounce: bounces.get(id) ?? null,
  }
}
