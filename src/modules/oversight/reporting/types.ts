// The kinds of activity, and which events each of them is made of. Pure.

/** Activities that are events, each with the one name that it goes by; `event.triggered` is all other names. */
const namesByType = {
  'email.sent': 'email.sent',
  'email.delivered': 'email.delivery',
  'email.opened': 'email.open',
  'email.clicked': 'email.click',
  'email.bounced': 'email.bounce',
  'email.complaint': 'email.complaint',
  'email.received': 'email.received',
  'contact.subscribed': 'contact.subscribed',
  'contact.unsubscribed': 'contact.unsubscribed',
} as const

export const activityTypes = [
  'event.triggered',
  ...(Object.keys(namesByType) as NamedType[]),
  'workflow.started',
  'workflow.completed',
] as const

type NamedType = keyof typeof namesByType
export type ActivityType = 'event.triggered' | NamedType | 'workflow.started' | 'workflow.completed'

const typesByName = new Map<string, NamedType>(
  Object.entries(namesByType).map(([type, name]) => [name, type as NamedType]),
)

/** The names that have a type of their own. */
export const typedNames: readonly string[] = [...typesByName.keys()]

export function typeOfEvent(name: string): ActivityType {
  return typesByName.get(name) ?? 'event.triggered'
}

/** Which events are wanted: all of them, these names, or all but these names. */
export type WantedNames = 'all' | { only: string[] } | { except: string[] }

export interface WantedActivities {
  /** Undefined if no event is wanted. */
  events: WantedNames | undefined
  started: boolean
  completed: boolean
}

export function wantedOf(types: ReadonlySet<ActivityType>): WantedActivities {
  const named = [...typesByName].filter(([, type]) => types.has(type)).map(([name]) => name)
  return {
    events: wantedNames(named, types.has('event.triggered')),
    started: types.has('workflow.started'),
    completed: types.has('workflow.completed'),
  }
}

function wantedNames(named: string[], others: boolean): WantedNames | undefined {
  if (others && named.length === typedNames.length) return 'all'
  if (others) return { except: typedNames.filter(name => !named.includes(name)) }
  return named.length > 0 ? { only: named } : undefined
}

/** Reads `types=a,b`; unknown ones are ignored. All types where nothing is asked for; undefined if none is known. */
export function readTypes(text: string | undefined): ReadonlySet<ActivityType> | undefined {
  const asked = (text ?? '').split(',').flatMap(each => each.trim() || [])
  if (asked.length === 0) return new Set(activityTypes)
  const known = activityTypes.filter(type => asked.includes(type))
  return known.length > 0 ? new Set(known) : undefined
}
