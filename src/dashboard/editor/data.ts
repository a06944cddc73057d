// The editors' queries to the API.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { answer, api } from '../api/client'
import { read } from '../api/queries'
import { pageAddress } from '../app/page-address'
import type { MessageType } from './writing'

export interface Shown {
  subject: string
  body: string
  type: MessageType
  /** The layout that it uses; empty for none. */
  layoutId?: string
  /** The source of a layout that is being written, in place of a stored one. */
  layout?: string
  contactId?: string
}

/** Rendered by the server, as it would be sent. */
export const previewQuery = ({ subject, body, type, layoutId, layout, contactId }: Shown) =>
  queryOptions({
    queryKey: ['writing', 'preview', subject, body, type, layoutId, layout, contactId],
    queryFn: ({ signal }) => {
      const about = contactId ? { contactId } : {}
      if (layout !== undefined)
        return answer(
          api.POST('/layouts/preview', { body: { body: layout, content: body, type, ...about }, signal }),
        )
      const message = { subject, body, type, layoutId: layoutId || null }
      return answer(api.POST('/templates/preview', { body: { ...message, ...about }, signal }))
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

/** The newest layouts to choose from. */
export const layoutsQuery = queryOptions({
  queryKey: ['layouts', 'choice'],
  queryFn: async ({ signal }) =>
    (await answer(api.GET('/layouts', { params: { query: { limit: 100 } }, signal }))).data,
})

/** A few contacts to preview a mail for, found by a part of the address. */
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

/** The brand of the project. */
export const brandQuery = queryOptions({
  queryKey: ['brand'],
  queryFn: ({ signal }) => read('/projects/{id}/brand', { path: { id: pageAddress.projectId! } }, signal),
  staleTime: 60_000,
})
