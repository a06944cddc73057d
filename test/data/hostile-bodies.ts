// Bodies that a holder of a key may send in order to hold up everybody: many members, deep nesting, long texts that cost to decode.
// `public` bodies come with the public key.

export interface HostileBody {
  name: string
  path: string
  by?: 'public'
  type?: string
  /** Made when it is sent: together they are hundreds of megabytes. */
  body: () => string
  /** Any of these is fine. */
  statuses: readonly number[]
}

const megabyte = 1024 ** 2
const names = (count: number): string => Array.from({ length: count }, (_, at) => `"k${at}":1`).join(',')
const filled = (piece: string, size: number): string => piece.repeat(Math.floor(size / piece.length))
const to = '"to":"ada@example.com","from":"hello@acme.example","subject":"S","body":"<p>B</p>"'
const send = (members: string): string => `{${to},${members}}`
const track = (members: string): string => `{"email":"ada@example.com","event":"signed up",${members}}`

export const hostileBodies: readonly HostileBody[] = [
  {
    name: '160,000 names in the data of an event',
    path: '/v1/track',
    by: 'public',
    body: () => track(`"data":{${names(160_000)}}`),
    statuses: [413],
  },
  {
    name: 'names within the bounds of the public key',
    path: '/v1/track',
    by: 'public',
    body: () => track(`"data":{${names(8_500)}}`),
    statuses: [200, 422],
  },
  {
    name: 'unknown members beside the data',
    path: '/v1/track',
    by: 'public',
    body: () => track(names(8_500)),
    statuses: [200, 422],
  },
  {
    name: 'nesting as deep as the bound of the public key allows',
    path: '/v1/track',
    by: 'public',
    body: () => track(`"data":${'['.repeat(60_000)}${']'.repeat(60_000)}`),
    statuses: [422],
  },
  {
    name: 'nesting, 54 MB',
    path: '/v1/send',
    body: () => send(`"data":${'['.repeat(25 * megabyte)}`),
    statuses: [422],
  },
  {
    name: '2.5 million headers',
    path: '/v1/send',
    body: () => send(`"headers":{${names(2_500_000)}}`),
    statuses: [422],
  },
  {
    name: 'as many headers as the bound of members allows',
    path: '/v1/send',
    body: () => send(`"headers":{${names(19_990).replaceAll(':1', ':"1"')}}`),
    statuses: [422],
  },
  {
    name: 'headers of the wrong type',
    path: '/v1/send',
    body: () => send(`"headers":{${names(19_990)}}`),
    statuses: [422],
  },
  {
    name: '15 million attachments',
    path: '/v1/send',
    body: () => send(`"attachments":[${filled('{},', 45 * megabyte)}{}]`),
    statuses: [422],
  },
  {
    name: 'as many attachments as the bound of members allows',
    path: '/v1/send',
    body: () => send(`"attachments":[${filled('{},', 29_000)}{}]`),
    statuses: [422],
  },
  {
    name: 'as many recipients as the bound of members allows',
    path: '/v1/send',
    body: () => send(`"to":[${filled('1,', 39_000)}1]`),
    statuses: [422],
  },
  {
    name: 'a list of 24 million numbers',
    path: '/v1/send',
    body: () => send(`"data":{"a":[${filled('0,', 48 * megabyte)}0]}`),
    statuses: [422],
  },
  {
    name: 'a number of 48 million digits',
    path: '/v1/send',
    body: () => send(`"data":{"a":${filled('1', 48 * megabyte)}}`),
    statuses: [422],
  },
  {
    name: '48 MB of blanks',
    path: '/v1/send',
    body: () => send(`"data":${filled(' ', 48 * megabyte)}{}`),
    statuses: [422],
  },
  {
    name: 'a text of 24 million line breaks',
    path: '/v1/send',
    body: () => send(`"data":{"a":"${filled('\\n', 48 * megabyte)}"}`),
    statuses: [422],
  },
  {
    name: 'a file whose Base64 has its slashes escaped',
    path: '/v1/send',
    body: () =>
      send(
        `"attachments":[{"filename":"f","contentType":"application/pdf","content":"${filled(`${'A'.repeat(63)}\\/`, 48 * megabyte)}"}]`,
      ),
    statuses: [200, 422],
  },
  {
    name: 'an unknown member of 48 MB',
    path: '/v1/send',
    body: () => send(`"other":"${filled('é', 24 * megabyte)}"`),
    statuses: [200],
  },
  {
    name: 'a batch of messages with all members that the bound allows',
    path: '/v1/send/batch',
    body: () =>
      `{"messages":[${Array.from({ length: 100 }, () => send(`"data":{${names(190)}}`)).join(',')}]}`,
    statuses: [200, 422],
  },
  {
    name: 'a name of 48 MB',
    path: '/v1/send',
    body: () => send(`"${filled('a', 48 * megabyte)}":1`),
    statuses: [422],
  },
  {
    name: 'fields of a form',
    path: '/v1/send',
    type: 'application/x-www-form-urlencoded',
    body: () => filled('a=1&', 48 * megabyte),
    statuses: [413],
  },
  {
    name: 'fields of a form within its bound',
    path: '/contacts',
    type: 'application/x-www-form-urlencoded',
    body: () => filled('a&', 16_000),
    statuses: [400, 422],
  },
  {
    name: 'parts of a form',
    path: '/uploads/image',
    type: 'multipart/form-data; boundary=b',
    body: () => filled('--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n', 10 * megabyte),
    statuses: [400, 413],
  },
  {
    name: 'JSON in a part of a form',
    path: '/uploads/image',
    type: 'multipart/form-data; boundary=b',
    body: () => `--b\r\ncontent-disposition: form-data; name="image"\r\n\r\n{${names(600_000)}}\r\n--b--\r\n`,
    statuses: [400, 413],
  },
  {
    name: 'a part whose name makes a long list',
    path: '/uploads/image',
    type: 'multipart/form-data; boundary=b',
    body: () => '--b\r\ncontent-disposition: form-data; name="image[4294967290].a"\r\n\r\n1\r\n--b--\r\n',
    statuses: [400, 422],
  },
  {
    name: 'members of a contact',
    path: '/contacts',
    body: () => `{"email":"ada@example.com","data":{${names(15_000)}}}`,
    statuses: [200, 422],
  },
  {
    name: 'steps of a workflow',
    path: '/workflows',
    body: () => `{"name":"W","eventName":"e","steps":[${filled('{},', 59_000)}{}]}`,
    statuses: [201, 200, 422],
  },
  {
    name: 'a filter of all members that the bound allows',
    path: '/segments',
    body: () =>
      `{"name":"S","type":"DYNAMIC","condition":{"logic":"AND","groups":[${filled('{"filters":[]},', 140_000)}{"filters":[]}]}}`,
    statuses: [400, 422],
  },
  {
    name: 'ids of contacts',
    path: '/contacts/bulk-subscribe',
    body: () => `{"contactIds":[${filled('"x",', 76_000)}"x"]}`,
    statuses: [400, 422],
  },
  {
    name: 'addresses to suppress',
    path: '/suppressions',
    body: () => `{"emails":[${Array.from({ length: 19_900 }, (_, at) => `"a${at}@b.example"`).join(',')}]}`,
    statuses: [200, 400, 422],
  },
  {
    name: 'a message of 2 MB for an assistant',
    path: '/mcp',
    body: () => `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${names(150_000)}}}`,
    statuses: [400],
  },
  {
    name: 'arguments that no tool has',
    path: '/mcp',
    body: () =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_contacts","arguments":{${names(19_000)}}}}`,
    statuses: [200, 400],
  },
]

/** Headers and queries of about 15 kB, which is what the server takes. */
export const hostileHeads: ReadonlyArray<[name: string, path: string, headers: Record<string, string>]> = [
  ['parameters of a query', `/contacts?${filled('a&', 15_000)}`, {}],
  ['the same parameter', `/contacts?${filled('search=a&', 15_000)}`, {}],
  ['escapes in a query', `/contacts?search=${filled('%C3%A9', 15_000)}`, {}],
  ['JSON in a query', `/contacts?search=${'['.repeat(14_000)}`, {}],
  ['cookies', '/contacts', { cookie: filled('a=1;', 15_000) }],
  ['a cookie of JSON', '/contacts', { cookie: `waxwing_session=${'['.repeat(14_000)}` }],
]
