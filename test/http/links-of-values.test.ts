// What a stranger writes into a value of a mail: our host signs no redirect to it, whatever way the mail goes.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { readToken } from '../../src/tracking/token'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'
import { parse, sender } from '../support/world'

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
beforeEach(async () => {
  world.mail.clear()
  world.project = await world.newProject()
})
afterAll(() => world.close())

const evil = 'https://evil.example/login'
const body = `<h1>Hello {{name}}</h1><p><a href="{{link}}">your link</a> <a href="https://shop.example/">shop</a></p>
<a href="https://shop.example/{{path}}">again</a> <a href="https://{{host}}/">there</a>`
const values = {
  name: `</h1><a href="${evil}">Unlock it now</a><h1>`,
  link: evil,
  path: 'basket',
  host: 'evil.example',
}

/** The links of the only mail: those of the mail itself, and where the signed ones lead. */
async function links(): Promise<{ plain: string[]; signed: string[] }> {
  expect(world.mail.sent).toHaveLength(1)
  const { html } = await parse(world.mail.sent[0]!)
  const all = [...html!.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!)
  const signed = all
    .filter(href => href.includes('/t/c/'))
    .map(href => readToken(world.ctx.vault, href.split('/').at(-1)!)!)
  return {
    plain: all.filter(href => href.includes('evil')),
    signed: signed.flatMap(token => (token.kind === 'link' ? [token.url] : [])),
  }
}

const authors = ['https://shop.example/', 'https://shop.example/basket']

async function expectOnlyTheAuthors(): Promise<void> {
  const { plain, signed } = await links()
  expect(signed).toEqual(authors)
  expect(plain).toContain(evil)
  expect(plain).toContain('https://evil.example/')
}

const send = async (message: Record<string, unknown>): Promise<string> => {
  const answer = await world.call('POST', '/v1/send', {
    body: { to: 'ada@x.example', from: sender, data: values, ...message },
  })
  expect(answer.status).toBe(200)
  await world.drain()
  return answer.body.data.emails[0].email
}

describe('the links of a value stay as they are', () => {
  test('in mail of a workflow that the public key starts', async () => {
    const templateId = await world.template({ body: body.replaceAll(/\{\{(\w+)\}\}/g, '{{event.$1}}') })
    await world.chain('signed_up', [{ type: 'SEND_EMAIL', templateId }])
    await world.track('victim@bank.example', 'signed_up', values)
    await expectOnlyTheAuthors()
  })

  test('in a message with a body', async () => {
    await send({ subject: 'S', body })
    await expectOnlyTheAuthors()
  })

  test('in a message with a template, and when it is sent again', async () => {
    const id = await send({ template: await world.template({ body }) })
    await expectOnlyTheAuthors()
    world.mail.clear()
    const again = await world.call('POST', `/emails/${id}/resend`)
    expect([again.status, again.body.error]).toEqual([201, undefined])
    await world.drain()
    await expectOnlyTheAuthors()
  })

  test('and what is stored says nothing of it', async () => {
    const id = await send({ subject: 'S', body })
    const { body: stored } = await world.call('GET', `/emails/${id}`)
    expect(stored).not.toHaveProperty('givenLinks')
  })
})
