// The load of bench/citus.ts: messages by the statements of one project each, accepted, taken and settled.
import { type DatabaseClient, openDatabase } from '../../src/platform/db/client'
import { accept, claimJobs, endJobs, expand, insertJobs, settle, take } from './one-project'

/** The first one is large. */
export const projects = Array.from({ length: 64 }, () => crypto.randomUUID())
const large = 1_000_000
const listed = 3_000

export interface Place {
  own: DatabaseClient
  jobs: DatabaseClient
  /** Due jobs are looked for within one project. */
  isByProject: boolean
}
type Places = ReadonlyMap<string, Place>
type Rows = Array<Record<string, string>>

const body = `<html><body><h1>Your order 4711</h1>${'<p>Thank you, Ada. It is on its way.</p>'.repeat(12)}</body></html>`

export async function ask(url: string, text: string): Promise<void> {
  const { sql, close } = openDatabase(url, { max: 1 })
  await sql.unsafe(text)
  await close()
}

const told = async (sql: DatabaseClient['sql'], text: string, values: unknown[]): Promise<Rows> =>
  (await sql.unsafe(text, values as never[], { prepare: true })) as unknown as Rows

async function together(
  { sql }: DatabaseClient,
  statements: ReadonlyArray<readonly [string, unknown[]]>,
): Promise<void> {
  await sql.begin(tx => Promise.all(statements.map(([text, values]) => told(tx as never, text, values))))
}

/** Accepts `count` messages in one transaction with their jobs, takes what is due, and settles it. */
export const sendOf = (count: number) => async (places: Places, turn: number) => {
  const project = projects[turn % projects.length]!
  const { own, jobs, isByProject } = places.get(project)!
  const rows = Array.from({ length: count }, () => {
    const id = Bun.randomUUIDv7()
    return { id, contactId: Bun.randomUUIDv7(), email: `${id}@example.com`, body, at: new Date() }
  })
  const given = [project, JSON.stringify(rows)]
  const made = JSON.stringify(rows.map(({ id }) => ({ id: Bun.randomUUIDv7(), args: { emailId: id } })))
  const begun = performance.now()
  await together(own, [...accept.map(text => [text, given] as const), [insertJobs, [project, made]]])
  const ms = performance.now() - begun
  const of = isByProject ? 'project_id = $3 and ' : ''
  const claim = claimJobs.replace('where id', `where ${of}id`).replace('where state', `where ${of}state`)
  const due = await told(jobs.sql, claim, [count, crypto.randomUUID(), ...(isByProject ? [project] : [])])
  for (const [owner, found] of Map.groupBy(due, row => row.projectId!)) {
    const place = places.get(owner)!
    const ids = found.map(({ args }) => ({ id: (args as unknown as { emailId: string }).emailId }))
    await deliver(place, owner, ids)
    const ended = [found.map(({ id }) => id), ...(isByProject ? [owner] : [])]
    await told(jobs.sql, isByProject ? `${endJobs} and project_id = $2` : endJobs, ended)
  }
  return { messages: count, ms }
}

async function deliver({ own }: Place, project: string, ids: Array<{ id: string }>): Promise<void> {
  const taken = await told(own.sql, take, [project, JSON.stringify(ids)])
  const settled = taken.map(({ id, contact_id: contactId }) => {
    return { id, contactId, eventId: Bun.randomUUIDv7(), otherEventId: Bun.randomUUIDv7(), at: new Date() }
  })
  await together(
    own,
    settle.map(text => [text, [project, JSON.stringify(settled)]] as const),
  )
}

/** One campaign, to the contacts of the next of so many projects. */
export const campaignOf = (count: number) => async (places: Places, turn: number) => {
  const begun = performance.now()
  const project = projects[1 + (turn % count)]!
  const place = places.get(project)!
  const campaign = crypto.randomUUID()
  let messages = 0
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const page = await told(place.own.sql, expand, [project, 1_000, campaign, after])
    if (page.length === 0) return { messages, ms: performance.now() - begun }
    for (let at = 0; at < page.length; at += 40)
      await deliver(
        place,
        project,
        page.slice(at, at + 40).map(({ id }) => ({ id: id! })),
      )
    messages += page.length
    after = page
      .map(({ contactId }) => contactId!)
      .sort()
      .at(-1)!
  }
}

/** Contacts and events of the large project, and the contacts of those that have campaigns. */
export async function fillReading(sql: DatabaseClient['sql']): Promise<void> {
  for (const [index, project] of projects.slice(0, 5).entries())
    await sql.unsafe(
      `insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
       select md5(n::text || p.id)::uuid, p.id, 'ada-' || n || '@example.com', true, jsonb_build_object('name', 'Ada', 'plan', n % 7), now(), now()
         from projects p cross join generate_series(1, ${index === 0 ? large : listed}) n where p.id = '${project}'`,
    )
  await sql.unsafe(
    `insert into events (id, project_id, name, contact_id, created_at)
     select md5(n::text || p.id)::uuid, p.id, 'event ' || n % 20, md5(n::text || p.id)::uuid, now() - make_interval(secs => n)
       from projects p cross join generate_series(1, ${large / 5}) n where p.id = '${projects[0]}'`,
  )
  await sql.unsafe(
    `insert into email_hours (project_id, hour, created)
     select p.id, now() - make_interval(hours => n), n from projects p cross join generate_series(1, 2000) n where p.id = '${projects[0]}'`,
  )
  for (const table of ['contacts', 'events', 'email_hours']) await sql.unsafe(`vacuum analyze ${table}`)
}

export const readings: ReadonlyArray<readonly [string, string]> = [
  ['contacts, a page', 'select * from contacts where project_id = $1 order by id desc limit 50'],
  [
    'events of a name, a page',
    `select * from events where project_id = $1 and name = 'event 7' order by created_at desc, id desc limit 50`,
  ],
  [
    'a quarter of hours',
    `select date_trunc('day', hour) as day, sum(created) from email_hours where project_id = $1 group by 1 order by 1`,
  ],
  [
    'segment over 1,000,000',
    `select count(*) from contacts where project_id = $1 and subscribed and data ->> 'plan' = '3'`,
  ],
]
