// The hooks of contacts: what they tell and ask the modules above.
import { defineHook } from '../../../platform/hooks'
import type { ChangedThen, ConsentOrigin, DecisionChange } from './schema'
import type { SuppressedFor } from './state-words'

export interface NamedReference {
  id: string
  name: string
}

export interface FieldReferences {
  segments: NamedReference[]
  campaigns: NamedReference[]
  workflows: NamedReference[]
}

/** Contacts are gone for good: modules that keep rows about them delete those. Not called in a transaction. */
export const contactsDeleted = defineHook<{ projectId: string; contactIds: string[]; signal: AbortSignal }>(
  'contacts deleted',
)

/**
 * Two contacts were one mailbox, and become one: modules that keep rows about `from` make them rows about `to`, which is older. What they
 * leave is deleted with `from`. Called in a transaction.
 */
export const contactsMerged = defineHook<{ projectId: string; from: string; to: string }>('contacts merged')

/** Asks who refers to a field. Custom fields come with the prefix `data.`, as conditions spell them. */
export const fieldReferences = defineHook<
  { projectId: string; field: string },
  Partial<FieldReferences & { forms: NamedReference[] }>
>('field references')

/** Asks for the ids of topics, by the names or ids that a file has for them; those that the project does not have are missing. */
export const topicsAsked = defineHook<
  { projectId: string; names: readonly string[] },
  ReadonlyMap<string, string>
>('topics asked')

/** Asks for the topics of a project, archived ones too, each by the name (or id) that a file can have for it. */
export const topicsListed = defineHook<{ projectId: string }, { id: string; name: string }[]>('topics listed')

/** Asks what contacts decided about topics. */
export const decisionsAsked = defineHook<{ projectId: string; contactIds: readonly string[] }, SaidInFile[]>(
  'decisions asked',
)

/** What a file says about a contact and a topic. */
export interface SaidInFile {
  contactId: string
  topicId: string
  subscribed: boolean
  /** When the person decided, where that was before the file came, and what is known of it. */
  at?: Date | undefined
  evidence?: string | undefined
}

/** A decision that was written, and what it is in place of. */
export interface WrittenDecision extends DecisionChange {
  contactId: string
  topicId: string
}

/** One that a file just wrote. */
export interface EnteredDecision extends WrittenDecision {
  /** The log of consent has an entry of it, which raised the contact's version. */
  isEntered: boolean
}

/** Decides what a file says about topics; answers each yes that changes nothing, because the contact said no, and what was written. */
export const topicsImported = defineHook<
  {
    projectId: string
    said: readonly SaidInFile[]
    origin?: ConsentOrigin | undefined
    importId?: string | undefined
  },
  { leftOut: SaidInFile[]; written: EnteredDecision[] }
>('topics imported')

/** Takes back decisions that a file made, where nobody has decided since; answers the contacts for whom somebody has. */
export const topicsRestored = defineHook<
  { projectId: string; decisions: readonly WrittenDecision[]; origin: ConsentOrigin },
  string[]
>('topics restored')

/** Asks which of the contacts have something that a person or a sender caused: an email, a form, a workflow run. */
export const contactsInUse = defineHook<{ projectId: string; contactIds: readonly string[] }, string[]>(
  'contacts in use',
)

/** Says which addresses a file calls bounced, complained or blocked, and with which word: nothing is sent to them any more. */
export const suppressionsImported = defineHook<{
  projectId: string
  addresses: ReadonlyArray<{ email: string; reason: SuppressedFor; word: string }>
}>('suppressions imported')

/** Which of the ids are contacts, and which of those were changed. */
export interface ListChange {
  found: string[]
  changed: ChangedThen[]
}

/** Asks whether contacts can be added to the list: throws where the project has no such list, or it has a condition. */
export const listAsked = defineHook<{ projectId: string; segmentId: string }>('list asked')

/** Whether mail will be sent by the list without anybody doing something more. */
export const listDue = defineHook<{ projectId: string; segmentId: string }, boolean>('list due')

/** Asks whether many changes at once, such as an import, start something that sends emails. */
export const bulkStarts = defineHook<{ projectId: string }, boolean>('bulk starts')

/** Adds contacts to a list. */
export const listJoined = defineHook<
  { projectId: string; segmentId: string; contactIds: readonly string[] },
  ListChange
>('list joined')

/** Removes from a list the members that were added at the given moments and not changed since. */
export const listLeft = defineHook<
  { projectId: string; segmentId: string; members: readonly ChangedThen[] },
  ListChange
>('list left')
