// One message that came by SMTP: read, and accepted by the same service as `/v1/send`, in the transactions that requests share.
import { createHash } from 'node:crypto'
import { spendRequest } from '../../../http/rate-limit'
import { normaliseEmail } from '../../../lib/address'
import { AppError } from '../../../lib/errors'
import type { Context } from '../../../platform/context'
import { actorOfKey, findKeyHolder } from '../../accounts/projects'
import { sendServiceOf } from '../v1'
import { type ReceivedEnvelope, readMessage } from './message'

/** Returns the ids of the messages: one per recipient. Throws the error that the API would answer with. */
export async function acceptMessage(
  ctx: Context,
  key: string,
  envelope: ReceivedEnvelope,
  raw: Buffer,
): Promise<string[]> {
  // Checked again for each message: a connection may outlive its key.
  const project = await requireSendingKey(ctx, key)
  await spendRequest(ctx, { kind: 'project', id: project.id }, {})
  const read = await readMessage(ctx, raw, envelope, project.id)
  const name = read.name === undefined ? undefined : nameOf(read.name, envelope)
  try {
    const { emails } = await sendServiceOf(ctx).submit(project, read.submission, name)
    return emails.map(({ email }) => email)
  } catch (error) {
    const earlier = acceptedBefore(error)
    if (earlier) return earlier
    throw error
  }
}

interface SubmittingProject {
  id: string
  name: string
  boundTo: readonly string[] | null
  consent: { source: 'api'; actor: string }
}

/** Throws for a key that may not send. */
export async function requireSendingKey(ctx: Context, key: string): Promise<SubmittingProject> {
  const holder = key.length <= 200 ? await findKeyHolder(ctx, 'secret', key) : undefined
  if (!holder || holder.hasExpired)
    throw new AppError(401, 'INVALID_API_KEY', 'The password must be a key of a project that may send')
  const { project, named } = holder
  if (named && !named.scopes.includes('send'))
    throw new AppError(403, 'FORBIDDEN', 'This key may not send: it needs the scope send')
  if (project.disabled) throw new AppError(403, 'PROJECT_DISABLED', 'This project is disabled')
  if (project.resetting)
    throw new AppError(423, 'PROJECT_RESETTING', 'The project is being reset; try again in a moment')
  const consent = { source: 'api' as const, actor: actorOfKey(key) }
  return { id: project.id, name: project.name, boundTo: named?.domains ?? null, consent }
}

/** The recipients are part of it: mail servers hand over one message several times, each time for other recipients. */
function nameOf(name: string, { to }: ReceivedEnvelope): string {
  const recipients = to.map(normaliseEmail).sort()
  return `smtp ${createHash('sha256')
    .update(JSON.stringify([name, recipients]))
    .digest('hex')}`
}

/** A program that missed the answer submits the message again, and has to be told that all is well. */
function acceptedBefore(error: unknown): string[] | undefined {
  if (!(error instanceof AppError) || error.code !== 'IDEMPOTENCY_KEY_REUSED') return undefined
  const result = error.details?.['originalResult'] as { emails?: string[] } | undefined
  return result?.emails ?? []
}
