// The event pages' queries to the API.
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'

export interface NameCount {
  name: string
  count: number
}

export type Event = Schemas['EventWithContact']

/** All names at once, in the shape of a page. */
export const namesQuery = infiniteQueryOptions({
  queryKey: ['events', 'names'],
  queryFn: async ({ signal }) => ({ data: await answer(api.GET('/events/stats', { signal })) }),
  initialPageParam: undefined,
  getNextPageParam: () => undefined,
})

export const seriesDays = 30

export const seriesQuery = (eventName: string) =>
  queryOptions({
    queryKey: ['events', 'series', eventName],
    queryFn: ({ signal }) => {
      const params = { path: { eventName }, query: { days: seriesDays * 2 } }
      return answer(api.GET('/events/{eventName}/series', { params, signal }))
    },
  })

export const usageQuery = (eventName: string) =>
  queryOptions({
    queryKey: ['events', 'usage', eventName],
    queryFn: ({ signal }) =>
      answer(api.GET('/events/{eventName}/usage', { params: { path: { eventName } }, signal })),
  })

export const eventsQuery = (eventName: string) =>
  infiniteQueryOptions({
    queryKey: ['events', 'list', eventName],
    queryFn: ({ pageParam, signal }) => {
      const query = { eventName, limit: 50, cursor: pageParam }
      return answer(api.GET('/events', { params: { query }, signal }))
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.cursor ?? undefined,
  })
