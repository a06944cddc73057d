// Webhook endpoints: which events each receives, and what it answered.
import { count } from './numbers'

export const webhooks = {
  title: 'Webhooks',
  hint: 'Send events to your servers as they happen.',
  add: 'Add endpoint',
  addHint: 'The endpoint gets a signed POST request for each event of the types you choose.',
  empty: 'No endpoints yet',
  emptyHint: 'Add the URL of your server to hear about deliveries, bounces, and unsubscribes.',
  urlHint: 'Must be reachable from this instance and not in a private network.',
  eventTypes: 'Events',
  events: (number: number) => count(number, { one: '# event', other: '# events' }),
  /** What the names mean; those that are missing are self-explanatory. */
  meanings: {
    'email.sent': 'An email was sent to the recipient’s server',
    'email.delivery': 'The server accepted an email',
    'email.bounce': 'An email bounced',
    'email.failed': 'An email failed for a reason other than its address',
    'email.open': 'A person opened an email',
    'email.click': 'A person clicked a link',
    'email.complaint': 'An email was reported as spam',
    'contact.subscribed': 'A contact subscribed',
    'contact.unsubscribed': 'A contact unsubscribed',
    'campaign.paused': 'A campaign was paused, entirely or for one mailbox provider',
  } as Record<string, string>,
  anotherEvent: 'Another event',
  addEvent: 'Add event',
  states: { on: 'On', off: 'Off', failing: 'Failing', given: 'Turned off' },
  failing: (since: string) =>
    `Every delivery has failed since ${since}. After 24 hours, the endpoint is turned off and all members get an email.`,
  givenUp:
    'Every delivery failed for 24 hours, so this endpoint was turned off. Fix your server, turn the endpoint on, then replay failed deliveries.',
  turnOn: 'Turn on',
  turnOff: 'Turn off',
  turnedOn: 'Endpoint turned on',
  turnedOff: 'Endpoint turned off',
  tested: 'Test sent',
  secretWords: {
    title: 'Your signing secret',
    hint: 'Copy the secret now. You won’t be able to see it again. Your server uses it to verify each delivery, as described by Standard Webhooks.',
    kept: 'I’ve saved it',
  },
  rotation: {
    action: 'Rotate secret',
    question: 'Rotate the signing secret?',
    consequence:
      'For 24 hours, deliveries are signed with both the old and the new secret, so that you have time to update your server.',
  },
  removal: (url: string) => ({
    action: 'Remove endpoint',
    question: `Remove ${url}?`,
    consequence: 'The endpoint gets no more events, and its delivery log is deleted. This can’t be undone.',
  }),
  removed: 'Endpoint removed',
  deliveries: 'Webhook deliveries',
  endpoint: 'Webhook endpoint',
  deliveriesHint: 'Kept for 30 days.',
  noDeliveries: 'No deliveries yet',
  noDeliveriesHint: 'Send a test, or wait for the first event.',
  event: 'Event',
  tries: 'Attempts',
  deliveryStates: { PENDING: 'In progress', DELIVERED: 'Delivered', FAILED: 'Failed' } as Record<
    string,
    string
  >,
  nextTry: (at: string) => `Next attempt: ${at}`,
  attempt: (number: number) => `Attempt ${number}`,
  answered: (status: number) => `HTTP ${status}`,
  noAnswer: 'No response',
  noTries: 'No attempts yet.',
  sent: 'Request body',
  replay: 'Replay',
  replayed: (number: number) =>
    number === 0
      ? 'No deliveries to replay'
      : `${count(number, { one: '# delivery', other: '# deliveries' })} replayed`,
  replayFailed: 'Replay failed deliveries',
  replayHint: 'Sends up to 1,000 failed deliveries again, oldest first, with the same ID and body.',
  span: 'Failed in the last',
  spans: { day: '24 hours', week: '7 days', month: '30 days' },
}
