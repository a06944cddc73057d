// Campaigns: all of them, writing one, sending it, and its results.
import { abTest } from './ab-test'
import { contactsOf, count, formed } from './numbers'

/** "2 min", "3 h". */
function duration(seconds: number): string {
  if (seconds < 90) return `${seconds} s`
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3_600)} h`
}

export const campaigns = {
  title: 'Campaigns',
  hint: 'Send one email to many contacts.',
  create: 'New campaign',
  compare: 'Compare campaigns',
  showInArchive: 'Show in the public archive',
  hideInArchive: 'Remove from the public archive',
  nowShown: 'Shown in its topic’s archive, if that’s public',
  nowHidden: 'Removed from the archive',
  compareThis: 'Compare with another campaign',
  beginHint: 'Start with a template or a sample email. You choose the audience later.',
  to: 'To',
  recipientCount: (number: number) => count(number, { one: '# recipient', other: '# recipients' }),
  chooseAudience: 'Choose audience',
  fromTemplate: 'From a template',
  anyStatus: 'Any status',
  statuses: {
    DRAFT: 'Draft',
    SCHEDULED: 'Scheduled',
    SENDING: 'Sending',
    SENT: 'Sent',
    CANCELLED: 'Canceled',
  } as Record<string, string>,
  paused: 'Paused',
  recipients: 'Recipients',
  opened: 'Opened',
  clicked: 'Clicked',
  empty: 'No campaigns yet',
  emptyHint: 'Create one to email your subscribed contacts, or a segment of them.',
  nothing: 'No matching campaigns',
  nothingHint: 'Try a shorter search or clear the filters.',
  parts: 'Campaign steps',
  partNames: { write: 'Content', audience: 'Audience', send: 'Review and send' },
  toReview: 'Review',
  audienceHint: 'The audience is fixed when sending starts.',
  audienceFixed: 'It’s scheduled. Unschedule it to change the audience.',
  audiences: { ALL: 'All contacts', SEGMENT: 'Segments and topics', FILTERED: 'Filter' },
  chooseSegment: 'Choose a segment or topic',
  inSegments: 'In at least one of these',
  notInSegments: 'In none of these',
  excludeSegment: 'Choose a segment or topic to exclude',
  addSegment: 'Add another',
  removeSegment: (name: string) => `Remove ${name}`,
  deletedSegment: 'Deleted segment',
  noSegments: 'No segments or topics yet.',
  audienceExcept: (included: string, excluded: string) => `${included} except ${excluded}`,
  inTopic: (audience: string, topic: string) => `${audience}, only if subscribed to ${topic}`,
  didWith: (campaign: string, reaction: string) => `${campaign}: ${reaction}`,
  segmentWithCount: (name: string, members: number) => `${name} (${formed(members)})`,
  audienceUnfinished: 'Choose an audience to see its size.',
  reach: 'Recipients',
  reachOf: {
    reached: (contacts: number) => `${contactsOf(contacts)} will get it`,
    others: (contacts: number, reasons: string) => `${formed(contacts)} won’t: ${reasons}`,
    reasons: {
      unsubscribed: (contacts: number) => `${formed(contacts)} unsubscribed`,
      snoozed: (contacts: number) => `${formed(contacts)} snoozed`,
      neverSubscribed: (contacts: number) => `${formed(contacts)} never subscribed`,
      topic: (contacts: number) => `${formed(contacts)} not subscribed to the topic`,
      suppressed: (contacts: number) => `${formed(contacts)} suppressed`,
      cap: (contacts: number) => `${formed(contacts)} over the frequency cap`,
    },
  },
  forecast: (domain: string, day: string) => `${domain} is warming up. The last emails are sent on ${day}.`,
  forecastTransports: (names: string, day: string) =>
    `The transports for this campaign are warming up (${names}). The last emails are sent on ${day}.`,
  heldByCap: (recipients: number) => `${contactsOf(recipients)} delayed by the frequency cap`,
  skippedByCap: (recipients: number) => `${contactsOf(recipients)} skipped because of the frequency cap`,
  forecastUnknown: {
    OTHER_PROJECTS: 'Doesn’t include emails that other projects send through the same transports.',
    RECIPIENT_TRANSPORTS: 'Some recipients may get it sooner through a transport for their domains.',
    OTHER_MAIL: 'Other emails that are sent first also count toward the frequency cap.',
  },
  forecastMore: (days: number) => count(days, { one: 'and # more day', other: 'and # more days' }),
  forecastMoments: 'In recipients’ time zones, emails are sent during these hours:',
  forecastMoreHours: (hours: number) => count(hours, { one: 'and # more hour', other: 'and # more hours' }),
  withoutTimeZone: (recipients: number) =>
    `${contactsOf(recipients)} without a time zone: the project’s time zone applies.`,
  held: (recipients: number) =>
    `${contactsOf(recipients)} delayed by quiet hours, the frequency cap, the sending window, or a mailbox provider`,
  skippedByRule: (recipients: number) =>
    `${contactsOf(recipients)} skipped because of quiet hours or the frequency cap`,
  noPreview: 'No preview: this email can’t be shown yet. See “Pre-send checks”.',
  check: 'Pre-send checks',
  test: 'Test',
  testTo: 'Send a test to',
  testHint: (most: number) => `Up to ${formed(most)} addresses, separated by commas.`,
  testWrong: (address: string) => `“${address}” isn’t an email address`,
  testMany: (most: number) => `A test can go to up to ${formed(most)} addresses`,
  testSent: (emails: readonly string[]) =>
    emails.length === 1
      ? `Test email sent to ${emails[0]}`
      : `Test email sent to ${formed(emails.length)} addresses`,
  unsavedHint: 'The preview shows what is saved. Sending saves your changes first.',
  publishesToo: 'Also publishes your unpublished changes to this campaign.',
  leave: 'Send time',
  whens: { now: 'Now', later: 'Schedule for later' },
  moment: 'Date and time',
  hereThatIs: (moment: string) => `In your time zone: ${moment}.`,
  timing: {
    use: 'Use recipients’ time zones, or spread over hours',
    localTime: 'Local time',
    passed: 'If that time has passed',
    passedRules: { NEXT_DAY: 'Send the next day', NOW: 'Send now' },
    from: 'Earliest time',
    to: 'Latest time',
    weekdays: 'Days of the week',
    spread: 'Spread over (hours, up to 168)',
    hint: 'All fields are optional. In Settings, choose the custom field with a contact’s time zone.',
  },
  abTest,
  missing: {
    name: 'Add a name.',
    subject: 'Add a subject.',
    from: 'Add a from address.',
    audience: 'Choose a segment, or complete the filter.',
    time: 'Complete the time, or clear it.',
    timing: 'Set a time, days, or hours, or turn this off.',
    number: (least: number, most: number) => `Enter a number from ${formed(least)} to ${formed(most)}.`,
    variant: 'Give this variant a subject, from name, or content that differs from A.',
    testShare: (recipients: number, variants: number, least: number) =>
      `Too few for ${formed(variants)} variants: the audience has ${contactsOf(recipients)}. Enter ${formed(least)} or more, or turn off the A/B test.`,
    testAudience: (variants: number) =>
      `The audience is too small: ${formed(variants)} variants need at least ${contactsOf(variants)}. Turn off the A/B test, or choose a larger audience.`,
    moment: 'Complete the date and time.',
    passed: 'This time has passed. Choose a later one, or send now.',
  },
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
    remaining: 'Rest of the audience',
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
  nobody: 'No one would get this campaign. Choose another audience.',
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
    undo: 'Undo send',
    unschedule: 'Unschedule',
    takenBack: 'Back to draft. Nothing was sent.',
    tooLate: 'Too late: sending has started.',
  },
  scheduleHint: 'Sends to everyone in the audience at that time.',
  started: 'Campaign is sending',
  scheduled: (moment: string) => `Campaign scheduled for ${moment}`,
  cancel: 'Cancel campaign',
  cancelTitle: (name: string) => `Cancel ${name}?`,
  cancelHint: (left: number) =>
    `${contactsOf(Math.max(left, 0))} won’t get this campaign. Sent emails can’t be recalled.`,
  deleteHint: 'Deletes the draft and its content. This can’t be undone.',
  pause: 'Pause',
  resume: 'Resume',
  retryFailed: 'Retry failed',
  retried: (requeued: number) => `Retrying ${contactsOf(requeued)}`,
  pausedBecause: (reason: string) => `Paused: ${reason}`,
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
      ...(rate === null ? [] : [`${formed(rate)} per second`]),
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
    programs > 0 ? `${formed(people)}, plus ${formed(programs)} by bots` : formed(people),
  usually: (rate: string) => `Usually ${rate}`,
  overTime: 'Opens and clicks over time',
  linksHint: 'Excludes clicks that look automated.',
  linkClicks: (people: number, clicks: number) =>
    `${count(people, { one: '# person', other: '# people' })}, ${count(clicks, { one: '# click', other: '# clicks' })}`,
  next: {
    title: 'Next steps',
    hint: 'Creates a draft with this content. It’s sent to contacts who got this campaign and still haven’t reacted when you send, if they’re subscribed.',
    actions: {
      notOpened: 'Send to people who didn’t open',
      notClicked: 'Send to people who didn’t click',
    },
    names: {
      notOpened: (name: string) => `${name} (didn’t open)`,
      notClicked: (name: string) => `${name} (didn’t click)`,
    },
  },
  anyReaction: 'All recipients',
  noFilter: 'Clear filter',
  reactions: {
    opened: 'Opened',
    notOpened: 'Didn’t open',
    clicked: 'Clicked',
    notClicked: 'Didn’t click',
    bounced: 'Bounced',
    complained: 'Complained',
    failed: 'Failed',
  },
  nobodyFits: 'No matching recipients',
  makeSegment: 'Create segment',
  makeSegmentHint: (all: number) =>
    count(all, {
      one: 'Creates a static segment with this # contact.',
      other: 'Creates a static segment with these # contacts.',
    }),
  segmentMade: (name: string, members: number) => `${name} created with ${contactsOf(members)}`,
  tooFew: 'Nothing to compare yet',
  tooFewHint: 'Send at least two campaigns first.',
  firstCampaign: 'First campaign',
  secondCampaign: 'Second campaign',
}
