// What can refuse a send request without a write: content, template, sender, and sizes of the whole request. A used key, a monthly limit, and
// a template that can't be rendered refuse it later, in the transaction of accept.ts, which leaves nothing behind then.
import { type AppError, type FieldError, invalid } from '../../../../lib/errors'
import type { Mailbox } from '../../../../mail/mime/mail'
import type { Context } from '../../../../platform/context'
import { type DefaultSender, selectDefaultSender } from '../../../accounts/projects'
import { byProgram, type ConsentOrigin, type DataPatch, parsePatch } from '../../../audience/contacts'
import { requireVerifiedSender } from '../../../sending/domains'
import {
  type Copy,
  type MailClass,
  type Metadata,
  plainTextOf,
  readScheduledFor,
} from '../../../sending/emails'
import { requireSendable, type Sendable } from '../../../sending/templates'
import type { SendBody, Submission, SubmittedSource } from '../model/bodies'
import { parseSend, type SendRequest } from '../model/send'
import { refuseUnreadable } from './readable'

/** A send request that will be accepted, whatever the others in its batch do. */
export interface PreparedSend {
  projectId: string
  to: Mailbox[]
  copies: Copy[]
  from: Mailbox
  replyTo: string | null
  subject: string
  body: string
  /** The author's own text part. */
  text: string | undefined
  templateId: string | null
  mailClass: MailClass
  subscribed: boolean | undefined
  /** As sent, for rendering. */
  data: Record<string, unknown>
  /** What it means for the contacts. */
  patch: DataPatch
  headers: Record<string, string>
  attachments: SendRequest['attachments']
  tracking: boolean | undefined
  /** It came finished: nothing in it is filled. */
  source: SubmittedSource | undefined
  tags: string[] | null
  metadata: Metadata | null
  /** Set where it is to leave later. */
  scheduledFor: Date | undefined
  key: string | undefined
  /** The request as it came: one under the same key is compared with it. */
  said: unknown
  /** Where a changed subscription comes from. */
  consent: ConsentOrigin
}

/** Who sends. */
export interface SendingProject {
  id: string
  name: string
  /** The domains that the key is bound to; null or left out: all of the project. */
  boundTo?: readonly string[] | null
  consent?: ConsentOrigin
}

interface Sending {
  project: SendingProject
  body: SendBody
  key: string | undefined
  source?: SubmittedSource
}

/** The same for a message that comes finished, which has no members that mean anything beyond it. */
export async function prepareSubmission(
  ctx: Context,
  { submission, ...given }: Omit<Sending, 'body'> & { submission: Submission },
): Promise<PreparedSend> {
  const { source, ...shown } = submission
  const { text } = shown
  const body = shown.body ?? ''
  const prepared = await prepareSend(ctx, { ...given, body: { ...shown, body }, source })
  return { ...prepared, text: text || plainTextOf(body) }
}

/** 422 for a faulty request, 404 for an unknown template, 403 for a sender that is not verified. */
export async function prepareSend(
  ctx: Context,
  { project, body, key, source }: Sending,
): Promise<PreparedSend> {
  const request = parseSend(body, { attachmentBytes: ctx.config.maxAttachmentBytes })
  const patch = parsePatch(body.data ?? {})
  const faults = [request, patch].flatMap(result => (Array.isArray(result) ? result : []))
  const when = readWhen(ctx, body.scheduledFor ?? null, faults)
  if (Array.isArray(request) || Array.isArray(patch) || faults.length > 0) throw invalid(faults)
  if (!source) await refuseUnreadable(ctx, project.id, request)
  const template = request.template ? await requireSendable(ctx, project.id, request.template) : undefined
  const isNamed = (request.from?.email ?? template?.fromEmail) !== undefined
  const fallback = isNamed ? null : await selectDefaultSender(ctx, project.id)
  const combined = combine(request, patch, template, project, key, fallback)
  const prepared = {
    ...combined,
    scheduledFor: when,
    said: body,
    source,
    consent: project.consent ?? byProgram,
  }
  refuseSize(ctx, prepared)
  await requireVerifiedSender(ctx, project.id, prepared.from.email, project.boundTo ?? undefined)
  return prepared
}

function readWhen(ctx: Context, given: string | null, faults: FieldError[]): Date | undefined {
  if (given === null) return undefined
  const read = readScheduledFor(ctx, given)
  if ('at' in read) return read.at
  faults.push({ field: 'scheduledFor', message: read.fault, code: 'invalid_string' })
  return undefined
}

/** Explicit members of the request override the template's; the project's sender is used where neither names one. */
function combine(
  request: SendRequest,
  patch: DataPatch,
  template: Sendable | undefined,
  project: { id: string; name: string },
  key: string | undefined,
  fallback: DefaultSender | null,
): Omit<PreparedSend, 'scheduledFor' | 'said' | 'source' | 'consent'> {
  const fromEmail = request.from?.email ?? template?.fromEmail ?? fallback?.email
  if (!fromEmail)
    throw invalid([
      {
        field: 'from',
        message: 'is required without a template or a project that has a sender',
        code: 'required',
      },
    ])
  const fromName =
    request.from?.name || request.fallbackName || template?.fromName || fallback?.name || project.name
  return {
    projectId: project.id,
    to: request.to,
    copies: request.copies,
    from: { email: fromEmail, name: fromName },
    replyTo: request.replyTo ?? template?.replyTo ?? fallback?.replyTo ?? null,
    subject: request.subject ?? template?.subject ?? '',
    body: request.body ?? template?.body ?? '',
    text: request.text ?? undefined,
    templateId: template?.id ?? null,
    // The public endpoint is the transactional path; only a HEADLESS template is treated differently.
    mailClass: template?.type === 'HEADLESS' ? 'headless' : 'transactional',
    subscribed: request.subscribed,
    data: request.data,
    patch,
    headers: request.headers,
    attachments: request.attachments,
    tracking: request.tracking ?? template?.tracking ?? undefined,
    tags: request.tags,
    metadata: request.metadata,
    key,
  }
}

/** Bytes of body times recipients: each gets a rendering of its own, and all of them are accepted in one transaction. */
const maxTotalBytes = 256 * 1024 ** 2

/** Attachments travel in Base64, both they and the text with the line ends of MIME. */
function refuseSize(ctx: Context, { to, body, text = '', attachments }: PreparedSend): void {
  const limit = ctx.config.maxMessageBytes
  const attached = attachments.reduce((sum, item) => sum + Math.ceil(item.size * 1.38), 0)
  const written = Math.ceil((Buffer.byteLength(body) + Buffer.byteLength(text)) * 1.1)
  if (attached + written > limit)
    throw tooBig(
      attached > written ? 'attachments' : 'body',
      `the message would be about ${attached + written} bytes; at most ${limit} are allowed`,
    )
  if (to.length * written > maxTotalBytes)
    throw tooBig('to', 'the body is too large for so many recipients; send it in several requests')
}

function tooBig(field: string, message: string): AppError {
  return invalid([{ field, message, code: 'too_big' }])
}

/** Bytes to write beyond which a send has a transaction of its own. */
const largeBytes = 400_000
/** What a message takes besides its body. */
const bytesOfRow = 20_000

export function isLarge({ to, body, attachments, source }: PreparedSend): boolean {
  const attached = attachments.reduce((sum, item) => sum + item.size, source?.raw.length ?? 0)
  return to.length * (bytesOfRow + body.length) + attached > largeBytes
}
