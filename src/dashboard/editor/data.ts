// What writing asks the API.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { answer, api } from '../api/client'
import type { MessageType } from './writing'

export interface Shown {
  subject: string
  body: string
  type: MessageType
  contactId?: string
}

/** Rendered by the server, as it would be sent. */
export const previewQuery = ({ subject, body, type, contactId }: Shown) =>
  queryOptions({
    queryKey: ['writing', 'preview', subject, body, type, contactId],
    queryFn: ({ signal }) => {
      const about = contactId ? { contactId } : {}
      return answer(api.POST('/templates/preview', { body: { subject, body, type, ...about }, signal }))
    },
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 60_000,
    gcTime: 60_000,
  })

/** Names of custom fields, the most common first. */
export const fieldNamesQuery = queryOptions({
  queryKey: ['writing', 'fields'],
  queryFn: async ({ signal }) => {
    const { fields } = await answer(api.GET('/contacts/fields', { signal }))
    const custom = fields.filter(field => field.isCustom).sort((a, b) => b.coverage - a.coverage)
    return custom.map(({ field }) => field.replace(/^data\./, ''))
  },
  staleTime: 60_000,
})

/** A few contacts to look at a mail as; found by a part of the address. */
export const someContactsQuery = (search: string) =>
  queryOptions({
    queryKey: ['writing', 'contacts', search],
    queryFn: async ({ signal }) => {
      const query = { limit: 8, ...(search ? { search } : {}) }
      return (await answer(api.GET('/contacts', { params: { query }, signal }))).data
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
