// Erasing a person: everything that is known by the address goes, and a keyed hash stays, so that nobody writes to it again by mistake.
import { isEmail, normaliseEmail } from '../../../../lib/address'
import { badRequest } from '../../../../lib/errors'
import { type Context, inTransaction } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { recordAudit } from '../../../accounts/projects'
import { eraseSystemEmails } from '../../../accounts/system-emails'
import { deleteContacts, deleteImportedRows, findContactIds } from '../../../audience/contacts'
import { suppressErased } from '../../../audience/suppressions'
import { eraseMessages } from '../../../sending/emails'
import { personErased } from '../hooks'

/** The address to erase, and the name of who erases it in the audit log, which does not name the address. */
export interface Erasing {
  projectId: string
  by: string
}

/** Returns whether there was a contact; the address is suppressed either way. Jobs delete and empty what may be a lot. */
export async function eraseAddress(
  ctx: Context,
  { projectId, by }: Erasing,
  address: string,
): Promise<{ wasContact: boolean }> {
  const email = normaliseEmail(address)
  if (!isEmail(email)) throw badRequest('The address is not valid')
  return await inTransaction(ctx, async tx => {
    await suppressErased(tx, projectId, email)
    const found = await findContactIds(tx, projectId, [email])
    const deleted = await deleteContacts(tx, projectId, found)
    await eraseSystemEmails(tx, email)
    await deleteImportedRows(tx, projectId, email)
    await callHook(tx, personErased, { projectId, email, contactIds: deleted })
    await eraseMessages(tx, projectId)
    await recordAudit(tx, { projectId, actor: by, action: 'contact.erased' })
    return { wasContact: deleted.length > 0 }
  })
}
