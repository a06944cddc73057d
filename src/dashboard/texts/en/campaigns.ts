// Campaigns: all of them, writing one, sending it, and its results.
import { count, formed } from './numbers'

const contactsOf = (number: number): string => count(number, { one: '# contact', other: '# contacts' })

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
  showInArchive: 'Show in the public archive',
  hideInArchive: 'Remove from the public archive',
  nowShown: 'Shown in the archive of its topic, where that is public',
  nowHidden: 'No longer in the archive',
  compareThis: 'Compare with another',
  beginHint: 'Begin with a template, or with a mail that is nearly right. You choose later who gets it.',
  to: 'To',
  recipientCount: (number: number) => count(number, { one: '# recipient', other: '# recipients' }),
  chooseAudience: 'Choose audience',
  fromTemplate: 'From a template',
  anyStatus: 'Any state',
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
  empty: 'No campaigns yet',
  emptyHint: 'Write to all your subscribed contacts, or to a part of them.',
  nothing: 'No campaign fits',
  nothingHint: 'Look for a shorter part of the name, or any state.',
  parts: 'Parts of the campaign',
  partNames: { write: 'Message', audience: 'Audience', send: 'Review and send' },
  toReview: 'Review',
  audienceHint: 'Who is in it is decided when sending begins.',
  audienceFixed: 'It’s scheduled. Unschedule it to change the audience.',
  audiences: { ALL: 'Everybody', SEGMENT: 'Segments', FILTERED: 'A filter' },
  chooseSegment: 'Choose a segment',
  inSegments: 'In at least one of these segments',
  notInSegments: 'Not in any of these segments',
  excludeSegment: 'Choose a segment to exclude',
  addSegment: 'Add another segment',
  removeSegment: (name: string) => `Remove ${name}`,
  deletedSegment: 'Deleted segment',
  noSegments: 'There are no segments yet.',
  audienceExcept: (included: string, excluded: string) => `${included} except ${excluded}`,
  segmentWithCount: (name: string, members: number) => `${name} (${formed(members)})`,
  audienceUnfinished: 'Say who it is for, and it is counted here.',
  reach: 'Who gets it',
  reaches: (recipients: number, matching: number) =>
    `${count(recipients, { one: '# subscribed contact', other: '# subscribed contacts' })} (of ${formed(matching)})`,
  forecast: (domain: string, day: string) => `${domain} is in a warm-up: the last of it leaves on ${day}.`,
  forecastTransports: (names: string, day: string) =>
    `The transports that it can take are in a warm-up (${names}): the last of it leaves on ${day}.`,
  heldByCap: (recipients: number) =>
    `${contactsOf(recipients)} held by the cap on marketing mail until it lets them have another`,
  skippedByCap: (recipients: number) => `${contactsOf(recipients)} skipped by the cap on marketing mail`,
  forecastUnknown: {
    OTHER_PROJECTS: 'What other projects send by the same transports is not known.',
    RECIPIENT_TRANSPORTS: 'Some recipients may get it sooner by a transport for their domains.',
    OTHER_MAIL: 'Other mail that leaves first counts for the cap too.',
  },
  forecastMore: (days: number) => count(days, { one: 'and # more day', other: 'and # more days' }),
  forecastMoments: 'By the clocks of its recipients, it leaves in these hours:',
  forecastMoreHours: (hours: number) => count(hours, { one: 'and # more hour', other: 'and # more hours' }),
  withoutTimeZone: (recipients: number) =>
    `${contactsOf(recipients)} without a time zone: that of the project holds.`,
  held: (recipients: number) =>
    `${contactsOf(recipients)} held back for now: quiet hours, the cap, the hours of the campaign, or a mailbox provider`,
  skippedByRule: (recipients: number) => `${contactsOf(recipients)} skipped by quiet hours or the cap`,
  reachesAll: (matching: number) => `${contactsOf(matching)}, subscribed or not`,
  noPreview: 'No preview: this email can’t be shown yet. “Check before sending” says why.',
  check: 'Check before sending',
  test: 'Test',
  testTo: 'Send a test to',
  testSent: (email: string) => `A test is on its way to ${email}`,
  unsavedHint: 'The preview shows what is saved. Sending saves your changes first.',
  leave: 'When it leaves',
  whens: { now: 'Now', later: 'At a time' },
  moment: 'Date and time',
  hereThatIs: (moment: string) => `Here that is ${moment}.`,
  timing: {
    use: 'By the recipients’ own clocks, or spread over hours',
    localTime: 'At this time there',
    passed: 'Where that is over',
    passedRules: { NEXT_DAY: 'the next day', NOW: 'at once' },
    from: 'Not before',
    to: 'Not after',
    weekdays: 'On these days',
    spread: 'Spread over hours, up to 168',
    hint: 'Leave empty what does not matter. The settings of the project say where a contact’s time zone is kept.',
  },
  abTest: {
    title: 'A/B test',
    use: 'Try variants on some of the recipients first',
    hint: 'Variant A is the message as it is. Whatever a variant leaves empty is the same as in A.',
    variant: (name: string) => `Variant ${name}`,
    subject: 'Subject',
    fromName: 'Sender name',
    content: 'Content',
    asA: 'Same as A',
    own: 'Its own, unchanged',
    ofTemplate: (name: string) => `From the template ${name}`,
    add: 'Add a variant',
    remove: (name: string) => `Remove variant ${name}`,
    share: 'Percentage of the recipients',
    testGroup: (tested: number, all: number, isExact: boolean) =>
      `${isExact ? '' : 'About '}${formed(tested)} of ${contactsOf(all)}`,
    afterHours: 'Hours until the decision',
    metric: 'The best one has more',
    metrics: { CLICKS: 'clicks', OPENS: 'opens' },
    confidence: 'Confidence needed, percent',
    otherwise: 'If none reaches it',
    fallbacks: { A: 'the others get A', WAIT: 'the others wait until somebody chooses' },
    best: (name: string, likely: string, ofMany: boolean) =>
      `${name} is ${ofMany ? 'the best' : 'better'} with a probability of ${likely}.`,
    trying: 'The variants are being tried on some of the recipients.',
    until: (moment: string) => `The others get theirs after ${moment}.`,
    undecided: (wanted: string) => `None reaches ${wanted}: choose which one the others get.`,
    won: (name: string) => `${name} has won, and the others get it.`,
    chosen: (name: string) => `${name} was chosen, and the others get it.`,
    noneWon: 'None has won, and the others get A.',
    named: (name: string, words: string) => `${name}: ${words}`,
    opened: (people: string, all: string) => `${people} of ${all} opened it`,
    clicked: (people: string, all: string) => `${people} of ${all} clicked`,
    likely: (percent: string, ofMany: boolean) => `${percent} likely to be ${ofMany ? 'the best' : 'better'}`,
    unsubscribed: (people: string) => `${people} unsubscribed`,
    column: 'Variant',
    anyVariant: 'Every variant',
    choose: (name: string) => `Give the others ${name}`,
    chooseHint:
      'From now on, everybody who has had no message yet gets this variant. This cannot be changed.',
  },
  missing: {
    name: 'Add a name.',
    subject: 'Add a subject.',
    from: 'Add a from address.',
    audience: 'Choose a segment, or complete the filter.',
    time: 'Complete the time, or clear it.',
    timing: 'Set a time, days, or hours, or turn this off.',
    number: (least: number, most: number) => `Enter a number from ${formed(least)} to ${formed(most)}.`,
    variant: 'Give this variant a subject, sender name, or content that differs from A.',
    testShare: (recipients: number, variants: number, least: number) =>
      `Too few for ${formed(variants)} variants: the audience has ${contactsOf(recipients)}. Enter ${formed(least)} or more, or turn off the A/B test.`,
    testAudience: (variants: number) =>
      `The audience is too small: ${formed(variants)} variants need at least ${contactsOf(variants)}. Turn off the A/B test, or choose a larger audience.`,
    moment: 'Complete the date and time.',
    passed: 'This time has passed. Choose a later one, or send now.',
  },
  draftOffered:
    'This browser has an unsaved draft of this campaign. Restore or discard it at the top of the page, then send.',
  changedMeanwhile:
    'Someone else changed this campaign. Nothing was sent. Close this dialog, look at the campaign again, then send it.',
  summary: {
    audience: (name: string, recipients: number) => `${name}: ${contactsOf(recipients)}`,
    when: 'Send time',
    timing: 'Recipients’ time zones',
    localTime: (time: string, isNow: boolean) =>
      `At ${time} local time; if that has passed, ${isNow ? 'now' : 'the next day'}`,
    window: (from: string, to: string) => `between ${from} and ${to}`,
    spread: (hours: number) => `spread over ${count(hours, { one: '# hour', other: '# hours' })}`,
    tested: (variants: number, share: number, tested: number, isExact: boolean) =>
      `${formed(variants)} variants are sent to ${formed(share)}% of recipients (${isExact ? '' : 'about '}${contactsOf(tested)}).`,
    variant: (name: string, contacts: number, isExact: boolean) =>
      `Variant ${name}: ${isExact ? '' : 'about '}${contactsOf(contacts)}`,
    content: 'Different content',
    rest: 'Rest of the audience',
    waiting: (
      contacts: number,
      hours: number,
      metric: string,
      confidence: number,
      isA: boolean,
      isExact: boolean,
    ) =>
      `${isExact ? '' : 'About '}${count(contacts, { one: '# contact waits', other: '# contacts wait' })} for the winner. ${count(hours, { one: '# hour', other: '# hours' })} after sending starts, they get the variant with more ${metric} if it leads with ${formed(confidence)}% confidence. Without a winner, ${isA ? 'they get A' : 'they wait until someone chooses'}.`,
    nobodyWaits: 'The variants are sent to all recipients.',
    findings: (number: number) =>
      `The check found ${count(number, { one: '# problem', other: '# problems' })} in this email.`,
    toFindings: 'Show problems',
  },
  nobody: 'Nobody would get it: nobody in the audience is subscribed.',
  sendNow: 'Send now',
  schedule: 'Schedule',
  sendTo: (recipients: number) => `Send to ${contactsOf(recipients)}`,
  sendVariants: (recipients: number, isExact: boolean) =>
    `Send variants to ${isExact ? '' : 'about '}${contactsOf(recipients)}`,
  sendHint: 'Sending starts now. You can’t unsend emails.',
  sendDelayHint: (seconds: number) => {
    const delay =
      seconds % 60 === 0
        ? count(seconds / 60, { one: '# minute', other: '# minutes' })
        : count(seconds, { one: '# second', other: '# seconds' })
    return `Sending starts in ${delay}. Until then you can undo it.`
  },
  waiting: {
    title: 'Waiting to be sent',
    soon: (seconds: number, recipients: number) =>
      seconds > 0
        ? `Sending to ${contactsOf(recipients)} starts in ${count(seconds, { one: '# second', other: '# seconds' })}.`
        : `Sending to ${contactsOf(recipients)} starts now.`,
    later: (moment: string, recipients: number) =>
      `Scheduled for ${moment}, to ${contactsOf(recipients)} as of now.`,
    unschedule: 'Unschedule',
    takenBack: 'Back to draft. Nothing was sent.',
    tooLate: 'Too late: sending has started.',
  },
  scheduleHint: 'Sends to everyone in the audience at that time.',
  started: 'It is on its way',
  scheduled: (moment: string) => `It leaves on ${moment}`,
  cancel: 'Cancel campaign',
  cancelTitle: (name: string) => `Cancel ${name}?`,
  cancelHint: (left: number) =>
    `It stops for good: ${contactsOf(Math.max(left, 0))} will not get it. Those who have it keep it.`,
  deleteHint: 'Deletes the draft and its content. This can’t be undone.',
  pause: 'Pause',
  resume: 'Go on',
  retryFailed: 'Retry failed',
  retried: (requeued: number) => `${contactsOf(requeued)} tried again`,
  pausedBecause: (reason: string) => `It is paused: ${reason}`,
  receivers: {
    title: 'Paused for these mailbox providers',
    hint: 'These providers reject this campaign because of its sender, a policy, or its content. Waxwing tests each one that isn’t skipped with a single email from time to time. All other contacts get the campaign.',
    waiting: (contacts: number) => `${contactsOf(contacts)} waiting`,
    skipped: 'Skipped',
    since: (at: string) => `Since ${at}`,
    nextTry: (at: string) => `Next attempt: ${at}`,
    resume: 'Resume sending',
    skip: 'Skip contacts',
    skipTitle: (provider: string) => `Skip contacts at ${provider}?`,
    skipConsequence: (contacts: number) =>
      `${contactsOf(contacts)} won’t get this campaign. You can send it to them later with “Retry failed”.`,
  },
  waitsForTest: (done: number, all: number) => `${formed(done)} of ${formed(all)} · Waiting for the A/B test`,
  progress: (done: number, all: number, rate: number | null, left: number | null) =>
    [
      `${formed(done)} of ${formed(all)}`,
      ...(rate === null ? [] : [`${formed(rate)} a second`]),
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
  ofRecipients: (all: number) => `of ${formed(all)}`,
  peopleAndPrograms: (people: number, programs: number) =>
    programs > 0 ? `${formed(people)}; programs ${formed(programs)}` : formed(people),
  overTime: 'Opens and clicks over time',
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
  makeSegmentHint: (all: number) =>
    count(all, {
      one: 'A static segment of this # contact, as it is now.',
      other: 'A static segment of these # contacts, as they are now.',
    }),
  segmentMade: (name: string, members: number) => `${name} has ${contactsOf(members)}`,
  tooFew: 'There is nothing to compare yet',
  tooFewHint: 'Two campaigns have to be sent first.',
  firstCampaign: 'First campaign',
  secondCampaign: 'Second campaign',
}
