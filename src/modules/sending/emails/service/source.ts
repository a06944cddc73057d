// A message as it left, or would leave now. Bytes are not kept: the same code makes them again from the row, and they are the same as
// long as everything else that they depend on is (docs/sending.md says what that is).
import { conflict, notFound } from '../../../../lib/errors'
import type { Context } from '../../../../platform/context'
import { callHook } from '../../../../platform/hooks'
import { finishedBytes } from '../../../../platform/transports/hand-over'
import type { Tracking } from '../../../accounts/projects'
import { leavingBody } from '../hooks'
import { type EmailRow, findEmail } from '../queries'
import { isTracked } from '../tracking-mode'
import { makeKeyRing } from './keys'
import { noLongerKept, outgoingMessage } from './outgoing'

/** 404 for an id of another project too; 409 where there is nothing to make it from. */
export async function getSource(
  ctx: Context,
  project: { id: string; tracking: Tracking },
  id: string,
): Promise<Uint8Array> {
  const email = await findEmail(ctx, project.id, id)
  if (!email) throw notFound('E-mail', id)
  if (email.sourceType === 'INBOUND')
    throw conflict('This message came in, and its source was not kept', {
      suggestion: 'GET /emails/:id has its text and HTML.',
    })
  const tracked = isTracked(project.tracking, email.sourceType, email.tracking)
  const [body] = (await callHook(ctx, leavingBody, { email, tracked })).filter(found => found !== undefined)
  // A body that was rendered for this has its links replaced already.
  const due = body ? { ...email, ...body, tracked: false } : { ...email, tracked }
  requireContent(due)
  const outgoing = await outgoingMessage(ctx, makeKeyRing(ctx), due)
  if (email.attachmentSet && !email.submittedSet && outgoing.mail.attachments.length === 0)
    throw noLongerKept()
  const { key, ...unsigned } = outgoing
  // A message that has not been handed over is shown unsigned: no domain of this instance vouches for it yet.
  return await finishedBytes(key && hasLeft(email) ? { ...unsigned, key } : unsigned)
}

function requireContent({ html, text, submittedSet, campaignId, variables, status }: EmailRow): void {
  if (html !== '' || text !== '' || submittedSet !== null) return
  if (campaignId !== null && variables === null && (status === 'PENDING' || status === 'SENDING'))
    throw conflict('This message is written when its turn comes', {
      suggestion: 'Ask again once it has been sent; POST /campaigns/:id/preview shows it for a contact.',
    })
  throw noLongerKept()
}

function hasLeft({ attempts }: EmailRow): boolean {
  return attempts > 0
}
