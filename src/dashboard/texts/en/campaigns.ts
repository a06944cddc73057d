// Campaigns: all of them, writing one, sending it, and what came of it.
import { plural } from '../plural'

const count = plural('en')
const contactsOf = (number: number): string => count(number, { one: '# contact', other: '# contacts' })
const number = new Intl.NumberFormat('en')

/** "2 min", "3 h". */
function duration(seconds: number): string {
  if (seconds < 90) return `${seconds} s`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}

export const campaigns = {
  title: 'Campaigns',
  hint: 'One message to many.',
  create: 'New campaign',
  compare: 'Compare campaigns',
  compareThis: 'Compare with another',
  beginHint: 'Begin with a template, or with a mail that is nearly right. You choose later who gets it.',
  fromTemplate: 'From a template',
  chooseTemplate: 'Choose a template',
  search: 'Search by name or subject',
  anyStatus: 'Any state',
  status: 'State',
  statuses: {
    DRAFT: 'Draft',
    SCHEDULED: 'Scheduled',
    SENDING: 'Sending',
    SENT: 'Sent',
    CANCELLED: 'Cancelled',
  } as Record<string, string>,
  paused: 'Paused',
  recipients: 'Recipients',
  opened: 'Opened',
  clicked: 'Clicked',
  when: 'When',
  empty: 'No campaigns yet',
  emptyHint: 'Write to all your subscribed contacts, or to a part of them.',
  nothing: 'No campaign fits',
  nothingHint: 'Look for a shorter part of the name, or any state.',
  parts: 'Parts of the campaign',
  partNames: { write: 'Message', audience: 'Audience', send: 'Review and send' },
  toReview: 'Review',
  audience: 'Audience',
  audienceHint: 'Who is in it is decided when sending begins.',
  audienceFixed: 'It is scheduled: cancel it to choose other people.',
  audiences: { ALL: 'Everybody', SEGMENT: 'A segment', FILTERED: 'A filter' },
  chooseSegment: 'Choose a segment',
  segmentWithCount: (name: string, members: number) => `${name} (${number.format(members)})`,
  audienceUnfinished: 'Say who it is for, and it is counted here.',
  useAudience: 'Use this audience',
  reach: 'Who gets it',
  reaches: (recipients: number, matching: number) =>
    `${number.format(recipients)} of ${contactsOf(matching)} are subscribed`,
  reachesAll: (matching: number) => `${contactsOf(matching)}, subscribed or not`,
  check: 'Check before sending',
  test: 'Test',
  testTo: 'Send a test to',
  sendTest: 'Send a test',
  testSent: (email: string) => `A test is on its way to ${email}`,
  unsavedHint: 'The message has changes that are not saved. Save them before it is sent.',
  leave: 'When it leaves',
  leavesAt: (moment: string) => `It leaves on ${moment}.`,
  whens: { now: 'Now', later: 'At a time' },
  moment: 'Date and time',
  zone: 'Time zone',
  hereThatIs: (moment: string) => `Here that is ${moment}.`,
  nobody: 'Nobody would get it: nobody in the audience is subscribed.',
  sendNow: 'Send now',
  schedule: 'Schedule',
  sendTo: (recipients: number) => `Send to ${contactsOf(recipients)}`,
  sendHint: (recipients: number) =>
    `It goes to ${contactsOf(recipients)} at once. What has left cannot be taken back.`,
  scheduleHint: (recipients: number, moment: string) =>
    `It goes to everybody who is in the audience then, ${contactsOf(recipients)} at the moment, on ${moment}.`,
  started: 'It is on its way',
  scheduled: (moment: string) => `It leaves on ${moment}`,
  copy: 'Make a copy',
  cancel: 'Cancel campaign',
  cancelTitle: (name: string) => `Cancel ${name}?`,
  cancelHint: (left: number) =>
    `It stops for good: ${contactsOf(Math.max(left, 0))} will not get it. Those who have it keep it.`,
  deleteTitle: (name: string) => `Delete ${name}`,
  deleteHint: 'The draft and what is written in it are gone for good.',
  pause: 'Pause',
  resume: 'Go on',
  retryFailed: 'Retry failed',
  retried: (requeued: number) => `${contactsOf(requeued)} tried again`,
  pausedBecause: (reason: string) => `It is paused: ${reason}`,
  progress: (done: number, all: number, rate: number | null, left: number | null) =>
    [
      `${number.format(done)} of ${number.format(all)}`,
      ...(rate === null ? [] : [`${number.format(rate)} a second`]),
      ...(left === null ? [] : [`${duration(left)} left`]),
    ].join(' · '),
  tiles: {
    sent: 'Sent',
    delivered: 'Delivered',
    opened: 'Opened',
    clicked: 'Clicked',
    bounced: 'Bounced',
    complained: 'Complaints',
    unsubscribed: 'Unsubscribed',
  },
  ofRecipients: (all: number) => `of ${number.format(all)}`,
  peopleAndPrograms: (people: number, programs: number) =>
    programs > 0 ? `${number.format(people)}; programs ${number.format(programs)}` : number.format(people),
  overTime: 'Opens and clicks over time',
  nothingYet: 'Nothing has happened yet.',
  links: 'Links',
  linksHint: 'Followed by people, as far as one can tell.',
  linkClicks: (people: number, clicks: number) =>
    `${count(people, { one: '# person', other: '# people' })}, ${count(clicks, { one: '# click', other: '# clicks' })}`,
  anyReaction: 'Everybody',
  noFilter: 'Everybody again',
  reactions: {
    opened: 'Opened it',
    notOpened: 'Did not open it',
    clicked: 'Followed a link',
    notClicked: 'Followed no link',
    bounced: 'Bounced',
    complained: 'Complained',
    failed: 'Failed',
  },
  nobodyFits: 'Nobody fits',
  makeSegment: 'Make a segment',
  makeSegmentHint: (all: number) => `A list of these ${contactsOf(all)}, as they are now.`,
  segmentMade: (name: string, members: number) => `${name} has ${contactsOf(members)}`,
  tooFew: 'There is nothing to compare yet',
  tooFewHint: 'Two campaigns have to be sent first.',
  firstCampaign: 'First campaign',
  secondCampaign: 'Second campaign',
}
