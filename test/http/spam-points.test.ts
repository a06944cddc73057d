// What a spam filter thinks of our messages: SpamAssassin's own rules, on this machine and without network, see each usual message as
// it leaves, with tracking and without. The picture and the hidden link must not cost a point. Skipped where it is not installed.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { campaignWorld } from '../support/campaigns'
import { pointsOf, program } from '../support/spamassassin'
import { makeWorld, type World } from '../support/world'

if (!program) console.log('skipped: points for our messages need SpamAssassin (Debian: spamassassin)')

interface Message {
  subject: string
  body: string
}

const shell = (content: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Acme</title></head>
<body style="margin:0;background:#f4f4f4"><table role="presentation" width="100%"><tr><td align="center">
<table role="presentation" width="600" style="background:#ffffff;color:#222222;font-family:sans-serif"><tr><td style="padding:24px">
${content}</td></tr></table></td></tr></table></body></html>`

const paragraphs = `<p>This month we have opened the new workshop in the old harbour, and everybody who ordered in spring has been invited
to see it. The first visitors came on Saturday; pictures of the day are on our pages.</p>
<p>From October on we repair what we have sold, whatever its age. Bring it, or send it, and we tell you what can be done.</p>`

/** What people send most: a letter, a confirmation of an order, a newsletter; designed and plain, long and short. */
const messages: Record<string, Message> = {
  'a short letter': {
    subject: 'Your booking on Thursday',
    body: '<p>Hello {{name}},</p><p>we expect you on Thursday at ten. <a href="https://acme.example/bookings/41">Your booking</a></p>',
  },
  'a confirmation with several links': {
    subject: 'Order 4711 is on its way',
    body: shell(
      `<h1>Order 4711 is on its way</h1><p>Dear {{name}}, the parcel has left our house.</p><p><a href="https://acme.example/orders/4711">The order</a>,
<a href="https://parcels.example/p?id=00340&amp;c=de">the parcel</a>, <a href="https://acme.example/help">questions</a></p>`,
    ),
  },
  'a long newsletter with a picture': {
    subject: 'News from the workshop',
    body: shell(
      `<h1>News from the workshop</h1><img src="https://acme.example/shop.jpg" width="552" height="300" alt="The shop">${paragraphs.repeat(8)}
<p><a href="https://acme.example/news">Read on</a></p>`,
    ),
  },
  'a newsletter in German': {
    subject: 'Neues aus der Werkstatt: größer, schöner, näher',
    body: shell(
      '<h1>Neues aus der Werkstatt</h1><p>Liebe {{name}}, die neue Werkstatt im alten Hafen ist geöffnet, und wer im Frühjahr bestellt hat, ist herzlich eingeladen.</p><p><a href="https://acme.example/neues">Weiterlesen</a></p>',
    ),
  },
}

const bait = `From: a@acme.example
To: ada@example.org
Subject: GET RICH $$$ NOW
Date: Thu, 05 Mar 2026 10:00:00 +0000
Message-ID: <bait@acme.example>
MIME-Version: 1.0
Content-Type: text/html

<a href="http://1.2.3.4/">viagra, million dollars, risk free, act now</a>
`

let world: World
/** The points of each message by the names of its rules. */
const judged = new Map<string, Record<string, number>>()

beforeAll(async () => {
  if (!program) return
  world = await makeWorld({ baseUrl: 'https://mail.acme.example' })
  const left: [name: string, raw: Uint8Array][] = []
  for (const isTracked of [true, false]) {
    const mark = isTracked ? 'tracked' : 'untracked'
    for (const [name, message] of Object.entries(messages)) {
      world.mail.clear()
      await world.sendOne({ ...message, data: { name: 'Ada Lovelace' }, tracking: isTracked })
      await world.drain()
      left.push([`${name}, sent, ${mark}`, world.mail.sent[0]!.raw])
      left.push([`${name}, campaign, ${mark}`, await asCampaign(message, isTracked)])
    }
  }
  left.push(['bait', Buffer.from(bait)])
  const points = await pointsOf(left.map(([, raw]) => raw))
  for (const [index, [name]] of left.entries()) judged.set(name, points[index]!)
})
afterAll(() => world?.close())

async function asCampaign({ subject, body }: Message, isTracked: boolean): Promise<Uint8Array> {
  const campaigns = await campaignWorld(world)
  await world.ctx.sql`
    update projects set tracking = ${isTracked ? 'ENABLED' : 'DISABLED'} where id = ${campaigns.project.id}`
  await campaigns.contacts(1, { data: { name: 'Ada Lovelace' } })
  await campaigns.send(await campaigns.draft({ subject, body }))
  await campaigns.drain()
  return world.mail.sent[0]!.raw
}

describe.skipIf(!program)('SpamAssassin', () => {
  test.each(Object.keys(messages).flatMap(name => [`${name}, sent`, `${name}, campaign`]))(
    '%s: tracking costs no point',
    name => {
      const [tracked, untracked] = [judged.get(`${name}, tracked`)!, judged.get(`${name}, untracked`)!]
      const added = Object.entries(tracked).filter(([rule, points]) => points > (untracked[rule] ?? 0))
      // A tenth is what longer links cost, for the part of a message that is HTML grows by them.
      expect(added.filter(([, points]) => points > 0.1)).toEqual([])
    },
  )

  test('its rules were there: it dislikes what it should', () => {
    expect(Object.values(judged.get('bait')!).reduce((all, each) => all + each, 0)).toBeGreaterThan(1)
  })
})
