// Calls by a client that openapi-typescript made (`schema.d.ts` beside this file, when the test runs it), as an application would write them.
import createClient from 'openapi-fetch'
import type { paths } from './schema'

const { WAXWING_URL: baseUrl = '', WAXWING_KEY: key = '' } = process.env
const client = createClient<paths>({ baseUrl, headers: { authorization: `Bearer ${key}` } })
const from = 'hello@acme.example'

/** What a call answered, or an error that stops the program. */
function good<T>(name: string, { data, error }: { data?: T; error?: unknown }): NonNullable<T> {
  if (data === undefined || data === null) throw new Error(`${name}: ${JSON.stringify(error)}`)
  console.log(name)
  return data
}

const template = good(
  'create template',
  await client.POST('/templates', {
    body: { name: 'Receipt', subject: 'Order {{order}}', body: '<p>Thanks, {{name}}</p>', from },
  }),
)
const sent = good(
  'send',
  await client.POST('/v1/send', {
    body: { from, to: { email: 'ada@example.com', name: 'Ada' }, subject: 'Hi', body: '<p>Hi</p>' },
  }),
)
good(
  'send template',
  await client.POST('/v1/send', {
    params: { header: { 'Idempotency-Key': 'order-1042' } },
    body: { to: ['grace@example.com'], template: template.id, data: { order: 1042, name: 'Grace' } },
  }),
)
const batch = good(
  'send batch',
  await client.POST('/v1/send/batch', {
    body: { messages: [{ from, to: 'alan@example.com', subject: 'Hi', body: 'Hi' }, { to: 'nobody' }] },
  }),
)
for (const result of batch.data.results) {
  // The compiler knows what comes with which.
  if (result.success) console.log('accepted', result.data.emails[0]?.contact.email)
  else console.log('refused', result.error.code)
}
const contact = good(
  'create contact',
  await client.POST('/contacts', { body: { email: 'mary@example.com', data: { plan: 'pro' } } }),
)
good('get contact', await client.GET('/contacts/{id}', { params: { path: { id: contact.id } } }))
good('list contacts', await client.GET('/contacts', { params: { query: { limit: 10 } } }))
good(
  'track event',
  await client.POST('/events/track', { body: { contactId: contact.id, event: 'ordered', data: { sum: 3 } } }),
)
const id = sent.data.emails[0]!.email
good('get email', await client.GET('/emails/{id}', { params: { path: { id } } }))
good('list emails', await client.GET('/emails', { params: { query: { to: 'example', status: 'PENDING' } } }))
good(
  'create segment',
  await client.POST('/segments', {
    body: {
      name: 'Paying',
      condition: {
        logic: 'AND',
        groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }],
      },
    },
  }),
)
good(
  'create endpoint',
  await client.POST('/webhook-endpoints', {
    body: { url: 'https://hooks.example.com/mail', eventTypes: ['email.bounce'] },
  }),
)
const endpoints = good('list endpoints', await client.GET('/webhook-endpoints'))
const endpoint = endpoints[0]!.id
good(
  'list deliveries',
  await client.GET('/webhook-endpoints/{id}/deliveries', { params: { path: { id: endpoint } } }),
)
