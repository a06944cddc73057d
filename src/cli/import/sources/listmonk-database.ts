// `waxwing import listmonk postgres://…`: subscribers with the state of each of their subscriptions, read a page at a time in one
// read-only transaction.
import { type DatabaseClient, openDatabase } from '../../../platform/db/client'
import { answeredText, objectOf, timeOf } from '../answered'
import { type SourceList, uniqueNames } from '../lists'
import { type ContentItem, type ImportSource, type PeerRecord, SourceFault } from '../record'
import { readList, type Subscription } from './listmonk'
import {
  type ContentRules,
  type ListmonkCampaign,
  type ListmonkTemplate,
  listmonkCampaign,
  listmonkTemplate,
} from './listmonk-content'
import { type ListmonkSubscriber, subscriberRecord } from './listmonk-record'

interface Subscriber extends Omit<ListmonkSubscriber, 'createdAt'> {
  createdAt: Date | null
  subscriptions: Array<Record<string, unknown>> | null
}

const rowsAtATime = 500
const campaignsAtATime = 20

export interface ListmonkDatabaseChoices {
  /** Lists are topics, too. */
  topics?: boolean
  /** Templates and campaigns, too. */
  content?: boolean
  finished?: boolean
}

export function listmonkDatabase(url: string, choices: ListmonkDatabaseChoices = {}): ImportSource {
  const { topics = false, content = false, finished = false } = choices
  return {
    outlook: async () => ({ notes: [], lists: await listsIn(url) }),
    read: () => reading(url, sql => subscribers(sql, { topics, content })),
    links: () => reading(url, oldLinks),
    ...(content ? { content: () => reading(url, sql => listmonkContent(sql, { topics, finished })) } : {}),
  }
}

/** All statements on one connection, in one read-only transaction. */
async function* reading<T>(url: string, read: (sql: Sql) => AsyncGenerator<T>): AsyncGenerator<T> {
  const database = openDatabase(url, { max: 1 })
  try {
    await database.sql`begin transaction isolation level repeatable read, read only`
    yield* read(database.sql)
  } catch (error) {
    throw error instanceof SourceFault ? error : unreachable(error)
  } finally {
    await database.close()
  }
}

/** Its lists by id, each under a name of its own. */
type Lists = ReadonlyMap<number, SourceList & { optin: Subscription['optin'] }>

async function listsIn(url: string): Promise<SourceList[]> {
  for await (const lists of reading(url, allLists)) return [...lists.values()]
  return []
}

async function* allLists(sql: Sql): AsyncGenerator<Lists> {
  await requireTables(sql)
  yield await selectLists(sql)
}

/** Every version of listmonk has its own columns there, so whatever there is is read. */
async function selectLists(sql: Sql): Promise<Lists> {
  const rows = await sql<Array<{ id: number; list: Record<string, unknown> }>>`
    select id, to_jsonb(l) as list from lists l order by id`
  const names = uniqueNames(rows.map(({ id, list }) => ({ id, name: answeredText(list['name']) })))
  return new Map(
    rows.map(({ id, list }) => {
      const optin = list['optin'] === 'single' ? 'single' : 'double'
      return [id, { name: names.get(id)!, optin, ...readList(list) }]
    }),
  )
}

async function* subscribers(
  sql: Sql,
  choices: { topics: boolean; content: boolean },
): AsyncGenerator<PeerRecord> {
  const hasBounces = await requireTables(sql)
  const lists = await selectLists(sql)
  for (let after = 0; ; ) {
    const page = await selectSubscribers(sql, after, hasBounces)
    yield* page.map(row => toRecord(row, lists, choices))
    if (page.length < rowsAtATime) return
    after = page.at(-1)!.id
  }
}

/** Its links are younger than its subscribers. */
async function* oldLinks(sql: Sql): AsyncGenerator<{ id: string; url: string }> {
  const [known] = await sql<{ links: boolean }[]>`select to_regclass('links') is not null as links`
  if (!known?.links) return
  for (let after = 0; ; ) {
    const page = await sql<{ row: number; id: string; url: string }[]>`
      select id as row, uuid::text as id, url from links where id > ${after} order by id limit ${rowsAtATime}`
    yield* page.map(({ id, url }) => ({ id, url }))
    if (page.length < rowsAtATime) return
    after = page.at(-1)!.row
  }
}

async function* listmonkContent(
  sql: Sql,
  choices: Pick<ContentRules, 'topics' | 'finished'>,
): AsyncGenerator<ContentItem> {
  await requireTables(sql)
  const lists = await selectLists(sql)
  const settings = await selectSettings(sql)
  const rules = { ...choices, settings, structured: await selectStructured(sql) }
  for (const row of await selectTemplates(sql)) yield listmonkTemplate(row, rules)
  for (let after = 0; ; ) {
    // Their bodies may be large.
    const page = await selectCampaigns(sql, after)
    yield* page.map(row => listmonkCampaign(withLists(row, lists), rules))
    if (page.length < campaignsAtATime) return
    after = page.at(-1)!.id
  }
}

/** Attributes that are lists or objects for somebody. */
async function selectStructured(sql: Sql): Promise<ReadonlySet<string>> {
  const rows = await sql<{ key: string }[]>`
    select distinct e.key from subscribers s
     cross join lateral jsonb_each(case when jsonb_typeof(s.attribs) = 'object' then s.attribs else '{}' end) e
     where jsonb_typeof(e.value) in ('array', 'object')`
  return new Set(rows.map(({ key }) => key))
}

type CampaignRow = Omit<ListmonkCampaign, 'lists'> & { listIds: number[] }

function withLists({ listIds, ...row }: CampaignRow, known: Lists): ListmonkCampaign {
  return { ...row, lists: listIds.flatMap(id => known.get(id)?.name ?? []) }
}

async function selectSettings(sql: Sql): Promise<ContentRules['settings']> {
  const rows = await sql<{ key: string; value: unknown }[]>`
    select key, value from settings where key in ('app.lang', 'app.root_url', 'app.from_email')`
  const known = new Map(rows.map(({ key, value }) => [key, typeof value === 'string' ? value : '']))
  return {
    language: known.get('app.lang') ?? '',
    rootUrl: known.get('app.root_url') ?? '',
    fromEmail: known.get('app.from_email') ?? '',
  }
}

async function selectTemplates(sql: Sql): Promise<ListmonkTemplate[]> {
  return await sql<
    ListmonkTemplate[]
  >`select id, name, type::text as type, subject, body from templates order by id`
}

async function selectCampaigns(sql: Sql, after: number): Promise<CampaignRow[]> {
  return await sql<CampaignRow[]>`
    select c.id, c.name, c.subject, c.from_email as "fromEmail", c.body, c.altbody, c.content_type::text as "contentType",
           c.type::text as type, c.status::text as status, c.messenger, c.headers, c.template_id as "templateId",
           array(select cl.list_id from campaign_lists cl join lists l on l.id = cl.list_id
                  where cl.campaign_id = c.id order by cl.id) as "listIds",
           array(select cl.list_name from campaign_lists cl left join lists l on l.id = cl.list_id
                  where cl.campaign_id = c.id and l.id is null order by cl.id) as "deletedLists",
           to_jsonb(c)->>'send_at' as "sendAt", to_jsonb(c)->'tags' as tags,
           (select count(*)::int from campaign_media m where m.campaign_id = c.id) as files
      from campaigns c where c.id > ${after} order by c.id limit ${campaignsAtATime}`
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
    select s.id, s.uuid::text as uuid, s.email, s.name, s.attribs, s.status::text as status, s.created_at as "createdAt", ${bounce} as bounce,
           (select jsonb_agg(to_jsonb(sl) order by sl.list_id) from subscriber_lists sl where sl.subscriber_id = s.id) as subscriptions
      from subscribers s where s.id > ${after} order by s.id limit ${rowsAtATime}`
}

/** The address holds a password, so only the server's message is reported. */
function unreachable(error: unknown): SourceFault {
  return new SourceFault(`listmonk's database: ${error instanceof Error ? error.message : String(error)}`)
}

function toRecord(row: Subscriber, known: Lists, choices: { topics: boolean; content: boolean }): PeerRecord {
  const lists = (row.subscriptions ?? []).flatMap(each => toSubscription(each, known))
  return subscriberRecord({ ...row, createdAt: row.createdAt?.toISOString() }, lists, choices)
}

function toSubscription(row: Record<string, unknown>, known: Lists): Subscription[] {
  const list = known.get(Number(row['list_id']))
  const status = row['status']
  if (!list || (status !== 'confirmed' && status !== 'unconfirmed' && status !== 'unsubscribed')) return []
  const dateOf = (value: unknown): Date | undefined => {
    const time = timeOf(value)
    return time === undefined ? undefined : new Date(time)
  }
  const ip = answeredText(objectOf(row['meta'])['optin_ip']) || undefined
  const { name, optin } = list
  return [{ name, optin, status, since: dateOf(row['created_at']), at: dateOf(row['updated_at']), ip }]
}
