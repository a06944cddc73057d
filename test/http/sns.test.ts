// What Amazon SES reports through SNS, with real signatures: each kind of report, and what refuses or repeats one.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { minute } from '../../src/lib/time'
import { feedbackKinds } from '../../src/modules/sending/feedback/kinds'
import { enqueue } from '../../src/platform/jobs/enqueue'
import { type FeedbackWorld, makeFeedbackWorld, pem } from '../support/feedback'
import { request } from '../support/request'
import {
  certificateUrl,
  deliver,
  envelope,
  expiredCertificate,
  notification,
  sesEvent,
  topic,
} from '../support/sns'

let world: FeedbackWorld
beforeAll(async () => {
  world = await makeFeedbackWorld()
})
beforeEach(async () => {
  world.mail.clear()
  await world.ctx.sql`delete from jobs`
  world.project = await world.newProject()
})
afterAll(() => world.close())

const hard = { bounceType: 'Permanent', bouncedRecipients: [{ diagnosticCode: 'smtp; 550 5.1.1 gone' }] }
const soft = { bounceType: 'Transient', bouncedRecipients: [{ diagnosticCode: '452 4.2.2 full' }] }
const ok = { success: true }

async function suppressions(): Promise<unknown[]> {
  const rows = await world.ctx.sql`
    select email, reason, source from suppressions where project_id = ${world.project.id}`
  return [...rows]
}

const reviews = async (): Promise<number> => {
  const rows = await world.ctx
    .sql`select from jobs where kind = 'project.review' and project_id = ${world.project.id}`
  return rows.length
}

describe('a report about a message', () => {
  test('of its delivery makes it DELIVERED', async () => {
    const { id, providerId } = await world.sent()
    expect((await world.email(id)).status).toBe('SENT')
    expect(await world.tell('Delivery', providerId)).toMatchObject({ status: 200, body: ok })
    expect(await world.email(id)).toMatchObject({
      status: 'DELIVERED',
      deliveredAt: '2026-03-01T12:00:00.000Z',
    })
    expect((await world.events()).at(-1)).toMatchObject({
      name: 'email.delivery',
      emailId: id,
      data: { emailId: id, subject: 'Hello', deliveredAt: '2026-03-01T12:00:00.000Z' },
    })
  })

  test('of openings counts each and is an event once', async () => {
    const { id, providerId } = await world.sent()
    await world.tell('Open', providerId, { timestamp: '2026-03-01T11:59:58.000Z' })
    expect(await world.email(id)).toMatchObject({ status: 'OPENED', opens: 1 })
    await world.tell('Open', providerId, { timestamp: '2026-03-01T11:59:59.000Z' })
    expect(await world.email(id)).toMatchObject({ opens: 2, openedAt: '2026-03-01T11:59:58.000Z' })
    const opens = (await world.events()).filter(event => event.name === 'email.open')
    expect(opens.map(event => event.data)).toMatchObject([
      { openedAt: '2026-03-01T11:59:58.000Z', opens: 1, isFirstOpen: true },
    ])
  })

  test('of a click keeps the link in the event', async () => {
    const { id, providerId } = await world.sent()
    await world.tell('Click', providerId, { link: 'https://example.com/a?b=c' })
    expect(await world.email(id)).toMatchObject({ status: 'CLICKED', clicks: 1 })
    expect((await world.events()).at(-1)).toMatchObject({
      name: 'email.click',
      data: { link: 'https://example.com/a?b=c', clicks: 1, isFirstClick: true },
    })
  })

  test('of a permanent bounce ends all mail to the address, and has the project looked at', async () => {
    const { id, providerId } = await world.sent()
    await world.tell('Bounce', providerId, hard)
    expect(await world.email(id)).toMatchObject({ status: 'BOUNCED', error: 'smtp; 550 5.1.1 gone' })
    expect((await world.contact()).subscribed).toBe(false)
    expect(await suppressions()).toEqual([
      { email: 'ada@example.com', reason: 'bounce', source: 'smtp; 550 5.1.1 gone' },
    ])
    expect(await reviews()).toBe(1)
    const [, bounce, unsubscribed] = (await world.events()).slice(-3)
    expect(bounce).toMatchObject({ name: 'email.bounce', data: { bounceType: 'Permanent' } })
    expect(bounce!.data).toHaveProperty('bouncedAt')
    expect(unsubscribed).toMatchObject({
      name: 'contact.unsubscribed',
      emailId: id,
      data: { reason: 'bounce' },
    })
  })

  test('of a transient bounce is one of the message, and leaves the contact alone', async () => {
    const { id, providerId } = await world.sent()
    await world.tell('Bounce', providerId, soft)
    expect(await world.email(id)).toMatchObject({ status: 'BOUNCED', bouncedAt: null })
    expect((await world.contact()).subscribed).toBe(true)
    const { data } = (await world.events()).at(-1)!
    expect(data).toMatchObject({ bounceType: 'Transient', transientBounce: true })
    expect(data).not.toHaveProperty('bouncedAt')
    expect(await reviews()).toBe(0)
  })

  test('of a bounce that nobody explains unsubscribes and leaves mail that was asked for', async () => {
    const { id, providerId } = await world.sent()
    await world.tell('Bounce', providerId, { bounceType: 'Undetermined' })
    expect((await world.email(id)).status).toBe('BOUNCED')
    expect((await world.contact()).subscribed).toBe(false)
    expect(await suppressions()).toEqual([])
    expect(await reviews()).toBe(0)
  })

  test.each(['not-spam', 'auth-failure', 'virus'])(
    'of a complaint of the type %s changes nothing',
    async type => {
      const { id, providerId } = await world.sent()
      await world.tell('Complaint', providerId, { complaintFeedbackType: type })
      expect((await world.email(id)).status).toBe('SENT')
      expect(await suppressions()).toEqual([])
    },
  )

  test('of a complaint makes it COMPLAINED and unsubscribes', async () => {
    const { id, providerId } = await world.sent()
    await world.tell('Complaint', providerId, { complaintFeedbackType: 'abuse' })
    expect((await world.email(id)).status).toBe('COMPLAINED')
    expect((await world.contact()).subscribed).toBe(false)
    expect(await suppressions()).toMatchObject([{ reason: 'complaint' }])
    expect((await world.events()).slice(-2)).toMatchObject([
      { name: 'email.complaint', data: { emailId: id } },
      { name: 'contact.unsubscribed', data: { reason: 'complaint' } },
    ])
    expect(await reviews()).toBe(1)
  })

  test('of a complaint after a bounce counts both and keeps one opt-out', async () => {
    const { id, providerId } = await world.sent()
    await world.tell('Bounce', providerId, hard)
    await world.tell('Complaint', providerId)
    expect((await world.email(id)).status).toBe('COMPLAINED')
    expect(await suppressions()).toMatchObject([{ reason: 'complaint' }])
    const names = await world.eventNames()
    expect(names.filter(name => name === 'contact.unsubscribed')).toHaveLength(1)
  })

  test.each(['Send', 'Reject', 'DeliveryDelay', 'Rendering Failure', 'Subscription'])(
    '(%s) that says nothing we keep is taken and forgotten',
    async kind => {
      const { id, providerId } = await world.sent()
      const before = await world.row(id)
      expect(await world.tell(kind, providerId)).toMatchObject({ status: 200, body: ok })
      expect(await world.row(id)).toEqual(before)
    },
  )

  test('may use the older word notificationType', async () => {
    const { id, providerId } = await world.sent()
    const { eventType, ...rest } = sesEvent('Delivery', providerId)
    await world.notify(notification({ ...rest, notificationType: eventType }))
    expect((await world.email(id)).status).toBe('DELIVERED')
  })

  test('never takes a status back, and still counts', async () => {
    const { id, providerId } = await world.sent()
    for (const kind of ['Bounce', 'Open', 'Click', 'Delivery'])
      await world.tell(kind, providerId, kind === 'Bounce' ? hard : {})
    expect(await world.email(id)).toMatchObject({ status: 'BOUNCED', opens: 1, clicks: 1 })
    expect((await world.row(id)).delivered_at).not.toBeNull()
  })
})

describe('a snoozed contact', () => {
  test.each([
    ['Bounce', hard],
    ['Complaint', {}],
  ])('is unsubscribed for good by a %s, and nobody is woken later', async (kind, detail) => {
    const { providerId } = await world.sent()
    const { id } = await world.contact()
    await world.ctx.sql`
      update contacts set subscribed = false, snoozed_until = ${new Date('2026-03-01T13:00:00Z')} where id = ${id}`
    await world.tell(kind, providerId, detail)
    expect((await world.contact()).snoozed_until).toBeNull()
    expect(await world.eventNames()).not.toContain('contact.unsubscribed')
  })
})

describe('the mailbox simulator', () => {
  test('bounces as usual, but neither suppresses nor has the project looked at', async () => {
    const to = 'bounce@simulator.amazonses.com'
    const { id, providerId } = await world.sent({ to })
    await world.tell('Bounce', providerId, hard)
    expect(await world.email(id)).toMatchObject({ status: 'BOUNCED', simulated: true })
    expect((await world.contact(to)).subscribed).toBe(false)
    expect(await world.eventNames()).toContain('email.bounce')
    expect([await suppressions(), await reviews()]).toEqual([[], 0])
  })
})

describe('who it comes from', () => {
  test('a false signature is 403 and changes nothing', async () => {
    const { id, providerId } = await world.sent()
    const good = notification(sesEvent('Bounce', providerId, hard))
    const forged = { ...good, Message: String(good.Message).replace('Permanent', 'Transient') }
    expect((await world.notify(forged)).status).toBe(403)
    expect((await world.notify({ ...good, Signature: undefined })).status).toBe(403)
    expect((await world.notify({ ...good, SignatureVersion: '3' })).status).toBe(403)
    expect((await world.email(id)).status).toBe('SENT')
    expect(
      await world.ctx.sql`select from feedback_receipts where key = ${String(good.MessageId)}`,
    ).toHaveLength(0)
  })

  test('both versions of signatures are good', async () => {
    const { id, providerId } = await world.sent()
    const message = notification(sesEvent('Open', providerId), {
      SignatureVersion: '1',
      Subject: 'Amazon SES',
    })
    expect((await world.notify(message)).status).toBe(200)
    expect((await world.email(id)).opens).toBe(1)
  })

  test('another topic is 403 before anything is fetched or read', async () => {
    const fresh = await makeFeedbackWorld()
    const others = [{ TopicArn: `${topic}s` }, { TopicArn: undefined }]
    for (const changes of others) {
      const answer = await deliver(fresh, envelope({ Message: 'no JSON', ...changes }))
      expect(answer).toMatchObject({ status: 403, body: { error: { code: 'FORBIDDEN' } } })
    }
    expect(fresh.webhooks.calls).toEqual([])
    await fresh.close()
  })

  test('without any topic, nothing is taken, whatever the transport', async () => {
    const fresh = await makeFeedbackWorld({ snsTopicArns: [] })
    expect((await deliver(fresh, envelope())).status).toBe(403)
    await fresh.close()
    // Every account of Amazon signs well: a pinned certificate proves nothing where it is Amazon's.
    const settings = {
      snsTopicArns: [],
      mailTransport: 'ses',
      snsSigningCertificate: pem().response,
    } as const
    const ses = await makeFeedbackWorld(settings)
    expect((await deliver(ses, notification({ eventType: 'Send' }))).status).toBe(403)
    await ses.close()
  })

  test('nothing of a body is read where no notification is expected', async () => {
    const fresh = await makeFeedbackWorld({ snsTopicArns: [] })
    const headers = { 'content-length': '9' }
    const asked = new Request('http://localhost/webhooks/sns', { method: 'POST', body: 'some text', headers })
    expect([(await fresh.app.handle(asked)).status, asked.bodyUsed]).toEqual([403, false])
    await fresh.close()
  })

  test.each([
    'http://sns.eu-west-1.amazonaws.com/cert.pem',
    'https://sns.eu-west-1.amazonaws.com.evil.example/cert.pem',
    'https://s3.eu-west-1.amazonaws.com/cert.pem',
    // The bucket "sns" of whoever was first, under the older names of S3, and another service's own names.
    'https://sns.s3-eu-west-1.amazonaws.com/cert.pem',
    'https://sns.s3-accelerate.amazonaws.com/cert.pem',
    'https://sns.elb.amazonaws.com/cert.pem',
    'https://sns.eu-west-1.amazonaws.com:8443/cert.pem',
    'https://sns.eu-west-1.amazonaws.com/?Action=Say',
    'https://user@sns.eu-west-1.amazonaws.com/cert.pem',
    'no address',
    undefined,
  ])('a certificate at %p is not fetched', async SigningCertURL => {
    const before = world.webhooks.calls.length
    expect((await world.notify(envelope({ SigningCertURL }))).status).toBe(403)
    expect(world.webhooks.calls).toHaveLength(before)
  })

  test.each(['com', 'com.cn', 'eu'])('a certificate at amazonaws.%s is fetched once', async suffix => {
    const url = `https://sns.us-gov-west-1.amazonaws.${suffix}/SimpleNotificationService-9.pem`
    world.webhooks.answer({ ...pem(), url })
    const before = world.webhooks.calls.length
    for (let n = 0; n < 2; n++) {
      const answer = await world.notify(notification({ eventType: 'Send' }, { SigningCertURL: url }))
      expect(answer.status).toBe(200)
    }
    expect(world.webhooks.calls.slice(before).map(call => call.url)).toEqual([url])
  })

  test('a certificate that can not be had is 503, and is asked for again', async () => {
    const url = certificateUrl.replace('0123', '4567')
    const message = notification({ eventType: 'Send' }, { SigningCertURL: url })
    world.webhooks.answer(500)
    expect((await world.notify(message)).status).toBe(503)
    world.webhooks.answer({ ...pem(), url })
    expect((await world.notify(message)).status).toBe(200)
  })

  test('a certificate whose time is over is refused', async () => {
    const url = certificateUrl.replace('0123', '8901')
    world.webhooks.answer({ ...pem(expiredCertificate), url })
    expect((await world.notify(envelope({ SigningCertURL: url }, { expired: true }))).status).toBe(403)
  })

  test('a pinned certificate is used whatever address is named', async () => {
    const fresh = await makeFeedbackWorld({ snsSigningCertificate: pem().response })
    const SigningCertURL = 'https://example.com/cert.pem'
    expect((await deliver(fresh, notification({ eventType: 'Send' }, { SigningCertURL }))).status).toBe(200)
    expect(fresh.webhooks.calls).toEqual([])
    await fresh.close()
  })

  test.each(['', 'no JSON', '[]', '{"Type":"Notification"}'])('%p is 400', async body => {
    expect((await world.notify(body)).status).toBe(400)
  })
})

describe('a subscription', () => {
  const confirmation = { Type: 'SubscriptionConfirmation', Token: 'token', Message: 'You have chosen' }
  const SubscribeURL = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=token'

  test('is confirmed by asking for its address', async () => {
    world.webhooks.answer(200)
    const answer = await world.notify(envelope({ ...confirmation, SubscribeURL }))
    expect(answer).toMatchObject({ status: 200, body: { success: true, message: expect.any(String) } })
    expect(world.webhooks.calls.at(-1)).toMatchObject({ url: SubscribeURL, method: 'GET' })
  })

  test('that can not be confirmed is 502, so that SNS asks again', async () => {
    world.webhooks.answer({ outcome: 'unreachable', error: 'no route', url: SubscribeURL })
    const answer = await world.notify(envelope({ ...confirmation, SubscribeURL }))
    expect(answer.status).toBe(502)
    expect(JSON.stringify(answer.body)).not.toContain('no route')
  })

  test.each([
    'http://sns.eu-west-1.amazonaws.com/',
    'https://sns.s3-us-west-2.amazonaws.com/',
    'https://169.254.169.254/',
    'x',
  ])('at %p is 400, and nothing is asked', async SubscribeURL => {
    const before = world.webhooks.calls.length
    expect((await world.notify(envelope({ ...confirmation, SubscribeURL }))).status).toBe(400)
    expect(world.webhooks.calls).toHaveLength(before)
  })

  test('that ends is taken note of and nothing else', async () => {
    const end = { Type: 'UnsubscribeConfirmation', Token: 'token', Message: 'x', SubscribeURL }
    expect(await world.notify(envelope(end))).toMatchObject({ status: 200, body: { success: false } })
  })
})

describe('a notification that comes again', () => {
  test('is done once, however often it comes', async () => {
    const { id, providerId } = await world.sent()
    const message = notification(sesEvent('Open', providerId))
    expect((await world.notify(message)).body).toEqual(ok)
    expect(await world.notify(message)).toMatchObject({
      status: 200,
      body: { success: true, duplicate: true },
    })
    expect((await world.email(id)).opens).toBe(1)
    const [receipt] = await world.ctx.sql`
      select status, expires_at - created_at > '6 days' as kept from feedback_receipts where key = ${String(message.MessageId)}`
    expect(receipt).toMatchObject({ status: 'COMPLETED', kept: true })
  })

  test('as another one of the same report counts the delivery once', async () => {
    const { providerId } = await world.sent()
    for (let n = 0; n < 3; n++) await world.tell('Delivery', providerId)
    const names = await world.eventNames()
    expect(names.filter(name => name === 'email.delivery')).toHaveLength(1)
  })

  test('many at once are done once; the others are told to come again', async () => {
    const { id, providerId } = await world.sent()
    const message = notification(sesEvent('Open', providerId))
    const statuses = await Promise.all(
      Array.from({ length: 12 }, async () => (await world.notify(message)).status),
    )
    expect(statuses.every(status => status === 200 || status === 503)).toBe(true)
    expect((await world.notify(message)).status).toBe(200)
    expect(await world.email(id)).toMatchObject({ opens: 1 })
  })

  test('about a message that nobody knows is 503, and is done when it is known', async () => {
    const { id, providerId } = await world.sent()
    await world.ctx.sql`update emails set provider_id = null where id = ${id}`
    const message = notification(sesEvent('Delivery', providerId))
    expect(await world.notify(message)).toMatchObject({
      status: 503,
      body: { error: { code: 'SERVICE_UNAVAILABLE' } },
    })
    await world.ctx.sql`update emails set provider_id = ${providerId} where id = ${id}`
    expect((await world.notify(message)).body).toEqual(ok)
    expect((await world.email(id)).status).toBe('DELIVERED')
  })

  test('about mail that was handed over by SMTP is known by our Message-ID, whatever id it has there', async () => {
    const { id } = await world.sent()
    const { messageId } = await world.email(id)
    const event = sesEvent('Bounce', '010201a2b3c4d5e6-000000', hard)
    Object.assign(event['mail'] as object, { commonHeaders: { messageId } })
    expect((await world.notify(notification(event))).body).toEqual(ok)
    expect((await world.email(id)).status).toBe('BOUNCED')
  })

  test('that tries out the topic is 200 and nothing', async () => {
    const message = envelope({
      Message: 'Successfully validated SNS topic for Amazon SES event publishing.',
    })
    expect(await world.notify(message)).toMatchObject({ status: 200, body: ok })
    expect((await world.notify(envelope({ Message: 'Any other text.' }))).status).toBe(400)
  })

  test('that somebody took it for no spam changes nothing', async () => {
    const { id, providerId } = await world.sent()
    const event = sesEvent('Complaint', providerId, { complaintFeedbackType: 'not-spam' })
    expect((await world.notify(notification(event))).body).toEqual(ok)
    expect((await world.email(id)).status).toBe('SENT')
    expect(await suppressions()).toEqual([])
  })

  test('of its delivery while the message is being handed over comes again', async () => {
    const { id, providerId } = await world.sent()
    await world.ctx.sql`update emails set status = 'SENDING', sent_at = null where id = ${id}`
    const message = notification(sesEvent('Delivery', providerId))
    expect((await world.notify(message)).status).toBe(503)
    await world.ctx.sql`update emails set status = 'SENT', sent_at = created_at where id = ${id}`
    expect((await world.notify(message)).body).toEqual(ok)
    expect((await world.email(id)).status).toBe('DELIVERED')
  })

  test('after a fault of the database was undone as a whole, and is applied once', async () => {
    const { id, providerId } = await world.sent()
    const { sql } = world.ctx
    await sql`create function refuse() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`
    await sql`create trigger refuse before insert on suppressions execute function refuse()`
    const message = notification(sesEvent('Bounce', providerId, hard))
    expect((await world.notify(message)).status).toBe(500)
    const [receipt] = await sql`select status from feedback_receipts where key = ${String(message.MessageId)}`
    expect(receipt).toEqual({ status: 'FAILED' })
    expect((await world.email(id)).status).toBe('SENT')
    expect(await world.eventNames()).not.toContain('email.bounce')
    await sql`drop trigger refuse on suppressions`
    expect((await world.notify(message)).body).toEqual(ok)
    expect((await world.email(id)).status).toBe('BOUNCED')
  })

  test('is taken over when whoever worked on it died, and not while it is worked on', async () => {
    const { id, providerId } = await world.sent()
    const message = notification(sesEvent('Open', providerId))
    const { sql, clock } = world.ctx
    const claimed = new Date(clock.now().getTime() - 4 * minute)
    await sql`
      insert into feedback_receipts (receiver, key, status, claim, claimed_at, tries, created_at, expires_at)
      values ('sns', ${String(message.MessageId)}, 'PROCESSING', ${crypto.randomUUID()}, ${claimed}, 1, ${claimed},
              ${new Date(claimed.getTime() + 7 * 24 * 60 * minute)})`
    expect((await world.notify(message)).status).toBe(503)
    const abandoned = new Date(claimed.getTime() - 6 * minute)
    await sql`update feedback_receipts set claimed_at = ${abandoned} where key = ${String(message.MessageId)}`
    expect((await world.notify(message)).status).toBe(200)
    expect((await world.email(id)).opens).toBe(1)
  })

  test('without the id of a message is 400', async () => {
    expect((await world.notify(notification({ eventType: 'Open', mail: {} }))).status).toBe(400)
    expect((await world.notify(envelope({ Message: 'no JSON' }))).status).toBe(400)
  })
})

test('receipts are forgotten after a week', async () => {
  const message = notification(sesEvent('Open', (await world.sent()).providerId))
  await world.notify(message)
  const { sql } = world.ctx
  await sql`update feedback_receipts set expires_at = ${new Date('2026-01-01')} where key = ${String(message.MessageId)}`
  await enqueue(world.ctx, feedbackKinds.clean, {})
  await world.drain()
  expect(await sql`select from feedback_receipts where key = ${String(message.MessageId)}`).toHaveLength(0)
})

test('the receiver needs no key, and no other method', async () => {
  expect((await request(world.app, 'GET', '/webhooks/sns')).status).toBe(404)
})
