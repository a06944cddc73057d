// Placeholders of our own links that an editor spoiled lead where they were meant to, whatever way the email goes; others are warned of
// before anything is sent.
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'
import { sender } from '../support/world'

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
beforeEach(async () => {
  world.mail.clear()
  world.project = await world.newProject()
})
afterAll(() => world.close())

const body =
  '<p>News</p><a href="%7B%7BunsubscribeUrl%7D%7D">leave</a> <a href="http://{{manageUrl}}">choose</a>'
const call = (path: string, given: unknown) => world.call('POST', path, { body: given })

async function expectMended(): Promise<void> {
  await world.drain()
  const [mail, ...others] = await world.received()
  expect(others).toEqual([])
  const { baseUrl } = world.ctx.config
  for (const page of ['unsubscribe', 'manage']) {
    expect(mail!.html).toContain(`href="${baseUrl}/${page}/`)
    expect(mail!.text).toContain(`${baseUrl}/${page}/`)
  }
  expect(mail!.html).not.toMatch(/%7b%7b|https?:\/\/http/i)
  expect(mail!.text).not.toMatch(/%7b%7b|https?:\/\/http/i)
}

test('by /v1/send, in the body and in a text part', async () => {
  const text = 'leave: http://{{unsubscribeUrl}} choose: http://{{ manageUrl }}'
  await call('/v1/send', { from: sender, to: 'ada@reader.example', subject: 's', body, text })
  await expectMended()
})

test('by /v1/send, with a template in a layout that is spoiled', async () => {
  const layout = await call('/layouts', { name: 'L', body: `<main>{{ content }}</main>${body}` })
  const template = { name: 'T', from: sender, subject: 's', body: '<p>x</p>', layoutId: layout.body.id }
  const { body: made } = await call('/templates', template)
  await call('/v1/send', { to: 'ada@reader.example', template: made.id })
  await expectMended()
})

test('by a workflow', async () => {
  const templateId = await world.template({ type: 'TRANSACTIONAL', body })
  await world.chain('signed_up', [{ type: 'SEND_EMAIL', templateId }])
  await world.track('ada@reader.example', 'signed_up', {})
  await expectMended()
})

test('by a campaign', async () => {
  await call('/contacts', { email: 'ada@reader.example', subscribed: true })
  const { body: made } = await call('/campaigns', {
    ...{ name: 'C', subject: 's', from: sender, audienceType: 'ALL', body },
  })
  await call(`/campaigns/${made.data.id}/send`, {})
  await expectMended()
})

test('other placeholders are warned of in previews of templates, layouts and campaigns', async () => {
  const spoiled = '<a href="%7B%7Bshop%7D%7D">a</a><a href="https://editor.example/{{unsubscribeUrl}}">b</a>'
  const { body: made } = await call('/campaigns', {
    ...{ name: 'C', subject: 's', from: sender, audienceType: 'ALL', body: spoiled },
  })
  const answers = [
    await call('/templates/preview', { subject: 's', body: spoiled }),
    await call('/layouts/preview', { body: `${spoiled}{{ content }}` }),
    await call(`/campaigns/${made.data.id}/preview`, {}),
  ]
  for (const { status, body: answer } of answers) {
    expect(status).toBe(200)
    const messages = answer.warnings.filter(({ code }: { code: string }) => code === 'empty_link')
    expect(messages.map(({ message }: { message: string }) => message)).toEqual([
      'Links with a variable that an editor changed (%7B%7B, or a URL in front of it): 2',
    ])
  }
})
