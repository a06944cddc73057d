// Building a filter: fields, tests, and how a filter reads as a sentence.
import { plural } from '../plural'

const count = plural('en')

const dates: Record<string, string> = {
  within: 'is in the last',
  olderThan: 'is longer ago than',
  equals: 'is on',
  notEquals: 'is not on',
  lessThan: 'is before',
  greaterThanOrEqual: 'is on or after',
  greaterThan: 'is later than the start of',
  lessThanOrEqual: 'is no later than the start of',
  exists: 'is set',
  notExists: 'is not set',
}

const values: Record<string, string> = {
  equals: 'is',
  notEquals: 'is not',
  contains: 'contains',
  notContains: 'does not contain',
  greaterThan: 'is more than',
  lessThan: 'is less than',
  greaterThanOrEqual: 'is at least',
  lessThanOrEqual: 'is at most',
  exists: 'is set',
  notExists: 'is not set',
}

const happening: Record<string, string> = {
  triggered: 'happened',
  notTriggered: 'never happened',
  triggeredWithin: 'happened in the last',
  notTriggeredWithin: 'did not happen in the last',
  triggeredOlderThan: 'happened, but not in the last',
}

const segment: Record<string, string> = {
  memberOfSegment: 'is a member',
  notMemberOfSegment: 'is not a member',
}

export const filter = {
  legend: 'Conditions',
  match: 'Match',
  all: 'all of these',
  any: 'any of these',
  and: 'and',
  or: 'or',
  addCondition: 'Condition',
  addGroup: 'Group',
  removeCondition: 'Remove the condition',
  removeGroup: 'Remove the group',
  field: 'Field',
  chooseField: 'Choose a field',
  operator: 'Test',
  value: 'Value',
  amount: 'How many',
  unit: 'Unit of time',
  families: {
    contact: 'Contact',
    data: 'Custom fields',
    email: 'Messages',
    event: 'Events',
    segment: 'Segments',
  },
  otherField: 'Another custom field…',
  otherEvent: 'Another event…',
  fieldName: 'Name of the field',
  eventName: 'Name of the event',
  goneSegment: 'a segment that is gone',
  fields: {
    email: 'Address',
    subscribed: 'Subscription',
    createdAt: 'Added',
    updatedAt: 'Changed',
    snoozedUntil: 'Paused until',
    optedOutAt: 'Opted out',
  } as Record<string, string>,
  /** The same inside of a sentence. */
  inWords: {
    email: 'address',
    createdAt: 'date added',
    updatedAt: 'last change',
    snoozedUntil: 'end of the pause',
    optedOutAt: 'date of the opt-out',
    'email.sent': 'a message',
    'email.delivered': 'a delivery',
    'email.opened': 'an open',
    'email.clicked': 'a click',
    'email.bounced': 'a bounce',
    'email.complained': 'a complaint',
  } as Record<string, string>,
  activities: {
    sent: 'Message sent',
    delivered: 'Message delivered',
    opened: 'Message opened',
    clicked: 'Link clicked',
    bounced: 'Message bounced',
    complained: 'Complaint',
  } as Record<string, string>,
  operators: {
    address: values,
    subscribed: values,
    date: dates,
    text: values,
    number: values,
    boolean: values,
    happening,
    segment,
  },
  /** Of trees that fit no type as it is now. */
  otherOperators: {
    ...values,
    ...happening,
    ...segment,
    within: dates['within']!,
    olderThan: dates['olderThan']!,
  } as Record<string, string>,
  units: { days: 'days', hours: 'hours', minutes: 'minutes' },
  windows: {
    days: (number: number) => count(number, { one: '# day', other: '# days' }),
    hours: (number: number) => count(number, { one: '# hour', other: '# hours' }),
    minutes: (number: number) => count(number, { one: '# minute', other: '# minutes' }),
  },
  membership: (name: string, isMember: boolean) => `${isMember ? 'is' : 'is not'} in “${name}”`,
  quoted: (text: string) => `“${text}”`,
  subscription: (isSubscribed: boolean) => (isSubscribed ? 'is subscribed' : 'is not subscribed'),
  yes: 'yes',
  no: 'no',
  subscribed: 'Subscribed',
  unsubscribed: 'Not subscribed',
  sentence: (words: string) => `Contacts where ${words}.`,
  matches: (number: number) => count(number, { one: '# contact matches', other: '# contacts match' }),
  counting: 'Counting…',
  unfinished: 'Finish the conditions to see who matches.',
  nothingYet: 'Add a condition to see who matches.',
  nobody: 'Nobody matches at the moment.',
  sample: 'The newest of them',
}
