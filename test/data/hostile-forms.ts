// Bodies that a stranger may send to the public forms in order to hold them up or to mislead them. `ID` and `QUERY` in a path stand for
// a contact and the query of its link, `FORM` for a form by which people subscribe themselves.

export interface HostileForm {
  name: string
  path: string
  type?: string
  body: string | Uint8Array<ArrayBuffer>
  status: number
  /** A good link and no other wish: whatever stands in the body, an opt-out is never lost over it. */
  unsubscribes?: true
}

const good = '/unsubscribe/ID?QUERY'
const falseLink = '/unsubscribe/ID?t=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'
const multipart = 'multipart/form-data; boundary=b'
const json = 'application/json'
const most = 16 * 1024

/** As often as 16 kB hold it. */
const fill = (piece: string, around = ''): string =>
  piece.repeat(Math.floor((most - around.length) / piece.length))
/** Far more than that. */
const flood = (piece: string): string => piece.repeat(Math.ceil((2 * 1024 * 1024) / piece.length))

export const hostileForms: readonly HostileForm[] = [
  {
    name: 'part headers without end',
    path: good,
    body: fill('a:name=List-Unsubscribe\n'),
    status: 200,
    unsubscribes: true,
  },
  {
    name: 'part headers without end, 2 MB',
    path: good,
    body: flood('a:name=List-Unsubscribe\n'),
    status: 413,
  },
  {
    name: 'quoted part headers',
    path: good,
    type: multipart,
    body: fill('x:name="List-Unsubscribe"\r\n'),
    status: 200,
    unsubscribes: true,
  },
  {
    name: 'part headers of a false link',
    path: falseLink,
    body: fill('a:name=List-Unsubscribe\n'),
    status: 404,
  },
  {
    name: 'the beginning of the pair',
    path: good,
    body: fill('List-Unsubscribe='),
    status: 200,
    unsubscribes: true,
  },
  {
    name: 'the pair without its end',
    path: good,
    body: fill('&List-Unsubscribe=One-Clic'),
    status: 200,
    unsubscribes: true,
  },
  {
    name: 'the pair with a letter more',
    path: good,
    body: fill('&List-Unsubscribe=One-Clicky'),
    status: 200,
    unsubscribes: true,
  },
  {
    name: 'names without values',
    path: good,
    body: fill('name="List-Unsubscribe'),
    status: 200,
    unsubscribes: true,
  },
  { name: 'line breaks', path: good, body: fill('\r\n'), status: 200, unsubscribes: true },
  { name: 'carriage returns', path: good, body: fill('\r'), status: 200, unsubscribes: true },
  { name: 'blanks', path: good, body: fill(' '), status: 200, unsubscribes: true },
  { name: 'empty members', path: good, body: fill('&'), status: 200, unsubscribes: true },
  { name: 'signs of equality', path: good, body: fill('='), status: 200, unsubscribes: true },
  { name: 'broken escapes', path: good, body: fill('%'), status: 200, unsubscribes: true },
  { name: 'escapes of NUL', path: good, body: fill('%00'), status: 200, unsubscribes: true },
  {
    name: 'bytes that are no text',
    path: good,
    body: new Uint8Array(most).fill(0xff),
    status: 200,
    unsubscribes: true,
  },
  { name: 'NUL bytes', path: good, body: new Uint8Array(most), status: 200, unsubscribes: true },
  { name: 'the same member many times', path: '/manage/ID?QUERY', body: fill('action=x&'), status: 400 },
  {
    name: 'an action that every object has',
    path: '/manage/ID?QUERY',
    body: 'action=constructor',
    status: 400,
  },
  {
    name: 'a duration that every object has',
    path: '/manage/ID?QUERY',
    body: 'action=snooze&duration=__proto__',
    status: 400,
  },
  {
    name: 'an action in markup',
    path: '/manage/ID?QUERY',
    body: 'action=%3Cscript%3Ealert(1)%3C/script%3E',
    status: 400,
  },
  { name: 'a long action', path: '/manage/ID?QUERY', body: `action=${fill('x', 'action=')}`, status: 400 },
  {
    name: 'a false link to subscribe',
    path: '/subscribe/ID?t=x',
    body: fill('action=subscribe&'),
    status: 404,
  },
  { name: 'a false link to manage', path: '/manage/ID?t=x', body: fill('action=unsubscribe&'), status: 404 },
  {
    name: 'two megabytes to a false link',
    path: '/manage/ID?t=x',
    body: flood('action=unsubscribe&'),
    status: 404,
  },
  {
    name: 'JSON that is nested deeply',
    path: '/contacts/public/ID/snooze?QUERY',
    type: json,
    body: fill('['),
    status: 422,
  },
  {
    name: 'JSON of a false link',
    path: '/contacts/public/ID/snooze?t=x',
    type: json,
    body: fill('['),
    status: 404,
  },
  {
    name: 'two megabytes of nesting',
    path: '/contacts/public/ID/snooze?QUERY',
    type: json,
    body: flood('['),
    status: 413,
  },
  {
    name: 'objects in objects',
    path: '/contacts/public/ID/snooze?QUERY',
    type: json,
    body: fill('{"duration":'),
    status: 422,
  },
  { name: 'a deep log-in', path: '/auth/login', type: json, body: fill('['), status: 422 },
  { name: 'two megabytes of log-in', path: '/auth/login', type: json, body: flood('{"email":'), status: 413 },
  { name: 'a list as log-in', path: '/auth/login', type: json, body: `[${fill('0,', '[0]')}0]`, status: 422 },
  {
    name: 'a log-in with a long address',
    path: '/auth/login',
    type: json,
    body: `{"email":"${fill('@', '{"email":"","password":"x"}')}","password":"x"}`,
    status: 422,
  },
  {
    name: 'a log-in that sets a prototype',
    path: '/auth/login',
    type: json,
    body: '{"__proto__":{"email":"a@b.co","password":"x"}}',
    status: 422,
  },
  {
    name: 'a log-in by form with a long address',
    path: '/auth/login/form',
    body: `password=x&email=${fill('a.', 'password=x&email=')}`,
    status: 422,
  },
  { name: 'two megabytes of log-in by form', path: '/auth/login/form', body: flood('email=a&'), status: 413 },
  {
    name: 'a sign-up of one long word',
    path: '/auth/signup',
    type: json,
    body: `{"email":"a@b.co","password":"${fill('x', '{"email":"a@b.co","password":""}')}"}`,
    status: 422,
  },
  {
    name: 'a reset for an address of dots',
    path: '/auth/forgot-password/form',
    body: `email=a@${fill('b.', 'email=a@')}`,
    status: 422,
  },
  {
    name: 'a reset with a false token',
    path: '/auth/reset-password/form',
    body: `token=${fill('f', 'token=')}`,
    status: 404,
  },
  {
    name: 'an invitation with a false token',
    path: '/auth/invitation/form',
    body: `token=${'0'.repeat(64)}&password=${'x'.repeat(200)}`,
    status: 404,
  },
  {
    name: 'a verification in other letters',
    path: '/auth/verify-email/form',
    body: `token=${'%F0%9D%9F%98'.repeat(64)}`,
    status: 404,
  },
  ...[
    { name: 'nothing', body: '', status: 422 },
    { name: 'thousands of names', body: fill('a&'), status: 422 },
    { name: 'one name thousands of times', body: fill('email=a%40b.co&'), status: 200 },
    { name: 'nothing but escapes', body: fill('%25'), status: 422 },
    { name: 'broken escapes', body: fill('%', 'email='), status: 422 },
    { name: 'an address of signs', body: `email=${fill('a.', 'email=')}`, status: 422 },
    { name: 'an address of at signs', body: `email=${fill('@', 'email=')}`, status: 422 },
    {
      name: 'a time stamp of dots',
      body: `email=a%40example.com&ticket=${fill('.', 'x'.repeat(40))}`,
      status: 200,
    },
    {
      name: 'numbers without end',
      body: `email=a%40example.com&data.n=${fill('9', 'x'.repeat(40))}`,
      status: 422,
    },
    { name: 'the prototype', body: '__proto__=x&constructor=y&data.__proto__=z', status: 422 },
    { name: 'parts', type: multipart, body: fill('--b\r\n'), status: 422 },
    { name: 'JSON, nested', type: json, body: fill('['), status: 422 },
    { name: 'bytes that are no text', body: new Uint8Array(most).fill(0xff), status: 422 },
    { name: '2 MB', body: flood('email=a&'), status: 413 },
  ].map(each => ({ ...each, name: `a form of a project with ${each.name}`, path: '/forms/FORM' })),
]
