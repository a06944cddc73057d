// A value is text in the HTML of every email that leaves, however it is sent, and as it is in subjects and text parts.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { buildApp } from '../../src/server/app'
import { type CampaignWorld, campaignWorld } from '../support/campaigns'
import { request } from '../support/request'
import { makeWorkflowWorld } from '../support/workflows'
import { makeWorld, sender, type World } from '../support/world'

let world: World
let on: CampaignWorld
beforeAll(async () => {
  world = await makeWorld()
})
beforeEach(async () => {
  on = await campaignWorld(world)
  world.mail.clear()
})
afterAll(() => world.close())

const evil = '</p><h1>Locked</h1><a href="https://evil.example/x?a=1&b=2">R&D\'s "link"</a>'
const safe =
  '&lt;/p&gt;&lt;h1&gt;Locked&lt;/h1&gt;&lt;a href=&quot;https://evil.example/x?a=1&amp;b=2&quot;&gt;R&amp;D&#39;s &quot;link&quot;&lt;/a&gt;'
const body = '<p>Hi {{name}}, {{ name | escape }}</p><p>{{ html | raw }}</p><p title="{{name}}">x</p>'
const html = '<b>ours</b>'
const message = { subject: 'For {{name}}', body }

function expectText(mail: {
  subject?: string | undefined
  html?: string | undefined
  text?: string | undefined
}) {
  // The filter spells the quote in another way.
  expect(mail.html?.replaceAll('&#34;', '&quot;')).toContain(
    `<p>Hi ${safe}, ${safe}</p><p>${html}</p><p title="${safe}">x</p>`,
  )
  expect(mail.subject).toEndWith(`For ${evil}`)
  expect(mail.text).toContain(`Hi ${evil}, ${evil}`)
  expect(mail.text).toContain('ours')
}

const call = (method: string, path: string, given: unknown) =>
  request(buildApp(world.ctx), method, path, { key: on.project.secretKey, body: given })

async function one() {
  await on.drain()
  const [mail, ...others] = await world.received()
  expect(others).toEqual([])
  return mail!
}

test('by /v1/send, with a body of its own', async () => {
  await call('POST', '/v1/send', {
    from: sender,
    to: 'ada@reader.example',
    ...message,
    data: { name: evil, html },
  })
  expectText(await one())
})

test('by /v1/send with a template in a layout, whose content stays HTML', async () => {
  const layout = await call('POST', '/layouts', {
    name: 'L',
    body: '<main>{{ content }}</main><i>{{name}}</i>',
  })
  const template = await call('POST', '/templates', {
    name: 'T',
    from: sender,
    ...message,
    layoutId: layout.body.id,
  })
  expect(template.status).toBe(201)
  const data = { name: evil, html }
  await call('POST', '/v1/send', { to: 'ada@reader.example', template: template.body.id, data })
  const mail = await one()
  expectText(mail)
  // The filter spells the quote in another way.
  expect(mail.html?.replaceAll('&#34;', '&quot;')).toContain(`</main><i>${safe}</i>`)
  const preview = await call('POST', '/templates/preview', { ...message, data })
  expectText(preview.body)
})

test.each([
  ['the fast way', `<p>Hi {{name}}, {{name}}</p><p>${html}</p><p title="{{name}}">x</p>`],
  ['the engine', body],
])('by a campaign, its preview and its test, through %s', async (_way, source) => {
  await on.contacts(1, { data: { name: evil, html } })
  const id = await on.draft({ subject: message.subject, body: source })
  const { body: preview } = await on.call('POST', `/campaigns/${id}/preview`, { data: { name: evil, html } })
  expectText({ text: `Hi ${evil}, ${evil} ours`, ...preview })
  await on.call('POST', `/campaigns/${id}/test`, { email: 'ada-1@example.com' })
  expectText(await one())
  world.mail.clear()
  await on.send(id)
  expectText(await one())
})

test('by a workflow, with what a public key sent; its webhooks and updates have the value as it is', async () => {
  const own = await makeWorkflowWorld()
  try {
    const templateId = await own.template({ type: 'TRANSACTIONAL', ...message })
    await own.chain('signed_up', [
      { type: 'UPDATE_CONTACT', config: { updates: { greeting: 'Dear {{name}}' } } },
      { type: 'SEND_EMAIL', templateId },
    ])
    await own.call('POST', '/v1/track', {
      key: own.project.publicKey,
      body: { email: 'ada@reader.example', event: 'signed_up', data: { name: evil, html } },
    })
    await own.drain()
    const [mail] = await own.received()
    expectText(mail!)
    const [contact] = await own.ctx.sql`select data from contacts where email = 'ada@reader.example'`
    expect(contact!['data']).toMatchObject({ greeting: `Dear ${evil}` })
  } finally {
    await own.close()
  }
})
