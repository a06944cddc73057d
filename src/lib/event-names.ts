// The names of the events that Waxwing records itself, and other spellings of them. Webhooks, workflows, segments, the docs and the OpenAPI
// document all read this list. Pure.

export const emailEventNames = [
  'email.sent',
  'email.delivery',
  'email.open',
  'email.click',
  'email.bounce',
  'email.complaint',
  'email.failed',
  'email.received',
] as const

export type EmailEventName = (typeof emailEventNames)[number]

const contactEventNames = ['contact.subscribed', 'contact.unsubscribed'] as const

const campaignEventNames = ['campaign.paused'] as const

/** All but those of segments, whose names hold the segment's. */
export const ownEventNames = [...emailEventNames, ...contactEventNames, ...campaignEventNames] as const

const ownNames: ReadonlySet<string> = new Set(ownEventNames)

/** What other services call them. */
const otherSpellings: Readonly<Record<string, EmailEventName>> = {
  'email.delivered': 'email.delivery',
  'email.opened': 'email.open',
  'email.clicked': 'email.click',
  'email.bounced': 'email.bounce',
  'email.complained': 'email.complaint',
}

/** The name under which an event is recorded. */
export function recordedName(name: string): string {
  return Object.hasOwn(otherSpellings, name) ? otherSpellings[name]! : name
}

/** Whether the name looks like one of Waxwing's own and is none. Names beginning with `contact.` may also be an application's. */
export function isMistakenName(name: string): 'always' | 'unlessRecorded' | false {
  if (ownNames.has(recordedName(name))) return false
  if (name.startsWith('email.') || name.includes('*')) return 'always'
  return name.startsWith('contact.') ? 'unlessRecorded' : false
}

/** Why such a name is refused, and what may stand there. */
export function mistakenNameMessage(name: string): string {
  const list = [...ownEventNames, 'segment.<name>.entry', 'segment.<name>.exit'].join(', ')
  const why = name.includes('*') ? 'There are no wildcards' : `No event is named "${name.slice(0, 100)}"`
  return `${why}; Waxwing records ${list}, and the names that you track`
}
