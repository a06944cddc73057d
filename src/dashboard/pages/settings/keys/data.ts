// The key page's queries to the API, and its words for a key.
import { queryOptions } from '@tanstack/react-query'
import { answer, api, type Schemas } from '../../../api/client'

export type ApiKey = Schemas['ApiKey']
export type KeyScope = ApiKey['scopes'][number]

export const scopes: readonly KeyScope[] = ['send', 'track', 'read', 'write']

export const apiKeysQuery = (id: string) =>
  queryOptions({
    queryKey: ['settings', 'api-keys'],
    queryFn: ({ signal }) => answer(api.GET('/projects/{id}/api-keys', { params: { path: { id } }, signal })),
  })

export function hasExpired({ expiresAt }: ApiKey): boolean {
  return expiresAt !== null && new Date(expiresAt) <= new Date()
}

/** Whoever may write can change the sender of a campaign, so such a key can't be bound to domains. */
export function mayBeBound(chosen: readonly KeyScope[]): boolean {
  return chosen.includes('send') && !chosen.includes('write')
}
