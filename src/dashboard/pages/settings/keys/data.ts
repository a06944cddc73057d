// The key page's queries to the API, and its words for a key.
import type { Schemas } from '../../../api/client'
import { readQuery } from '../../../api/queries'

export type ApiKey = Schemas['ApiKey']
export type KeyScope = ApiKey['scopes'][number]

export const scopes: readonly KeyScope[] = ['send', 'track', 'read', 'write']

export const apiKeysQuery = (id: string) =>
  readQuery(['settings', 'api-keys'], '/projects/{id}/api-keys', { path: { id } })

export function hasExpired({ expiresAt }: ApiKey): boolean {
  return expiresAt !== null && new Date(expiresAt) <= new Date()
}

/** Whoever may write can change the sender of a campaign, so such a key can't be bound to domains. */
export function mayBeBound(chosen: readonly KeyScope[]): boolean {
  return chosen.includes('send') && !chosen.includes('write')
}
