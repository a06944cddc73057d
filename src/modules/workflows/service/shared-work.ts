// What executions share that move in one transaction: each question is asked once, and all changes of contacts go in one statement.

import { TooCostly } from '../../../liquid/costly'
import type { Context } from '../../../platform/context'
import { inSavepoint } from '../../../platform/context'
import { type ContactPatch, type ContactRow, patchContacts, updateContact } from '../../contacts'
import { requireVerifiedSender } from '../../domains'
import { renderPatiently } from '../../templates'

export interface SharedWork {
  /** No other execution moves in this transaction. */
  isAlone: boolean
  /** Renders for the execution; what is costly waits only where nobody else does, else it throws SetAside. */
  render<T>(executionId: string, projectId: string, work: () => T): Promise<T>
  /** Throws if the sender may not be used. */
  checkSender(projectId: string, from: string): Promise<unknown>
  /** Changes a contact; refused by one of many, the change breaks the transaction of all. */
  patchContact(patch: ContactPatch): Promise<ContactRow>
}

/** This execution has something to render that takes its time: it has to move in a transaction of its own. */
export class SetAside extends Error {
  override name = 'SetAside'
  constructor(readonly executionId: string) {
    super('this execution has to move by itself')
  }
}

function orSetAside<T>(executionId: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw error instanceof TooCostly ? new SetAside(executionId) : error
  }
}

/** `hasTime`: nobody waits for the end of this transaction but the execution itself. */
export function makeSharedWork(tx: Context, count: number, hasTime: boolean): SharedWork {
  const isAlone = count === 1
  const senders = new Map<string, Promise<unknown>>()
  return {
    isAlone,
    render: hasTime
      ? (_, projectId, work) => renderPatiently(tx, projectId, work)
      : async (executionId, _, work) => orSetAside(executionId, work),
    checkSender(projectId, from) {
      const name = `${projectId} ${from}`
      const asked = senders.get(name) ?? requireVerifiedSender(tx, projectId, from)
      senders.set(name, asked)
      return asked
    },
    patchContact: isAlone ? patch => patchAlone(tx, patch) : patchShared(tx),
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
function patchShared(tx: Context): SharedWork['patchContact'] {
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
