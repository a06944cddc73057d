// What may be wrong with a message that is allowed to leave: looked at before it is sent to many. Warnings never refuse anything.
import { htmlMarks } from '../../../lib/html-marks'
import { backedNames, bareNames } from '../../../liquid/bare-names'
import { scanTemplate } from '../../../liquid/scan'
import { variablesOf } from '../../../liquid/template'
import { isBehindSite, mendPlaceholders } from '../emails'
import { masked } from './layout'
import type { TemplateType } from './schema'

export interface Warning {
  code:
    | 'unknown_variable'
    | 'missing_values'
    | 'missing_unsubscribe_link'
    | 'body_too_large'
    | 'dead_links'
    | 'empty_link'
    | 'image_without_text'
    | 'sample_link'
    | 'no_postal_address'
  message: string
  /** The variable, where it is about one. */
  variable?: string
  /** How many contacts it concerns, where that is known. */
  contacts?: number
}

/** Longer HTML is cut by Gmail, and the end of it, where the unsubscribe link is, is hidden. */
export const clippedAt = 102_000

/** Names that every message knows without any data. */
const ownNames = [
  'id',
  'email',
  'subscribed',
  'data',
  'locale',
  'svc_id',
  'svc_email',
  'unsubscribeUrl',
  'subscribeUrl',
  'manageUrl',
  'browserUrl',
  'brand',
  'forloop',
  'tablerowloop',
]

const waysOut = ['unsubscribeUrl', 'manageUrl']

export interface CheckedMessage {
  subject: string
  body: string
  type: TemplateType
}

/** What the project knows about its contacts. */
export interface KnownFields {
  contacts: number
  /** How many contacts have each. */
  fields: ReadonlyMap<string, number>
}

/** `given` is what the message may refer to beyond the fields of contacts. */
export function templateWarnings(
  message: CheckedMessage,
  known: KnownFields,
  given: readonly string[],
): Warning[] {
  const { subject, type } = message
  const body = mendPlaceholders(message.body)
  const used = new Set([...variablesOf(subject), ...variablesOf(body)])
  const defined = new Set([
    ...ownNames,
    ...[...known.fields.keys(), ...given].flatMap(name => [name, name.split('.')[0]!]),
  ])
  const bare = new Set([...bareNames(subject), ...bareNames(body)])
  const backed = new Set([...backedNames(subject), ...backedNames(body)])
  const warnings: Warning[] = [...used]
    .filter(name => !defined.has(name) && (bare.has(name) || !backed.has(name)))
    .map(name => ({
      code: 'unknown_variable',
      message: `No contact has the field "${name}", so it will be empty`,
      variable: name,
    }))
  // What is sent to one is filled by the request that sends it.
  if (type !== 'TRANSACTIONAL') warnings.push(...missingValues(message, known, given))
  if (type === 'HEADLESS' && !hasUnsubscribe(body, used))
    warnings.push({
      code: 'missing_unsubscribe_link',
      message:
        'HEADLESS messages get no footer, and this one has no {{unsubscribeUrl}} or {{manageUrl}} of its own',
    })
  // What the brand has stands in it by now.
  if (/\{\{-?\s*brand\.address\s*-?\}\}/.test(body))
    warnings.push({
      code: 'no_postal_address',
      message: 'The brand has no postal address, so the footer of this email shows none',
    })
  const size = Buffer.byteLength(body)
  if (size > clippedAt)
    warnings.push({
      code: 'body_too_large',
      message: `The body has ${Math.ceil(size / 1000)} kB; Gmail hides what lies beyond ${clippedAt / 1000} kB`,
    })
  return [...warnings, ...markupWarnings(body)]
}

function missingValues(
  { subject, body }: CheckedMessage,
  { contacts, fields }: KnownFields,
  given: readonly string[],
): Warning[] {
  const printed = new Set([...bareNames(subject), ...bareNames(body)])
  return [...printed].flatMap((name): Warning[] => {
    const missing = contacts - (fields.get(name) ?? contacts)
    if (missing <= 0 || given.includes(name) || ownNames.includes(name)) return []
    const message = `${missing} of ${contacts} contacts have no "${name}", and see nothing in its place`
    return [{ code: 'missing_values', message, variable: name, contacts: missing }]
  })
}

function markupWarnings(body: string): Warning[] {
  const tags = tagsOf(body)
  const images = tags.filter(
    ({ name, masked }) => name === 'img' && !/\salt\s*=\s*["']?[^"'\s>]/i.test(masked),
  ).length
  const anchors = tags.filter(({ name }) => name === 'a')
  const targets = anchors.map(({ masked }) => targetOf(masked))
  const links = targets.filter(
    target => target !== undefined && /^(?:#|https?:\/?\/?)?$/i.test(target),
  ).length
  const samples = targets.filter(target => target && leadsToSample(target)).length
  const spoiled = anchors.filter(isSpoiled).length
  const warnings: Warning[] = []
  if (images > 0)
    warnings.push({
      code: 'image_without_text',
      message: `Images without alt text: ${images}`,
    })
  if (links > 0) warnings.push({ code: 'empty_link', message: `Links that lead nowhere: ${links}` })
  if (spoiled > 0)
    warnings.push({
      code: 'empty_link',
      message: `Links with a variable that an editor changed (%7B%7B, or a URL in front of it): ${spoiled}`,
    })
  if (samples > 0)
    warnings.push({ code: 'sample_link', message: `Links to example.com, a sample address: ${samples}` })
  return warnings
}

interface Tag {
  name: string
  source: string
  /** The same with an `x` for each character of Liquid. */
  masked: string
}

/** The tags that open an element, without those in comments and scripts. */
function tagsOf(body: string): Tag[] {
  const html = masked(body, scanTemplate(body))
  return [...htmlMarks(html)]
    .filter(({ kind }) => kind === 'open')
    .map(({ name, start, end }) => ({
      name,
      source: body.slice(start, end),
      masked: html.slice(start, end),
    }))
}

/** What can't be mended, as the placeholder is none of our links, or stands behind a site. */
function isSpoiled({ source, masked }: Tag): boolean {
  if (isBehindSite(/\shref\s*=\s*["']?([^"'>]*)/i.exec(source)?.[1] ?? '')) return true
  const behindScheme = source.split('://{{', 2)[1]?.split('}}', 1)[0]?.trim() ?? ''
  return /%7b%7b/i.test(targetOf(masked) ?? '') || /(?:url|link)$/i.test(behindScheme)
}

function targetOf(tag: string): string | undefined {
  return /\shref\s*=\s*["']?([^"'\s>]*)/i.exec(tag)?.[1]
}

/** Domains that are nobody's, which starters and documentation use. */
const sampleDomains = ['example.com', 'example.org', 'example.net']

function leadsToSample(target: string): boolean {
  const host = /^https?:\/\/([\w.-]+)/i.exec(target)?.[1]?.toLowerCase() ?? ''
  return sampleDomains.some(domain => host === domain || host.endsWith(`.${domain}`))
}

/** `{{data.unsubscribeUrl}}` is one too. */
function hasUnsubscribe(body: string, used: ReadonlySet<string>): boolean {
  return waysOut.some(name => used.has(name) || (used.has('data') && body.includes(`data.${name}`)))
}
