// Names of events: which ones clients may not use because Waxwing emits them itself, and the slug of a segment. Pure.
import type { FieldError } from '../../../lib/errors'
import { isMistakenName, mistakenNameMessage } from '../../../lib/event-names'

export const maxNameLength = 255

export type SubscriptionEvent = 'contact.subscribed' | 'contact.unsubscribed'

/** The event for a changed subscription state. */
export function subscriptionEvent(subscribed: boolean): SubscriptionEvent {
  return subscribed ? 'contact.subscribed' : 'contact.unsubscribed'
}

/**
 * Why a subscription changed, where it was neither the contact's own decision nor a single change by the project: `data.reason` of its
 * event. What Waxwing takes back or gives back greets nobody; what is done to many at once does only where a workflow asks for it.
 */
export const changeReasons = {
  undo: 'undo',
  snoozeEnd: 'snooze_expired',
  /** A request that asked for it. */
  quiet: 'no_workflows',
  import: 'import',
  bulk: 'bulk',
} as const

/** Which workflows an event starts that changed a subscription: all of its name, those that want changes of many at once, or none. */
export function startedBy({
  name,
  data,
}: {
  name: string
  data: Record<string, unknown> | null
}): 'all' | 'bulk' | 'none' {
  if (name !== 'contact.subscribed' && name !== 'contact.unsubscribed') return 'all'
  const { undo, snoozeEnd, quiet, bulk } = changeReasons
  const reason = data?.['reason']
  if (reason === undo || reason === snoozeEnd || reason === quiet) return 'none'
  return reason === bulk || reason === changeReasons.import ? 'bulk' : 'all'
}

/** Whether only Waxwing may emit events of this name. The comparison is exact: `emails.sent` and `Email.sent` are free. */
export function isReservedName(name: string): boolean {
  if (name.startsWith('email.')) return true
  if (name === 'contact.subscribed' || name === 'contact.unsubscribed') return true
  return name.startsWith('segment.') && (name.endsWith('.entry') || name.endsWith('.exit'))
}

/** What is wrong with a name that a client wants to track; undefined when it is fine. */
export function nameFault(name: string, field = 'event'): FieldError | undefined {
  if (name === '') return { field, message: 'Must not be empty', code: 'too_small' }
  if (name.length > maxNameLength)
    return { field, message: `Must be at most ${maxNameLength} characters long`, code: 'too_big' }
  if (name.includes('\0') || !name.isWellFormed())
    return { field, message: 'Must not contain NUL characters or broken Unicode', code: 'invalid_string' }
  if (!isReservedName(name)) return undefined
  const message = `Events named "${name}" are emitted by the service itself; choose another name`
  return { field, message, code: 'reserved_event', received: name }
}

/** What is wrong with the name of an event that something is to wait for, as far as the name alone says. */
export function awaitedFault(name: string, field: string): FieldError | undefined {
  return isMistakenName(name) === 'always' ? mistakenFault(name, field) : undefined
}

export function mistakenFault(name: string, field: string): FieldError {
  return { field, message: mistakenNameMessage(name), code: 'unknown_event', received: name }
}

const maxSlugLength = 100

/** A segment's name as part of an event name: `VIP Customers` -> `vip-customers`. Empty if no ASCII letter or digit is left. */
export function slugOf(segmentName: string): string {
  return segmentName
    .toLowerCase()
    .trim()
    .replace(/[^\w\s-]/g, '')
    .replace(/\s+/g, '-')
    .replace(/-+/g, '-')
    .slice(0, maxSlugLength)
    .replace(/^-|-$/g, '')
}

/** The events of a segment that gains or loses a member; the id is used where the name leaves no slug. */
export function segmentEvent(
  segment: { id: string; name: string },
  change: 'entry' | 'exit',
): `segment.${string}.${'entry' | 'exit'}` {
  return `segment.${slugOf(segment.name) || segment.id}.${change}`
}
