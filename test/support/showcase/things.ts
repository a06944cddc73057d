// What the company has made before the story begins: contacts, templates, segments, workflows.

import { makeLayout } from './layouts'
import type { Story } from './story'
import { makePeople, type Person, sender, templates } from './words'
import { makeDrawnWorkflow } from './workflows'

export interface Things {
  people: Person[]
  /** Ids of templates by name. */
  templates: Record<string, string>
}

export async function makeThings(story: Story, now: Date): Promise<Things> {
  const people = makePeople(240, now)
  for (const person of people) await story.call('POST', '/contacts', person)
  const ids: Record<string, string> = {}
  for (const template of templates) {
    const { body } = await story.call('POST', '/templates', { ...template, ...sender })
    ids[template.name] = body.id
  }
  await makeBrand(story)
  await makeLayout(story)
  await makeSegments(story, people)
  await makeTopics(story)
  await makeForms(story)
  await makeWorkflows(story, ids)
  await story.call('POST', '/domains', { domain: 'mail.fernway-boards.com', projectId: story.projectId })
  publishHalf(story)
  await rotateHalf(story)
  await makeEndpoints(story)
  await makeKeys(story)
  await story.drain()
  return { people, templates: ids }
}

async function makeBrand({ call, projectId }: Story): Promise<void> {
  await call('PATCH', `/projects/${projectId}/brand`, {
    ...{ accentColor: '#24543f', textColor: '#26231f', backgroundColor: '#f4f2ec', headingFont: 'serif' },
    postalAddress: 'Fernway, 12 Harbour Lane, 20457 Hamburg',
    socialLinks: [
      { name: 'Website', url: 'https://fernway.example' },
      { name: 'Instagram', url: 'https://instagram.example/fernway' },
    ],
    footerText: 'You get this email because you asked for news from Fernway.',
  })
}

/** As one finds it where somebody tried something and forgot. */
function publishHalf({ dns }: Story): void {
  dns.set('mail.fernway-boards.com', 'txt', 'v=spf1 mx +all')
  dns.set('_dmarc.mail.fernway-boards.com', 'txt', 'v=DMARC1; p=quarantine')
}

/** A domain that is in order and gets a new key, whose record is not there yet. */
async function rotateHalf({ call, dns }: Story): Promise<void> {
  const { body } = await call('POST', '/domains', { domain: 'news.fernway-boards.com' })
  for (const { name, value } of body.records) dns.set(name, 'txt', value)
  await call('GET', `/domains/${body.id}/verify`)
  await call('POST', `/domains/${body.id}/dkim/rotate`)
  await call('PUT', `/domains/${body.id}/warm-up`, { firstDay: 50, factor: 1.5, target: 10_000 })
}

async function makeEndpoints({ call }: Story): Promise<void> {
  await call('POST', '/webhook-endpoints', {
    url: 'https://shop.fernway.example/hooks',
    description: 'The shop',
    eventTypes: ['email.bounce', 'email.complaint', 'contact.unsubscribed', 'order.placed'],
  })
  await call('POST', '/webhook-endpoints', {
    url: 'https://crm.fernway.example/inbound/waxwing',
    description: 'Customer file, until the move is done',
    eventTypes: ['contact.subscribed', 'contact.unsubscribed'],
    enabled: false,
  })
}

async function makeKeys({ call, projectId }: Story): Promise<void> {
  const keys = [
    { name: 'Shop', scopes: ['send'], domains: ['fernway.example'] },
    { name: 'Landing page', scopes: ['track'] },
    { name: 'Data warehouse', scopes: ['read'], expiresAt: '2034-06-30T00:00:00Z' },
    { name: 'Import from the CRM, until the move is done', scopes: ['read', 'write'] },
  ]
  for (const key of keys) await call('POST', `/projects/${projectId}/api-keys`, key)
}

async function makeSegments(story: Story, people: Person[]): Promise<void> {
  const rule = (field: string, operator: string, value: unknown) => ({
    logic: 'AND',
    groups: [{ filters: [{ field, operator, value }] }],
  })
  const dynamic = [
    ['Paying teams', 'On team or business', rule('data.plan', 'notEquals', 'free')],
    ['Large teams', 'More than 15 seats', rule('data.seats', 'greaterThan', 15)],
    ['In Berlin', 'For the meet-up', rule('data.city', 'equals', 'Berlin')],
  ] as const
  for (const [name, description, condition] of dynamic)
    await story.call('POST', '/segments', {
      name,
      description,
      condition,
      trackMembership: name === 'Paying teams',
    })
  await comeAndGo(story, people)
  const { body } = await story.call('POST', '/segments', { name: 'Beta testers', type: 'STATIC' })
  await story.call('POST', `/segments/${body.id}/members`, {
    emails: people.slice(0, 18).map(({ email }) => email),
  })
}

async function makeTopics(story: Story): Promise<void> {
  const topics = [
    {
      name: 'Monthly letter',
      description: 'What we built, and how others use it. Once a month',
      subscribedByDefault: true,
    },
    { name: 'Product updates', description: 'Whenever something new is ready' },
    { name: 'Invitations', description: 'Meet-ups in Berlin and on the screen' },
    { name: 'Beta programme', description: null, subscribedByDefault: true },
  ]
  const ids: string[] = []
  for (const topic of topics) ids.push((await story.call('POST', '/topics', topic)).body.id)
  await story.call('PATCH', `/topics/${ids[3]}`, { archived: true })
  const { body } = await story.call('GET', '/contacts?limit=40')
  for (const [index, { id }] of body.data.entries())
    await story.call('PUT', `/contacts/${id}/topics`, {
      topics: [{ id: ids[index % 2 === 0 ? 1 : 0], subscribed: index % 2 === 0 }],
    })
}

async function makeForms({ call, ctx, projectId }: Story): Promise<void> {
  const { body: topics } = await call('GET', '/topics')
  await call('PATCH', `/users/@me/projects/${projectId}`, {
    defaultSender: { email: 'hello@fernway.example', name: 'Fernway' },
  })
  const forms = [
    { name: 'Waiting list of 2033', enabled: false },
    {
      name: 'Meet-up in Berlin',
      language: 'de',
      topics: [topics.data[2].id],
      look: { heading: 'Kommen Sie vorbei', button: 'Ich bin dabei', accent: '#0b7285' },
    },
    {
      name: 'Monthly letter',
      topics: [topics.data[0].id, topics.data[1].id],
      fields: [
        { key: 'firstName', label: 'First name', type: 'text' },
        {
          key: 'team',
          label: 'How large is your team?',
          type: 'choice',
          options: ['1', '2 to 9', '10 or more'],
        },
        { key: 'call', label: 'Call me about a demo', type: 'checkbox' },
      ],
      look: { heading: 'The Fernway letter', text: 'What we built, and how others use it. Once a month.' },
      redirectUrl: 'https://fernway.example/welcome',
    },
  ]
  for (const form of forms) await call('POST', '/signup-forms', form)
  // Of requests that are deleted by now.
  await ctx.sql`update forms set asked = 1284, confirmed = 1013 where name = 'Monthly letter'`
  await ctx.sql`update forms set asked = 96, confirmed = 71 where name = 'Meet-up in Berlin'`
}

/** A tracked segment has a history. */
async function comeAndGo(story: Story, people: Person[]): Promise<void> {
  const { body } = await story.call('GET', '/segments')
  const tracked = body.find((segment: { trackMembership: boolean }) => segment.trackMembership)
  await story.call('POST', `/segments/${tracked.id}/compute`)
  const left = people.filter(({ data }) => data.plan === 'team').slice(0, 3)
  for (const { email } of left) await story.call('POST', '/contacts', { email, data: { plan: 'free' } })
  await story.call('POST', `/segments/${tracked.id}/compute`)
}

async function makeWorkflows(story: Story, templateIds: Record<string, string>): Promise<void> {
  const chains = [
    {
      name: 'Welcome series',
      eventName: 'trial.started',
      template: 'Welcome',
      wait: { amount: 2, unit: 'days' },
    },
    {
      name: 'Trial ending',
      eventName: 'board.created',
      template: 'Trial ends',
      wait: { amount: 11, unit: 'days' },
    },
  ]
  for (const { name, eventName, template, wait } of chains) {
    const { body } = await story.call('POST', '/workflows', { name, eventName })
    const step = (fields: object) =>
      story.call('POST', `/workflows/${body.id}/steps`, { position: { x: 0, y: 0 }, ...fields })
    await step({ type: 'DELAY', name: 'Wait', config: wait })
    await step({
      type: 'SEND_EMAIL',
      name: `Send ${template}`,
      config: {},
      templateId: templateIds[template],
    })
    await story.call('PATCH', `/workflows/${body.id}`, { enabled: true, allowReentry: true })
  }
  await makeDrawnWorkflow(story, templateIds)
}
