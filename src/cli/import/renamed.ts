// A person whose address changed between two runs, here or in the other program, known by what that program put into the person's links.
import { normaliseEmail } from '../../lib/address'
import { findContactIds, updateContact } from '../../modules/contacts'
import { findKnownRecipients } from '../../modules/redirects'
import type { Context } from '../../platform/context'
import type { Readable } from './read-record'

/**
 * The records, those of known people with the address that they have here from now on: where only the other program changed it, the contact
 * gets the new one; where it was changed here, the contact keeps it. If somebody here has the new address already, the record is theirs.
 */
export async function followRenamed(
  tx: Context,
  projectId: string,
  records: readonly Readable[],
): Promise<Readable[]> {
  const asked = records.flatMap(({ record, email }) =>
    record.oldToken ? [{ token: record.oldToken, email }] : [],
  )
  const known = await findKnownRecipients(tx, projectId, asked)
  if (known.size === 0) return [...records]
  const followed: Readable[] = []
  for (const readable of records) {
    const there = readable.record.oldToken ? known.get(readable.record.oldToken) : undefined
    followed.push(there ? await follow(tx, projectId, readable, there) : readable)
  }
  return followed
}

async function follow(
  tx: Context,
  projectId: string,
  readable: Readable,
  there: { contactId: string; email: string; changedHere: boolean },
): Promise<Readable> {
  if ((await findContactIds(tx, projectId, [readable.email])).length > 0) return readable
  if (there.changedHere)
    return { ...readable, email: there.email, entry: { ...readable.entry, email: there.email } }
  await updateContact(tx, projectId, there.contactId, { email: normaliseEmail(readable.email) })
  return readable
}
