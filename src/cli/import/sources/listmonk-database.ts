// `waxwing import listmonk postgres://…`: subscribers with the state of each of their subscriptions, read a page at a time in one
// read-only transaction.
import { type DatabaseClient, openDatabase } from '../../../platform/db/client'
import { type ImportSource, type PeerRecord, SourceFault } from '../record'
import { blocklisted, getsMail, listmonkPerson, type Subscription, saidNo, saidOfTopics } from './listmonk'

interface Subscriber {
  id: number
  email: string
  name: string
  attribs: unknown
  status: 'enabled' | 'disabled' | 'blocklisted'
  createdAt: Date | null
  lists: Subscription[] | null
  bounce: 'hard' | 'complaint' | null
}

const rowsAtATime = 500

/** `topics`: lists are topics, too. */
export function listmonkDatabase(url: string, { topics = false } = {}): ImportSource {
  return { read: () => subscribers(url, topics) }
}

async function* subscribers(url: string, topics: boolean): AsyncGenerator<PeerRecord> {
  // One connection, so that all statements are in one transaction.
  const database = openDatabase(url, { max: 1 })
  try {
    await database.sql`begin transaction isolation level repeatable read, read only`
    const hasBounces = await requireTables(database.sql)
    for (let after = 0; ; ) {
      const page = await selectSubscribers(database.sql, after, hasBounces)
      yield* page.map(row => toRecord(row, topics))
      if (page.length < rowsAtATime) return
      after = page.at(-1)!.id
    }
  } catch (error) {
    throw error instanceof SourceFault ? error : unreachable(error)
  } finally {
    await database.close()
  }
}

type Sql = DatabaseClient['sql']

/** Whether there are bounces: that table is younger than the others. */
async function requireTables(sql: Sql): Promise<boolean> {
  const [known] = await sql<{ subscribers: boolean; bounces: boolean }[]>`
    select to_regclass('subscribers') is not null and to_regclass('subscriber_lists') is not null as subscribers,
           to_regclass('bounces') is not null as bounces`
  if (!known?.subscribers) throw new SourceFault('the database has no tables of listmonk')
  return known.bounces
}

async function selectSubscribers(sql: Sql, after: number, hasBounces: boolean): Promise<Subscriber[]> {
  const bounce = hasBounces
    ? sql`(select type::text from bounces where subscriber_id = s.id and type::text in ('hard', 'complaint')
            order by type::text limit 1)`
    : sql`null::text`
  return await sql<Subscriber[]>`
    select s.id, s.email, s.name, s.attribs, s.status::text as status, s.created_at as "createdAt", ${bounce} as bounce,
           (select json_agg(json_build_object('name', l.name, 'optin', l.optin::text, 'status', sl.status::text) order by l.id)
              from subscriber_lists sl join lists l on l.id = sl.list_id where sl.subscriber_id = s.id) as lists
      from subscribers s where s.id > ${after} order by s.id limit ${rowsAtATime}`
}

/** The address holds a password, so only the server's message is reported. */
function unreachable(error: unknown): SourceFault {
  return new SourceFault(`listmonk's database: ${error instanceof Error ? error.message : String(error)}`)
}

function toRecord(row: Subscriber, topics: boolean): PeerRecord {
  const lists = row.lists ?? []
  const attributes =
    typeof row.attribs === 'object' && row.attribs !== null && !Array.isArray(row.attribs) ? row.attribs : {}
  return {
    ...{ place: `subscriber ${row.id}`, email: row.email, texts: {} },
    ...listmonkPerson({
      name: row.name,
      attributes: attributes as Record<string, unknown>,
      createdAt: row.createdAt?.toISOString(),
    }),
    subscribed: row.status === 'enabled' && lists.some(getsMail),
    ...(saidNo(row.status, lists) ? { optedOutAt: 'unknown' } : {}),
    ...(row.status === 'blocklisted' ? { suppressed: reasonOf(row) } : {}),
    lists: lists.filter(getsMail).map(list => list.name),
    topics: topics ? saidOfTopics(lists) : [],
  }
}

function reasonOf({ bounce }: Subscriber): PeerRecord['suppressed'] {
  if (bounce === 'hard') return { reason: 'bounce', source: 'listmonk: blocklisted after a hard bounce' }
  if (bounce === 'complaint')
    return { reason: 'complaint', source: 'listmonk: blocklisted after a complaint' }
  return blocklisted
}
