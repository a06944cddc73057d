// Several relays over real connections: the preferred one dies in the middle of a campaign and of transactional mail, and comes back.
// Nothing is lost, and no more arrives twice than was on its way at that moment.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { second } from '../../src/lib/time'
import { memoryResolver } from '../../src/mail/dns/memory'
import { deadLinks } from '../../src/platform/transports/dead-links'
import { handOver } from '../../src/platform/transports/hand-over'
import { severalTransports } from '../../src/platform/transports/several/several'
import { smtpTransport } from '../../src/platform/transports/smtp'
import { mailChecks } from '../../src/server/checks/mail'
import { makeTransport } from '../../src/server/compose'
import { jobHandlers } from '../../src/server/jobs'
import type { Config } from '../../src/settings/config'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { testConfig } from '../support/context'
import { drain } from '../support/drain'
import { startZoo, type Zoo } from '../support/smtp-zoo'
import { makeWorld, type World } from '../support/world'

const plainMail = {
  ...{ from: 'a@acme.example', fromName: null, to: 'b@acme.example', subject: 'One', html: '', text: 'One' },
  ...{ headers: {}, attachments: [], messageId: '<one@acme.example>', date: new Date(0) },
}

const pool = 5
let world: World
let first: Zoo
let other: Zoo

beforeAll(async () => {
  first = await startZoo()
  other = await startZoo()
  const relays = { first, other }
  world = await makeWorld({}, clock =>
    severalTransports(
      Object.entries(relays).map(([name, { port }]) => {
        const target = `smtp://127.0.0.1:${port}?pool=${pool}`
        return { entry: { name, kind: 'smtp' as const, target }, transport: smtpTransport({ url: target }) }
      }),
      clock,
    ),
  )
})
afterAll(async () => {
  await world.ctx.mail.close()
  await world.close()
  await first.close()
  await other.close()
})

const recipient = ({ to }: { to: string[] }): string => /<([^>]*)>/.exec(to[0] ?? '')?.[1] ?? ''
const messageId = ({ raw }: { raw: string }): string => /^message-id: *(\S+)/im.exec(raw)?.[1] ?? ''

/** Three processes' worth of jobs at a time, and the clock goes on, until `isDone`. */
async function work(isDone: () => Promise<boolean>): Promise<void> {
  const handlers = jobHandlers(world.ctx)
  for (let round = 0; round < 60 && !(await isDone()); round++) {
    await Promise.all([1, 2, 3].map(() => drain(world.ctx, handlers)))
    world.clock.advance(5 * second)
  }
}

describe('the preferred relay dies and comes back', () => {
  const contacts = 120
  const letters = 60

  async function load(on: CampaignWorld): Promise<{ campaign: string; ids: string[] }> {
    await on.contacts(contacts)
    world.project = on.project
    const campaign = await on.draft()
    await on.send(campaign)
    const to = Array.from({ length: letters }, (_, n) => `letter-${n}@example.com`)
    const { body } = await world.send({ to })
    return { campaign, ids: body.data.emails.map(({ email }: { email: string }) => email) }
  }

  test.each<[how: string, dies: () => void]>([
    ['with every connection, whole messages unanswered', () => first.dropAll()],
    ['with 421 to everybody', () => first.shout('421 4.3.2 shutting down\r\n')],
  ])('%s', async (_, dies) => {
    const on = await campaignWorld(world)
    const { campaign, ids } = await load(on)
    const before = { first: first.messages.length, other: other.messages.length }
    let backAt = 0
    first.change({
      beforeAnswer: count => {
        if (count !== before.first + 30) return
        first.change({ answers: { greeting: '421 4.3.2 not now' }, beforeAnswer: undefined })
        dies()
      },
    })
    other.change({
      beforeAnswer: count => {
        if (count !== before.other + 40) return
        other.change({ beforeAnswer: undefined })
        backAt = first.messages.length
        first.change({ answers: {} })
        world.clock.advance(20 * second)
      },
    })
    await work(async () => {
      const open = await world.ctx.sql`select 1 from emails where status in ('PENDING', 'SENDING') limit 1`
      return open.length === 0 && (await on.stats(campaign)).status === 'SENT'
    })

    expect(await on.stats(campaign)).toMatchObject({
      status: 'SENT',
      deliveredCount: contacts,
      failedCount: 0,
    })
    const emails = await Promise.all(ids.map(world.email))
    expect(emails.filter(({ status }) => status !== 'DELIVERED')).toEqual([])

    const arrived = [...first.messages.slice(before.first), ...other.messages.slice(before.other)]
    const copies = Map.groupBy(arrived, recipient)
    // Nothing is lost, and the second has taken over before the first had its mail back.
    expect(copies.size).toBe(contacts + letters)
    expect(other.messages.length - before.other).toBeGreaterThanOrEqual(40)
    expect(first.messages.length).toBeGreaterThan(backAt)
    // What arrived twice was on its way over one of the connections, and is the same message.
    const doubled = [...copies.values()].filter(({ length }) => length > 1)
    expect(doubled.length).toBeLessThanOrEqual(pool)
    expect(doubled.filter(same => same.length > 2 || new Set(same.map(messageId)).size > 1)).toEqual([])
  })
})

describe('a list from the settings', () => {
  const config = (): Config => {
    const smtp = (name: string, zoo: Zoo) => ({
      ...{ name, kind: 'smtp' as const },
      target: `smtp://me:geheim@127.0.0.1:${zoo.port}?ignoreTLS=true`,
    })
    return testConfig({ mailTransport: 'smtp', transports: [smtp('first', first), smtp('other', other)] })
  }
  const dns = memoryResolver()
  const doctor = async (): Promise<string[]> => {
    const checks = mailChecks(config(), dns).filter(({ about }) => about.startsWith('mail transport'))
    const outcomes = checks.map(async ({ about, run }) =>
      run().then(
        findings => findings.map(({ level }) => `${about}: ${level}`),
        (error: Error) => [`${about}: ${error.message.replace(/^[^ ]+ /, '')}`],
      ),
    )
    return (await Promise.all(outcomes)).flat()
  }

  test('becomes transports, each of which the doctor tries', async () => {
    first.change({ credentials: { user: 'me', password: 'another' }, answers: {} })
    other.change({ credentials: { user: 'me', password: 'geheim' }, answers: {} })
    const mail = makeTransport(config())
    try {
      expect(mail.routes?.all.map(({ entry }) => entry.name)).toEqual(['first', 'other'])
      const facts = { id: 'one', kind: 'instance' as const, from: 'a@acme.example', to: 'b@acme.example' }
      const { tries } = await handOver({ ...world.ctx, mail }, facts, async () => ({ mail: plainMail }))
      expect(tries.map(({ transportName, result }) => [transportName, result.outcome, result.code])).toEqual([
        ['first', 'deferred', 535],
        ['other', 'accepted', 250],
      ])
    } finally {
      await mail.close()
    }
    const [refused, taken] = await doctor()
    expect(refused).toStartWith('mail transport first (smtp): auth: 535')
    expect(taken).toBe('mail transport other (smtp): ok')
  })

  test('says at start where links lead nowhere, by the relays of all', () => {
    const { transports, ...rest } = config()
    expect(deadLinks({ ...rest, transports })).toBeUndefined()
    const away = { name: 'away', kind: 'smtp' as const, target: 'smtp://relay.example' }
    expect(deadLinks({ ...rest, transports: [...transports!, away] })).toContain('set BASE_URL')
  })
})
