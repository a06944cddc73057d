// Figures over a span.

export const analytics = {
  title: 'Analytics',
  about: 'Messages by the day on which they were made, against as many days before. Days are in UTC.',
  vs: (before: string) => `vs. ${before}`,
  choose: 'What the lines show',
  lines: {
    emails: 'Messages',
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
  nothing: 'Nothing in this time.',
}
