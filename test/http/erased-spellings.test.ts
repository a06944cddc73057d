// Addresses that were erased before they had one spelling: their hashes can't be spelled again, so the person is known under the old one too.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { domainToASCII } from 'node:url'
import fc from 'fast-check'
import { insertErased } from '../../src/modules/audience/suppressions/queries'
import { buildApp } from '../../src/server/app'
import { jobHandlers } from '../../src/server/jobs'
import { drain } from '../support/drain'
import { request } from '../support/request'
import { makeWorld, sender, type World } from '../support/world'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.close())

const api = (method: string, path: string, body?: unknown) =>
  request(buildApp(world.ctx), method, path, { key: world.project.secretKey, body })
const now = 'gone@münchen.example'

/** Sends, and answers why it was withheld. */
async function errorOf(to: string): Promise<string | null> {
  const id = await world.sendOne({ to })
  await world.drain()
  return (await world.email(id)).error
}

describe('whoever was erased as Punycode', () => {
  beforeAll(async () => {
    await insertErased(world.ctx, world.project.id, 'gone@xn--mnchen-3ya.example')
    await insertErased(world.ctx, world.project.id, 'plain@x.example')
  })

  test.each([now, 'gone@xn--mnchen-3ya.example', 'GONE@MÜNCHEN.example', 'plain@x.example'])(
    'gets no mail as %s',
    async to => expect(await errorOf(to)).toBe('address is suppressed (erased)'),
  )

  test('gets no campaign after an import', async () => {
    const file = new FormData()
    file.set('file', new File([`email,subscribed\n${now},true\nada@münchen.example,true\n`], 'c.csv'))
    expect((await api('POST', '/contacts/import', file)).status).toBeLessThan(300)
    await drain(world.ctx, jobHandlers(world.ctx))
    world.mail.clear()
    const draft = { name: 'C', subject: 'S', body: '<p>B</p>', from: sender, audienceType: 'ALL' }
    const { id } = (await api('POST', '/campaigns', draft)).body.data
    expect((await api('POST', `/campaigns/${id}/send`)).status).toBe(200)
    world.clock.advance(61_000)
    await drain(world.ctx, jobHandlers(world.ctx))
    expect(world.mail.sent.flatMap(({ envelope }) => envelope.to)).toEqual(['ada@xn--mnchen-3ya.example'])
  })

  test('gets mail again once the address is removed from the list', async () => {
    expect((await api('DELETE', `/suppressions/${encodeURIComponent(now)}`)).status).toBeLessThan(300)
    expect(await errorOf(now)).toBeNull()
  })
})

test('the database spells domains as the program does', async () => {
  const letters = fc.string({
    unit: fc.constantFrom(...'aäöüßéñжяאبह中日한ą-9z'),
    minLength: 1,
    maxLength: 20,
  })
  const spelled = (text: string) => domainToASCII(`${text}.example`)
  const texts = fc.sample(letters, 300).filter(text => spelled(text) && !/^-|-$/.test(text))
  const all = ['münchen', 'faß', '例え', 'правда', 'aü', 'üa-b', ...texts].map(text =>
    text.normalize('NFC').toLowerCase(),
  )
  const rows = await world.ctx.sql<Array<{ written: string }>>`
    select punycode_address('me@' || label || '.example') as written
      from unnest(${all}::text[]) with ordinality as each(label, place) order by place`
  expect(rows.map(({ written }) => written)).toEqual(all.map(text => `me@${spelled(text)}`))
})
