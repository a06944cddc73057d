// Messages of every kind through every way in, taken at a mail server: requests, batches and templates, programs that submit them by SMTP,
// and campaigns.
import { expect } from 'bun:test'
import { renderMail } from '../../../src/dashboard/editor/mail/render'
import { withSamples } from '../../../src/dashboard/editor/samples'
import * as words from '../../../src/dashboard/texts/en/samples'
import { smtpTransport } from '../../../src/platform/transports/smtp'
import { campaignWorld } from '../campaigns'
import { startZoo } from '../smtp-zoo'
import { openSubmission, signedIn } from '../submission'
import { makeWorld, sender, senderDomain, type World } from '../world'
import { type Chance, lineOf, makeChance, phrase } from './chance'
import { type Arrived, faultsOf, type Keys } from './readers'
import { type Expected, htmlOf, requestOf } from './requests'
import { submittedOf } from './submitted'

const { samples } = withSamples(words)

export interface Outcome {
  arrived: Arrived[]
  keys: Keys
  /** What did not arrive, and what is wrong with what did. */
  faults: string[]
}

/** About `count` messages that the seed decides about. */
export async function sendEveryMessage(count: number, seed: number): Promise<Outcome> {
  const zoo = await startZoo({ extensions: ['8BITMIME', 'PIPELINING', 'ENHANCEDSTATUSCODES'] })
  const relay = smtpTransport({ url: `smtp://127.0.0.1:${zoo.port}?pool=4` })
  const world = await makeWorld({}, () => relay)
  const submission = await openSubmission(world)
  try {
    const chance = makeChance(seed)
    const campaigns = await campaignWorld(world)
    world.project = campaigns.project
    const expected = new Map<string, Expected>()
    const share = Math.ceil(count / 5)
    await request(world, chance, share * 2, expected)
    await submit(world, submission.port, chance, share * 2, expected)
    await campaign(campaigns, chance, share, expected)
    await world.drain()
    await noteBodies(world, expected)
    const arrived = zoo.messages.map(({ raw }): Arrived => {
      const id = /^Message-ID: <([^@>]+)/im.exec(raw)?.[1] ?? ''
      return { raw: Buffer.from(raw, 'latin1'), expected: expected.get(id) ?? { what: `message ${id}` } }
    })
    const known = new Set(arrived.map(one => one.expected))
    const missing = [...expected.values()].filter(one => !known.has(one))
    const keys = await keysOf(world)
    const faults = await faultsOf(arrived, keys)
    return { arrived, keys, faults: [...missing.map(({ what }) => `${what}: did not arrive`), ...faults] }
  } finally {
    await submission.stop()
    await relay.close()
    await zoo.close()
    await world.close()
  }
}

type Known = Map<string, Expected>

async function request(world: World, chance: Chance, count: number, known: Known): Promise<void> {
  for (let n = 0; n < count; n++) {
    const { body, expected } = requestOf(chance, n)
    const way = chance.pick(['alone', 'alone', 'batch', 'template'])
    const template = way === 'template' && body['body'] ? await makeTemplate(world, body) : undefined
    const sent = template ? { ...body, subject: undefined, body: undefined, template } : body
    const answer =
      way === 'batch'
        ? (await world.call('POST', '/v1/send/batch', { body: { messages: [sent] } })).body.data.results[0]
        : (await world.call('POST', '/v1/send', { body: sent })).body
    if (!answer.success)
      throw new Error(`${expected.what} was refused: ${JSON.stringify([answer, sent]).slice(0, 3_000)}`)
    known.set(answer.data.emails[0].email, expected)
  }
}

/** What is stored of messages that nothing is measured of leaves as it is. */
async function noteBodies(world: World, known: Known): Promise<void> {
  const rows = await world.ctx.sql`
    select id, html, text from emails
      where project_id = ${world.project.id} and campaign_id is null and submitted_set is null`
  for (const { id, html, text } of rows) {
    const expected = known.get(id)
    if (expected && !expected.isTracked) expected.bodies = { html, text }
  }
}

async function makeTemplate(world: World, { subject, body }: Record<string, unknown>): Promise<string> {
  const template = { name: 'T', subject, body, from: sender, type: 'TRANSACTIONAL' }
  const made = await world.call('POST', '/templates', { body: template })
  expect([made.status, made.body.error]).toEqual([201, undefined])
  return made.body.id
}

async function submit(
  world: World,
  port: number,
  chance: Chance,
  count: number,
  known: Known,
): Promise<void> {
  const talk = await signedIn(port, world.project.secretKey)
  for (let n = 0; n < count; n++) {
    const { raw, to, expected } = submittedOf(chance, n)
    const commands = [`MAIL FROM:<${sender}>`, `RCPT TO:<${to}>`, 'DATA']
    for (const command of commands) await talk.ask(command)
    const stuffed = raw.toString('latin1').replace(/(^|\n)\./g, '$1..')
    talk.write(Buffer.from(`${stuffed}.\r\n`, 'latin1'))
    const reply = await talk.reply()
    if (!reply.startsWith('250')) throw new Error(`${expected.what} was refused: ${reply}`)
    known.set(`order-${n}`, expected)
  }
  talk.end()
}

const perCampaign = 5

async function campaign(
  { call, draft, send, project, world }: Awaited<ReturnType<typeof campaignWorld>>,
  chance: Chance,
  count: number,
  known: Known,
): Promise<void> {
  for (let n = 0; n < perCampaign; n++) {
    const data = { name: phrase(chance, 3), firstName: lineOf(chance, 100) }
    await call('POST', '/contacts', { email: `reader-${n}@example.com`, subscribed: true, data })
  }
  for (let n = 0; n < count; n += perCampaign) {
    const tracking = chance.pick(['ENABLED', 'DISABLED'])
    await world.ctx.sql`update projects set tracking = ${tracking} where id = ${project.id}`
    const id = await draft({
      name: `News ${n}`,
      subject: `${lineOf(chance, 500).replace(/[{}%]/g, '')} {{name}}`,
      body: chance.once(2) ? renderMail(chance.pick(samples).document) : htmlOf(chance),
      fromName: lineOf(chance, 90),
      type: chance.pick(['MARKETING', 'TRANSACTIONAL', 'HEADLESS']),
      audienceType: 'FILTERED',
      audienceCondition: {
        logic: 'AND',
        groups: [{ filters: [{ field: 'email', operator: 'contains', value: 'reader-' }] }],
      },
    })
    const answer = await send(id)
    expect([answer.status, answer.body.error]).toEqual([200, undefined])
    await world.drain()
    const rows = await world.ctx.sql`select id from emails where campaign_id = ${id}`
    for (const row of rows) known.set(row['id'], { what: `campaign ${n}` })
  }
}

async function keysOf(world: World): Promise<Keys> {
  const rows = await world.ctx.sql`
    select selector, public_key from domains where project_id = ${world.project.id} and domain = ${senderDomain}`
  return Object.fromEntries(
    rows.map(row => [
      `${row['selector']}._domainkey.${senderDomain}`,
      `v=DKIM1; k=rsa; p=${row['public_key']}`,
    ]),
  )
}
