// Statistics of a period.

export const analytics = {
  title: 'Analytics',
  about: 'Emails by the day they were created, compared with the previous period. Days are in UTC.',
  vs: (before: string) => `vs. ${before}`,
  choose: 'Metric',
  lines: {
    emails: 'Emails',
    delivered: 'Delivered',
    opens: 'Opened',
    clicks: 'Clicked',
    bounces: 'Bounced',
    complaints: 'Complaints',
    failed: 'Failed',
  },
  rankedBy: 'Ranked by',
  by: {
    opened: 'Most opened',
    clicked: 'Most clicked',
    sent: 'Most sent',
    delivered: 'Most delivered',
    bounced: 'Most bounced',
    unsubscribed: 'Most unsubscribed',
  },
  sent: 'Sent',
  opened: 'Opened',
  clicked: 'Clicked',
  change: 'Change',
  nothing: 'No emails in this period.',
}
