// Events: names, and one over time.
import { count } from './numbers'

export const events = {
  title: 'Events',
  about:
    'What your applications report about contacts, and what Waxwing records about messages and segments.',
  empty: 'No events yet',
  emptyHint: 'They come through POST /v1/track, and automatically with the first messages.',
  nothing: 'No event has such a name',
  count: 'Recorded',
  usage: 'Use',
  newest: 'Newest events',
  none: 'There are none of this name',
  chart: 'Events by day',
  inSpan: (days: number) => `Last ${days} days`,
  deleteHint: (number: number) =>
    `All ${count(number, { one: '# event', other: '# events' })} of this name are deleted from every contact’s history. This can’t be undone.`,
}
