// What may be wrong with a message that is allowed to leave: looked at before it is sent to many. Warnings never refuse anything.
import { variablesOf } from '../../liquid/template'
import type { TemplateType } from './schema'

export interface Warning {
  code: 'unknown_variable' | 'missing_unsubscribe_link' | 'body_too_large' | 'dead_links'
  message: string
  /** The variable, for the first of them. */
  variable?: string
}

/** Longer HTML is cut by Gmail, and the end of it, where the unsubscribe link stands, is hidden. */
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
  'forloop',
  'tablerowloop',
]

const waysOut = ['unsubscribeUrl', 'manageUrl']

export interface CheckedMessage {
  subject: string
  body: string
  type: TemplateType
}

/** `known` are the custom fields of the project and whatever else the message may refer to. */
export function warningsOf({ subject, body, type }: CheckedMessage, known: readonly string[]): Warning[] {
  const used = new Set([...variablesOf(subject), ...variablesOf(body)])
  const defined = new Set([...ownNames, ...known.flatMap(name => [name, name.split('.')[0]!])])
  const warnings: Warning[] = [...used]
    .filter(name => !defined.has(name))
    .map(name => ({
      code: 'unknown_variable',
      message: `No contact has the field "${name}", so it will be empty`,
      variable: name,
    }))
  if (type === 'HEADLESS' && !offersWayOut(body, used))
    warnings.push({
      code: 'missing_unsubscribe_link',
      message:
        'HEADLESS messages get no footer, and this one has no {{unsubscribeUrl}} or {{manageUrl}} of its own',
    })
  const size = Buffer.byteLength(body)
  if (size > clippedAt)
    warnings.push({
      code: 'body_too_large',
      message: `The body has ${Math.ceil(size / 1000)} kB; Gmail hides what lies beyond ${clippedAt / 1000} kB`,
    })
  return warnings
}

/** `{{data.unsubscribeUrl}}` is one, too. */
function offersWayOut(body: string, used: ReadonlySet<string>): boolean {
  return waysOut.some(name => used.has(name) || (used.has('data') && body.includes(`data.${name}`)))
}
