// Webhook endpoints: which events each receives, and what it answered.
import { count } from './numbers'

export const webhooks = {
  title: 'Webhooks',
  hint: 'Servers of yours that are told of events as they happen.',
  add: 'Add endpoint',
  addHint: 'It gets a POST for each event of the kinds that you choose, signed with a secret of its own.',
  empty: 'No endpoint yet',
  emptyHint:
    'Add the address of a server that wants to know what was delivered, what came back or who opted out.',
  urlHint: 'Reachable from this instance, and not in a private network.',
  eventTypes: 'Events',
  events: (number: number) => count(number, { one: '# event', other: '# events' }),
  /** What the names mean; those that are missing are self-explanatory. */
  meanings: {
    'email.sent': 'It has left for its recipient’s server',
    'email.delivery': 'That server has taken it',
    'email.bounce': 'It came back',
    'email.failed': 'It was not delivered, for another reason than its address',
    'email.open': 'A person opened it',
    'email.click': 'A person followed a link',
    'email.complaint': 'It was reported as spam',
    'contact.subscribed': 'Somebody subscribed',
    'contact.unsubscribed': 'Somebody opted out',
    'campaign.paused': 'A campaign was paused, as a whole or for one mailbox provider',
  } as Record<string, string>,
  anotherEvent: 'Another event',
  addEvent: 'Add event',
  states: { on: 'On', off: 'Off', failing: 'Failing', given: 'Switched off' },
  failing: (since: string) =>
    `No call has succeeded since ${since}. After a day of that it is switched off, and the members get a mail.`,
  givenUp:
    'No call succeeded for a day, so it was switched off. Fix the server, switch it on, and deliver again what failed.',
  turnOn: 'Switch on',
  turnOff: 'Switch off',
  turnedOn: 'It is on: new events are delivered.',
  turnedOff: 'It is off: nothing is delivered any more.',
  tested: 'A test is on its way.',
  secretWords: {
    title: 'The secret of this endpoint',
    hint: 'It is shown only this once. Your server checks the signature of each call with it, as Standard Webhooks describes.',
    kept: 'I have kept it',
  },
  rotation: {
    action: 'Replace the secret',
    question: 'Replace the secret?',
    consequence:
      'For 24 hours each call is signed with the old one as well, so your server may change over when it likes.',
  },
  removal: (url: string) => ({
    action: 'Remove endpoint',
    question: `Remove ${url}?`,
    consequence: 'It gets no more events, and the log of what it was sent is gone for good.',
  }),
  removed: 'The endpoint was removed.',
  deliveries: 'Webhook deliveries',
  endpoint: 'Webhook endpoint',
  deliveriesHint: 'Kept for 30 days.',
  noDeliveries: 'Nothing was delivered yet',
  noDeliveriesHint: 'Send a test, or wait for the first event.',
  event: 'Event',
  tries: 'Tries',
  deliveryStates: { PENDING: 'Under way', DELIVERED: 'Delivered', FAILED: 'Failed' } as Record<
    string,
    string
  >,
  nextTry: (at: string) => `Next attempt: ${at}`,
  attempt: (number: number) => `Try ${number}`,
  answered: (status: number) => `Answered ${status}`,
  noAnswer: 'No answer',
  noTries: 'It was not tried yet.',
  sent: 'What was sent',
  replay: 'Deliver again',
  replayed: (number: number) =>
    number === 0
      ? 'There was nothing to deliver again.'
      : `${count(number, { one: '# delivery is', other: '# deliveries are' })} on the way again.`,
  replayFailed: 'Deliver failed ones again',
  replayHint: 'The oldest 1,000 of that time, each with the id and the body of the first time.',
  span: 'Of the last',
  spans: { day: '24 hours', week: '7 days', month: '30 days' },
}
