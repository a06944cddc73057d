// What contacts tell and ask the modules above.
import { defineHook } from '../../platform/hooks'
import type { ChangedThen } from './schema'
import type { FieldReferences } from './service/fields'

/** Contacts are gone for good: whoever keeps rows about them deletes these. Not in a transaction. */
export const contactsDeleted = defineHook<{ projectId: string; contactIds: string[]; signal: AbortSignal }>(
  'contacts deleted',
)

/** Who refers to a field. Custom fields come with the prefix `data.`, as conditions spell them. */
export const fieldReferences = defineHook<{ projectId: string; field: string }, Partial<FieldReferences>>(
  'field references',
)

/** Which of them are contacts, and those of these that were changed. */
export interface ListChange {
  found: string[]
  changed: ChangedThen[]
}

/** Whether contacts can be put on the list: throws where it is none of the project, or has a condition. */
export const listAsked = defineHook<{ projectId: string; segmentId: string }>('list asked')

/** Contacts shall be on a list. */
export const listJoined = defineHook<
  { projectId: string; segmentId: string; contactIds: readonly string[] },
  ListChange
>('list joined')

/** Those shall leave a list who came to it at that moment and nothing was done to since. */
export const listLeft = defineHook<
  { projectId: string; segmentId: string; members: readonly ChangedThen[] },
  ListChange
>('list left')
