// Events: names, and one over time.
import { count } from './numbers'

export const events = {
  title: 'Events',
  about: 'Events that your app sends, and events that Waxwing records for emails and segments.',
  empty: 'No events yet',
  emptyHint: 'Send events to POST /v1/track. Waxwing also records events for each email.',
  nothing: 'No matching events',
  count: 'Count',
  usage: 'Usage',
  newest: 'Newest events',
  none: 'No events with this name',
  chart: 'Events by day',
  inSpan: (days: number) => `Last ${days} days`,
  deleteHint: (number: number) =>
    `Deletes ${count(number, { one: '# event', other: '# events' })} with this name from the history of all contacts. This can’t be undone.`,
}
