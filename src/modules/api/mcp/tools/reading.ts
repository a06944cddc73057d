// Tools that look.
import { Type } from '@sinclair/typebox'
import { contactStatuses } from '../../../audience/contacts'
import { campaignStatuses } from '../../../features/campaigns'
import { emailStatuses, troubleWords } from '../../../sending/emails'
import { explainMessage, type MessageFacts } from '../answer'
import { cursorPages, dateText, type Item, inputOf, itemId, numberedPages, tool, wordOf } from './tool'

type List = Item & { data: Item[] }

const day = (description: string) => Type.Optional(dateText(description))
const search = (description: string) => Type.Optional(Type.String({ maxLength: 255, description }))
const numbered = ({ limit, page }: { limit?: number; page?: number }) => ({ page, pageSize: limit ?? 20 })

const contacts = [
  tool({
    name: 'search_contacts',
    title: 'Search contacts',
    description: 'Contacts of the project, newest first, by a part of the address and by state.',
    input: inputOf({
      search: search('Part of the address'),
      status: Type.Optional(wordOf(contactStatuses, 'Only contacts in this state')),
      ...cursorPages,
    }),
    routes: ['GET /contacts'],
    run: (ask, input) => ask.get('/contacts', input),
  }),
  tool({
    name: 'get_contact',
    title: 'One contact',
    description: 'A contact with its data, its segments and its latest messages; by id.',
    input: inputOf({ id: itemId('contact') }),
    routes: ['GET /contacts/:id', 'GET /contacts/:id/segments', 'GET /emails'],
    run: async (ask, { id }) => ({
      contact: await ask.get(`/contacts/${id}`),
      segments: await ask.get(`/contacts/${id}/segments`),
      latestMessages: (await ask.get<List>('/emails', { contactId: id, limit: 10 })).data,
    }),
  }),
]

const messages = [
  tool({
    name: 'list_messages',
    title: 'List messages',
    description:
      'Messages of the project, newest first: by recipient, subject, state, period, or by what went wrong.',
    input: inputOf({
      to: search('A recipient, or a part of the address'),
      subject: search('Part of the subject'),
      status: Type.Optional(wordOf(emailStatuses, 'Only messages in this state')),
      trouble: Type.Optional(wordOf(troubleWords, 'Only messages with which this went wrong')),
      campaignId: Type.Optional(itemId('campaign')),
      templateId: Type.Optional(itemId('template')),
      since: day('From this moment on'),
      until: day('Before this moment'),
      ...cursorPages,
    }),
    routes: ['GET /emails'],
    run: (ask, input) => ask.get('/emails', input),
  }),
  tool({
    name: 'get_message',
    title: 'One message, and why it did not arrive',
    description:
      'A message with each try to hand it over and what the other server said, its events, and a sentence on why it has not arrived.',
    input: inputOf({ id: itemId('message') }),
    routes: ['GET /emails/:id', 'GET /emails/:id/events'],
    run: async (ask, { id }) => {
      const message = await ask.get<MessageFacts & Item>(`/emails/${id}`)
      const { events } = await ask.get(`/emails/${id}/events`)
      return { explanation: explainMessage(message), message, events }
    },
  }),
]

const statistics = tool({
  name: 'statistics',
  title: 'Statistics',
  description: 'How much was sent, delivered, opened, clicked and bounced: in all, and by day (UTC).',
  input: inputOf({
    startDate: day('First day; default 30 days ago'),
    endDate: day('Last day; default today'),
  }),
  routes: ['GET /activity/stats', 'GET /analytics/timeseries'],
  run: async (ask, input) => ({
    totals: await ask.get('/activity/stats', input),
    days: await ask.get('/analytics/timeseries', input),
  }),
})

const templates = [
  tool({
    name: 'list_templates',
    title: 'List templates',
    description: 'Templates of the project, without their bodies.',
    input: inputOf({ search: search('Part of name, description or subject'), ...numberedPages }),
    routes: ['GET /templates'],
    run: async (ask, { search: text, ...pages }) => {
      const { data, ...list } = await ask.get<List>('/templates', { search: text, ...numbered(pages) })
      return { ...list, data: data.map(withoutBody) }
    },
  }),
  tool({
    name: 'get_template',
    title: 'One template',
    description: 'A template with its body, and where it is used.',
    input: inputOf({ id: itemId('template') }),
    routes: ['GET /templates/:id', 'GET /templates/:id/usage'],
    run: async (ask, { id }) => ({
      template: await ask.get(`/templates/${id}`),
      usage: await ask.get(`/templates/${id}/usage`),
    }),
  }),
]

const segments = [
  tool({
    name: 'list_segments',
    title: 'List segments',
    description:
      'All segments of the project, with the conditions of those that have one and how many are in it.',
    input: inputOf({}),
    routes: ['GET /segments'],
    run: async ask => ({ segments: await ask.get('/segments') }),
  }),
  tool({
    name: 'get_segment',
    title: 'One segment',
    description: 'A segment, and the first contacts in it.',
    input: inputOf({ id: itemId('segment') }),
    routes: ['GET /segments/:id', 'GET /segments/:id/contacts'],
    run: async (ask, { id }) => ({
      segment: await ask.get(`/segments/${id}`),
      contacts: await ask.get(`/segments/${id}/contacts`, { pageSize: 10 }),
    }),
  }),
]

const campaigns = [
  tool({
    name: 'list_campaigns',
    title: 'List campaigns',
    description: 'Campaigns of the project, newest first, without their bodies.',
    input: inputOf({
      search: search('Part of name, subject or sender'),
      status: Type.Optional(wordOf(campaignStatuses, 'Only campaigns in this state')),
      ...numberedPages,
    }),
    routes: ['GET /campaigns'],
    run: async (ask, { search: text, status, ...pages }) => {
      const { data, ...list } = await ask.get<List>('/campaigns', {
        search: text,
        status,
        ...numbered(pages),
      })
      return { ...list, data: data.map(withoutBody) }
    },
  }),
  tool({
    name: 'get_campaign',
    title: 'One campaign',
    description: 'A campaign with its body, its results and how far it has come.',
    input: inputOf({ id: itemId('campaign') }),
    routes: ['GET /campaigns/:id', 'GET /campaigns/:id/stats'],
    run: async (ask, { id }) => {
      const { editor: _, ...campaign } = await ask.get(`/campaigns/${id}`)
      return { campaign, results: await ask.get(`/campaigns/${id}/stats`) }
    },
  }),
]

const domains = tool({
  name: 'list_sender_domains',
  title: 'List sender domains',
  description: 'Domains that the project may send from, and whether each is verified.',
  input: inputOf({}),
  routes: ['GET /domains'],
  run: async ask => ({ domains: await ask.get('/domains') }),
})

export const readingTools = [
  ...contacts,
  ...messages,
  statistics,
  ...templates,
  ...segments,
  ...campaigns,
  domains,
]

function withoutBody(item: Item): Item {
  const { body: _, ...rest } = item
  return rest
}
