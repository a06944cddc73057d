// The first page of a project.
import { plural } from '../plural'

const count = plural('en')

export const overview = {
  title: 'Overview',
  span: 'Days shown',
  days: (days: number) => count(days, { one: '# day', other: '# days' }),
  chart: 'Messages by day',
  sent: 'Sent',
  sentBefore: 'Sent in the span before',
  delivered: 'Delivered',
  opens: 'Opened',
  clicks: 'Clicked',
  bounces: 'Bounced',
  complaints: 'Complaints',
  asBefore: 'as before',
  before: (count: string) => `${count} before`,
  points: (points: number) => `${points > 0 ? '+' : '−'}${Math.abs(points).toFixed(1)} points`,
  noMail: 'No mail in this time',
  noMailHint: 'Figures appear here with the first message.',
  health: 'Health',
  noDomain: 'No sender domain yet',
  noDomainHint: 'Add the domain that your mail comes from.',
  domainsGood: 'All sender domains are verified',
  domainWaits: (domain: string) => `${domain} is not verified`,
  domainWaitsHint:
    'Publish its DNS records; they are checked every few minutes. Nothing can be sent from it until then.',
  disabled: 'Sending is suspended',
  disabledHint:
    'Too many messages bounced or were complained about. The operator of this instance can lift it.',
  reputationGood: 'Bounces and complaints are low',
  reputationHint: 'Send only to people who asked for it, and remove addresses that bounce.',
  paused: 'Sending is paused on this instance',
  pausedHint: 'The operator lets it go on with “waxwing resume”.',
  queueFailed: 'The queue does not answer',
  queueGood: 'Mail leaves without waiting',
  queueLate: (waiting: string) => `${waiting} jobs are waiting, some for more than five minutes`,
  queueLateHint: 'A large campaign takes its time. If nothing moves, look at the log of the program.',
  upcoming: 'Coming up',
  nothingUpcoming: 'Nothing is scheduled, and no workflow is waiting.',
  start: 'First steps',
  hideStart: 'Hide the first steps',
  done: 'Done',
  steps: {
    domain: {
      title: 'Prove a sender domain',
      hint: 'Add a few DNS records, so that your mail is trusted and arrives.',
    },
    mail: { title: 'Send a first mail', hint: 'To yourself, with one click, or with the code beside this.' },
    contact: {
      title: 'Add a contact',
      hint: 'Everybody you send to becomes one; a list of yours can be imported.',
    },
    campaign: { title: 'Send a campaign', hint: 'A letter to all of your contacts, or to some.' },
  },
  sendTest: (email: string) => `Send to ${email}`,
  testSent: (email: string) => `A mail to ${email} is on its way.`,
  testSubject: 'Your first mail from Waxwing',
  testBody: '<p>Hello!</p><p>This is the first mail of your project. It works.</p>',
  code: 'From your own program',
  codeHint: 'With the secret key of this project: keep it on your server.',
}
