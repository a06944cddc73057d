// What a filter can name in this project: fields with their types, events, segments, topics, campaigns. Loaded once and kept for a while.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { read } from '../../api/queries'

export interface Vocabulary {
  /** Custom fields, prefixed with `data.`, and their types. */
  types: ReadonlyMap<string, string>
  /** Names of events, the most frequent first. */
  events: readonly string[]
  segments: ReadonlyArray<{ id: string; name: string }>
  topics: ReadonlyArray<{ id: string; name: string }>
  /** The newest that were sent. */
  campaigns: ReadonlyArray<{ id: string; name: string }>
}

const nothing: Vocabulary = { types: new Map(), events: [], segments: [], topics: [], campaigns: [] }

const vocabularyQuery = queryOptions({
  queryKey: ['filter', 'vocabulary'],
  queryFn: async ({ signal }): Promise<Vocabulary> => {
    const [{ fields }, { eventNames }, segments, { data: topics }, { data: campaigns }] = await Promise.all([
      read('/contacts/fields', {}, signal),
      read('/events/names', {}, signal),
      read('/segments', {}, signal),
      read('/topics', {}, signal),
      read('/campaigns', { query: { status: 'SENT', pageSize: 50 } }, signal),
    ])
    const custom = fields.filter(({ isCustom }) => isCustom)
    return {
      types: new Map(custom.map(({ field, type }) => [field, type])),
      // What Waxwing records about messages has fields of its own.
      events: eventNames.filter(name => !name.startsWith('email.')),
      segments: segments.map(({ id, name }) => ({ id, name })),
      topics: topics.map(({ id, name }) => ({ id, name })),
      campaigns: campaigns.map(({ id, name }) => ({ id, name })),
    }
  },
  staleTime: 30_000,
})

export function useVocabulary(): Vocabulary {
  return useQuery(vocabularyQuery).data ?? nothing
}

/** The value of a text that is typed: a suggestion is sent as it is stored, so that the number 90210 is not asked for as text. */
export function typedValue(
  text: string,
  known: readonly (string | number | boolean)[],
): string | number | boolean {
  const found = known.filter(value => String(value) === text)
  return found.find(value => typeof value === 'string') ?? found[0] ?? text
}

/** Values that a field has among the newest contacts, as suggestions. */
export const valuesQuery = (field: string) =>
  queryOptions({
    queryKey: ['filter', 'values', field],
    queryFn: async ({ signal }) => {
      const params = { path: { field }, query: { limit: 50 } }
      return (await read('/contacts/fields/{field}/values', params, signal)).values
    },
    staleTime: 60_000,
  })
