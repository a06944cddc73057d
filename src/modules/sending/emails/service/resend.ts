// Sending a message once more: a new one with the content of the old, so that what became of the old one stays on record.
import { asciiAddress, domainOf } from '../../../../lib/address'
import { conflict } from '../../../../lib/errors'
import { type Context, inTransaction, newId } from '../../../../platform/context'
import { noReason } from '../../../../platform/transports/reason'
import { addresseesOf, waitingCopies } from '../copies'
import { type EmailRow, findSuppressed, type NewEmail, selectIsInTopic, selectIsSubscribed } from '../queries'
import { withSpelling } from './addresses'
import { requireAllowance } from './allowance'
import { createEmails } from './create'
import { getEmail } from './log'

/** Returns the id of the new message. 409 where it could not arrive, or must not. */
export async function resend(ctx: Context, projectId: string, id: string): Promise<string> {
  const email = withSpelling((await getEmail(ctx, projectId, id)).email)
  if (email.sourceType === 'INBOUND') throw conflict('This message came in; there is nothing to send again')
  if (email.status === 'PENDING' || email.status === 'SENDING')
    throw conflict('This message is still on its way', {
      suggestion: 'It is retried automatically; nextAttemptAt says when.',
    })
  if (email.html === '' && email.text === '' && email.submittedSet === null)
    throw conflict('The content of this message is no longer kept', { suggestion: 'Send a new one.' })
  const row = copyOf(ctx, email)
  await inTransaction(ctx, async tx => {
    await refuseUnwanted(tx, email)
    await requireAllowance(tx, { projectId, sourceType: row.sourceType, count: addresseesOf(row.copies) })
    await createEmails(tx, [row])
  })
  return row.id
}

async function refuseUnwanted(tx: Context, email: EmailRow): Promise<void> {
  const [found] = await findSuppressed(tx, [{ projectId: email.projectId, email: email.toEmail }])
  if (found)
    throw conflict(`The address is suppressed (${found.reason})`, {
      suggestion: 'Take it off the suppression list first, if you know that it works again.',
    })
  if (email.mailClass === 'marketing' && !(await selectIsSubscribed(tx, email.projectId, email.contactId)))
    throw conflict('The contact is not subscribed', {
      suggestion: 'Only those who subscribed get marketing mail.',
    })
  const { projectId, contactId, topicId } = email
  if (topicId !== null && !(await selectIsInTopic(tx, projectId, contactId, topicId)))
    throw conflict('The contact does not want the topic of the message', {
      suggestion: 'Only those who are subscribed to a topic get its mail.',
    })
}

function copyOf(ctx: Context, email: EmailRow): NewEmail {
  const id = newId(ctx)
  const { projectId, contactId, mailClass, toEmail, toName, fromEmail, fromName, replyTo } = email
  return {
    ...{ projectId, contactId, mailClass, toEmail, toName, fromEmail, fromName, replyTo },
    id,
    sourceType: 'TRANSACTIONAL',
    templateId: email.templateId,
    topicId: email.topicId,
    subject: email.subject,
    html: email.html,
    text: email.text,
    headers: email.headers,
    attachmentSet: email.attachmentSet,
    submittedSet: email.submittedSet,
    ...(email.copies ? { copies: waitingCopies(email.copies) } : {}),
    ...(email.tags ? { tags: email.tags } : {}),
    ...(email.metadata ? { metadata: email.metadata } : {}),
    ...(email.tracking === null ? {} : { tracking: email.tracking }),
    ...(email.givenLinks ? { givenLinks: email.givenLinks } : {}),
    messageId: `${id}@${domainOf(asciiAddress(email.fromEmail))}`,
    status: 'PENDING',
    ...noReason,
  }
}
