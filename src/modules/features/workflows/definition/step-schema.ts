// What each type of step and trigger may be configured with, as the OpenAPI document shows it. Configurations are read by hand (steps.ts,
// trigger.ts): every fault is reported with its field, and `{}` may be saved as a draft. Pure.
import { comparisons } from '../../../../filters/read'
import { filterTree } from '../../../../filters/schema'
import { describedAs } from '../../../../lib/described'
import { freeForm } from '../../../../lib/free-form'
import { webhookMethods } from '../../../../platform/webhook/caller'
import { maxNameLength } from '../../../audience/events'
import { delayUnits, subscriptionActions } from './steps'

type Members = Record<string, object>

function config(title: string, description: string, properties: Members, required: string[] = []) {
  return { title, type: 'object', description, properties, required }
}

const eventName = { type: 'string', minLength: 1, maxLength: maxNameLength }
const anyValue = { description: 'What to compare with; not for exists and notExists' }
const field = {
  type: 'string',
  maxLength: 500,
  description: 'email, subscribed, createdAt, updatedAt, data.<key>, event.<key> or workflow.<key>',
}
const operator = { title: 'ComparisonOperator', type: 'string', enum: comparisons }

const trigger = config('TriggerConfig', 'Of a TRIGGER', { eventName: { type: ['string', 'null'] } })

const sendEmail = config('SendEmailConfig', 'Of a SEND_EMAIL; its template is `templateId` of the step', {
  templateId: { type: ['string', 'null'], format: 'uuid' },
  topicId: {
    type: ['string', 'null'],
    format: 'uuid',
    description:
      'Goes to contacts only who are subscribed to the topic; one-click leaves it. Not with CUSTOM',
  },
  recipient: {
    title: 'StepRecipient',
    type: 'object',
    required: ['type'],
    properties: {
      type: { type: 'string', enum: ['CONTACT', 'CUSTOM'], description: 'Default CONTACT' },
      customEmail: { type: 'string', maxLength: 320, description: 'Of CUSTOM' },
    },
  },
})

const delay = config(
  'DelayConfig',
  'Of a DELAY; at most 365 days',
  {
    amount: { type: 'number', exclusiveMinimum: 0 },
    unit: { type: 'string', enum: Object.keys(delayUnits) },
  },
  ['amount', 'unit'],
)

const wait = config(
  'WaitForEventConfig',
  'Of a WAIT_FOR_EVENT',
  {
    eventName,
    timeout: {
      type: ['number', 'null'],
      exclusiveMinimum: 0,
      maximum: 31_536_000,
      description: 'Seconds; null waits for ever',
    },
  },
  ['eventName'],
)

const comparison = config(
  'ComparisonConfig',
  'Of a CONDITION with the branches yes and no',
  { field, operator, value: anyValue },
  ['field', 'operator'],
)

const branch = {
  title: 'ConditionBranch',
  type: 'object',
  required: ['id', 'operator'],
  properties: {
    id: { type: 'string', minLength: 1, maxLength: 100, description: 'Named by transitions; not `default`' },
    name: { type: 'string', maxLength: 100 },
    operator,
    value: anyValue,
  },
}

const branches = config(
  'BranchesConfig',
  'Of a CONDITION with branches of its own; whatever none of them takes goes the way of `default`',
  {
    field,
    mode: { type: 'string', enum: ['multi'] },
    branches: { type: 'array', items: branch, minItems: 1, maxItems: 20 },
  },
  ['field', 'branches'],
)

const tree = config(
  'FilterConfig',
  'Of a CONDITION with a filter tree and the branches yes and no',
  { filter: filterTree },
  ['filter'],
)

const webhook = config(
  'WebhookConfig',
  'Of a WEBHOOK',
  {
    url: {
      type: 'string',
      maxLength: 2_000,
      description: 'http:// or https://; may hold placeholders in path and query',
    },
    method: { type: 'string', enum: [...webhookMethods], description: 'Default POST' },
    headers: {
      type: ['object', 'null'],
      patternProperties: { '^.*$': { type: 'string', maxLength: 4_000 } },
      maxProperties: 50,
    },
    body: { description: 'Any JSON; without it the call tells of contact, event and workflow' },
  },
  ['url'],
)

const updateContact = config('UpdateContactConfig', 'Of an UPDATE_CONTACT', {
  updates: {
    type: 'object',
    patternProperties: { '^.*$': {} },
    description: 'A patch of the data of the contact',
  },
  subscriptionAction: { type: 'string', enum: [...subscriptionActions] },
})

const exit = config('ExitConfig', 'Of an EXIT', { reason: { type: ['string', 'null'], maxLength: 500 } })

const configs = [
  ...[sendEmail, delay, wait, comparison, branches, tree, filterTree, webhook, updateContact, exit, trigger],
  { title: 'DraftConfig', type: 'object', maxProperties: 0, description: 'Nothing yet: a draft' },
]

/** The configuration of a step, in requests and answers. */
export const stepConfig = describedAs(freeForm, {
  title: 'StepConfig',
  description: 'By the type of the step',
  anyOf: configs,
})

/** What starts a workflow, by the type of its trigger. */
export const triggerConfig = describedAs(freeForm, {
  title: 'WorkflowTriggerConfig',
  anyOf: [
    config('EventTriggerConfig', 'Of the type EVENT', { eventName }, ['eventName']),
    config(
      'ScheduleTriggerConfig',
      'Of the type SCHEDULE',
      {
        cron: { type: 'string', maxLength: 200, examples: ['0 9 * * 1'], description: 'Five parts' },
        timezone: { type: 'string', maxLength: 100, examples: ['Europe/Vienna'], description: 'Default UTC' },
        segmentId: { type: ['string', 'null'], format: 'uuid', description: 'null: all contacts' },
      },
      ['cron'],
    ),
  ],
})
