// One recipient of a campaign at the moment of sending: whether it may still be written to, and if so, the outcome.

import { isServerFault } from '../../../bounces'
import type { Breather } from '../../../lib/breather'
import type { TemplateCache } from '../../../liquid/cache'
import type { PieceEncoder } from '../../../mime/chunks'
import type { Context } from '../../../platform/context'
import { type DeliveryOutcome, failed, putBack } from '../../../platform/mail/outcome'
import { asAnswer } from '../../../platform/mail/reply'
import type { SendResult } from '../../../platform/mail/transport'
import {
  attempt,
  type BulkContent,
  type DeliveryFacts,
  type DueEmail,
  type EmailSettlement,
  hasLeft,
  heldReceiverOf,
  isTracked,
  type KeyRing,
  type MailHold,
  makeBulkRenderer,
  outgoingMessage,
  settlePersistently,
  type TakenRecipient,
  whyWithheld,
  zoneOf,
} from '../../emails'
import { renderPatiently, Unrenderable } from '../../templates'
import {
  type CampaignRecipient,
  classOf,
  composeForRecipient,
  type KeepVariables,
  keptVariables,
} from '../compose'
import type { SliceFacts } from '../queries'
import { windowWeek } from '../timing'
import { isForSubscribed } from './audience'
import { makeReceiverGate } from './receiver-gate'
import { trackingOf } from './tracking'

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
  settle: (settlement: EmailSettlement) => Promise<boolean>
  /** Quiet hours and caps. */
  hold: MailHold
}

export interface CampaignSender {
  /**
   * Sends, or says why not, and writes the outcome. Where `isStopped` by the time of its turn, it is put back untouched. Returns whether
   * a receiver has seen it.
   */
  send(recipient: TakenRecipient, isStopped: () => Promise<boolean>): Promise<boolean>
  /** What the transport said when it failed so often in a row that continuing is useless. */
  fault(): string | undefined
  /** Messages that were handed to the transport. */
  tried(): number
  /** Messages that wait for the pace of their way or of their receiver, or are held by a rule. */
  held(): number
}

/** This many failures of the transport in a row, with different messages, are no accident. */
export const faultLimit = 20

export function makeCampaignSender(
  ctx: Context,
  machinery: Machinery,
  slice: SliceFacts,
  sliceFor: (contactId: string) => SliceFacts,
  maxFaults = faultLimit,
): CampaignSender {
  const waysToWrite = new Map<SliceFacts, WayToWrite>()
  const wayToWrite = (own: SliceFacts): WayToWrite => {
    const way = waysToWrite.get(own) ?? {
      render: makeRendering(ctx, machinery, own),
      keep: keptVariables(own),
    }
    waysToWrite.set(own, way)
    return way
  }
  const faults = makeFaultCounter()
  const gate = makeReceiverGate(ctx, slice)
  const { rules, timing, timeZone, timeZoneField } = slice
  const window = timing?.window ? windowWeek(timing.window) : undefined
  const mayEnter = async (taken: TakenRecipient): Promise<DeliveryOutcome | undefined> => {
    if (!rules && !window) return undefined
    const mail = { id: taken.id, projectId: slice.projectId, contactId: taken.contactId }
    const zone = zoneOf(timeZoneField === null ? null : taken.data[timeZoneField], timeZone)
    return await machinery.hold.enter(mail, rules, zone, window)
  }

  const write = async (taken: TakenRecipient): Promise<EmailSettlement> => {
    const own = sliceFor(taken.contactId)
    const { render, keep } = wayToWrite(own)
    const recipient = recipientOf(taken)
    const content = await render(recipient, taken.id)
    if (content instanceof Unrenderable) return untried(slice, taken, failed(content.reason))
    const { html, text, subject, encoded } = content
    const email: DueEmail = { ...dueEmail(own, taken), subject, html, text }
    const attempted = await attempt(ctx, email, taken.triedSince, () =>
      outgoingMessage(ctx, machinery.keys, email, encoded),
    )
    faults.look(attempted.tries.at(-1)?.result)
    return { ...attempted, rendered: { subject, variables: keep(recipient) } }
  }

  return {
    fault: () => (faults.inARow() >= maxFaults ? `The mail transport fails: ${faults.last()}` : undefined),
    tried: faults.looked,
    held: faults.held,
    async send(taken, isStopped) {
      const withheld = whyWithheld(standingOf(slice, taken)) ?? (await mayEnter(taken))
      if (withheld?.nextAttemptAt) faults.look(undefined)
      const settlement = withheld
        ? untried(slice, taken, withheld)
        : await machinery.lane(async () =>
            (await isStopped())
              ? untried(slice, taken, putBack)
              : await gate.pass(
                  taken.toEmail,
                  () => write(taken),
                  outcome => untried(slice, taken, outcome),
                ),
          )
      if (!withheld) await machinery.hold.leave(rules, settlement)
      const { wasHeld, heldBy } = taken
      const before = { wasHeld, wasHeldFor: heldReceiverOf(heldBy) }
      await settlePersistently(machinery.settle, { ...settlement, ...before })
      return hasLeft(settlement)
    },
  }
}

/** What a variant is rendered with, prepared once for all who get it. */
interface WayToWrite {
  render: Rendering
  keep: KeepVariables
}

type Rendering = (recipient: CampaignRecipient, emailId: string) => Promise<BulkContent | Unrenderable>

function makeRendering(ctx: Context, { cache, encoder, breathe }: Machinery, slice: SliceFacts): Rendering {
  const tracked = isTracked(slice.tracking, classOf(slice.type).sourceType)
  const tracking = tracked ? trackingOf(ctx, slice) : undefined
  const render = makeBulkRenderer(cache, slice, tracking, encoder)
  const tools = { render, vault: ctx.vault, baseUrl: ctx.config.baseUrl }
  const project = { name: slice.projectName, language: slice.language }
  return (recipient, emailId) => {
    const compose = (): BulkContent => composeForRecipient(tools, slice, project, recipient, emailId)
    return renderPatiently(ctx, slice.projectId, compose, breathe).catch(unrenderable)
  }
}

function unrenderable(error: unknown): Unrenderable {
  if (error instanceof Unrenderable) return error
  throw error
}

/** Counts failures of the transport in a row. */
function makeFaultCounter() {
  let inARow = 0
  let looked = 0
  let held = 0
  let last = ''
  return {
    /** Undefined: it was not tried, because its way or its receiver is at its pace. */
    look(result: SendResult | undefined): void {
      if (!result) {
        held++
        return
      }
      looked++
      inARow = isServerFault(asAnswer(result)) ? inARow + 1 : 0
      last = result.response
    },
    inARow: () => inARow,
    looked: () => looked,
    held: () => held,
    last: () => last,
  }
}

function recipientOf({ contactId, toEmail, subscribed, data }: TakenRecipient): CampaignRecipient {
  return { contactId, email: toEmail, subscribed, data }
}

/** Looked up when the recipient was taken, a moment ago. */
function standingOf({ type, campaignId, topicId }: SliceFacts, taken: TakenRecipient): DeliveryFacts {
  const { projectDisabled, suppressed } = taken
  const optedOut = isForSubscribed(type) && !taken.subscribed
  const leftTopic = topicId !== null && !taken.inTopic
  const contactState = !taken.exists ? 'gone' : optedOut ? 'unsubscribed' : leftTopic ? 'outOfTopic' : null
  return { sourceType: classOf(type).sourceType, campaignId, projectDisabled, suppressed, contactState }
}

function untried(slice: SliceFacts, taken: TakenRecipient, outcome: DeliveryOutcome): EmailSettlement {
  return { email: dueEmail(slice, taken), outcome, tries: [] }
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
