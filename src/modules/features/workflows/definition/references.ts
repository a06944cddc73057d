// What a workflow names: fields, events, segments and topics. Stored beside it, so that finding who uses something means reading no
// configurations. Pure.
import { namedSegments, namedTopics, type Predicate } from '../../../../filters/predicate'
import { readFilter } from '../../../../filters/read'
import { fieldReferenceName, filterReferences } from '../../../../filters/references'
import type { Step, WorkflowReferenceKind } from '../words'
import { readStepConfig } from './steps'
import type { Trigger } from './trigger'

export interface WorkflowReference {
  kind: WorkflowReferenceKind
  name: string
}

/** Each once. Steps that are not configured yet name nothing. */
export function referencesOf(trigger: Trigger, steps: readonly Step[]): WorkflowReference[] {
  const all = [...triggerReferences(trigger), ...steps.flatMap(stepReferences)]
  return [...new Map(all.map(each => [`${each.kind} ${each.name}`, each])).values()]
}

function triggerReferences(trigger: Trigger): WorkflowReference[] {
  if (trigger.type === 'EVENT') return [{ kind: 'event', name: trigger.eventName }]
  return trigger.type === 'SCHEDULE' && trigger.segmentId
    ? [{ kind: 'segment', name: trigger.segmentId }]
    : []
}

function stepReferences(step: Step): WorkflowReference[] {
  switch (step.type) {
    case 'WAIT_FOR_EVENT': {
      const name = waitedEvent(step)
      return name === undefined ? [] : [{ kind: 'event', name }]
    }
    case 'CONDITION':
      return conditionReferences(step)
    case 'SEND_EMAIL': {
      const topicId = topicNamed(step)
      return topicId === undefined ? [] : [{ kind: 'topic', name: topicId }]
    }
    case 'UPDATE_CONTACT': {
      const reading = readStepConfig('UPDATE_CONTACT', step.config)
      const keys = 'config' in reading ? Object.keys(reading.config.updates) : []
      return keys.map(key => ({ kind: 'field', name: `data.${key}` }))
    }
    case 'DELAY':
    case 'WEBHOOK':
    case 'EXIT':
    case 'TRIGGER':
      return []
  }
}

function conditionReferences(step: Step): WorkflowReference[] {
  const reading = readStepConfig('CONDITION', step.config)
  if (!('config' in reading)) return []
  const { config } = reading
  if (config.form !== 'tree')
    return /^(event|workflow)\./.test(config.field)
      ? []
      : [{ kind: 'field', name: fieldReferenceName(config.field) }]
  const read = readFilter(config.tree)
  return 'faults' in read ? [] : filterReferences(read.predicate)
}

type Named = Pick<Step, 'type' | 'config'>

/** Segments whose existence the step relies on. */
export function segmentsAskedFor(step: Named): string[] {
  return namedInTree(step, namedSegments)
}

/** The same of topics, as far as it asks about them. */
export function topicsAskedFor(step: Named): string[] {
  return namedInTree(step, namedTopics)
}

/** What the filter tree of a CONDITION asks; undefined for other steps, other forms and drafts. */
export function askedBy({ type, config }: Named): Predicate | undefined {
  if (type !== 'CONDITION') return undefined
  const reading = readStepConfig('CONDITION', config)
  if (!('config' in reading) || reading.config.form !== 'tree') return undefined
  const read = readFilter(reading.config.tree)
  return 'faults' in read ? undefined : read.predicate
}

function namedInTree(step: Named, named: (predicate: Predicate) => string[]): string[] {
  const predicate = askedBy(step)
  return predicate ? [...new Set(named(predicate))] : []
}

/** The topic of the mail that a step sends; undefined where it has none. */
export function topicNamed({ type, config }: Named): string | undefined {
  if (type !== 'SEND_EMAIL') return undefined
  const reading = readStepConfig('SEND_EMAIL', config)
  return 'config' in reading ? (reading.config.topicId ?? undefined) : undefined
}

/** The event that a step waits for; undefined for other steps and drafts. */
export function waitedEvent(step: Step): string | undefined {
  if (step.type !== 'WAIT_FOR_EVENT') return undefined
  const reading = readStepConfig('WAIT_FOR_EVENT', step.config)
  return 'config' in reading ? reading.config.eventName : undefined
}
