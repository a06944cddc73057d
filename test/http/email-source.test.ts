// The source of a message: byte for byte what left, whatever sent it; what would leave, without a signature; and an honest refusal
// where there is nothing to make it of.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { FinishedMessage } from '../../src/mail/message'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import type { Answer } from '../support/request'
import { makeWorld, type World } from '../support/world'

let world: World
let on: CampaignWorld
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  on = await campaignWorld(world)
  world.project = on.project
  await setTracking('ENABLED')
})
afterAll(() => world.close())

const setTracking = (mode: string) =>
  world.ctx.sql`update projects set tracking = ${mode} where id = ${on.project.id}`
const source = (id: string, key = on.project.secretKey): Promise<Answer> =>
  world.call('GET', `/emails/${id}/source`, { key })
const textOf = ({ raw }: FinishedMessage): string => Buffer.from(raw).toString('latin1')
const withoutSignature = (text: string): string => text.slice(text.indexOf('From: '))

const body =
  '<p>Grüße, <a href="https://shop.example/a?b=1&amp;c=ü">here</a> <a href="{{unsubscribeUrl}}">no more</a></p>'

describe('what left', () => {
  test('is shown byte for byte, signed, with files, copies and tracked links', async () => {
    const id = await world.sendOne({
      body,
      subject:
        'Ein schöner Gruß, der länger ist als eine Zeile eines Kopfes sein darf, und also gefaltet wird',
      to: { name: 'Ada, Countess', email: 'ada@example.com' },
      cc: ['bob@example.com'],
      bcc: ['archive@example.com'],
      reply: 'answers@acme.example',
      headers: { 'X-Ref': '7', references: '<a@b.example>' },
      attachments: [
        {
          filename: 'größe.txt',
          content: Buffer.from('hello').toString('base64'),
          contentType: 'text/plain',
        },
        {
          filename: 'p.png',
          content: Buffer.from('image').toString('base64'),
          contentType: 'image/png',
          disposition: 'inline',
          contentId: 'p',
        },
      ],
    })
    await world.drain()
    const answer = await source(id)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('message/rfc822')
    expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${id}.eml"`)
    expect(answer.body).toBe(textOf(world.mail.sent[0]!))
    expect(answer.body).toStartWith('DKIM-Signature: ')
    expect(answer.body).toContain('/t/c/')
    expect(answer.body).not.toContain('archive@')
  })

  test('is unsigned where the relay signs', async () => {
    await world.ctx.sql`update domains set relay_signs = true where project_id = ${on.project.id}`
    const id = await world.sendOne({ body })
    await world.drain()
    const { body: text } = await source(id)
    expect(text).toBe(textOf(world.mail.sent[0]!))
    expect(text).not.toContain('DKIM-Signature')
  })

  test.each([
    ['ENABLED', {}],
    ['DISABLED', {}],
    ['ENABLED', { type: 'HEADLESS' }],
    ['ENABLED', { type: 'TRANSACTIONAL' }],
  ])('is shown as it left where a campaign sent it: %s %p', async (mode, more) => {
    await setTracking(mode)
    await on.contacts(2, { data: { locale: 'fr', shop: 'nord & süd', subscribed: 'data' } })
    await on.contacts(1, { prefix: 'gone', subscribed: false })
    const id = await on.draft({
      body: `${body}<a href="https://x.example/{{shop}}">{{name}} {{subscribed}} {{svc_email}}</a>{% for n in (1..3) %}{{n}}{% endfor %}`,
      ...more,
    })
    await on.send(id)
    await on.drain()
    const recipients = await on.recipients(id)
    expect(world.mail.sent.length).toBeGreaterThan(1)
    for (const sent of world.mail.sent) {
      const { emailId } = recipients.find(each => each['email'] === sent.envelope.to) ?? {}
      expect((await source(String(emailId ?? sent.id))).body).toBe(textOf(sent))
    }
  })

  test('holds the list of a campaign about a topic, in what is signed', async () => {
    const [topic] = await world.ctx.sql<{ id: string }[]>`
      insert into topics (id, project_id, name, by_default, created_at, updated_at)
      values (gen_random_uuid(), ${on.project.id}, 'News', true, now(), now()) returning id`
    await on.contacts(1)
    const id = await on.draft({ topicId: topic!.id })
    await on.send(id)
    await on.drain()
    const [row] = await on.recipients(id)
    const left = textOf(world.mail.sent.at(-1)!)
    expect(left).toContain(`List-Id: <${topic!.id}.${on.project.id}.localhost>\r\n`)
    expect(left.replaceAll('\r\n ', '')).toMatch(
      new RegExp(`^Feedback-ID: ?${id}:${on.project.id}:campaign:[0-9a-f]{12}\r$`, 'm'),
    )
    expect(left.replaceAll(/\r\n[ \t]+/g, '')).toMatch(/^DKIM-Signature:.*h=[^;]*List-Id:Feedback-ID/im)
    expect((await source(String(row!['emailId']))).body).toBe(left)
  })

  test('is the same after another try, and a message sent again is one of its own', async () => {
    world.mail.script({ outcome: 'deferred', response: '451 later' })
    const id = await world.sendOne({ body })
    await world.drain()
    expect((await source(id)).body).toBe(textOf(world.mail.attempts[0]!))
    world.clock.advance(60_000)
    await world.drain()
    const again = await world.call('POST', `/emails/${id}/resend`, {})
    await world.drain()
    const [first, second] = world.mail.sent
    expect((await source(id)).body).toBe(textOf(first!))
    expect((await source(again.body.id)).body).toBe(textOf(second!))
  })
})

describe('what has not left', () => {
  test('is shown as it would leave, without a signature', async () => {
    const scheduledFor = new Date(world.clock.now().getTime() + 60_000).toISOString()
    const id = await world.sendOne({ body, scheduledFor })
    const before = await source(id)
    expect(before.body).toStartWith('From: ')
    world.clock.advance(120_000)
    await world.drain()
    expect(before.body).toBe(withoutSignature(textOf(world.mail.sent[0]!)))
  })

  test('is 409 for a recipient of a campaign whose turn has not come', async () => {
    await on.contacts(1)
    const id = await on.draft()
    await on.send(id)
    const [row] = await world.ctx.sql`
      insert into emails (id, project_id, contact_id, source_type, mail_class, campaign_id, to_email, from_email, subject, html, text,
                          headers, message_id, status, created_at, updated_at)
      select gen_random_uuid(), project_id, gen_random_uuid(), 'CAMPAIGN', 'marketing', id, 'eve@example.com', 'hello@acme.example', 's', '', '',
             '{}', 'x@acme.example', 'PENDING', now(), now() from campaigns where id = ${id} returning id`
    const answer = await source(row!['id'])
    expect([answer.status, answer.body.error.message]).toEqual([
      409,
      'This message is written when its turn comes',
    ])
  })
})

describe('there is no source', () => {
  const refused = async (id: string): Promise<unknown> => {
    const { status, body: answer } = await source(id)
    return [status, answer.error.code, answer.error.message]
  }

  test('of what is no longer kept, also where only its files are gone', async () => {
    const attachments = [{ filename: 'a.txt', content: 'aGk=', contentType: 'text/plain' }]
    const [emptied, stripped] = [await world.sendOne({}), await world.sendOne({ attachments })]
    await world.drain()
    await world.ctx.sql`update emails set html = '', text = '', variables = null where id = ${emptied}`
    await world.ctx.sql`delete from attachments`
    for (const id of [emptied, stripped])
      expect(await refused(id)).toEqual([409, 'CONFLICT', 'The content of this message is no longer kept'])
  })

  test('of mail that came in', async () => {
    const id = await world.sendOne({})
    await world.drain()
    await world.ctx.sql`update emails set source_type = 'INBOUND', status = 'RECEIVED' where id = ${id}`
    expect(await refused(id)).toEqual([409, 'CONFLICT', 'This message came in, and its source was not kept'])
  })

  test('for anybody else', async () => {
    const id = await world.sendOne({})
    await world.drain()
    const other = await world.newProject()
    expect((await source(id, other.secretKey)).status).toBe(404)
    expect((await source(id, on.project.publicKey)).status).toBe(401)
  })
})
