// What the holder of a link to somebody's data may do. All that is wrong with a link looks alike: forged, expired, used up, of a project that is gone.
import { type AppError, notFound } from '../../../../lib/errors'
import { day } from '../../../../lib/time'
import { type Context, inTransaction } from '../../../../platform/context'
import { spendTurn } from '../../../accounts/users'
import { isSigned, readPrivacyLink } from '../link'
import type { Person } from '../page'
import { selectPerson } from '../queries'
import { eraseAddress } from './erase'

/** How often a copy may be made with all links of one person in a day: each reads all there is. */
const copiesOfADay = { limit: 20, windowMs: day }

/** 404 for a link that is no longer good. */
export async function findPerson(ctx: Context, contactId: string, token: string): Promise<Person> {
  const link = readPrivacyLink(contactId, token)
  const person =
    link && link.expiresAt > ctx.clock.now() && (await selectPerson(ctx, link.projectId, link.contactId))
  if (!person || !isSigned(ctx.vault, contactId, token, person.email)) throw gone(contactId)
  return person
}

/** Counts a copy; the seconds to wait where there were too many. */
export async function spendCopy(ctx: Context, { projectId, id }: Person): Promise<number | undefined> {
  return await spendTurn(ctx, 'client', `privacy copy ${projectId} ${id}`, copiesOfADay)
}

/** As the audit log names somebody who erases themselves. */
const recipientActor = 'recipient'

/** Once: whoever comes second, even at the same moment, finds nobody. */
export async function erasePerson(ctx: Context, { projectId, id, email }: Person): Promise<void> {
  await inTransaction(ctx, async tx => {
    const { wasContact } = await eraseAddress(tx, { projectId, by: recipientActor }, email)
    if (!wasContact) throw gone(id)
  })
}

function gone(contactId: string): AppError {
  return notFound('Contact', contactId.slice(0, 100), 'CONTACT_NOT_FOUND')
}
