// What executions share that move in one transaction: each question is asked once, and all changes of contacts go in one statement.

import type { Context } from '../../../platform/context'
import { inSavepoint } from '../../../platform/db/savepoint'
import { type ContactPatch, type ContactRow, patchContacts, updateContact } from '../../contacts'
import { requireVerifiedSender } from '../../domains'

export interface Together {
  /** No other execution moves in this transaction. */
  isAlone: boolean
  /** Throws where the sender may not be used. */
  checkSender(projectId: string, from: string): Promise<unknown>
  /** Changes a contact; refused by one of many, the change breaks the transaction of all. */
  patchContact(patch: ContactPatch): Promise<ContactRow>
}

export function makeTogether(tx: Context, count: number): Together {
  const isAlone = count === 1
  const senders = new Map<string, Promise<unknown>>()
  return {
    isAlone,
    checkSender(projectId, from) {
      const name = `${projectId} ${from}`
      const asked = senders.get(name) ?? requireVerifiedSender(tx, projectId, from)
      senders.set(name, asked)
      return asked
    },
    patchContact: isAlone ? patch => patchAlone(tx, patch) : patchTogether(tx),
  }
}

/** The only one that writes: what it wrote before it was refused has to go. */
function patchAlone(
  tx: Context,
  { projectId, contactId, data, subscribed, hops }: ContactPatch,
): Promise<ContactRow> {
  const update = { data, ...(subscribed === undefined ? {} : { subscribed }) }
  return inSavepoint(tx, inner => updateContact(inner, projectId, contactId, update, { hops }))
}

/**
 * Waits for the turn of the event loop to end: by then all walks are here that ask for a change now. One statement for them locks the
 * contacts in the order in which every statement does, so that two batches hardly ever wait for each other.
 */
function patchTogether(tx: Context): Together['patchContact'] {
  let gathered: ContactPatch[] = []
  let next: Promise<ContactRow[]> | undefined
  const flush = async (): Promise<ContactRow[]> => {
    await new Promise(resolve => void setImmediate(resolve))
    const patches = gathered
    gathered = []
    next = undefined
    return await patchContacts(tx, patches)
  }
  return async patch => {
    const position = gathered.push(patch) - 1
    next ??= flush()
    return (await next)[position]!
  }
}
