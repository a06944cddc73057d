// A dry run of a workflow as it is now: mail is rendered but not sent, calls are filled in but not made, contacts change only in memory.
import { matches } from '../../../../filters/match'
import { leavesOf, type NamedSegment, type Predicate } from '../../../../filters/predicate'
import { readFilter } from '../../../../filters/read'
import { addressFault, normaliseEmail } from '../../../../lib/address'
import { AppError, type FieldError, invalid } from '../../../../lib/errors'
import { nilUuid } from '../../../../lib/ids'
import { createTemplateCache, type TemplateCache } from '../../../../liquid/cache'
import type { Context } from '../../../../platform/context'
import { becauseSuppressed, type Reasoned, sentenceOf } from '../../../../platform/transports/reason'
import { getContact, parsePatch } from '../../../audience/contacts'
import { selectTopicsOf } from '../../../audience/topics'
import { requireVerifiedSender } from '../../../sending/domains'
import { findSuppressed, renderContent } from '../../../sending/emails'
import { renderOnRequest, sendableTemplates } from '../../../sending/templates'
import { resolveNamed } from '../../segments'
import type { Compared } from '../definition/conditions'
import { graphFaults, readGraph, type SentGraph } from '../definition/graph-model'
import { selectGraph } from '../definition/queries/graph'
import { asGraph } from '../definition/service/edit'
import { getWorkflow } from '../definition/service/read'
import { refuseBrokenGraph } from '../definition/service/syntax'
import { listWorkflowWarnings } from '../definition/service/warnings'
import { fillCall, type Payload } from '../definition/webhook-request'
import type { Effect, Signal } from '../runs/engine'
import { fillUpdates, scopeOf, subscriptionRefusal } from '../runs/service/effects'
import { contextFaults } from '../runs/service/start'
import type { Graph, SnapshotTemplate, Values } from '../words'
import type { SimulateBody, SimulationAnswer } from './model'
import { selectContactHistory } from './queries'
import { type Imagination, type Imagined, type Simulated, simulate } from './simulate'

type Contact = Compared['contact']

export async function simulateWorkflow(
  ctx: Context,
  projectId: string,
  workflowId: string,
  body: SimulateBody,
): Promise<SimulationAnswer> {
  const workflow = await getWorkflow(ctx, projectId, workflowId)
  const contact = await contactOf(ctx, projectId, body)
  const context = body.context ?? {}
  const faults = contextFaults(context)
  if (faults.length > 0) throw invalid(faults)
  const saved = asGraph(await selectGraph(ctx, projectId, workflowId))
  const graph = triedGraph(saved, body.graph)
  await refuseBrokenGraph(projectId, graph, saved, 'graph.')
  const ids = [...new Set(graph.steps.flatMap(each => each.templateId ?? []))]
  const stage: Stage = {
    ...{ ctx, projectId, contactId: body.contactId ?? nilUuid, cache: createTemplateCache() },
    ...{ workflow, templates: await sendableTemplates(ctx, projectId, ids) },
  }
  const start = {
    now: ctx.clock.now(),
    contact,
    context,
    trigger: workflow.eventName,
    events: body.events ?? [],
  }
  const simulated = await simulate(graph, start, imagine(stage))
  const warnings = await listWorkflowWarnings(ctx, projectId, workflowId, graph)
  return { ...toAnswer(simulated, new Map(graph.steps.map(each => [each.id, each]))), warnings }
}

/** The saved graph, or another one that was sent to be tried. */
function triedGraph(saved: Graph, sent: SentGraph | undefined): Graph {
  if (!sent) return saved
  const graph = readGraph(sent)
  const faults = graphFaults(graph, saved)
  if (faults.length > 0) throw invalid(faults.map(fault => ({ ...fault, field: `graph.${fault.field}` })))
  return graph
}

interface Stage {
  ctx: Context
  projectId: string
  contactId: string
  cache: TemplateCache
  workflow: { id: string; name: string }
  templates: SnapshotTemplate[]
}

async function contactOf(ctx: Context, projectId: string, body: SimulateBody): Promise<Contact> {
  if (body.contactId !== undefined) return await getContact(ctx, projectId, body.contactId)
  const now = ctx.clock.now()
  const { email, subscribed = true, data = {} } = body.contact ?? { email: 'somebody@example.com' }
  const message = addressFault(email)
  const faults: FieldError[] =
    message === undefined ? [] : [{ field: 'contact.email', message, code: 'invalid_string' }]
  const patch = parsePatch(data, 'contact.data')
  if (Array.isArray(patch)) throw invalid([...faults, ...patch])
  if (faults.length > 0) throw invalid(faults)
  return { email: normaliseEmail(email), subscribed, data: { ...patch.set }, createdAt: now, updatedAt: now }
}

function imagine(stage: Stage): Imagination {
  return {
    matches: (tree, contact, now, past) => matchesTree(stage, tree, contact, now, past),
    async perform(effect, contact, context) {
      switch (effect.kind) {
        case 'sendEmail':
          return { signal: await imagineEmail(stage, effect, contact, context) }
        case 'updateContact':
          return await imagineUpdate(stage, effect, contact, context)
        case 'callWebhook':
          return { signal: await imagineCall(stage, effect, contact, context) }
      }
    },
  }
}

function scopeFor({ ctx, projectId, contactId }: Stage, contact: Contact, context: Values) {
  return scopeOf(ctx, { execution: { projectId, contactId }, contact, context }, nilUuid).scope
}

type Work<K extends Effect['kind']> = Effect & { kind: K }

async function imagineEmail(
  stage: Stage,
  { step, config }: Work<'sendEmail'>,
  contact: Contact,
  context: Values,
): Promise<Signal> {
  const template = stage.templates.find(each => each.id === step.templateId)
  if (!template) return { kind: 'failed', error: 'The step has no template' }
  const recipientEmail = config.recipient ?? contact.email
  const refusal = await subscriptionRefusal(stage.ctx, stage, template, contact, config)
  const refused = refusal ? undefined : await refusalOf(stage, template.fromEmail)
  if (refused !== undefined) return { kind: 'failed', error: refused }
  const why = refusal ?? (await whySuppressed(stage, recipientEmail))
  const scope = scopeFor(stage, contact, context)
  const { subject, html } = await renderOnRequest(stage.ctx, stage.projectId, () =>
    renderContent(stage.cache, template, scope),
  )
  const output = { recipientEmail, subject, body: html.slice(0, 100_000), wouldSend: why === undefined }
  return { kind: 'done', output: why === undefined ? output : { ...output, error: sentenceOf(why) } }
}

/** Why the sender may not be used; undefined if it may. */
async function refusalOf({ ctx, projectId }: Stage, from: string): Promise<string | undefined> {
  try {
    await requireVerifiedSender(ctx, projectId, from)
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
}

async function whySuppressed({ ctx, projectId }: Stage, email: string): Promise<Reasoned | undefined> {
  const [found] = await findSuppressed(ctx, [{ projectId, email }])
  return found && becauseSuppressed(found.reason)
}

async function imagineUpdate(
  stage: Stage,
  { config: { updates, subscriptionAction } }: Work<'updateContact'>,
  contact: Contact,
  context: Values,
): Promise<Imagined> {
  const scope = scopeFor(stage, contact, context)
  const filled = await renderOnRequest(stage.ctx, stage.projectId, () =>
    fillUpdates(stage.cache, updates, scope),
  )
  const patch = parsePatch(filled, 'updates')
  if (Array.isArray(patch))
    return { signal: { kind: 'failed', error: patch.map(fault => fault.message).join('; ') } }
  const kept = Object.entries({ ...contact.data, ...patch.set }).filter(
    ([key]) => !patch.remove.includes(key),
  )
  const subscribed = subscriptionAction === 'none' ? contact.subscribed : subscriptionAction === 'subscribe'
  const changed = { ...contact, subscribed, data: Object.fromEntries(kept) }
  const output = { updated: true, updates: filled, newData: changed.data, subscriptionAction, subscribed }
  return { contact: changed, signal: { kind: 'done', output } }
}

async function imagineCall(
  stage: Stage,
  { config }: Work<'callWebhook'>,
  contact: Contact,
  context: Values,
): Promise<Signal> {
  const { email, subscribed, data } = contact
  const { workflow, ctx } = stage
  const scope = scopeFor(stage, contact, context)
  const payload: Payload = {
    contact: { email, subscribed, data },
    workflow: { id: workflow.id, name: workflow.name },
    execution: { id: nilUuid, startedAt: ctx.clock.now().toISOString() },
    event: context,
  }
  const call = await renderOnRequest(ctx, stage.projectId, () =>
    fillCall(stage.cache, config, scope, payload),
  )
  if ('fault' in call) return { kind: 'failed', error: call.fault }
  const { url, method, body } = call
  return {
    kind: 'done',
    output: { url, method, body: body?.slice(0, 100_000) ?? null, simulated: true, success: true },
  }
}

async function matchesTree(
  { ctx, projectId, contactId }: Stage,
  tree: unknown,
  contact: Contact,
  now: Date,
  past: ReadonlyArray<{ name: string; at: Date }>,
): Promise<boolean> {
  const reading = readFilter(tree)
  if ('faults' in reading) return false
  const { segments, predicate } = await resolveNamed(ctx, projectId, reading.predicate)
  const named = namedIn(predicate, segments)
  const history = await selectContactHistory(ctx, projectId, contactId, named)
  for (const { name, at } of past) history.events.set(name, at)
  const topics = await selectTopicsOf(ctx, projectId, contactId)
  const inTopics = new Set(topics.flatMap(({ id, subscribed }) => (subscribed ? [id] : [])))
  const { email, subscribed, data, createdAt = now, updatedAt = now } = contact
  return matches(
    predicate,
    { email, subscribed, data, createdAt, updatedAt, snoozedUntil: null, optedOutAt: null },
    { now, segments, inTopics, ...history },
  )
}

/** Events and campaigns. */
function namedIn(
  predicate: Predicate,
  segments: ReadonlyMap<string, NamedSegment>,
): { events: string[]; campaigns: string[] } {
  const inside = [...segments.values()].flatMap(segment =>
    segment.type === 'DYNAMIC' ? [segment.predicate] : [],
  )
  const leaves = [predicate, ...inside].flatMap(leavesOf)
  const events = leaves.flatMap(leaf => (leaf.kind === 'event' ? [leaf.name] : []))
  const campaigns = leaves.flatMap(leaf => (leaf.kind === 'campaign' ? [leaf.campaignId] : []))
  return { events: [...new Set(events)], campaigns: [...new Set(campaigns)] }
}

function toAnswer(
  { state, contact, steps, startedAt, endedAt }: Simulated,
  named: ReadonlyMap<string, { name: string; type: string }>,
): Omit<SimulationAnswer, 'warnings'> {
  const { email, subscribed, data } = contact
  return {
    ...{
      status: state.status,
      exitReason: state.exitReason,
      context: state.context,
      contact: { email, subscribed, data },
    },
    ...{ startedAt: startedAt.toISOString(), endedAt: endedAt.toISOString() },
    steps: steps.map(({ stepId, status, output, error, ...times }) => ({
      ...{ stepId, name: named.get(stepId)!.name, type: named.get(stepId)!.type, status, output, error },
      startedAt: times.startedAt.toISOString(),
      completedAt: times.completedAt?.toISOString() ?? null,
    })),
  }
}
