// The file that TRANSPORTS_FILE names: several transports in the order in which they are preferred, each with the mail that it is for. Read
// and checked as a whole before anything starts. Pure.
import { canonicalDomain } from '../lib/domain-name'
import { parseSmtpUrl } from '../mail/smtp/options'

/** What decides which transports a message may take. `instance`: resets, invitations and warnings of the instance itself. */
export const mailKinds = ['transactional', 'marketing', 'instance'] as const
export type MailKind = (typeof mailKinds)[number]

const kindFields = ['smtp', 'ses', 'sendmail'] as const
export type TransportKind = (typeof kindFields)[number]

/** One transport of the list. A condition that is absent holds for all mail. */
export interface TransportEntry {
  readonly name: string
  readonly kind: TransportKind
  /** The address of the relay, or the path of the command. */
  readonly target?: string
  readonly mail?: readonly MailKind[]
  readonly projects?: readonly string[]
  /** Domains of senders and of recipients; `*.acme.example` stands for all names below it. */
  readonly from?: readonly string[]
  readonly to?: readonly string[]
  /** Messages a second. */
  readonly rate?: number
  /** So many messages on its first day, `factor` times as many on each day that follows, up to a target. */
  readonly warmUp?: TransportWarmUp
}

export interface TransportWarmUp {
  readonly firstDay: number
  readonly factor: number
  readonly target: number
}

const maxEntries = 16
const maxNames = 200
const conditionFields = ['mail', 'projects', 'from', 'to'] as const
const fields: readonly string[] = ['name', ...kindFields, ...conditionFields, 'rate', 'warmUp']

/** Throws an Error that says what is wrong and where. It never shows an address, which contains a password. */
export function parseTransports(text: string): TransportEntry[] {
  const list = parseList(text)
  const entries = list.map((value, index) => readEntry(value, index))
  const twice = entries.find(({ name }, index) => entries.findIndex(one => one.name === name) !== index)
  if (twice) throw new Error(`two transports are called "${twice.name}"`)
  if (entries.filter(({ kind }) => kind === 'ses').length > 1)
    throw new Error('two transports are SES, of which there is one account')
  if (!entries.some(isForAll))
    throw new Error('one transport must have no conditions, so that there is a way for every message')
  return entries
}

function parseList(text: string): unknown[] {
  const list = readJson(text)
  if (!Array.isArray(list)) throw new Error('it holds no JSON array')
  if (list.length < 1 || list.length > maxEntries)
    throw new Error(`it must list 1 to ${maxEntries} transports`)
  return list
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The parser's own words would quote the file.
    throw new Error('it holds no JSON')
  }
}

export function isForAll(entry: TransportEntry): boolean {
  return conditionFields.every(field => entry[field] === undefined)
}

type Given = Record<string, unknown>

function readEntry(value: unknown, index: number): TransportEntry {
  const given = (typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}) as Given
  const name = given['name']
  const about = `transport ${index + 1}${typeof name === 'string' ? ` (${JSON.stringify(name.slice(0, 40))})` : ''}`
  try {
    return checkEntry(given)
  } catch (error) {
    throw new Error(`${about}: ${(error as Error).message}`)
  }
}

function checkEntry(given: Given): TransportEntry {
  const unknown = Object.keys(given).find(field => !fields.includes(field))
  if (unknown !== undefined)
    throw new Error(`unknown field ${JSON.stringify(unknown.slice(0, 40))}; there are ${fields.join(', ')}`)
  const name = given['name']
  if (typeof name !== 'string' || !/^[a-z0-9][a-z0-9-]{0,39}$/.test(name))
    throw new Error('name must be 1 to 40 letters a to z, digits and -')
  return {
    name,
    ...readKind(given),
    ...condition('mail', readNames(given, 'mail', kindOfMail)),
    ...condition('projects', readNames(given, 'projects', projectId)),
    ...condition('from', readNames(given, 'from', domainPattern)),
    ...condition('to', readNames(given, 'to', domainPattern)),
    ...condition('rate', readRate(given['rate'])),
    ...condition('warmUp', readWarmUp(given['warmUp'])),
  }
}

function condition<T>(field: string, value: T | undefined): Record<string, T> {
  return value === undefined ? {} : { [field]: value }
}

function readKind(given: Given): Pick<TransportEntry, 'kind' | 'target'> {
  const [kind, ...others] = kindFields.filter(field => given[field] !== undefined)
  if (!kind || others.length > 0)
    throw new Error('it needs one of smtp (an address), ses (true) and sendmail (the path of the command)')
  const value = given[kind]
  if (kind === 'ses') {
    if (value !== true) throw new Error('ses must be true; the AWS_SES_… settings say how it is reached')
    return { kind }
  }
  if (typeof value !== 'string') throw new Error(`${kind} must be a text`)
  if (kind === 'smtp') checkAddress(value)
  else if (!value.startsWith('/') || value.includes('\0')) throw new Error('sendmail must be a path from /')
  return { kind, target: value }
}

function checkAddress(url: string): void {
  try {
    parseSmtpUrl(url)
  } catch (error) {
    throw new Error((error as Error).message.replace(/^SMTP_URL:/, 'smtp'))
  }
}

/** What a condition lists, each in the spelling that is compared. */
function readNames<T extends string>(
  given: Given,
  field: string,
  read: (text: string) => T | undefined,
): T[] | undefined {
  const list = given[field]
  if (list === undefined) return undefined
  if (!Array.isArray(list) || list.length < 1 || list.length > maxNames)
    throw new Error(`${field} must be a list of 1 to ${maxNames}`)
  return list.map(value => {
    const name = typeof value === 'string' ? read(value) : undefined
    if (name === undefined)
      throw new Error(`${field} takes ${takes[field]}, not ${JSON.stringify(value)?.slice(0, 60)}`)
    return name
  })
}

const takes: Record<string, string> = {
  mail: mailKinds.join(', '),
  projects: 'ids of projects',
  from: 'domains, or *. before one for all names below it',
  to: 'domains, or *. before one for all names below it',
}

function kindOfMail(text: string): MailKind | undefined {
  return mailKinds.find(kind => kind === text)
}

function projectId(text: string): string | undefined {
  const id = text.toLowerCase()
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id) ? id : undefined
}

function domainPattern(text: string): string | undefined {
  if (!text.startsWith('*.')) return canonicalDomain(text)
  const domain = canonicalDomain(text.slice(2))
  return domain && `*.${domain}`
}

function readRate(value: unknown): number | undefined {
  if (value === undefined) return undefined
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= 1_000_000) return value
  throw new Error('rate must be a whole number from 1 to 1000000')
}

/** Within the bounds of a domain's plan. */
function readWarmUp(value: unknown): TransportWarmUp | undefined {
  if (value === undefined) return undefined
  const { firstDay, factor, target, ...others } = (
    typeof value === 'object' && value !== null ? value : {}
  ) as Given
  const isBetween = (number: unknown, least: number, most: number): number is number =>
    typeof number === 'number' && number >= least && number <= most
  if (!isBetween(firstDay, 1, 1_000_000) || !Number.isInteger(firstDay))
    throw new Error('firstDay of warmUp must be a whole number from 1 to 1000000')
  if (!isBetween(factor, 1.1, 10)) throw new Error('factor of warmUp must be a number from 1.1 to 10')
  if (!isBetween(target, firstDay, 10_000_000) || !Number.isInteger(target))
    throw new Error('target of warmUp must be a whole number from firstDay to 10000000')
  if (Object.keys(others).length > 0)
    throw new Error('warmUp has firstDay, factor and target, and nothing else')
  return { firstDay, factor, target }
}
