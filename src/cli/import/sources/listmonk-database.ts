// `waxwing import listmonk postgres://…`: subscribers with the state of each of their subscriptions, read a page at a time in one
// read-only transaction.
import { type DatabaseClient, openDatabase } from '../../../platform/db/client'
import { type ContentItem, type ImportSource, type PeerRecord, SourceFault } from '../record'
import { blocklisted, getsMail, listmonkPerson, type Subscription, saidNo, saidOfTopics } from './listmonk'
import {
  type ContentRules,
  type ListmonkCampaign,
  type ListmonkTemplate,
  listmonkCampaign,
  listmonkTemplate,
} from './listmonk-content'

interface Subscriber {
  id: number
  uuid: string
  email: string
  name: string
  attribs: unknown
  status: 'enabled' | 'disabled' | 'blocklisted'
  createdAt: Date | null
  lists: Subscription[] | null
  bounce: 'hard' | 'complaint' | null
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

async function* subscribers(
  sql: Sql,
  choices: { topics: boolean; content: boolean },
): AsyncGenerator<PeerRecord> {
  const hasBounces = await requireTables(sql)
  for (let after = 0; ; ) {
    const page = await selectSubscribers(sql, after, hasBounces)
    yield* page.map(row => toRecord(row, choices))
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
  const rules = { ...choices, settings: await selectSettings(sql) }
  for (const row of await selectTemplates(sql)) yield listmonkTemplate(row, rules)
  for (let after = 0; ; ) {
    // Their bodies may be large.
    const page = await selectCampaigns(sql, after)
    yield* page.map(row => listmonkCampaign(row, rules))
    if (page.length < campaignsAtATime) return
    after = page.at(-1)!.id
  }
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

async function selectCampaigns(sql: Sql, after: number): Promise<ListmonkCampaign[]> {
  return await sql<ListmonkCampaign[]>`
    select c.id, c.name, c.subject, c.from_email as "fromEmail", c.body, c.altbody, c.content_type::text as "contentType",
           c.type::text as type, c.status::text as status, c.messenger, c.headers, c.template_id as "templateId",
           array(select coalesce(l.name, cl.list_name) from campaign_lists cl left join lists l on l.id = cl.list_id
                  where cl.campaign_id = c.id order by cl.id) as lists,
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
           (select json_agg(json_build_object('name', l.name, 'optin', l.optin::text, 'status', sl.status::text) order by l.id)
              from subscriber_lists sl join lists l on l.id = sl.list_id where sl.subscriber_id = s.id) as lists
      from subscribers s where s.id > ${after} order by s.id limit ${rowsAtATime}`
}

/** The address holds a password, so only the server's message is reported. */
function unreachable(error: unknown): SourceFault {
  return new SourceFault(`listmonk's database: ${error instanceof Error ? error.message : String(error)}`)
}

function toRecord(row: Subscriber, { topics, content }: { topics: boolean; content: boolean }): PeerRecord {
  const lists = row.lists ?? []
  const attributes =
    typeof row.attribs === 'object' && row.attribs !== null && !Array.isArray(row.attribs) ? row.attribs : {}
  return {
    ...{ place: `subscriber ${row.id}`, email: row.email, texts: {}, oldToken: row.uuid },
    ...listmonkPerson({
      name: row.name,
      attributes: attributes as Record<string, unknown>,
      createdAt: row.createdAt?.toISOString(),
      // Templates may name them.
      inParts: content,
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
