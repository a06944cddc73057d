// Tools that let mail leave. Each asks for a confirmation that says to whom.
import { Type } from '@sinclair/typebox'
import { badRequest } from '../../../../lib/errors'
import { anyKey } from '../../../../lib/free-form'
import { parseDate } from '../../../../lib/time'
import { type Ask, type Item, inputOf, itemId, type McpTool, type Proposal, tool } from './tool'

interface Campaign extends Item {
  name: string
  version: number
}

const address = Type.String({ minLength: 3, maxLength: 320 })

const sendMessage = tool({
  name: 'send_message',
  title: 'Send a message',
  description:
    'Sends transactional mail to up to ten recipients, each with a message of their own: with subject and body, or with a template. Asks for a confirmation.',
  input: inputOf({
    to: Type.Array(address, { minItems: 1, maxItems: 10 }),
    subject: Type.Optional(Type.String({ minLength: 1, maxLength: 998 })),
    body: Type.Optional(Type.String({ minLength: 1, maxLength: 500_000, description: 'HTML' })),
    template: Type.Optional(itemId('template, in place of subject and body')),
    from: Type.Optional(address),
    data: Type.Optional(Type.Record(anyKey, Type.Unknown(), { description: 'For placeholders' })),
  }),
  routes: ['POST /v1/send'],
  propose: (_, { to, subject, template }) => {
    const what = subject === undefined ? `the template ${template}` : JSON.stringify(subject)
    return Promise.resolve({ summary: `send ${what} to ${to.join(', ')}`, facts: {} })
  },
  run: async (ask, input) => (await ask.send('POST', '/v1/send', input)).data,
})

const campaigns: McpTool[] = [
  tool({
    name: 'send_campaign_test',
    title: 'Send a test of a campaign',
    description: 'Sends a campaign to one address, as its recipients would get it. Asks for a confirmation.',
    input: inputOf({ id: itemId('campaign'), email: address }),
    routes: ['GET /campaigns/:id', 'POST /campaigns/:id/test'],
    propose: async (ask, { id, email }) => {
      const { name, version } = await ask.get<Campaign>(`/campaigns/${id}`)
      return {
        summary: `send a test of the campaign ${JSON.stringify(name)} to ${email}`,
        facts: { version },
      }
    },
    run: (ask, { id, email }) => ask.send('POST', `/campaigns/${id}/test`, { email }),
  }),
  tool({
    name: 'start_campaign',
    title: 'Start a campaign',
    description:
      'Sends a campaign to its whole audience, at once or at a date. It can be paused in the dashboard; what has left can not be taken back. Asks for a confirmation.',
    input: inputOf({
      id: itemId('campaign'),
      scheduledFor: Type.Optional(
        Type.String({
          pattern:
            '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}([.][0-9]{1,9})?)?(Z|[+-][0-9]{2}:[0-9]{2})$',
          maxLength: 40,
          examples: ['2026-01-31T09:00:00Z', '2026-01-31T09:00:00+01:00'],
          description:
            'In the future, in ISO 8601 with a zone, such as 2026-01-31T09:00:00+01:00; at once without it',
        }),
      ),
    }),
    routes: ['GET /campaigns/:id', 'GET /projects', 'POST /campaigns/audience', 'POST /campaigns/:id/send'],
    propose: (ask, { id, scheduledFor }) => proposeStart(ask, id, scheduledFor),
    run: async (ask, { id, scheduledFor }) =>
      (await ask.send('POST', `/campaigns/${id}/send`, scheduledFor === undefined ? {} : { scheduledFor }))
        .data,
  }),
]

export const sendingTools = [sendMessage, ...campaigns]

/** The moment in UTC and as the project's clock shows it, so that a person sees a wrong year or zone; 400 for one that is over. */
async function inWords(ask: Ask, text: string): Promise<string> {
  const at = parseDate(text)
  if (!at) throw badRequest(`scheduledFor: ${text} is not a date`)
  if (at <= ask.now())
    throw badRequest(`scheduledFor: ${text} is over; it is ${ask.now().toISOString()} now`, {
      suggestion: 'Give a time to come, or none to send at once.',
    })
  const { timeZone } = await ask.get<{ timeZone: string | null }>('/projects')
  const local = at.toLocaleString('en-US', {
    timeZone: timeZone ?? 'UTC',
    dateStyle: 'full',
    timeStyle: 'short',
  })
  return `${at.toISOString()} (${local}, ${timeZone ?? 'UTC'})`
}

async function proposeStart(ask: Ask, id: string, scheduledFor: string | undefined): Promise<Proposal> {
  const { name, subject, version, type, audienceType, segmentId, audienceCondition } =
    await ask.get<Campaign>(`/campaigns/${id}`)
  const audience = { type, audienceType, segmentId, audienceCondition }
  const { recipients } = await ask.send<{ recipients: number }>('POST', '/campaigns/audience', audience)
  const what = `the campaign ${JSON.stringify(name)} with the subject ${JSON.stringify(subject)}`
  const when = scheduledFor === undefined ? 'at once' : `at ${await inWords(ask, scheduledFor)}`
  return { summary: `send ${what} to ${recipients} contacts ${when}`, facts: { version } }
}
