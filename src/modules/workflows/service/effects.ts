// Does what a step asks for, in the transaction that stores that it was done: a message in the ledger with its job, a change of the
// contact with its events, a call with the job that makes it.
import { asciiAddress, domainOf } from '../../../lib/address'
import { AppError } from '../../../lib/errors'
import { type Context, newId } from '../../../platform/context'
import { inSavepoint } from '../../../platform/db/savepoint'
import { enqueue } from '../../../platform/jobs/enqueue'
import { updateContact } from '../../contacts/service'
import { requireVerifiedSender } from '../../domains/service'
import { type Footer, renderContent } from '../../emails/compose'
import { hasFooter, mailClassOf, sourceTypeOf } from '../../emails/footer'
import { listLinks } from '../../emails/links'
import { findSuppressed, type NewEmail } from '../../emails/queries'
import { createEmails } from '../../emails/service'
import { marketingFooter } from '../../preferences/footer'
import type { TemplateCache } from '../../templates/cache'
import type { Scope } from '../../templates/liquid'
import { buildScope } from '../../templates/variables'
import type { Snapshot, SnapshotTemplate, Values } from '../definition'
import type { Effect, Facts, Signal } from '../engine'
import { type HeldExecution, insertCall } from '../queries'
import { fillCall, fillText } from '../webhook-request'

type Contact = NonNullable<Facts['contact']>

export interface Performance {
  tx: Context
  cache: TemplateCache
  execution: Pick<
    HeldExecution,
    'id' | 'projectId' | 'workflowId' | 'contactId' | 'startedAt' | 'projectName' | 'language'
  >
  snapshot: Snapshot
  context: Values
  contact: Contact
}

export interface Performed {
  /** What the step goes on with; undefined while it is still under way. */
  signal?: Signal
  /** The contact, where it changed. */
  contact?: Contact
  /** To be done once the version is known at which the execution is stored. */
  begin?: (version: number) => Promise<void>
}

type Work = Exclude<Effect, { kind: 'record' }>

/** What is wrong with the step's own material fails the step; what is wrong with the database rises. */
export async function perform(performance: Performance, effect: Work, recordId: string): Promise<Performed> {
  try {
    return await inSavepoint(performance.tx, tx => performOne({ ...performance, tx }, effect, recordId))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const details = error.errors?.map(({ field, message }) => ` ${field}: ${message}`).join(';') ?? ''
    return { signal: { kind: 'failed', error: `${error.message}${details}` } }
  }
}

async function performOne(performance: Performance, effect: Work, recordId: string): Promise<Performed> {
  switch (effect.kind) {
    case 'sendEmail':
      return { signal: await sendEmail(performance, effect) }
    case 'updateContact':
      return await changeContact(performance, effect)
    case 'callWebhook':
      return prepareCall(performance, effect, recordId)
  }
}

/** What the templates of a step see. */
export function scopeOf(
  { vault, config }: Pick<Context, 'vault' | 'config'>,
  { execution, contact, context }: Pick<Performance, 'execution' | 'contact' | 'context'>,
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

const unsubscribed = 'Contact is unsubscribed from marketing emails'

/** Why a message is kept for the record and never sent; undefined where it leaves. */
export function gateOf(template: SnapshotTemplate, contact: Contact, isCustom: boolean): string | undefined {
  return template.type !== 'TRANSACTIONAL' && !contact.subscribed && !isCustom ? unsubscribed : undefined
}

async function sendEmail(
  performance: Performance,
  { step, config }: Work & { kind: 'sendEmail' },
): Promise<Signal> {
  const { tx, snapshot, execution, contact } = performance
  const template = snapshot.templates.find(each => each.id === step.templateId)
  if (!template)
    return { kind: 'failed', error: step.templateId ? 'Template not found' : 'The step has no template' }
  const to = config.recipient ?? contact.email
  const gate = gateOf(template, contact, config.recipient !== null)
  if (!gate) await requireVerifiedSender(tx, execution.projectId, template.fromEmail)
  const [suppressed] = await findSuppressed(tx, [{ projectId: execution.projectId, email: to }])
  const error = gate ?? (suppressed ? `address is suppressed (${suppressed.reason})` : null)
  const mail = composeMail(performance, template, to, newId(tx))
  await createEmails(tx, [{ ...mail, status: error ? 'FAILED' : 'PENDING', error }])
  const recipientType = config.recipient === null ? 'CONTACT' : 'CUSTOM'
  const output = { emailId: mail.id, sentAt: tx.clock.now().toISOString(), recipientType, recipientEmail: to }
  return { kind: 'done', output: error ? { ...output, error } : output }
}

function composeMail(
  performance: Performance,
  template: SnapshotTemplate,
  to: string,
  id: string,
): Omit<NewEmail, 'status' | 'error'> {
  const { tx, cache, execution } = performance
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
    },
    ...{
      toEmail: to,
      toName: null,
      fromEmail: template.fromEmail,
      fromName: template.fromName,
      replyTo: template.replyTo,
    },
    ...renderContent(cache, template, scope, footer),
    ...{ headers: {}, attachmentSet: null, messageId: `${id}@${domainOf(asciiAddress(template.fromEmail))}` },
  }
}

function footerOf({ execution, contact }: Performance, unsubscribeUrl: string): Footer {
  const { projectName, language } = execution
  return marketingFooter({ projectName, language, locale: contact.data['locale'], unsubscribeUrl })
}

/** Texts are filled like templates; keys and everything else stay. */
export function fillUpdates(cache: TemplateCache, updates: Values, scope: Scope): Values {
  return Object.fromEntries(
    Object.entries(updates).map(([key, value]) => [
      key,
      typeof value === 'string' && value !== '' ? fillText(cache, value, scope) : value,
    ]),
  )
}

async function changeContact(
  performance: Performance,
  { config: { updates, subscriptionAction } }: Work & { kind: 'updateContact' },
): Promise<Performed> {
  const { tx, cache, execution } = performance
  const filled = fillUpdates(cache, updates, scopeOf(tx, performance, '').scope)
  const contact = await updateContact(tx, execution.projectId, execution.contactId, {
    data: filled,
    ...(subscriptionAction === 'none' ? {} : { subscribed: subscriptionAction === 'subscribe' }),
  })
  const { subscribed, data: newData } = contact
  const output = { updated: true, updates: filled, newData, subscriptionAction, subscribed }
  return { contact, signal: { kind: 'done', output } }
}

/** The call is filled now, so that every try of it sends the same. */
function prepareCall(
  performance: Performance,
  { step, config }: Work & { kind: 'callWebhook' },
  recordId: string,
): Performed {
  const { tx, cache, execution, snapshot, contact, context } = performance
  const { id: executionId, projectId, workflowId, startedAt } = execution
  const call = fillCall(cache, config, scopeOf(tx, performance, '').scope, {
    contact: { email: contact.email, subscribed: contact.subscribed, data: contact.data },
    workflow: { id: workflowId, name: snapshot.workflowName },
    execution: { id: executionId, startedAt: startedAt.toISOString() },
    event: context,
  })
  if ('fault' in call) return { signal: { kind: 'failed', error: call.fault } }
  const { tx: base } = performance
  return {
    begin: async version => {
      await insertCall(base, { id: recordId, projectId, executionId, stepId: step.id, version, ...call })
      await enqueue(base, 'workflow.webhook', { callId: recordId }, { projectId })
    },
  }
}
