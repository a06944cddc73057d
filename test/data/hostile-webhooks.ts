// What anybody may send to the receivers of reports, what somebody who signs well may still send, and addresses that a webhook of ours
// must not be made to call.

const size = 2 * 1024 * 1024 - 1024
const fill = (piece: string, length = size): string => piece.repeat(Math.floor(length / piece.length))
const arn = 'arn:aws:sns:eu-west-1:123456789012:mail'
/** An envelope with all its members, and a signature that nobody made. */
const unsigned = (changes: object): string =>
  JSON.stringify({
    ...{
      Type: 'Notification',
      MessageId: 'm-1',
      TopicArn: arn,
      Message: '{}',
      Timestamp: '2026-03-01T12:00:00Z',
    },
    ...{
      SignatureVersion: '2',
      Signature: 'AAAA',
      SigningCertURL: 'https://sns.eu-west-1.amazonaws.com/a.pem',
    },
    ...changes,
  })

export interface HostileCall {
  name: string
  path: string
  body: string
  status: number
}

/** Nobody signed these. */
export const strangersCalls: readonly HostileCall[] = [
  { name: 'lists in lists', path: '/webhooks/sns', body: fill('['), status: 400 },
  { name: 'objects in objects', path: '/webhooks/sns', body: fill('{"Type":'), status: 400 },
  { name: 'a list of numbers', path: '/webhooks/sns', body: `[${fill('0,')}0]`, status: 400 },
  { name: 'a list of texts', path: '/webhooks/sns', body: `[${fill('"",')}0]`, status: 400 },
  {
    name: 'one member many times',
    path: '/webhooks/sns',
    body: `{${fill('"Type":0,')}"Type":0}`,
    status: 400,
  },
  { name: 'one long number', path: '/webhooks/sns', body: fill('9'), status: 400 },
  { name: 'quotes', path: '/webhooks/sns', body: fill('"'), status: 400 },
  { name: 'backslashes', path: '/webhooks/sns', body: `"${fill('\\')}`, status: 400 },
  { name: 'blanks', path: '/webhooks/sns', body: fill(' '), status: 400 },
  {
    name: 'a long message of escapes',
    path: '/webhooks/sns',
    body: unsigned({ Message: fill('\0', size / 7) }),
    status: 403,
  },
  {
    name: 'a long message of another topic',
    path: '/webhooks/sns',
    body: unsigned({ TopicArn: 'x', Message: fill('x') }),
    status: 403,
  },
  {
    name: 'many attributes',
    path: '/webhooks/sns',
    body: unsigned({ MessageAttributes: Array(100_000).fill({}) }),
    status: 400,
  },
  { name: 'a long signature', path: '/webhooks/sns', body: unsigned({ Signature: fill('A') }), status: 400 },
  { name: 'a long id', path: '/webhooks/sns', body: unsigned({ MessageId: fill('x') }), status: 400 },
  {
    name: 'a certificate of somebody else',
    path: '/webhooks/sns',
    body: unsigned({ SigningCertURL: 'https://evil.example/a.pem' }),
    status: 403,
  },
  {
    name: 'a host of many labels',
    path: '/webhooks/sns',
    body: unsigned({ SigningCertURL: `https://sns.${fill('a-', 900)}1.amazonaws.com/a.pem` }),
    status: 403,
  },
  { name: 'a prototype as topic', path: '/webhooks/sns', body: `{"__proto__":${unsigned({})}}`, status: 400 },
  { name: 'lists in lists as reports', path: '/webhooks/bounce', body: fill('['), status: 403 },
  { name: 'borders of parts', path: '/webhooks/dsn', body: fill('\n--'), status: 403 },
  { name: 'lists in lists of Stripe', path: '/webhooks/incoming/stripe', body: fill('['), status: 404 },
]

/** These are signed well: by the relay, or by SNS about mail that a stranger wrote. */
export const signedCalls: readonly HostileCall[] = [
  { name: 'a message that is no JSON', path: '/webhooks/sns', body: fill('x'), status: 400 },
  { name: 'a message of lists', path: '/webhooks/sns', body: fill('['), status: 400 },
  { name: 'a message of numbers', path: '/webhooks/sns', body: `[${fill('0,')}0]`, status: 400 },
  {
    name: 'many recipients',
    path: '/webhooks/sns',
    body: JSON.stringify({ eventType: 'Bounce', bounce: { bouncedRecipients: Array(50_000).fill({}) } }),
    status: 400,
  },
  {
    name: 'a prototype as kind',
    path: '/webhooks/sns',
    body: '{"eventType":"__proto__","mail":{"messageId":"x"}}',
    status: 200,
  },
  {
    name: 'a kind that every object has',
    path: '/webhooks/sns',
    body: '{"eventType":"constructor","mail":{"messageId":"x"}}',
    status: 200,
  },
  {
    name: 'an id of NUL',
    path: '/webhooks/sns',
    body: '{"eventType":"Bounce","mail":{"messageId":"\\u0000"}}',
    status: 400,
  },
  {
    name: 'mail of borders',
    path: '/webhooks/sns',
    body: received(`Content-Type: multipart/mixed; boundary=b\r\n\r\n${fill('\n--b', 150_000)}`),
    status: 200,
  },
  {
    name: 'mail of nested parts',
    path: '/webhooks/sns',
    body: received(fill('Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n', 150_000)),
    status: 200,
  },
  {
    name: 'mail of header lines',
    path: '/webhooks/sns',
    body: received(fill('a: b\r\n', 150_000)),
    status: 200,
  },
  {
    name: 'mail of open tags',
    path: '/webhooks/sns',
    body: received(`Content-Type: text/html\r\n\r\n${fill('<a ', 150_000)}`),
    status: 200,
  },
  {
    name: 'mail of deep HTML',
    path: '/webhooks/sns',
    body: received(`Content-Type: text/html\r\n\r\n${fill('<div>', 150_000)}`),
    status: 200,
  },
  {
    name: 'mail of encoded words',
    path: '/webhooks/sns',
    body: received(`Subject: ${fill('=?utf-8?q?=', 60_000)}\r\n\r\n`),
    status: 200,
  },
  { name: 'lists in lists as reports', path: '/webhooks/bounce', body: fill('['), status: 400 },
  { name: 'many reports', path: '/webhooks/bounce', body: `{"reports":[${fill('{},')}{}]}`, status: 400 },
  { name: 'borders as a report', path: '/webhooks/dsn', body: fill('\n--b'), status: 200 },
  { name: 'header lines as a report', path: '/webhooks/dsn', body: fill('a: b\n'), status: 200 },
  { name: 'blanks as a report', path: '/webhooks/dsn', body: fill(' '), status: 400 },
]

/** A notification of received mail, as long as SNS lets it be. */
function received(content: string): string {
  return JSON.stringify({
    notificationType: 'Received',
    mail: { messageId: 'in-1', source: 'grace@example.org', timestamp: '2026-03-01T12:00:00Z' },
    receipt: { recipients: ['support@acme.example'], spfVerdict: { status: 'PASS' } },
    content,
  })
}

/** Names that lead to where no webhook may go, as a DNS of the attacker tells it. */
export const hostileNames: Readonly<Record<string, string>> = {
  'inside.evil.example': '10.0.0.5',
  'loop.evil.example': '127.0.0.1',
  'metadata.evil.example': '169.254.169.254',
  'azure.evil.example': '168.63.129.16',
  'mapped.evil.example': '::ffff:10.0.0.5',
  'site.evil.example': 'fec0::1',
}

export const hostileUrls: readonly string[] = [
  ...Object.keys(hostileNames).map(name => `https://${name}/`),
  ...[
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://0/',
  ],
  ...[
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::127.0.0.1]/',
    'http://[fec0::1]/',
  ],
  ...['http://[fe80::1]/', 'http://[fd00::1]/', 'http://[64:ff9b::a00:1]/', 'http://[2002:a00:1::]/'],
  ...['http://169.254.169.254/latest/meta-data/', 'http://168.63.129.16/metadata', 'http://100.100.100.200/'],
  ...[
    'http://localhost/',
    'http://LOCALHOST./',
    'http://a.localhost/',
    'http://①②⑦.0.0.1/',
    'http://127。0。0。1/',
  ],
  ...[
    'http://user:password@127.0.0.1/',
    'http://1.1.1.1@127.0.0.1/',
    'http://127.0.0.1:25/',
    'http://255.255.255.255/',
  ],
  ...[
    'file:///etc/passwd',
    'ftp://1.1.1.1/',
    'gopher://1.1.1.1/',
    'data:text/plain,x',
    'javascript:alert(1)',
    '//127.0.0.1/',
  ],
  ...[
    'http://',
    'http://[::1',
    'http://[fe80::1%25eth0]/',
    'not an address',
    `http://${'a'.repeat(100_000)}%/`,
  ],
]
