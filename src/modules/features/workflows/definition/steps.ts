// What each type of step may be configured with. Checked in full when it is saved (every fault with its field), and read again when it
// runs, because `{}` may be saved as a draft and fails only then. Pure.
import { comparisons, readFilter } from '../../../../filters/read'
import { addressFault, normaliseEmail } from '../../../../lib/address'
import type { FieldError } from '../../../../lib/errors'
import { recordedName } from '../../../../lib/event-names'
import { isUuid } from '../../../../lib/ids'
import { day, hour, minute } from '../../../../lib/time'
import { type WebhookMethod, webhookMethods } from '../../../../platform/webhook/caller'
import { parsePatch } from '../../../audience/contacts'
import { awaitedFault, maxNameLength } from '../../../audience/events'
import { type StepType, type Values, workflowLimits } from '../words'
import { type ComparisonOperator, type Condition, isComparable, isMultiCondition } from './conditions'
import { isPlainHost, leavesHostOpen, withoutPlaceholders } from './webhook-request'

export interface Configs {
  TRIGGER: { eventName: string | null }
  SEND_EMAIL: { recipient: string | null; topicId: string | null }
  DELAY: { amount: number; unit: DelayUnit; ms: number }
  WAIT_FOR_EVENT: { eventName: string; timeoutMs: number | null }
  CONDITION: Condition
  WEBHOOK: { url: string; method: WebhookMethod; headers: Record<string, string>; body: unknown }
  UPDATE_CONTACT: { updates: Values; subscriptionAction: SubscriptionAction }
  EXIT: { reason: string }
}

export type DelayUnit = keyof typeof delayUnits
export type SubscriptionAction = (typeof subscriptionActions)[number]

export type ReadConfig<T extends StepType> = { config: Configs[T] } | { faults: FieldError[] }

export const delayUnits = { minutes: minute, hours: hour, days: day }
const maxDelayMs = 365 * day
const maxWaitSeconds = 31_536_000
export const subscriptionActions = ['none', 'subscribe', 'unsubscribe'] as const

/** Headers that are ours or the connection's to set. */
const ownHeaders =
  /^(host|connection|content-length|transfer-encoding|keep-alive|te|trailer|upgrade|expect|proxy-.*|webhook-.*)$/i
const maxHeaders = 50

const readers: { [T in StepType]: (config: Values, fault: Fault) => Configs[T] | undefined } = {
  TRIGGER: config => ({ eventName: typeof config['eventName'] === 'string' ? config['eventName'] : null }),
  SEND_EMAIL: readEmail,
  DELAY: readDelay,
  WAIT_FOR_EVENT: readWait,
  CONDITION: readCondition,
  WEBHOOK: readWebhook,
  UPDATE_CONTACT: readUpdate,
  EXIT: readExit,
}

type Fault = (field: string, message: string, code?: string) => undefined

/** The configuration in the form that the engine works with, or everything that is wrong with it. */
export function readStepConfig<T extends StepType>(type: T, config: Values): ReadConfig<T> {
  const faults: FieldError[] = []
  const fault: Fault = (field, message, code = 'invalid_type') =>
    void faults.push({ field: field === '' ? 'config' : `config.${field}`, message, code }) as undefined
  const read = readers[type](config, fault)
  return read && faults.length === 0 ? { config: read } : { faults }
}

/** Whether JSON contains an escape of NUL or of half a surrogate pair; a backslash that is itself escaped begins no escape. */
function isUnstorable(json: string): boolean {
  const escapes = json.match(/\\(?:u[\da-f]{4}|.)/gi) ?? []
  return escapes.some(each => /^\\u(?:0000|d[89a-f])/i.test(each))
}

/** What prevents saving; `{}` is an empty draft and fine. */
export function configFaults(type: StepType, config: Values): FieldError[] {
  if (Object.keys(config).length === 0) return []
  const text = JSON.stringify(config)
  if (Buffer.byteLength(text) > workflowLimits.configBytes)
    return [
      {
        field: 'config',
        message: `Must be at most ${workflowLimits.configBytes} bytes as JSON`,
        code: 'too_big',
      },
    ]
  if (isUnstorable(text))
    return [
      {
        field: 'config',
        message: 'Must not contain NUL characters or broken Unicode',
        code: 'invalid_string',
      },
    ]
  const reading = readStepConfig(type, config)
  return 'faults' in reading ? reading.faults : []
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function oneOf<T extends string>(values: readonly T[], value: unknown): T | undefined {
  return values.find(each => each === value)
}

function readEmail(config: Values, fault: Fault): Configs['SEND_EMAIL'] | undefined {
  const { templateId, recipient } = config
  if (
    templateId !== undefined &&
    templateId !== null &&
    !(typeof templateId === 'string' && isUuid(templateId))
  )
    fault('templateId', 'Must be a UUID', 'invalid_string')
  const topicId = readTopic(config, fault)
  if (recipient === undefined || recipient === null) return { recipient: null, topicId }
  if (!isObject(recipient)) return fault('recipient', 'Must be an object')
  const type = oneOf(['CONTACT', 'CUSTOM'], recipient['type'])
  if (!type) return fault('recipient.type', 'Must be CONTACT or CUSTOM', 'invalid_enum_value')
  if (type === 'CONTACT') return { recipient: null, topicId }
  if (topicId !== null) return fault('topicId', 'Is for mail to the contact itself', 'custom')
  const email = recipient['customEmail']
  const message = typeof email === 'string' ? addressFault(email) : undefined
  if (typeof email !== 'string' || message !== undefined)
    return fault('recipient.customEmail', message ?? 'must be an email address', 'invalid_string')
  return { recipient: normaliseEmail(email), topicId }
}

function readTopic({ topicId }: Values, fault: Fault): string | null {
  if (topicId === undefined || topicId === null) return null
  if (typeof topicId === 'string' && isUuid(topicId)) return topicId.toLowerCase()
  fault('topicId', 'Must be a UUID', 'invalid_string')
  return null
}

function readDelay({ amount, unit }: Values, fault: Fault): Configs['DELAY'] | undefined {
  const units = Object.keys(delayUnits) as DelayUnit[]
  const known = oneOf(units, unit)
  const count = typeof amount === 'number' && Number.isFinite(amount) ? amount : 0
  if (count <= 0) fault('amount', 'Must be a number greater than 0')
  if (!known) return fault('unit', `Must be one of ${units.join(', ')}`, 'invalid_enum_value')
  const ms = Math.round(count * delayUnits[known])
  if (ms > maxDelayMs) return fault('amount', 'A delay is at most 365 days', 'too_big')
  return { amount: count, unit: known, ms }
}

function readWait({ eventName, timeout }: Values, fault: Fault): Configs['WAIT_FOR_EVENT'] | undefined {
  const name = typeof eventName === 'string' ? eventName.trim() : ''
  if (name === '') fault('eventName', 'Must be the name of an event')
  if (name.length > maxNameLength)
    fault('eventName', `Must be at most ${maxNameLength} characters long`, 'too_big')
  const mistaken = awaitedFault(name, 'eventName')
  if (mistaken) fault('eventName', mistaken.message, mistaken.code)
  const awaited = recordedName(name)
  if (timeout === undefined || timeout === null) return { eventName: awaited, timeoutMs: null }
  if (typeof timeout !== 'number' || !Number.isFinite(timeout) || timeout <= 0)
    return fault('timeout', 'Must be a number of seconds greater than 0')
  if (timeout > maxWaitSeconds)
    return fault('timeout', `Must be at most ${maxWaitSeconds} seconds`, 'too_big')
  return { eventName: awaited, timeoutMs: Math.round(timeout * 1000) }
}

/** The filter tree of a CONDITION, wherever it is given; undefined for the other forms. */
export function treeOf(config: Values): unknown {
  if ('groups' in config) return config
  return config['filter'] ?? config['condition']
}

function readCondition(config: Values, fault: Fault): Configs['CONDITION'] | undefined {
  const tree = treeOf(config)
  if (tree !== undefined) {
    const reading = readFilter(tree, 'groups' in config ? '' : config['filter'] ? 'filter' : 'condition')
    if (!('faults' in reading)) return { form: 'tree', tree: reading.condition }
    for (const { field, message, code } of reading.faults) fault(field.replace(/^\./, ''), message, code)
    return undefined
  }
  const field = config['field']
  if (typeof field !== 'string' || field === '') return fault('field', 'Must name a field')
  if (field.length > 500 || !isComparable(field))
    return fault('field', `Unsupported field: ${field.slice(0, 100)}`, 'invalid_string')
  if (isMultiCondition(config)) return readBranches(config, field, fault)
  const operator = readOperator(config, '', fault)
  return operator && { form: 'single', field, operator, value: config['value'] }
}

const valueless: ReadonlySet<ComparisonOperator> = new Set<ComparisonOperator>(['exists', 'notExists'])

function readOperator(config: Values, path: string, fault: Fault): ComparisonOperator | undefined {
  const operator = oneOf(comparisons, config['operator'])
  if (!operator)
    return fault(`${path}operator`, `Must be one of ${comparisons.join(', ')}`, 'invalid_enum_value')
  if (!valueless.has(operator) && config['value'] === undefined)
    return fault(`${path}value`, `Operator "${operator}" requires a value`)
  return operator
}

/** What is no text was refused before; made into one, it could throw. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function readBranches({ branches }: Values, field: string, fault: Fault): Configs['CONDITION'] | undefined {
  if (!Array.isArray(branches) || branches.length < 1 || branches.length > 20)
    return fault('branches', 'Must be a list of 1 to 20 branches')
  const seen = new Set(['default'])
  const read = branches.map((branch: unknown, index) => {
    const path = `branches.${index}.`
    if (!isObject(branch)) return fault(`branches.${index}`, 'Must be an object')
    const { id, name, value } = branch
    if (typeof id !== 'string' || id === '' || id.length > 100)
      fault(`${path}id`, 'Must be a text of 1 to 100 characters')
    else if (seen.has(id)) fault(`${path}id`, 'Another branch has this id', 'custom')
    else seen.add(id)
    if (name !== undefined && (typeof name !== 'string' || name.length > 100))
      fault(`${path}name`, 'Must be a text of at most 100 characters')
    const operator = readOperator(branch, path, fault)
    return operator && { id: textOf(id), name: textOf(name ?? id), operator, value }
  })
  return { form: 'multi', field, branches: read.filter(branch => branch !== undefined) }
}

function readWebhook(config: Values, fault: Fault): Configs['WEBHOOK'] | undefined {
  const { url, method = 'POST', headers = {}, body } = config
  if (
    typeof url !== 'string' ||
    url.length > 2_000 ||
    !/^https?:\/\//i.test(url) ||
    !URL.canParse(withoutPlaceholders(url))
  )
    fault('url', 'Must be an http:// or https:// address of at most 2000 characters', 'invalid_string')
  else if (leavesHostOpen(url))
    fault('url', 'A placeholder must not continue the host: put a / before it', 'invalid_string')
  else if (!isPlainHost(withoutPlaceholders(url)))
    fault('url', 'Must name nothing but host and port before the path', 'invalid_string')
  const known = oneOf(webhookMethods, method)
  if (!known) fault('method', `Must be one of ${webhookMethods.join(', ')}`, 'invalid_enum_value')
  const read = readHeaders(headers ?? {}, fault)
  if (!known || !read) return undefined
  return { url: textOf(url), method: known, headers: read, body: body ?? undefined }
}

function readHeaders(headers: unknown, fault: Fault): Record<string, string> | undefined {
  if (!isObject(headers)) return fault('headers', 'Must be an object of texts')
  const entries = Object.entries(headers)
  if (entries.length > maxHeaders) return fault('headers', `Must be at most ${maxHeaders} headers`, 'too_big')
  for (const [name, value] of entries) {
    const field = `headers.${name.slice(0, 100)}`
    if (!/^[\w!#$%&'*+.^`|~-]{1,200}$/.test(name)) fault(field, 'Is not a header name', 'invalid_string')
    else if (ownHeaders.test(name)) fault(field, 'This header is set by the service', 'invalid_string')
    if (typeof value !== 'string' || value.length > 4_000 || /[\r\n\0]/.test(value))
      fault(field, 'Must be a text of one line and at most 4000 characters')
  }
  return headers as Record<string, string>
}

function readUpdate(config: Values, fault: Fault): Configs['UPDATE_CONTACT'] | undefined {
  const updates = config['updates'] ?? config['data'] ?? {}
  const subscriptionAction = oneOf(subscriptionActions, config['subscriptionAction'] ?? 'none')
  if (!subscriptionAction)
    return fault(
      'subscriptionAction',
      `Must be one of ${subscriptionActions.join(', ')}`,
      'invalid_enum_value',
    )
  if (!isObject(updates)) return fault('updates', 'Must be an object')
  const patch = parsePatch(updates, 'updates')
  if (Array.isArray(patch)) {
    for (const each of patch) fault(each.field, each.message, each.code)
    return undefined
  }
  const isIdle = Object.keys(patch.set).length + patch.remove.length === 0
  if (isIdle && subscriptionAction === 'none')
    return fault('', 'Must name fields to update or a subscriptionAction', 'custom')
  return { updates, subscriptionAction }
}

function readExit({ reason }: Values, fault: Fault): Configs['EXIT'] | undefined {
  if (reason === undefined || reason === null || reason === '') return { reason: 'exit_step' }
  if (typeof reason !== 'string' || reason.length > 500)
    return fault('reason', 'Must be a text of at most 500 characters')
  return { reason }
}
