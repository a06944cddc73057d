// Tools that write drafts. What replaces something asks for a confirmation; what only adds does not.
import { type TProperties, Type } from '@sinclair/typebox'
import { anyKey } from '../../../../lib/free-form'
import { audienceTypes } from '../../../features/campaigns'
import { contentTypes } from '../../../sending/emails'
import { type Ask, inputOf, itemId, type Proposal, tool, wordOf } from './tool'

const text = (maxLength: number, description?: string) =>
  Type.String({ minLength: 1, maxLength, ...(description ? { description } : {}) })
const orNull = (maxLength: number) => Type.Optional(Type.Union([Type.String({ maxLength }), Type.Null()]))

const content = {
  name: text(100, 'For people of the project; readers never see it'),
  subject: text(998, 'May hold placeholders such as {{name ?? "you"}}'),
  body: text(500_000, 'HTML with placeholders such as {{name}}'),
  from: text(320, 'At a verified domain of the project: list_sender_domains'),
}
const details = { description: orNull(500), fromName: orNull(100), replyTo: orNull(320) }
const type = Type.Optional(wordOf(contentTypes, 'MARKETING has a link to unsubscribe'))
const audience = {
  audienceType: wordOf(audienceTypes, 'Everybody, those of a segment, or those who meet a condition'),
  segmentId: Type.Optional(itemId('segment, for SEGMENT')),
  audienceCondition: Type.Optional(
    Type.Record(anyKey, Type.Unknown(), { description: 'For FILTERED: the condition of a segment' }),
  ),
}

/** What is changed: all of it may be left out. */
const anyOf = <T extends TProperties>(members: T) => Type.Partial(Type.Object(members)).properties

const templates = [
  tool({
    name: 'create_template',
    title: 'Make a template',
    description: 'A new template, for messages by the API and for workflows. Sends nothing.',
    input: inputOf({ ...content, ...details, type }),
    routes: ['POST /templates'],
    run: (ask, input) => ask.send('POST', '/templates', input),
  }),
  tool({
    name: 'update_template',
    title: 'Change a template',
    description:
      'Replaces what is named in a template; the text before is lost, and what is sent with it from now on has the new one. Asks for a confirmation.',
    input: inputOf({ id: itemId('template'), ...anyOf(content), ...details, type }),
    routes: ['GET /templates/:id', 'PATCH /templates/:id'],
    propose: (ask, { id, ...changes }) => proposeChange(ask, 'template', `/templates/${id}`, changes),
    run: (ask, { id, ...changes }, { version }) =>
      ask.send('PATCH', `/templates/${id}`, { ...changes, expectedVersion: version }),
  }),
]

const campaigns = [
  tool({
    name: 'create_campaign',
    title: 'Draft a campaign',
    description: 'A new campaign as a draft. Nothing is sent before somebody starts it.',
    input: inputOf({ ...content, ...details, type, ...audience }),
    routes: ['POST /campaigns'],
    run: async (ask, input) => (await ask.send('POST', '/campaigns', input)).data,
  }),
  tool({
    name: 'update_campaign',
    title: 'Change a campaign',
    description:
      'Replaces what is named in a campaign that has not started; the text before is lost. Asks for a confirmation.',
    input: inputOf({ id: itemId('campaign'), ...anyOf(content), ...details, type, ...anyOf(audience) }),
    routes: ['GET /campaigns/:id', 'PUT /campaigns/:id'],
    propose: (ask, { id, ...changes }) => proposeChange(ask, 'campaign', `/campaigns/${id}`, changes),
    run: (ask, { id, ...changes }, { version }) =>
      ask.send('PUT', `/campaigns/${id}`, { ...changes, expectedVersion: version }),
  }),
]

export const writingTools = [...templates, ...campaigns]

async function proposeChange(
  ask: Ask,
  what: string,
  path: string,
  changes: Record<string, unknown>,
): Promise<Proposal> {
  // No change at all, which only asks for the right: nobody should agree to what is refused then.
  await ask.send(what === 'campaign' ? 'PUT' : 'PATCH', path, {})
  const { name, version, status, scheduledFor } = await ask.get<{
    name: string
    version: number
    status?: string
    scheduledFor?: string | null
  }>(path)
  const members = Object.keys(changes).join(', ') || 'nothing'
  const when = status === 'SCHEDULED' ? `, which is scheduled and will be sent at ${scheduledFor}` : ''
  return { summary: `replace ${members} of the ${what} ${JSON.stringify(name)}${when}`, facts: { version } }
}
