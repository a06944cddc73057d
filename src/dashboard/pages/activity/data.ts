// The feed's queries to the API.
import { infiniteQueryOptions } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../api/client'

export type Item = Schemas['Activity']

export interface Filters {
  /** One of the API's types, or the part of them before the dot. */
  types?: string
  days?: string
}

const families: Record<string, string> = {
  email: 'email.sent,email.delivered,email.opened,email.clicked,email.bounced,email.complaint,email.received',
  contact: 'contact.subscribed,contact.unsubscribed',
  event: 'event.triggered',
  workflow: 'workflow.started,workflow.completed',
}

export const choices = [
  ...['email', 'email.sent', 'email.delivered', 'email.opened', 'email.clicked', 'email.bounced'],
  ...['email.complaint', 'email.received', 'contact', 'event', 'workflow'],
]

export const spans = ['1', '7', '30', '365']

const refreshMs = 10_000

export const feedQuery = ({ types, days }: Filters) =>
  infiniteQueryOptions({
    queryKey: ['activity', types, days],
    queryFn: ({ pageParam, signal }) => {
      const since = days ? new Date(Date.now() - Number(days) * 86_400_000).toISOString() : undefined
      const query = {
        limit: 50,
        cursor: pageParam,
        types: types && (families[types] ?? types),
        startDate: since,
      }
      return answer(api.GET('/activity', { params: { query }, signal }))
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.cursor ?? undefined,
    // Whoever has scrolled further down is reading, and what is read must not move.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 1) > 1 ? false : refreshMs),
  })
