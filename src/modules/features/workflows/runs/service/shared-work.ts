// What executions that move in one transaction share: each question is asked once, and all changes of contacts are made in one statement.
import { batcher, type Settled } from '../../../../../lib/batcher'
import { type Context, inSavepoint } from '../../../../../platform/context'
import {
  type ContactPatch,
  type ContactRow,
  patchContacts,
  updateContact,
} from '../../../../audience/contacts'
import { requireVerifiedSender } from '../../../../sending/domains'
import { renderPatiently } from '../../../../sending/templates'

export interface SharedWork {
  /** No other execution moves in this transaction. */
  isAlone: boolean
  /** Renders; something costly waits only if it holds up nobody else, and otherwise throws TooCostly. */
  render<T>(projectId: string, work: () => T): Promise<T>
  /** Throws if the sender may not be used. */
  checkSender(projectId: string, from: string): Promise<unknown>
  /** Changes a contact; with several executions, a refused change aborts the transaction of all. */
  patchContact(patch: ContactPatch): Promise<ContactRow>
}

/** For jobs of workflows: enough for a commit to cost little, few enough that nobody waits long for a row of the batch. */
export function batchJobs<I>(run: (batch: I[]) => Promise<Settled<void>[]>): (job: I) => Promise<void> {
  return batcher(run, { size: 24, delayMs: 20 })
}

/** `hasTime`: nobody but the execution itself waits for the end of this transaction. */
export function makeSharedWork(tx: Context, count: number, hasTime: boolean): SharedWork {
  const isAlone = count === 1
  const senders = new Map<string, Promise<unknown>>()
  return {
    isAlone,
    render: hasTime ? (projectId, work) => renderPatiently(tx, projectId, work) : async (_, work) => work(),
    checkSender(projectId, from) {
      const name = `${projectId} ${from}`
      const asked = senders.get(name) ?? requireVerifiedSender(tx, projectId, from)
      senders.set(name, asked)
      return asked
    },
    patchContact: isAlone ? patch => patchAlone(tx, patch) : patchShared(tx),
  }
}

/** The only one that writes: what it wrote before it was refused has to be undone. */
function patchAlone(
  tx: Context,
  { projectId, contactId, data, subscribed, hops, origin }: ContactPatch,
): Promise<ContactRow> {
  const update = { data, ...(subscribed === undefined ? {} : { subscribed }) }
  return inSavepoint(tx, inner =>
    updateContact(inner, projectId, contactId, update, { hops, ...(origin && { origin }) }),
  )
}

/**
 * Waits for the turn of the event loop to end: by then all executions that ask for a change now have asked. One statement for all of them
 * locks the contacts in the order in which every statement does, so that two batches hardly ever deadlock.
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
