// Mail of a workflow that names a topic: goes to those only whom the topic allows, when it is made and when it leaves; its links leave
// the topic; and what can't be named is refused where it is saved.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { jobHandlers } from '../../src/server/jobs'
import { drain } from '../support/drain'
import { makeWorkflowWorld, type WorkflowWorld } from '../support/workflows'

let world: WorkflowWorld
beforeAll(async () => {
  world = await makeWorkflowWorld()
})
afterAll(() => world.close())

let counter = 0

/** A topic, a workflow whose mail names it, and a contact. */
async function stage({ subscribedByDefault = true, type = 'MARKETING', ...more } = {}) {
  const event = `topical.${++counter}`
  const email = `reader${counter}@x.test`
  const topic = (
    await world.call('POST', '/topics', { body: { name: `News ${counter}`, subscribedByDefault } })
  ).body
  const contact = (await world.call('POST', '/contacts', { body: { email } })).body
  const templateId = await world.template({ type })
  const step = { type: 'SEND_EMAIL', templateId, config: { topicId: topic.id } }
  const { id, steps } = await world.chain(event, [step], more)
  return { event, email, topic, contact, id, stepId: steps[0]!, templateId }
}

type Stage = Awaited<ReturnType<typeof stage>>

const decide = ({ contact, topic }: Stage, subscribed: boolean) =>
  world.call('PUT', `/contacts/${contact.id}/topics`, { body: { topics: [{ id: topic.id, subscribed }] } })

/** Starts the workflow for the contact; its mail is made, and leaves with the next `deliver`. */
async function start({ event, email }: Stage): Promise<string> {
  const key = world.project.publicKey
  expect((await world.call('POST', '/v1/track', { key, body: { email, event } })).status).toBe(200)
  const early = [...jobHandlers(world.ctx)].filter(
    ([kind]) => !['email.deliver', 'email.deliverWorkflow'].includes(kind),
  )
  await drain(world.ctx, new Map(early))
  const [row] = await world.ctx.sql<{ id: string }[]>`
    select id from emails where to_email = ${email} order by id desc limit 1`
  return row!.id
}

async function deliver(): Promise<string[]> {
  world.mail.clear()
  world.clock.advance(61_000)
  await world.drain()
  return world.mail.sent.flatMap(({ envelope }) => envelope.to)
}

test.each([
  [true, undefined, true],
  [true, false, false],
  [false, undefined, false],
  [false, true, true],
])('by default %p, decided %p: it leaves: %p', async (subscribedByDefault, decided, leaves) => {
  const made = await stage({ subscribedByDefault })
  if (decided !== undefined) await decide(made, decided)
  await start(made)
  expect(await deliver()).toEqual(leaves ? [made.email] : [])
  const { status, stepExecutions } = await world.execution(made.id)
  expect(status).toBe('COMPLETED')
  expect(stepExecutions.at(-1).output.error).toBe(leaves ? undefined : 'Contact does not want the topic')
})

test.each(['MARKETING', 'TRANSACTIONAL'])(
  '%s mail: whoever leaves the topic before it goes gets none',
  async type => {
    const made = await stage({ type })
    const emailId = await start(made)
    await decide(made, false)
    expect(await deliver()).toEqual([])
    expect(await world.email(emailId)).toMatchObject({
      status: type === 'MARKETING' ? 'SKIPPED' : 'FAILED',
      error: 'contact does not want the topic',
    })
  },
)

test('one click leaves the topic, and the page asks about it', async () => {
  const made = await stage()
  const emailId = await start(made)
  await deliver()
  const mail = (await world.received()).find(({ to }) => to?.[0]?.address === made.email)
  const header = mail!.headers.find(({ key }) => key === 'list-unsubscribe')!.value
  const { pathname, search } = new URL(header.match(/<(https?:[^>]+)>/)![1]!)
  const page = (await world.call('GET', pathname + search)).body as string
  expect(page).toContain(`Unsubscribe: ${made.topic.name}`)
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  expect((await world.call('POST', pathname + search, { body })).status).toBe(200)
  const { data } = (await world.call('GET', `/contacts/${made.contact.id}/topics`)).body
  expect(data.find(({ id }: { id: string }) => id === made.topic.id)).toMatchObject({ subscribed: false })
  expect((await world.call('GET', `/contacts/${made.contact.id}`)).body.subscribed).toBe(true)
  const again = await world.call('POST', `/emails/${emailId}/resend`)
  expect([again.status, again.body.error.message]).toEqual([
    409,
    'The contact does not want the topic of the message',
  ])
  await decide(made, true)
  const copy = await world.call('POST', `/emails/${emailId}/resend`)
  await decide(made, false)
  expect(await deliver()).toEqual([])
  expect((await world.email(copy.body.id)).error).toBe('contact does not want the topic')
})

test('what leaves names its list and its stream, without a word about the reader', async () => {
  const made = await stage()
  await start(made)
  await deliver()
  const mail = (await world.received()).find(({ to }) => to?.[0]?.address === made.email)!
  const header = (name: string) => mail.headers.find(({ key }) => key === name)?.value
  expect(header('list-id')).toBe(`<${made.topic.id}.${world.project.id}.localhost>`)
  expect(header('feedback-id')).toMatch(
    new RegExp(`^${made.templateId}:${world.project.id}:workflow:[0-9a-f]{12}$`),
  )
})

test('the topic of another project, an unknown, an archived and a malformed one are refused where they are saved', async () => {
  const made = await stage()
  const stranger = await world.newProject()
  const theirs = await world.call('POST', '/topics', { key: stranger.secretKey, body: { name: 'Theirs' } })
  const archived = (await world.call('POST', '/topics', { body: { name: `Old ${counter}` } })).body
  await world.call('PATCH', `/topics/${archived.id}`, { body: { archived: true } })
  const path = `/workflows/${made.id}`
  const { steps, transitions } = (await world.call('GET', path)).body
  const withTopic = (topicId: unknown, more = {}) =>
    steps.map((each: { id: string; config: object }) =>
      each.id === made.stepId ? { ...each, config: { topicId, ...more } } : each,
    )
  const save = (config: object) => world.call('PATCH', `${path}/steps/${made.stepId}`, { body: { config } })
  const saveAll = async (topicId: unknown) => {
    const body = { steps: withTopic(topicId), transitions }
    const answer = await world.call('PUT', `${path}/graph`, { body })
    return [answer.status, answer.body.error?.errors?.[0]]
  }
  const fault = (message: string) => [422, { field: 'steps.1.config.topicId', message, code: 'custom' }]
  expect(await saveAll(theirs.body.id)).toEqual(fault('There is no such topic'))
  expect(await saveAll(archived.id)).toEqual(fault('The topic is archived'))
  expect((await saveAll('news'))[0]).toBe(422)
  const custom = { recipient: { type: 'CUSTOM', customEmail: 'boss@x.test' } }
  const statuses = [
    await save({ topicId: theirs.body.id }),
    await save({ topicId: Bun.randomUUIDv7() }),
    await save({ topicId: archived.id }),
    await save({ topicId: 'news' }),
    await save({ topicId: made.topic.id, ...custom }),
    await save({ topicId: null, ...custom }),
    await save({ topicId: made.topic.id.toUpperCase() }),
  ].map(({ status }) => status)
  expect(statuses).toEqual([404, 404, 400, 422, 422, 200, 200])
})

test('what is archived later stays where it is, and what a workflow names is not deleted', async () => {
  const made = await stage()
  await world.call('PATCH', `/topics/${made.topic.id}`, { body: { archived: true } })
  const path = `/workflows/${made.id}`
  const config = { topicId: made.topic.id, recipient: { type: 'CONTACT' } }
  expect((await world.call('PATCH', `${path}/steps/${made.stepId}`, { body: { config } })).status).toBe(200)
  const { steps, transitions } = (await world.call('GET', path)).body
  const renamed = steps.map((each: object) => ({ ...each, name: 'Another name' }))
  expect((await world.call('PUT', `${path}/graph`, { body: { steps: renamed, transitions } })).status).toBe(
    200,
  )
  const remove = () => world.call('DELETE', `/topics/${made.topic.id}`)
  expect((await remove()).status).toBe(409)
  await start(made)
  expect(await deliver()).toEqual([made.email])
  const cleared = await world.call('PATCH', `${path}/steps/${made.stepId}`, { body: { config: {} } })
  expect(cleared.status).toBe(200)
  expect((await remove()).status).toBe(204)
})

test('a simulation says that the contact does not want it', async () => {
  const made = await stage({ subscribedByDefault: false })
  const simulate = async (body: object) => {
    const answer = await world.call('POST', `/workflows/${made.id}/simulate`, { body })
    return answer.body.steps.at(-1).output
  }
  const refused = { wouldSend: false, error: 'Contact does not want the topic' }
  expect(await simulate({ contactId: made.contact.id })).toMatchObject(refused)
  expect(await simulate({ contact: { email: 'new@x.test', subscribed: true } })).toMatchObject(refused)
  await decide(made, true)
  expect(await simulate({ contactId: made.contact.id })).toMatchObject({ wouldSend: true })
})
