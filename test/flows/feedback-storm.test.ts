// Signed notifications about many messages, in any order, a fifth of them twice, over connections that are cut at any moment: in the
// end every count equals a recount of what was told, and each event is there once. WAXWING_SLOW=1 tells 100,000 instead of 200.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { minute } from '../../src/lib/time'
import {
  rollUpCampaignDeltas,
  selectCampaignCounts,
} from '../../src/modules/features/campaigns/results/queries/counts'
import { type DatabaseClient, openDatabase } from '../../src/platform/db/client'
import { type FeedbackWorld, makeFeedbackWorld } from '../support/feedback'
import { makeRandom, seed, shuffled } from '../support/random'
import { certificate, type Envelope, notification, sesEvent } from '../support/sns'

const isSlow = process.env.WAXWING_SLOW === '1'
const told = isSlow ? 100_000 : 200
const mailCount = Math.ceil(told / 4)
const workers = 8

interface Mail {
  id: string
  providerId: string
  email: string
}

interface Told {
  envelope: Envelope
  mail: Mail
  kind: Kind
}

type Kind = 'Delivery' | 'Open' | 'Click' | 'Soft' | 'Bounce' | 'Complaint'
/** How often each kind is told, in percent. */
const shares: Record<Kind, number> = { Delivery: 30, Open: 35, Click: 20, Soft: 5, Bounce: 6, Complaint: 4 }
const kinds = (Object.keys(shares) as Kind[]).flatMap(kind =>
  Array.from({ length: shares[kind] }, () => kind),
)

const random = makeRandom()
let world: FeedbackWorld
let other: DatabaseClient
beforeAll(async () => {
  world = await makeFeedbackWorld({ snsSigningCertificate: certificate })
  other = openDatabase(world.database.url, { max: 1 })
})
afterAll(async () => {
  await other.close()
  await world.close()
})

test(
  `counts and events are exact after a storm of reports (SEED=${seed})`,
  async () => {
    const campaignId = crypto.randomUUID()
    const mails = await makeMails(campaignId)
    const notifications = Array.from({ length: told }, () => tell(mails[random(mails.length)]!))
    const replays = notifications.filter(() => random(5) === 0)
    const started = performance.now()
    const { cuts, refusals } = await deliverAll(shuffled([...notifications, ...replays], random))
    const seconds = (performance.now() - started) / 1_000
    if (isSlow)
      console.info(
        `${notifications.length} notifications and ${replays.length} replays about ${mailCount} messages in ${seconds.toFixed(0)} s; ` +
          `${cuts} connections cut, ${refusals} deliveries answered 5xx and repeated`,
      )
    await checkRows(mails, notifications)
    await checkEvents(notifications)
    await checkCounts(campaignId)
    expect(await counted("select count(*) from feedback_receipts where status = 'COMPLETED'")).toBe(told)
    expect(await counted('select count(*) from feedback_receipts')).toBe(told)
  },
  isSlow ? 3_600_000 : undefined,
)

/** Messages of a campaign that have been sent, each to a contact of its own. */
async function makeMails(campaignId: string): Promise<Mail[]> {
  const mails = Array.from({ length: mailCount }, (_, n) => ({
    id: Bun.randomUUIDv7(),
    contactId: Bun.randomUUIDv7(),
    providerId: `storm-${n}`,
    email: `storm-${n}@example.com`,
  }))
  const { sql, clock } = world.ctx
  const rows = JSON.stringify(mails)
  const columns = sql`json_to_recordset(${rows}::json) as r(id uuid, "contactId" uuid, "providerId" text, email text)`
  const now = clock.now()
  await sql`
    insert into contacts (id, project_id, email, subscribed, data, created_at, updated_at)
    select "contactId", ${world.project.id}, email, true, '{}', ${now}, ${now} from ${columns}`
  await sql`
    insert into emails (id, project_id, contact_id, source_type, mail_class, campaign_id, to_email, from_email, subject, html,
                        text, headers, message_id, provider_id, status, sent_at, created_at, updated_at)
    select id, ${world.project.id}, "contactId", 'CAMPAIGN', 'marketing', ${campaignId}::uuid, email, 'a@acme.example', 'Storm',
           '', '', '{}', id || '@acme.example', "providerId", 'SENT', ${now}, ${now}, ${now}
      from ${columns}`
  return mails
}

function tell(mail: Mail): Told {
  const kind = kinds[random(kinds.length)]!
  const timestamp = new Date(world.ctx.clock.now().getTime() - random(1_000_000)).toISOString()
  const detail = { timestamp, link: 'https://example.com', ...bounceDetail(kind) }
  const event = kind === 'Soft' ? 'Bounce' : kind
  return { envelope: notification(sesEvent(event, mail.providerId, detail)), mail, kind }
}

function bounceDetail(kind: Kind): Record<string, string> {
  if (kind === 'Soft') return { bounceType: 'Transient' }
  return kind === 'Bounce' ? { bounceType: 'Permanent' } : {}
}

/** Delivers everything until it is taken, as SNS does, while connections are cut. */
async function deliverAll(waiting: Told[]): Promise<{ cuts: number; refusals: number }> {
  let refusals = 0
  let cuts = 0
  let isOver = false
  const cutting = (async () => {
    while (!isOver) {
      await Bun.sleep(random(isSlow ? 200 : 100))
      cuts += await cutOne()
    }
  })()
  while (waiting.length > 0) {
    const again: Told[] = []
    await Promise.all(
      Array.from({ length: workers }, async () => {
        for (let next = waiting.pop(); next; next = waiting.pop()) {
          const { status } = await world.notify(next.envelope)
          if (status !== 200) again.push(next)
          if (status !== 200 && status < 500) throw new Error(`answered ${status}`)
        }
      }),
    )
    refusals += again.length
    waiting.push(...again)
    // The claims of those that were cut off run out.
    world.clock.advance(6 * minute)
  }
  isOver = true
  await cutting
  return { cuts, refusals }
}

/** Ends one of the connections in the middle of whatever it does; the server rolls its transaction back as in a crash. */
async function cutOne(): Promise<number> {
  const rows = await other.sql`
    select pg_terminate_backend(pid) from (
      select pid from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle' order by random() limit 1) as victim`
  return rows.length
}

async function counted(text: string): Promise<number> {
  const [row] = await world.ctx.sql.unsafe(text)
  return Number(row!.count)
}

async function checkRows(mails: Mail[], notifications: Told[]): Promise<void> {
  const byMail = Map.groupBy(notifications, one => one.mail.id)
  const rows = await world.ctx.sql`
    select e.id, e.status, e.opens, e.clicks, c.subscribed, s.reason
      from emails e join contacts c on c.project_id = e.project_id and c.id = e.contact_id
      left join suppressions s on s.project_id = e.project_id and s.email = e.to_email`
  const expected = mails.map(({ id }) => {
    const heard = (byMail.get(id) ?? []).map(one => one.kind)
    const count = (kind: Kind): number => heard.filter(one => one === kind).length
    const reason = count('Complaint') ? 'complaint' : count('Bounce') ? 'bounce' : null
    return {
      id,
      status: finalStatus(heard),
      opens: count('Open'),
      clicks: count('Click'),
      subscribed: !reason,
      reason,
    }
  })
  const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1)
  expect(([...rows] as unknown as typeof expected).sort(byId)).toEqual(expected.sort(byId))
}

function finalStatus(heard: Kind[]): string {
  if (heard.includes('Complaint')) return 'COMPLAINED'
  if (heard.includes('Bounce')) return 'BOUNCED'
  if (heard.includes('Click')) return 'CLICKED'
  if (heard.includes('Open')) return 'OPENED'
  // Given up for a temporary reason, by somebody who had taken it: it has come back, unless it was read.
  if (heard.includes('Soft')) return 'BOUNCED'
  return heard.includes('Delivery') ? 'DELIVERED' : 'SENT'
}

async function checkEvents(notifications: Told[]): Promise<void> {
  const { sql } = world.ctx
  const twice = await sql`
    select name, email_id from events
     group by name, email_id, data ->> 'transientBounce' having count(*) > 1`
  expect([...twice]).toEqual([])
  const rows = await sql`
    select name, data ? 'transientBounce' as soft, count(*) as count from events group by 1, 2`
  const found = Object.fromEntries(
    rows.map(row => [`${row.name}${row.soft ? ' soft' : ''}`, Number(row.count)]),
  )
  const mailsWith = (...kinds: Kind[]): number =>
    new Set(notifications.filter(one => kinds.includes(one.kind)).map(one => one.mail.id)).size
  expect(found).toEqual({
    'email.delivery': mailsWith('Delivery'),
    'email.open': mailsWith('Open'),
    'email.click': mailsWith('Click'),
    'email.bounce': mailsWith('Bounce'),
    'email.bounce soft': mailsWith('Soft'),
    'email.complaint': mailsWith('Complaint'),
    'contact.unsubscribed': mailsWith('Bounce', 'Complaint'),
  })
  const reviewed = await sql`select count(*) as count from jobs where kind = 'project.review'`
  expect(Number(reviewed[0]!.count)).toBe(mailsWith('Bounce') + mailsWith('Complaint'))
}

/** The kept counts against the rows, rolled up and not. */
async function checkCounts(campaignId: string): Promise<void> {
  const { sql } = world.ctx
  const [rows] = await sql`
    select count(delivered_at)::int as delivered, count(opened_at)::int as opened, count(clicked_at)::int as clicked,
           count(bounced_at)::int as bounced, count(complained_at)::int as complained from emails`
  const counts = async () =>
    (await selectCampaignCounts(world.ctx, world.project.id, [campaignId])).get(campaignId)
  expect(await counts()).toMatchObject(rows!)
  await rollUpCampaignDeltas(world.ctx, 1_000_000)
  expect(await counts()).toMatchObject(rows!)
  const [days] = await sql`
    select sum(delivered)::int as delivered, sum(opened)::int as opened, sum(clicked)::int as clicked,
           sum(bounced)::int as bounced, sum(complained)::int as complained from email_day_deltas`
  expect(days).toEqual(rows)
}
