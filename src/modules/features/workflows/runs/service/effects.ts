// Does what a step asks for, in the transaction that records that it was done: changes the contact and records its events, and composes
// the message or the call that is stored with the execution.
import { AppError } from '../../../../../lib/errors'
import type { TemplateCache } from '../../../../../liquid/cache'
import type { Scope } from '../../../../../liquid/template'
import { messageIdOf } from '../../../../../mail/mime/message-id'
import { type Context, newId } from '../../../../../platform/context'
import {
  because,
  becauseSuppressed,
  noReason,
  type Reasoned,
  sentenceOf,
} from '../../../../../platform/transports/reason'
import {
  type Footer,
  findSuppressed,
  hasFooter,
  listLinks,
  mailClassOf,
  type NewEmail,
  renderStored,
  selectIsInTopic,
  sourceTypeOf,
} from '../../../../sending/emails'
import { marketingFooter } from '../../../../sending/preferences'
import { buildScope, rememberUnrenderable } from '../../../../sending/templates'
import type { Configs } from '../../definition/steps'
import { fillCall, fillDeep, type Payload } from '../../definition/webhook-request'
import type { Snapshot, SnapshotTemplate, Values } from '../../words'
import type { Effect, Facts, Signal } from '../engine'
import type { NewCall } from '../queries/calls'
import type { HeldExecution } from '../queries/executions'
import type { SharedWork } from './shared-work'

type Contact = NonNullable<Facts['contact']>

export interface Performance {
  tx: Context
  together: SharedWork
  cache: TemplateCache
  execution: Pick<
    HeldExecution,
    | 'id'
    | 'projectId'
    | 'workflowId'
    | 'contactId'
    | 'startedAt'
    | 'hops'
    | 'projectName'
    | 'language'
    | 'email'
    | 'suppressed'
  >
  snapshot: Snapshot
  context: Values
  contact: Contact
}

export interface Performed {
  /** What the step continues with; undefined while it is still under way. */
  signal?: Signal
  /** The contact, where it changed. */
  contact?: Contact
  /** To be stored with the execution. */
  mail?: NewEmail
  call?: Omit<NewCall, 'version'>
}

type Work = Exclude<Effect, { kind: 'record' }>

/**
 * A fault in the step's own material fails the step; a fault of the database is thrown. So is a refused change of a contact while others
 * move in the same transaction: then each of them is run again by itself.
 */
export async function perform(performance: Performance, effect: Work, recordId: string): Promise<Performed> {
  try {
    return await performOne(performance, effect, recordId)
  } catch (error) {
    if (!(error instanceof AppError) || (effect.kind === 'updateContact' && !performance.together.isAlone))
      throw error
    await rememberUnrenderable(performance.tx, error)
    const details = error.errors?.map(({ field, message }) => ` ${field}: ${message}`).join(';') ?? ''
    return { signal: { kind: 'failed', error: `${error.message}${details}` } }
  }
}

async function performOne(performance: Performance, effect: Work, recordId: string): Promise<Performed> {
  switch (effect.kind) {
    case 'sendEmail':
      return await sendEmail(performance, effect)
    case 'updateContact':
      return await changeContact(performance, effect)
    case 'callWebhook':
      return await prepareCall(performance, effect, recordId)
  }
}

/** What the templates of a step see. */
export function scopeOf(
  { vault, config }: Pick<Context, 'vault' | 'config'>,
  {
    execution,
    contact,
    context,
  }: Pick<Performance, 'contact' | 'context'> & {
    execution: Pick<HeldExecution, 'projectId' | 'contactId'>
  },
  emailId: string,
): { scope: Scope; unsubscribeUrl: string } {
  const { projectId, contactId } = execution
  const links = listLinks(vault, config.baseUrl, { projectId, contactId }, emailId)
  const known = { id: contactId, email: contact.email, subscribed: contact.subscribed, data: contact.data }
  return {
    scope: buildScope({ contact: known, links, event: context }),
    unsubscribeUrl: links.unsubscribeUrl,
  }
}

/** Why a message is recorded but never sent, as far as the contact decides; undefined if it leaves. */
export async function subscriptionRefusal(
  ctx: Context,
  { projectId, contactId }: Pick<HeldExecution, 'projectId' | 'contactId'>,
  template: SnapshotTemplate,
  contact: Contact,
  { recipient, topicId }: Configs['SEND_EMAIL'],
): Promise<Reasoned | undefined> {
  if (recipient !== null) return undefined
  if (template.type !== 'TRANSACTIONAL' && !contact.subscribed)
    return because('unsubscribed', { byStep: true })
  const isAllowed = topicId === null || (await selectIsInTopic(ctx, projectId, contactId, topicId))
  return isAllowed ? undefined : because('topic', { byStep: true })
}

async function sendEmail(
  performance: Performance,
  { step, config }: Work & { kind: 'sendEmail' },
): Promise<Performed> {
  const { tx, snapshot, execution, contact } = performance
  const template = snapshot.templates.find(each => each.id === step.templateId)
  if (!template) {
    const error = step.templateId ? 'Template not found' : 'The step has no template'
    return { signal: { kind: 'failed', error } }
  }
  const to = config.recipient ?? contact.email
  const gate = await subscriptionRefusal(tx, execution, template, contact, config)
  if (!gate) await performance.together.checkSender(execution.projectId, template.fromEmail)
  const suppressed = await whySuppressed(tx, execution, to)
  const why = gate ?? (suppressed ? becauseSuppressed(suppressed) : undefined)
  const mail = await composeMail(performance, template, to, newId(tx))
  const recipientType = config.recipient === null ? 'CONTACT' : 'CUSTOM'
  const output = { emailId: mail.id, sentAt: tx.clock.now().toISOString(), recipientType, recipientEmail: to }
  return {
    mail: {
      ...mail,
      topicId: config.topicId,
      followsContact: config.recipient === null,
      status: why ? 'FAILED' : 'PENDING',
      ...(why ?? noReason),
    },
    signal: { kind: 'done', output: why ? { ...output, error: sentenceOf(why) } : output },
  }
}

/** For the contact's own address, this was looked up when the execution was locked. */
async function whySuppressed(
  tx: Context,
  { projectId, email, suppressed }: Performance['execution'],
  to: string,
): Promise<string | null> {
  if (to === email) return suppressed
  const [found] = await findSuppressed(tx, [{ projectId, email: to }])
  return found?.reason ?? null
}

async function composeMail(
  performance: Performance,
  template: SnapshotTemplate,
  to: string,
  id: string,
): Promise<Omit<NewEmail, 'status' | keyof Reasoned>> {
  const { tx, together, cache, execution } = performance
  const { scope, unsubscribeUrl } = scopeOf(tx, performance, id)
  const sourceType = sourceTypeOf('workflow', template.type)
  const mailClass = mailClassOf(template.type, sourceType)
  const footer = hasFooter(mailClass) ? footerOf(performance, unsubscribeUrl) : undefined
  return {
    ...{
      id,
      projectId: execution.projectId,
      contactId: execution.contactId,
      sourceType,
      mailClass,
      templateId: template.id,
      workflowExecutionId: execution.id,
      hops: execution.hops + 1,
    },
    ...{
      toEmail: to,
      toName: null,
      fromEmail: template.fromEmail,
      fromName: template.fromName,
      replyTo: template.replyTo,
      tracking: template.tracking ?? undefined,
    },
    ...(await together.render(execution.projectId, () =>
      renderStored(cache, template, scope, { vault: tx.vault, baseUrl: tx.config.baseUrl }, footer),
    )),
    ...{ headers: {}, attachmentSet: null, messageId: messageIdOf(id, template.fromEmail) },
  }
}

function footerOf({ execution, contact }: Performance, unsubscribeUrl: string): Footer {
  const { projectName, language } = execution
  return marketingFooter({ projectName, language, locale: contact.data['locale'], unsubscribeUrl })
}

/** Texts are filled in like templates, at any depth; keys and everything else stay. */
export function fillUpdates(cache: TemplateCache, updates: Values, scope: Scope): Values {
  return fillDeep(cache, updates, scope) as Values
}

async function changeContact(
  performance: Performance,
  { config: { updates, subscriptionAction } }: Work & { kind: 'updateContact' },
): Promise<Performed> {
  const { tx, together, cache, execution } = performance
  const { scope } = scopeOf(tx, performance, '')
  const filled = await together.render(execution.projectId, () => fillUpdates(cache, updates, scope))
  const contact = await together.patchContact({
    projectId: execution.projectId,
    contactId: execution.contactId,
    email: performance.contact.email,
    data: filled,
    hops: execution.hops + 1,
    origin: { source: 'workflow', actor: execution.workflowId },
    ...(subscriptionAction === 'none' ? {} : { subscribed: subscriptionAction === 'subscribe' }),
  })
  const { subscribed, data: newData } = contact
  const output = { updated: true, updates: filled, newData, subscriptionAction, subscribed }
  return { contact, signal: { kind: 'done', output } }
}

/** The call is filled in now, so that every attempt sends the same. */
async function prepareCall(
  performance: Performance,
  { step, config }: Work & { kind: 'callWebhook' },
  recordId: string,
): Promise<Performed> {
  const { tx, together, cache, execution, snapshot, contact, context } = performance
  const { id: executionId, projectId, workflowId, startedAt } = execution
  const { scope } = scopeOf(tx, performance, '')
  const payload: Payload = {
    contact: { email: contact.email, subscribed: contact.subscribed, data: contact.data },
    workflow: { id: workflowId, name: snapshot.workflowName },
    execution: { id: executionId, startedAt: startedAt.toISOString() },
    event: context,
  }
  const call = await together.render(projectId, () => fillCall(cache, config, scope, payload))
  if ('fault' in call) return { signal: { kind: 'failed', error: call.fault } }
  return { call: { id: recordId, projectId, executionId, stepId: step.id, ...call } }
}
