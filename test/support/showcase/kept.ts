// The story takes a quarter of a minute to tell, and several files of a run begin with it: whoever asks first has it told into a database
// of its own, of which each gets a clone.
import type postgres from 'postgres'
import { openDatabase, openDatabaseSession } from '../../../src/platform/db/client'
import { cloneDatabase, type TestDatabase } from '../database'
import { type TestServer, testServer } from '../server'
import { makeStage, tell } from './story'

/** What belongs to the story and stands outside of its database. */
interface Told {
  projectId: string
  /** TXT records: a name, and its values. */
  records: [name: string, ...values: string[]][]
}

/** The address that the instance had while it was told; it stands in the links of its mails. */
const formerUrl = 'http://showcase.invalid'

/** The story, with the mails as if the instance at `url` had sent them. */
export async function cloneStory(url: string): Promise<Told & { database: TestDatabase }> {
  const server = await testServer()
  const template = `${server.template}_story`
  const told = await toldOnce(server, template)
  const database = await cloneDatabase({ template })
  const { sql } = database
  for (const column of [sql`html`, sql`text`])
    await sql`
      update emails set ${column} = replace(${column}, ${formerUrl}, ${url}) where strpos(${column}, ${formerUrl}) > 0`
  return { ...told, database }
}

/** One process of a run tells it, while the others that need it wait for the lock. */
async function toldOnce(server: TestServer, template: string): Promise<Told> {
  const admin = openDatabase(server.url, { max: 1 })
  const session = openDatabaseSession(admin.sql, {})
  try {
    await session.sql`select pg_advisory_lock(hashtext(${template}))`
    return (await findTold(session.sql, template)) ?? (await keepTold(session.sql, template))
  } finally {
    await session.close()
    await admin.close()
  }
}

/** The comment comes last: a database without it is that of a process that was killed. */
async function findTold(sql: postgres.Sql, template: string): Promise<Told | undefined> {
  const [row] = await sql<{ told: string | null }[]>`
    select shobj_description(oid, 'pg_database') as told from pg_database where datname = ${template}`
  return row?.told ? JSON.parse(row.told) : undefined
}

async function keepTold(sql: postgres.Sql, template: string): Promise<Told> {
  const database = await cloneDatabase()
  try {
    const told = await tellInto(database)
    await database.close()
    await sql`drop database if exists ${sql(template)}`
    await sql`create database ${sql(template)} template ${sql(new URL(database.url).pathname.slice(1))} strategy file_copy`
    const [row] = await sql<{ comment: string }[]>`
      select format('comment on database %I is %L', ${template}::text, ${JSON.stringify(told)}::text) as comment`
    await sql.unsafe(row!.comment)
    return told
  } finally {
    await database.drop()
  }
}

async function tellInto(database: TestDatabase): Promise<Told> {
  const stage = makeStage(database, { baseUrl: formerUrl })
  const records = new Map<string, string[]>()
  const { set } = stage.dns
  stage.dns.set = (name, type, ...values) => {
    if (type === 'txt') records.set(name, values as string[])
    set(name, type, ...values)
  }
  return { projectId: await tell(stage), records: [...records].map(([name, values]) => [name, ...values]) }
}
