// What the relay has, held against what was promised and against the records.
import type { Sql } from 'postgres'
import { checkStandings } from '../../test/support/workflows'
import type { World as TestWorld } from '../../test/support/world'
import { type Kind, type Load, readerAddress, readers } from './load'
import { type Arrival, keyOf } from './relay'

export interface Tally {
  kind: Kind
  promised: number
  arrived: number
  /** Messages that arrived more than once. */
  twice: number
}

export interface Verdict {
  tallies: Tally[]
  /** Arrived though the request was not answered with 200: the answer was lost on its way, or the word to the database was. */
  unpromised: number
  /** From the promise to the arrival, in milliseconds, ascending. */
  delays: number[]
  wrong: string[]
}

/** Looks at everything once nothing is open any more. */
export async function judge(sql: Sql, load: Load, taken: Map<string, Arrival[]>): Promise<Verdict> {
  const letters = await promiseLetters(sql, load)
  const promised = new Map([...load.promised, ...letters.promised])
  const wrong = [...letters.wrong]
  const missing = [...promised.keys()].filter(key => !taken.has(key))
  if (missing.length > 0) wrong.push(`${missing.length} lost: ${missing.slice(0, 5).join(', ')}`)

  const again = [...taken].filter(([, copies]) => copies.length > 1)
  const explained = await explainedCopies(
    sql,
    again.map(([key]) => key),
  )
  const unexplained = again.filter(([key, copies]) => copies.length - 1 > (explained.get(key) ?? 0))
  if (unexplained.length > 0)
    wrong.push(`${unexplained.length} sent twice without a reason: ${keysOf(unexplained)}`)
  const changed = again.filter(([, copies]) => new Set(copies.map(({ messageId }) => messageId)).size > 1)
  if (changed.length > 0) wrong.push(`${changed.length} copies have another Message-ID: ${keysOf(changed)}`)
  wrong.push(...(await wrongBooks(sql, taken)))

  const kinds = [...new Set([...promised.values()].map(({ kind }) => kind))].sort()
  const tallies = kinds.map(kind => {
    const keys = [...promised].filter(([, each]) => each.kind === kind).map(([key]) => key)
    const arrived = keys.filter(key => taken.has(key))
    return {
      kind,
      promised: keys.length,
      arrived: arrived.length,
      twice: arrived.filter(key => taken.get(key)!.length > 1).length,
    }
  })
  const delays = [...load.promised]
    .flatMap(([key, { at }]) => (taken.has(key) ? [Math.max(0, taken.get(key)![0]!.at - at)] : []))
    .sort((a, b) => a - b)
  const unpromised = [...taken.keys()].filter(key => !promised.has(key)).length
  return { tallies, unpromised, delays, wrong }
}

const keysOf = (some: ReadonlyArray<readonly [string, unknown]>): string =>
  some
    .slice(0, 5)
    .map(([key]) => key)
    .join(', ')

/** A campaign that was started promises a message to every reader. */
async function promiseLetters(sql: Sql, load: Load): Promise<Pick<Load, 'promised'> & { wrong: string[] }> {
  const rows = await sql<{ id: string; subject: string; status: string; startedAt: Date; sent: number }[]>`
    select c.id, c.subject, c.status, c.created_at as "startedAt",
           (select count(*)::int from emails e
             where e.project_id = c.project_id and e.campaign_id = c.id and e.status in ('SENT', 'DELIVERED')) as sent
      from campaigns c where c.id in ${sql(['00000000-0000-0000-0000-000000000000', ...load.letters.values()])}`
  const promised: Load['promised'] = new Map()
  const wrong: string[] = []
  for (const { subject, status, startedAt, sent } of rows) {
    if (status !== 'SENT' || sent !== readers)
      wrong.push(`${subject} is ${status} with ${sent} of ${readers}`)
    for (let number = 1; number <= readers; number++)
      promised.set(keyOf(readerAddress(number), subject), { kind: 'campaign', at: startedAt.getTime() })
  }
  if (rows.length !== load.letters.size) wrong.push(`${load.letters.size - rows.length} campaigns are gone`)
  return { promised, wrong }
}

/** Attempts that may have left a copy behind though they were not recorded as taken, by key. */
async function explainedCopies(sql: Sql, keys: string[]): Promise<Map<string, number>> {
  const explained = new Map<string, number>()
  if (keys.length === 0) return explained
  const rows = await sql<{ to: string; subject: string; unheard: number }[]>`
    select e.to_email as "to", e.subject, count(a.attempt)::int as unheard
      from emails e join email_attempts a on a.project_id = e.project_id and a.email_id = e.id
     where e.to_email || ' ' || e.subject = any(${keys}) and a.outcome <> 'accepted' and a.code is null
     group by 1, 2`
  for (const { to, subject, unheard } of rows) explained.set(keyOf(to, subject), unheard)
  return explained
}

/** Where rows, counts and the relay do not say the same. */
async function wrongBooks(sql: Sql, taken: Map<string, Arrival[]>): Promise<string[]> {
  const wrong: string[] = []
  const states = await sql<{ status: string; count: number }[]>`
    select status, count(*)::int as count from emails group by 1 order by 1`
  const delivered = states.find(({ status }) => status === 'DELIVERED')?.count ?? 0
  if (delivered !== taken.size) wrong.push(`the records say ${delivered} delivered, the relay ${taken.size}`)
  for (const { status, count } of states)
    if (status !== 'DELIVERED') wrong.push(`${count} messages are ${status}`)
  await checkStandings({ ctx: { sql } } as TestWorld).catch(error => wrong.push(String(error)))
  return wrong
}
