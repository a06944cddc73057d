// Recipients of a campaign as a source of delivery: how they are rendered, and what their campaign checks while they are on their way.
import type { CpuThrottle } from '../../../../../lib/cpu-throttle'
import type { TemplateCache } from '../../../../../liquid/cache'
import { isServerFault } from '../../../../../mail/bounces'
import type { PieceEncoder } from '../../../../../mail/mime/chunks'
import { asAnswer } from '../../../../../mail/smtp/reply'
import type { Context } from '../../../../../platform/context'
import { type DeliveryOutcome, failed, putBack } from '../../../../../platform/transports/outcome'
import { isHeldBy } from '../../../../../platform/transports/reason'
import { type Batch, type Delivery, untried, zoneOf } from '../../../../sending/delivery'
import {
  type BulkContent,
  type DeliveryFacts,
  type DueEmail,
  type EmailSettlement,
  heldReceiverOf,
  isTracked,
  type KeyRing,
  makeBulkRenderer,
  outgoingMessage,
  settlePersistently,
  type TakenRecipient,
} from '../../../../sending/emails'
import { renderPatiently, Unrenderable } from '../../../../sending/templates'
import {
  type CampaignRecipient,
  classOf,
  composeForRecipient,
  type KeepVariables,
  keptVariables,
} from '../../authoring/compose'
import { isForSubscribed } from '../../authoring/service/audience'
import { trackingOf } from '../../authoring/service/body'
import { windowWeek } from '../../authoring/timing'
import type { SliceFacts } from '../queries/slices'
import { makeReceiverGate } from './receiver-gate'

/** What all slices of a process share. */
export interface SendTools {
  cache: TemplateCache
  /** Many slices are under way at once, most of them of one campaign: one memory for all stays small. */
  encoder: PieceEncoder
  keys: KeyRing
  /** Renders: a template may take a second for each recipient, and two dozen at once would stop the process for as long. */
  throttle: CpuThrottle
  /** A place among the messages that are on their way. */
  enter: () => Promise<() => void>
  settle: (settlement: EmailSettlement) => Promise<boolean>
}

export interface CampaignSource {
  batch(recipients: RecipientBatch): Batch
  /** What the transport said when it failed so often in a row that continuing is useless. */
  fault(): string | undefined
  /** Messages that were handed to the transport. */
  tried(): number
  /** Messages that wait for the pace of their transport or of their receiver, or are held by a rule. */
  held(): number
}

export interface RecipientBatch extends Pick<Batch, 'count' | 'signal'> {
  take: (count: number) => Promise<TakenRecipient[]>
  /** What waits for its turn when this says so is put back untouched. */
  isStopped: () => Promise<boolean>
}

/** This many failures of the transport in a row, with different messages, are no accident. */
export const faultLimit = 20

export function makeCampaignSource(
  ctx: Context,
  tools: SendTools,
  slice: SliceFacts,
  sliceFor: (contactId: string) => SliceFacts,
  maxFaults = faultLimit,
): CampaignSource {
  const renderers = new Map<SliceFacts, VariantRenderer>()
  const rendererOf = (own: SliceFacts): VariantRenderer => {
    const renderer = renderers.get(own) ?? {
      render: makeRendering(ctx, tools, own),
      keep: keptVariables(own),
    }
    renderers.set(own, renderer)
    return renderer
  }
  const faults = makeFaultCounter()
  const mayGo = makeReceiverGate(ctx, slice)
  const rulesFor = makeRules(slice)

  const deliveryOf = (taken: TakenRecipient): RecipientDelivery => {
    const extra = { wasHeld: isHeldBy(taken.reason), wasHeldFor: heldReceiverOf(taken) }
    const email = dueEmail(sliceFor(taken.contactId), taken)
    return {
      email,
      facts: factsOf(slice, taken),
      since: taken.triedSince,
      rules: rulesFor(taken),
      extra,
      taken,
    }
  }
  const compose = async (delivery: Delivery): Promise<DeliveryOutcome | undefined> => {
    const { taken } = delivery as RecipientDelivery
    const { render, keep } = rendererOf(sliceFor(taken.contactId))
    const recipient = recipientOf(taken)
    const content = await render(recipient, taken.id)
    if (content instanceof Unrenderable) return failed('template', { words: content.reason })
    const { html, text, subject, encoded } = content
    const email: DueEmail = { ...delivery.email, subject, html, text }
    Object.assign(delivery, {
      email,
      extra: { ...delivery.extra, rendered: { subject, variables: keep(recipient) } },
    })
    delivery.message = () => outgoingMessage(ctx, tools.keys, email, encoded)
    return undefined
  }
  const enter: Batch['enter'] = async () => {
    const leave = await tools.enter()
    return result => {
      if (result) faults.noteTries(result)
      leave()
    }
  }
  const settle = async (settlement: EmailSettlement): Promise<boolean> => {
    faults.noteHeld(settlement)
    return await settlePersistently(tools.settle, settlement)
  }

  return {
    fault: () => (faults.inARow() >= maxFaults ? `The mail transport fails: ${faults.last()}` : undefined),
    tried: faults.tried,
    held: faults.held,
    batch: ({ count, signal, take, isStopped }) => ({
      ...{ projectId: slice.projectId, fromEmail: slice.fromEmail, paceClass: 'campaign', count, signal },
      take: async granted => (await take(granted)).map(deliveryOf),
      enter,
      approve: async ({ email }) => ((await isStopped()) ? untried(putBack) : await mayGo(email.toEmail)),
      compose,
      settle,
    }),
  }
}

interface RecipientDelivery extends Delivery {
  taken: TakenRecipient
}

/** What a variant is rendered with, prepared once for all who get it. */
interface VariantRenderer {
  render: Rendering
  keep: KeepVariables
}

type Rendering = (recipient: CampaignRecipient, emailId: string) => Promise<BulkContent | Unrenderable>

function makeRendering(ctx: Context, { cache, encoder, throttle }: SendTools, slice: SliceFacts): Rendering {
  const tracked = isTracked(slice.tracking, classOf(slice.type).sourceType)
  const tracking = tracked ? trackingOf(ctx, slice) : undefined
  const render = makeBulkRenderer(cache, slice, tracking, encoder)
  const tools = { render, vault: ctx.vault, baseUrl: ctx.config.baseUrl }
  const project = { name: slice.projectName, language: slice.language }
  return (recipient, emailId) => {
    const compose = (): BulkContent => composeForRecipient(tools, slice, project, recipient, emailId)
    return renderPatiently(ctx, slice.projectId, compose, throttle).catch(unrenderable)
  }
}

function unrenderable(error: unknown): Unrenderable {
  if (error instanceof Unrenderable) return error
  throw error
}

/** Counts failures of the transport in a row. */
function makeFaultCounter() {
  let inARow = 0
  let tried = 0
  let held = 0
  let last = ''
  return {
    noteTries({ tries }: Pick<EmailSettlement, 'tries'>): void {
      const result = tries.at(-1)?.result
      if (!result) return
      tried++
      inARow = isServerFault(asAnswer(result)) ? inARow + 1 : 0
      last = result.response
    },
    noteHeld({ outcome, tries }: EmailSettlement): void {
      const isHeld = tries.length === 0 && outcome.nextAttemptAt !== null
      if (isHeld && heldReceiverOf(outcome) === undefined) held++
    },
    inARow: () => inARow,
    tried: () => tried,
    held: () => held,
    last: () => last,
  }
}

function recipientOf({ contactId, toEmail, subscribed, data }: TakenRecipient): CampaignRecipient {
  return { contactId, email: toEmail, subscribed, data }
}

/** What may hold each recipient, by that contact's clock. */
function makeRules({ rules, timing, timeZone, timeZoneField }: SliceFacts) {
  const window = timing?.window ? windowWeek(timing.window) : undefined
  const { quietHours = null, mailCap = null } = rules ?? {}
  return ({ data }: TakenRecipient): Delivery['rules'] => {
    if (!rules && !window) return null
    const zone = zoneOf(timeZoneField === null ? null : data[timeZoneField], timeZone)
    return { quietHours, mailCap, zone, window }
  }
}

/** Looked up when the recipient was taken, a moment ago. */
function factsOf({ type, campaignId, topicId }: SliceFacts, taken: TakenRecipient): DeliveryFacts {
  const { projectDisabled, suppressed } = taken
  const optedOut = isForSubscribed(type) && !taken.subscribed
  const leftTopic = topicId !== null && !taken.inTopic
  const contactState = !taken.exists ? 'gone' : optedOut ? 'unsubscribed' : leftTopic ? 'outOfTopic' : null
  return { sourceType: classOf(type).sourceType, campaignId, projectDisabled, suppressed, contactState }
}

function dueEmail(slice: SliceFacts, taken: TakenRecipient): DueEmail {
  return {
    id: taken.id,
    projectId: slice.projectId,
    contactId: taken.contactId,
    ...classOf(slice.type),
    templateId: null,
    campaignId: slice.campaignId,
    topicId: slice.topicId,
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
    // The template is, once for all.
    tracked: false,
  }
}
