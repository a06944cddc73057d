// What goes wrong on our own side while mail is delivered: processes that die, transports that throw, answers nobody can store,
// two deliveries of one message. Nothing is lost, nothing stays in SENDING, and each message is settled once.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { hour, minute, second } from '../../src/lib/time'
import type { SendResult } from '../../src/mail/message'
import { makeDelivery } from '../../src/modules/sending/delivery/service'
import { takeForSending } from '../../src/modules/sending/emails/queries'
import { jobRun, overRun } from '../support/job-run'
import { until } from '../support/until'
import { makeWorld, type World } from '../support/world'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  world.mail.clear()
  await world.ctx.sql`delete from jobs`
  world.project = await world.newProject()
})
afterAll(() => world.close())

const accepted: SendResult = { outcome: 'accepted', delivered: true, response: '250 ok' }
const names = async (): Promise<string[]> => (await world.events()).map(event => event.name)

describe('a message whose process died while it was being sent', () => {
  test('is sent again with the same Message-ID, and the lost try is on record', async () => {
    const id = await world.sendOne()
    const died = world.clock.now().toISOString()
    await takeForSending(world.ctx, [id])
    expect(await world.email(id)).toMatchObject({ status: 'SENDING', attempts: 1 })
    world.clock.advance(minute)
    await world.drain()
    const email = await world.email(id)
    expect(email).toMatchObject({ status: 'DELIVERED', attempts: 2 })
    expect(email.tries).toMatchObject([
      { attempt: 1, outcome: 'deferred', startedAt: died, finishedAt: world.clock.now().toISOString() },
      { attempt: 2, outcome: 'accepted' },
    ])
    expect(email.tries[0].response).toContain('process ended')
    const [mail] = await world.received()
    expect(mail!.messageId).toBe(email.messageId)
    expect(await names()).toEqual(['email.sent', 'email.delivery'])
  })

  test('keeps every lost try, also when processes die one after the other', async () => {
    const id = await world.sendOne()
    for (let death = 0; death < 3; death++) await takeForSending(world.ctx, [id])
    await world.drain()
    const { tries } = await world.email(id)
    expect(tries.map((one: { attempt: number; outcome: string }) => [one.attempt, one.outcome])).toEqual([
      [1, 'deferred'],
      [2, 'deferred'],
      [3, 'deferred'],
      [4, 'accepted'],
    ])
  })

  test('has FAILED when it took down every process that touched it', async () => {
    const id = await world.sendOne()
    await takeForSending(world.ctx, [id])
    await world.ctx.sql`update jobs set attempt = max_attempts where project_id = ${world.project.id}`
    await world.drain()
    expect(world.mail.attempts).toEqual([])
    expect(await world.email(id)).toMatchObject({ status: 'FAILED', attempts: 1 })
  })

  test('is not handed over by a run that is over, and its job comes back', async () => {
    const id = await world.sendOne()
    const ids = { emailId: id, projectId: world.project.id }
    await expect(makeDelivery(world.ctx).deliver(ids, overRun())).rejects.toThrow('it ran longer')
    expect(world.mail.attempts).toEqual([])
    expect(await world.email(id)).toMatchObject({ status: 'PENDING', attempts: 0 })
    await world.drain()
    expect(await world.email(id)).toMatchObject({ status: 'DELIVERED', attempts: 1 })
    expect(world.mail.sent).toHaveLength(1)
  })

  test('is not handed over by a run that ends while it is composed', async () => {
    const id = await world.sendOne()
    const ids = { emailId: id, projectId: world.project.id }
    const over = new AbortController()
    // Asked when the email is composed, the last thing before it is handed over.
    const late = makeDelivery({
      ...world.ctx,
      mail: {
        ...world.ctx.mail,
        get signsItself() {
          over.abort(new Error('the lease of this process was lost'))
          return world.ctx.mail.signsItself
        },
      },
    }).deliver(ids, jobRun({ signal: over.signal }))
    await expect(late).rejects.toThrow('the lease of this process was lost')
    await world.drain()
    expect(world.mail.attempts).toHaveLength(1)
    expect(await world.email(id)).toMatchObject({ status: 'DELIVERED' })
  })

  test('is not settled by the process that was thought dead and comes back late', async () => {
    const id = await world.sendOne()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    world.mail.script(async () => {
      await held
      return { outcome: 'refused', blame: 'address', response: '550 5.1.1 late' }
    })
    const late = makeDelivery(world.ctx).deliver({ emailId: id, projectId: world.project.id }, jobRun())
    await until('it is on its way', () => world.mail.attempts.length > 0)
    await world.drain()
    release()
    await late
    expect((await world.email(id)).status).toBe('DELIVERED')
    expect(await names()).toEqual(['email.sent', 'email.delivery'])
    const rows = await world.ctx.sql`select 1 from suppressions where project_id = ${world.project.id}`
    expect(rows).toHaveLength(0)
  })
})

describe('a message that another process took while it was being sent', () => {
  test('keeps its job until it has ended, whatever becomes of that other attempt', async () => {
    const id = await world.sendOne()
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const others: Promise<unknown>[] = []
    world.mail.script(
      async () => {
        others.push(
          makeDelivery(world.ctx)
            .deliver({ emailId: id, projectId: world.project.id }, jobRun())
            .catch(String),
        )
        await until('the other one tries', () => world.mail.attempts.length >= 2)
        return accepted
      },
      async () => {
        await held
        return { outcome: 'deferred', blame: 'address', response: '451 4.2.0 later' }
      },
      accepted,
    )
    await world.drain()
    release()
    await Promise.all(others)
    expect((await world.email(id)).status).toBe('PENDING')
    world.clock.advance(60 * minute)
    await world.drain()
    expect((await world.email(id)).status).toBe('DELIVERED')
    expect(await names()).toEqual(['email.sent', 'email.delivery'])
  })
})

describe('one message delivered twice at once', () => {
  test('leaves once within a process, and its events are recorded once', async () => {
    const id = await world.sendOne()
    const delivery = makeDelivery(world.ctx)
    // The first call occupies the only slot, so that the two share the next batch.
    const other = await world.sendOne({ to: 'other@example.com' })
    const calls = [other, id, id].map(email =>
      delivery.deliver({ emailId: email, projectId: world.project.id }, jobRun()),
    )
    const results = await Promise.allSettled(calls)
    expect(results.map(result => result.status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(world.mail.attempts.filter(message => message.id === id)).toHaveLength(1)
    const events = (await world.events()).filter(event => event.emailId === id)
    expect(events.map(event => event.name)).toEqual(['email.sent', 'email.delivery'])
  })

  test('is settled once by two processes', async () => {
    const id = await world.sendOne()
    await Promise.allSettled(
      [makeDelivery(world.ctx), makeDelivery(world.ctx)].map(delivery =>
        delivery.deliver({ emailId: id, projectId: world.project.id }, jobRun()),
      ),
    )
    expect((await world.email(id)).status).toBe('DELIVERED')
    expect(await names()).toEqual(['email.sent', 'email.delivery'])
  })

  test('does nothing once it is done', async () => {
    const id = await world.sendOne()
    await world.drain()
    await makeDelivery(world.ctx).deliver({ emailId: id, projectId: world.project.id }, jobRun())
    expect(world.mail.attempts).toHaveLength(1)
    expect((await world.email(id)).attempts).toBe(1)
  })
})

describe('a transport that throws', () => {
  test('puts the message off like any other trouble, and tells nothing of its insides', async () => {
    world.mail.script(() => {
      throw new Error('secret stack of /etc/passwd')
    }, accepted)
    const id = await world.sendOne()
    await world.drain()
    const waiting = await world.email(id)
    expect(waiting).toMatchObject({ status: 'PENDING', attempts: 1 })
    expect(JSON.stringify(waiting)).not.toContain('secret')
    expect(Date.parse(waiting.nextAttemptAt) - world.clock.now().getTime()).toBeLessThanOrEqual(6 * second)
    world.clock.advance(10 * second)
    await world.drain()
    const email = await world.email(id)
    expect(email.status).toBe('DELIVERED')
    expect(email.tries.map((one: { outcome: string }) => one.outcome)).toEqual(['deferred', 'accepted'])
  })

  test('for ever: the message has FAILED after a day', async () => {
    world.mail.always(() => {
      throw new Error('broken')
    })
    const id = await world.sendOne()
    for (let round = 0; round < 60; round++) {
      await world.drain()
      world.clock.advance(30 * minute)
    }
    expect((await world.email(id)).status).toBe('FAILED')
  })
})

describe('an answer with text that the database refuses', () => {
  for (const [name, response] of [
    ['NUL', '451 wait\0 a bit'],
    ['half a character', '451 wait \ud800 a bit'],
  ] as const)
    test(`(${name}) is kept without it, and the message is not sent twice for it`, async () => {
      world.mail.script({ outcome: 'refused', blame: 'other', response })
      const id = await world.sendOne()
      await world.drain()
      world.clock.advance(hour)
      await world.drain()
      expect(world.mail.attempts).toHaveLength(1)
      const email = await world.email(id)
      expect(email.status).toBe('FAILED')
      expect(email.error).toMatch(/^451 wait.*a bit$/)
    })
})

describe('many deliveries at once', () => {
  test('are settled each with its own outcome', async () => {
    const { body } = await world.send({ to: Array.from({ length: 60 }, (_, n) => `m${n}@example.com`) })
    const ids: string[] = body.data.emails.map((item: { email: string }) => item.email)
    world.mail.always(({ envelope }) => {
      const n = Number(/\d+/.exec(envelope.to)![0]) % 3
      if (n === 0) return accepted
      if (n === 1) return { outcome: 'refused', blame: 'address', response: `550 5.1.1 ${envelope.to}` }
      return { outcome: 'deferred', response: `451 ${envelope.to}` }
    })
    const deliveries = [makeDelivery(world.ctx), makeDelivery(world.ctx)]
    await Promise.allSettled(
      ids.map((id, n) => deliveries[n % 2]!.deliver({ emailId: id, projectId: world.project.id }, jobRun())),
    )
    const emails = await Promise.all(ids.map(world.email))
    for (const [n, email] of emails.entries()) {
      expect(email.status).toBe(['DELIVERED', 'BOUNCED', 'PENDING'][n % 3])
      if (n % 3 > 0) expect(email.error).toEndWith(`m${n}@example.com`)
      expect(email.tries).toHaveLength(1)
    }
    expect((await names()).sort()).toEqual([
      ...Array(20).fill('email.bounce'),
      ...Array(20).fill('email.delivery'),
      ...Array(20).fill('email.sent'),
    ])
  })
})
