// Campaigns of useSend, as drafts. Its templates can't be read over its API.
import { type Answered, answeredList, answeredText, namedSender, objectOf } from '../answered'
import type { Api } from '../api'
import { rewritePlaceholders } from '../placeholders'
import type { ContentItem } from '../record'

/** A contact book, as far as campaigns concern it. */
export interface Book {
  name: string
  variables: string[]
}

export async function* usesendContent(
  api: Api,
  books: () => Promise<ReadonlyMap<string, Book>>,
  topics: boolean,
): AsyncGenerator<ContentItem> {
  const known = await books()
  for (let page = 1; ; page++) {
    const answer = objectOf(await api.get('/api/v1/campaigns', { page }))
    for (const { id } of answeredList(answer['campaigns'], 'campaigns')) {
      const row = objectOf(await api.get(`/api/v1/campaigns/${encodeURIComponent(answeredText(id))}`))
      yield toCampaign(row, known, topics)
    }
    if (!(Number(answer['totalPage']) > page)) break
  }
  yield { kind: 'nothing', place: 'templates', reason: 'not taken: the API of useSend does not offer them' }
}

function toCampaign(row: Answered, books: ReadonlyMap<string, Book>, topics: boolean): ContentItem {
  const [key, status] = [answeredText(row['id']), answeredText(row['status'])]
  const book = books.get(answeredText(row['contactBookId']))
  const nameOf = (inside: string): string | undefined => placeholder(inside, book?.variables ?? [])
  const [subject, body] = [
    rewritePlaceholders(answeredText(row['subject']), nameOf),
    rewritePlaceholders(answeredText(row['html']), nameOf),
  ]
  return {
    ...{
      kind: 'campaign',
      place: `campaign ${key}`,
      key,
      name: answeredText(row['name']),
      type: 'MARKETING',
    },
    message: { subject: subject.text, body: body.text, ...namedSender(answeredText(row['from'])) },
    audience: { lists: book ? [book.name] : [] },
    faults: [
      ...(['DRAFT', 'SCHEDULED', 'PAUSED'].includes(status) ? [] : [`it is ${status.toLowerCase()}`]),
      ...(book ? [] : ['it has no contact book, so it would have no audience here']),
      ...(topics ? [] : ['without --topics it would have no audience here']),
      ...(body.text === '' ? ['useSend makes its HTML only when it is sent'] : []),
      ...subject.faults.map(fault => `subject, ${fault}`),
      ...body.faults,
    ],
    notes: answeredText(row['previewText']) ? ['without its preview text'] : [],
  }
}

const own = ['email', 'firstName', 'lastName']
const expression = /^(?:contact\.)?(\w+)(?:\s*,\s*fallback=([^"'{}]*))?$/i

/** What useSend has besides the properties of a contact: properties of these names are kept apart. */
const ownFields: ReadonlySet<string> = new Set(['firstName', 'lastName', 'signedUpAt'])

/** The field that a property becomes, for contacts and for the placeholders of campaigns alike. */
export function propertyField(name: string): string {
  return ownFields.has(name) ? `property${name[0]!.toUpperCase()}${name.slice(1)}` : name
}

/** Names are the same whatever their case; a value that is empty counts as missing, which no field here is. */
function placeholder(inside: string, variables: readonly string[]): string | undefined {
  if (/^(unsend|usesend)_unsubscribe_url$/i.test(inside)) return 'unsubscribeUrl'
  const [, given = '', fallback] = expression.exec(inside) ?? []
  const word = given.toLowerCase()
  const name = [...own, ...variables].find(each => each.toLowerCase() === word)
  if (name === undefined) return undefined
  const field = own.includes(name) ? name : propertyField(name)
  return fallback === undefined ? field : `${field} ?? "${fallback.trim()}"`
}
