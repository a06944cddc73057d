// What a template sees: the contact, its data, the data of this request or event, and the links of this mail. System values can't be
// overridden by anyone's data.
import type { Scope } from '../../../liquid/template'

export interface ScopeContact {
  id: string
  email: string
  subscribed?: boolean
  data: Readonly<Record<string, unknown>>
}

export interface MailLinks {
  unsubscribeUrl: string
  subscribeUrl: string
  manageUrl: string
  /** Where the message can be read in a browser; a field of this name comes first, because any data may have it. */
  browserUrl?: string
}

export interface ScopeInput {
  contact: ScopeContact
  links: MailLinks
  /** The recipient's display name in this request; `{{name}}` unless the request's data says otherwise. */
  recipientName?: string
  /** The request's `data`, as sent: wrappers, nulls and empty strings included. */
  data?: Readonly<Record<string, unknown>>
  /** A workflow's execution context: flat like `data`, and whole under `event`. */
  event?: Readonly<Record<string, unknown>>
}

type Values = Record<string, unknown>

export function buildScope({ contact, links, recipientName, data, event }: ScopeInput): Scope {
  const values = Object.assign(emptyValues(), { browserUrl: links.browserUrl ?? '' }, contact.data)
  if (recipientName) values['name'] = recipientName
  overlay(values, data)
  overlay(values, event)
  nestDottedKeys(values)
  const locale = values['locale'] ?? null
  Object.assign(values, systemValues(contact, links), { locale })
  const scope = Object.assign(emptyValues(), values)
  if (event) scope['event'] = overlay(emptyValues(), event)
  scope['data'] = values
  return scope
}

/** No prototype: whatever a key is called, it is only a key. */
function emptyValues(): Values {
  return Object.create(null) as Values
}

function systemValues({ id, email, subscribed }: ScopeContact, links: MailLinks): Values {
  const { unsubscribeUrl, subscribeUrl, manageUrl } = links
  const named = { id, email, svc_id: id, svc_email: email, unsubscribeUrl, subscribeUrl, manageUrl }
  return subscribed === undefined ? named : { ...named, subscribed }
}

/**
 * A plain empty string means "not sent", as it does for storage. Null blanks the stored value for this mail, and so does an empty
 * string that is marked as for this mail alone.
 */
function overlay(values: Values, patch: Readonly<Values> | undefined): Values {
  for (const [key, value] of Object.entries(patch ?? {})) {
    if (value !== '') values[key] = unwrap(value)
  }
  return values
}

/** `{value, persistent: false}` stands for its value; any other object is a value itself. */
function unwrap(value: unknown): unknown {
  const isWrapper =
    typeof value === 'object' &&
    value !== null &&
    'value' in value &&
    'persistent' in value &&
    value.persistent === false
  return isWrapper ? value.value : value
}

const maxPathLength = 10

/** Makes the flat key `a.b` reachable as `{{a.b}}`; where both exist, the literal key wins, as it does in filters. */
function nestDottedKeys(values: Values): void {
  for (const key of Object.keys(values)) {
    if (!key.includes('.')) continue
    const path = key.split('.')
    if (path.length <= maxPathLength && !path.includes('')) setAt(values, path, values[key])
  }
}

function setAt(values: Values, path: string[], value: unknown): void {
  let level = values
  for (const name of path.slice(0, -1)) {
    const below = level[name]
    // A scalar or list in the way stays what it is.
    if (below !== undefined && (typeof below !== 'object' || below === null || Array.isArray(below))) return
    // Copied, because the objects of the contact are not ours to change.
    const copy = Object.assign(emptyValues(), below)
    level[name] = copy
    level = copy
  }
  level[path.at(-1)!] = value
}
