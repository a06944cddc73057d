// Mail that came back, in the shapes of servers that write no part for programs, or their own.
import { expect, test } from 'bun:test'
import { readReturnedMail } from '../../../../src/mail/bounces'

interface Sample {
  name: string
  header?: string
  body: string
  said: string
  recipient?: string
}

const samples: Sample[] = [
  {
    name: 'qmail',
    body: `Hi. This is the qmail-send program at mx.acme.example.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ada@orbit.example>:
192.0.2.7 does not like recipient.
Remote host said: 550 5.1.1 <ada@orbit.example>: no such user
Giving up on 192.0.2.7.

--- Below this line is a copy of the message.

Return-Path: <b-1@bounce.acme.example>
Subject: spam`,
    said: 'dead',
    recipient: 'ada@orbit.example',
  },
  {
    name: 'Exim',
    header: 'X-Failed-Recipients: bea@orbit.example\r\nAuto-Submitted: auto-replied',
    body: `This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  bea@orbit.example
    host mx.orbit.example [192.0.2.9]
    SMTP error from remote mail server after RCPT TO:<bea@orbit.example>:
    550 Blocked - see https://www.spamhaus.org/query/ip/203.0.113.5

------ This is a copy of the message, including all the headers. ------
`,
    said: 'refused',
    recipient: 'bea@orbit.example',
  },
  {
    name: 'GMX',
    body: `A message that you sent could not be delivered to one or more of
its recipients. This is a permanent error. The following address
failed:

"cora@orbit.example":
SMTP error from remote server after RCPT command:
host: mx.orbit.example
5.2.2 mailbox full

--- The header of the original message is following. ---
`,
    said: 'full',
    recipient: 'cora@orbit.example',
  },
  {
    name: 'hMailServer',
    body: `Your message did not reach some or all of the intended recipients.

   Subject: Hello
   The following recipient(s) could not be reached:

dora@orbit.example
   Error Type: SMTP
   Remote server (203.0.113.9) issued an error.
   hMailServer sent: RCPT TO:<dora@orbit.example>
   Remote server replied: 550 Unknown user
`,
    said: 'dead',
    recipient: 'dora@orbit.example',
  },
  {
    name: 'everyday words in plain words, which do not say in reply to what',
    body: `This message was created automatically by mail delivery software.
A message that you have sent could not be delivered to one or more recipients.

  <dora@orbit.example>: 550 unknown user
`,
    said: 'unknown',
    recipient: 'dora@orbit.example',
  },
  {
    name: 'a delivery status in the text',
    body: `An error occurred while trying to deliver the mail to the following recipients:
eva@orbit.example

Action: failed
Final-Recipient: rfc822; eva@orbit.example
Diagnostic-Code: smtp; 550 5.1.1 user unknown
Status: 5.1.1
`,
    said: 'dead',
    recipient: 'eva@orbit.example',
  },
  {
    name: 'given up after days',
    body: `This is the DragonFly Mail Agent v0.13 at acme.example.

There was an error delivering your mail to <fay@orbit.example>.

Could not deliver for the last 432000 seconds. Giving up.

Message headers follow.
`,
    said: 'expired',
    recipient: 'fay@orbit.example',
  },
  {
    name: 'a warning',
    body: `THIS IS A WARNING MESSAGE ONLY.

Delivery to the following recipient has been delayed:

     gina@orbit.example

Message will be retried for 2 more day(s)
`,
    said: 'delayed',
    recipient: 'gina@orbit.example',
  },
]

function mailOf({ header, body }: Pick<Sample, 'header' | 'body'>): Uint8Array {
  const lines = [
    'From: Mail Delivery System <mailer-daemon@mx.acme.example>',
    'Subject: Delivery failure',
    ...(header ? [header] : []),
  ]
  return new TextEncoder().encode(`${lines.join('\r\n')}\r\n\r\n${body.replaceAll('\n', '\r\n')}`)
}

test.each(samples)('$name', async sample => {
  const mail = await readReturnedMail(mailOf(sample))
  expect(mail?.reports).toMatchObject([{ form: 'plain', said: sample.said, recipient: sample.recipient! }])
})

test('an automatic answer is no report', async () => {
  const raw =
    'From: Ada <ada@orbit.example>\r\nSubject: Re: Hello\r\nAuto-Submitted: auto-replied\r\n\r\nI am away until Monday.'
  expect(await readReturnedMail(new TextEncoder().encode(raw))).toMatchObject({ reports: [], isAnswer: true })
})

function statusMail(fields: string): Uint8Array {
  return new TextEncoder().encode(
    [
      'From: <>',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
      '',
      '--b',
      'Content-Type: text/plain',
      '',
      'Sorry.',
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.acme.example',
      '',
      'Final-Recipient: rfc822; ada@orbit.example',
      fields,
      '',
      '--b--',
      '',
    ].join('\r\n'),
  )
}

test.each([
  ['an action called error', 'Action: error\r\nStatus: 5.1.1', 'dead'],
  [
    'an action called failure',
    'Action: failure\r\nStatus: 5.0.0\r\nDiagnostic-Code: smtp; 550 no such user',
    'dead',
  ],
  ['no action at all', 'Status: 5.2.2', 'full'],
  [
    'words that IronPort keeps for itself',
    'Action: failed\r\nStatus: 5.0.0\r\nX-Supplementary-Info: <203.0.113.9 #5.0.0 smtp; 550 "Unknown User">',
    'dead',
  ],
  [
    'a reply to the message',
    'Action: failed\r\nStatus: 5.0.0\r\nDiagnostic-Code: smtp; 550 user unknown (in reply to end of DATA command)',
    'unknown',
  ],
  [
    'given up for a temporary reason',
    'Action: failed\r\nStatus: 4.4.1\r\nDiagnostic-Code: smtp; connect to mx.orbit.example: timed out',
    'expired',
  ],
  ['a probe', 'Action: deliverable\r\nStatus: 2.1.5', 'none'],
])('a delivery status with %s', async (_, fields, said) => {
  expect((await readReturnedMail(statusMail(fields)))?.reports).toMatchObject([{ form: 'status', said }])
})

test.each([
  ['abuse', 'complaint'],
  ['fraud', 'complaint'],
  ['opt-out', 'optOut'],
  ['auth-failure', 'none'],
  ['virus', 'none'],
  ['not-spam', 'none'],
  ['other', 'none'],
])('a feedback report of the type %s', async (type, said) => {
  const raw = [
    'Content-Type: multipart/report; report-type=feedback-report; boundary=b',
    '',
    '--b',
    'Content-Type: message/feedback-report',
    '',
    `Feedback-Type: ${type}`,
    'Version: 1',
    '',
    '--b',
    'Content-Type: message/rfc822',
    '',
    'Message-ID: <1@acme.example>',
    '',
    'Hello',
    '--b--',
    '',
  ].join('\r\n')
  const mail = await readReturnedMail(new TextEncoder().encode(raw))
  expect(mail).toMatchObject({ messageIds: ['<1@acme.example>'], reports: [{ form: 'feedback', said }] })
})

test("Hotmail's own form of a complaint", async () => {
  const raw = [
    'From: staff@hotmail.com',
    'Subject: complaint about message from 203.0.113.5',
    'Content-Type: multipart/mixed; boundary=b',
    '',
    '--b',
    'Content-Type: message/rfc822',
    '',
    'X-HmXmrOriginalRecipient: ada@orbit.example',
    'Message-ID: <1@acme.example>',
    '',
    'Hello',
    '--b--',
    '',
  ].join('\r\n')
  const mail = await readReturnedMail(new TextEncoder().encode(raw))
  expect(mail?.reports).toMatchObject([
    { form: 'feedback', said: 'complaint', recipient: 'ada@orbit.example' },
  ])
})

const delays: Array<[likely: string, text: string, diagnostic?: string]> = [
  ['dead', 'ada@orbit.example: No MX found for domain'],
  ['dead', 'nobody told', 'smtp; 450 4.1.1 <ada@orbit.example>: Recipient address rejected: no such mailbox'],
  ['full', 'nobody told', 'smtp; 452 4.2.2 Mailbox full'],
  ['refused', 'ada@orbit.example: 421 4.7.0 temporarily deferred due to user complaints'],
  ['expired', 'ada@orbit.example: Connection timed out'],
  ['expired', 'nobody told', 'X-Postfix; Host not found, try again'],
]

test.each(delays)(
  'a message that is still being tried will fail as %s: %s %s',
  async (likely, text, diagnostic) => {
    const raw = [
      'From: mailer-daemon@mx.acme.example',
      'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
      '',
      '--b',
      '',
      `A message is delayed for more than 4 hours:\r\n\r\n${text}`,
      '--b',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.acme.example',
      '',
      'Final-Recipient: rfc822; ada@orbit.example',
      'Action: delayed',
      'Status: 4.0.0',
      ...(diagnostic ? [`Diagnostic-Code: ${diagnostic}`] : []),
      '--b--',
      '',
    ].join('\r\n')
    const mail = await readReturnedMail(new TextEncoder().encode(raw))
    expect(mail?.reports).toMatchObject([{ said: 'delayed', likely }])
  },
)
