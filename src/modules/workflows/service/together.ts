// What executions share that move in one transaction: each question is asked once, and all changes of contacts go in one statement.
import { collector } from '../../../lib/collect'
import type { Context } from '../../../platform/context'
import { inSavepoint } from '../../../platform/db/savepoint'
import { type ContactPatch, type ContactRow, patchContacts, updateContact } from '../../contacts/service'
import { requireVerifiedSender } from '../../domains/service'

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
    patchContact: isAlone ? patch => patchAlone(tx, patch) : patchTogether(tx, count),
  }
}

/** The only one that writes: what it wrote before it was refused has to go. */
function patchAlone(
  tx: Context,
  { projectId, contactId, data, subscribed }: ContactPatch,
): Promise<ContactRow> {
  const update = { data, ...(subscribed === undefined ? {} : { subscribed }) }
  return inSavepoint(tx, inner => updateContact(inner, projectId, contactId, update))
}

function patchTogether(tx: Context, count: number): Together['patchContact'] {
  const gather = collector<ContactPatch, ContactRow>(
    async patches => (await patchContacts(tx, patches)).map(value => ({ value })),
    { maxItems: count, slots: 1, mayRepeat: () => false },
  )
  return patch => gather(patch)
}
