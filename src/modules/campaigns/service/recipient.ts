// One recipient of a campaign at the moment of sending: may it still be written to, and if so, what came of it.
import type { Breather } from '../../../lib/breather'
import type { TemplateCache } from '../../../liquid/cache'
import type { PieceEncoder } from '../../../mime/chunks'
import type { Context } from '../../../platform/context'
import type { SendResult } from '../../../platform/mail/transport'
import { type TrackedTemplate, trackTemplate } from '../../../tracking/template'
import { makeBulkRenderer } from '../../emails/bulk'
import { asDocument } from '../../emails/document'
import { judge, leftOut, suppressionSentence, type Verdict } from '../../emails/outcome'
import type { DueEmail, Settlement, Try } from '../../emails/queries'
import { handOver, type KeyRing, type Outcome, settlePersistently } from '../../emails/service'
import { isTracked } from '../../emails/tracking-mode'
import { renderPatiently, Unrenderable } from '../../templates/service'
import { type CampaignRecipient, classOf, composeForRecipient, keptVariables } from '../compose'
import type { SliceFacts, TakenRecipient } from '../queries'
import { isForSubscribed } from './audience'

/** What all slices of a process share. */
export interface Machinery {
  cache: TemplateCache
  /** Many slices are under way at once, most of them of one campaign: one memory for all stays small. */
  encoder: PieceEncoder
  keys: KeyRing
  /** Renders: a template may take a second for each recipient, and two dozen at once would stop the process for as long. */
  breathe: Breather
  /** Holds back batches while enough are taken. */
  turns: <T>(work: () => Promise<T>) => Promise<T>
  /** Holds back messages while too many are on their way. */
  lane: <T>(work: () => Promise<T>) => Promise<T>
  settle: (outcome: Outcome) => Promise<void>
}

export interface Sender {
  /** Sends, or says why not, and writes what came of it. Where `isStopped` by the time of its turn, it is put back untouched. */
  send(recipient: TakenRecipient, isStopped: () => Promise<boolean>): Promise<void>
  /** What the transport said when it failed so often in a row that going on is no use. */
  fault(): string | undefined
  /** Messages that were handed to the transport. */
  tried(): number
}

/** Failures of the transport in a row, of different messages, that are no accident. */
export const faultLimit = 20

export function makeSender(
  ctx: Context,
  machinery: Machinery,
  slice: SliceFacts,
  mostFaults = faultLimit,
): Sender {
  const keep = keptVariables(slice)
  const render = makeBulkRenderer(machinery.cache, slice, trackingOf(ctx, slice), machinery.encoder)
  const tools = { render, vault: ctx.vault, baseUrl: ctx.config.baseUrl }
  const project = { name: slice.projectName, language: slice.language }
  let faults = 0
  let tried = 0
  let lastFault = ''

  const attempt = async (taken: TakenRecipient): Promise<Outcome> => {
    const recipient = recipientOf(taken)
    const content = await renderPatiently(
      ctx,
      slice.projectId,
      () => composeForRecipient(tools, slice, project, recipient, taken.id),
      machinery.breathe,
    ).catch(unrenderable)
    if (content instanceof Unrenderable) return outcomeOf(dueEmail(slice, taken), failed(content.reason), [])
    const { html, text, subject, encoded } = content
    const email: DueEmail = { ...dueEmail(slice, taken), subject, html, text }
    const startedAt = ctx.clock.now()
    const result = await handOver(ctx, machinery.keys, email, encoded)
    const finishedAt = ctx.clock.now()
    ctx.metrics.deliveries.inc({ transport: ctx.mail.name, outcome: result.outcome })
    tried++
    faults = isTransportFault(result) ? faults + 1 : 0
    lastFault = result.response
    const verdict = judge(
      { attempts: taken.attempts, createdAt: taken.triedSince, sourceType: 'CAMPAIGN' },
      result,
      finishedAt,
      ctx.random.fraction(),
    )
    const tries = [{ attempt: taken.attempts, transport: ctx.mail.name, startedAt, finishedAt, result }]
    return outcomeOf(email, verdict, tries, { subject, variables: keep(recipient) })
  }

  return {
    fault: () => (faults >= mostFaults ? `The mail transport fails: ${lastFault}` : undefined),
    tried: () => tried,
    async send(taken, isStopped) {
      const outcome = await machinery.lane(async () => {
        const refusal = whyNot(slice, taken)
        if (refusal) return outcomeOf(dueEmail(slice, taken), leftOut(refusal), [])
        return (await isStopped()) ? outcomeOf(dueEmail(slice, taken), putBack, []) : await attempt(taken)
      })
      await settlePersistently(machinery.settle, outcome)
    },
  }
}

/** Undefined where opens and clicks are not measured. */
function trackingOf({ vault, config }: Context, slice: SliceFacts): TrackedTemplate | undefined {
  if (!isTracked(slice.tracking, classOf(slice.type).sourceType)) return undefined
  const group = { projectId: slice.projectId, groupId: slice.campaignId }
  return trackTemplate({ vault, baseUrl: config.baseUrl }, group, asDocument(slice.body))
}

function recipientOf({ contactId, toEmail, subscribed, data }: TakenRecipient): CampaignRecipient {
  return { contactId, email: toEmail, subscribed, data }
}

/** Looked up when the recipient was taken, a moment ago. */
function whyNot({ type }: SliceFacts, taken: TakenRecipient): string | undefined {
  if (taken.projectDisabled) return 'project is disabled'
  if (!taken.exists) return 'contact was deleted'
  if (taken.suppressed) return suppressionSentence(taken.suppressed)
  if (isForSubscribed(type) && !taken.subscribed) return 'contact is unsubscribed'
  return undefined
}

/**
 * The connection, or the server as a whole, and not this message: a server that answers about a message names a later stage, and
 * 421 says at any stage that the server is closing (RFC 5321, 3.8).
 */
function isTransportFault({ outcome, stage, code }: SendResult): boolean {
  if (outcome !== 'deferred') return false
  return (
    code === undefined ||
    code === 421 ||
    stage === undefined ||
    !['mail', 'rcpt', 'data', 'body', 'final'].includes(stage)
  )
}

const open: Omit<Verdict, 'status' | 'error'> = {
  providerId: null,
  sentAt: null,
  deliveredAt: null,
  bouncedAt: null,
  nextAttemptAt: null,
  suppress: false,
  gaveUp: false,
}

const failed = (reason: string): Verdict => ({ ...open, status: 'FAILED', error: reason })

function unrenderable(error: unknown): Unrenderable {
  if (error instanceof Unrenderable) return error
  throw error
}

const putBack: Verdict = { ...open, status: 'PENDING', error: null }

function dueEmail(slice: SliceFacts, taken: TakenRecipient): DueEmail {
  return {
    id: taken.id,
    projectId: slice.projectId,
    contactId: taken.contactId,
    ...classOf(slice.type),
    templateId: null,
    campaignId: slice.campaignId,
    toEmail: taken.toEmail,
    toName: null,
    fromEmail: slice.fromEmail,
    fromName: slice.fromName || slice.projectName,
    replyTo: slice.replyTo,
    subject: slice.subject,
    html: '',
    text: '',
    headers: {},
    attachmentSet: null,
    messageId: taken.messageId,
    attempts: taken.attempts,
    createdAt: taken.createdAt,
    projectDisabled: taken.projectDisabled,
    wasSending: taken.wasSending,
    suppressed: taken.suppressed,
    // The template is, once for all.
    tracked: false,
  }
}

function outcomeOf(
  email: DueEmail,
  { suppress, ...verdict }: Verdict,
  tried: Try[],
  rendered: Pick<Settlement, 'subject' | 'variables'> = {},
): Outcome {
  const settlement: Settlement = {
    ...verdict,
    ...rendered,
    id: email.id,
    projectId: email.projectId,
    attempt: email.attempts,
    attempts: tried.length > 0 ? email.attempts : email.attempts - 1,
    tried,
  }
  return { email, settlement, suppress }
}
