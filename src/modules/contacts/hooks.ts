// What contacts tell and ask the modules above.
import { defineHook } from '../../platform/hooks'
import type { FieldReferences } from './service/fields'

/** Contacts are gone for good: whoever keeps rows about them deletes these. Not in a transaction. */
export const contactsDeleted = defineHook<{ projectId: string; contactIds: string[]; signal: AbortSignal }>(
  'contacts deleted',
)

/** Who refers to a field. Custom fields come with the prefix `data.`, as conditions spell them. */
export const fieldReferences = defineHook<{ projectId: string; field: string }, Partial<FieldReferences>>(
  'field references',
)
