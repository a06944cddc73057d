// Workflows in words: what starts one, what a step does, what a way on is called. Short enough for a box.
import {
  branchesOf,
  type Config,
  type Graph,
  hasManyBranches,
  inOrder,
  type Port,
  portKey,
  portsOf,
  type Step,
} from '../../editor/flow/graph'
import { t } from '../../texts'
import type { Listed } from './data'
import { sayRhythm } from './rhythm'

type Triggered = Pick<Listed, 'triggerType' | 'triggerConfig'>

export function sayTrigger({ triggerType, triggerConfig }: Triggered): string {
  const config: Config = triggerConfig ?? {}
  if (triggerType === 'MANUAL') return t.workflows.byHand
  if (triggerType === 'EVENT') return t.workflows.onEvent(text(config['eventName']))
  return sayRhythm(text(config['cron']), text(config['timezone']) || 'UTC')
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

export interface Names {
  trigger: string
  templates: ReadonlyMap<string, string>
  /** A filter tree in words. */
  tree: (tree: unknown) => string
}

/** All steps of a graph, each in a few words. */
export function sayGraph(graph: Graph, names: Names): Map<string, string> {
  return new Map(graph.steps.map(step => [step.id, sayStep(step, names)]))
}

export function sayStep({ type, config, templateId }: Step, { trigger, templates, tree }: Names): string {
  const { says } = t.workflows
  switch (type) {
    case 'TRIGGER':
      return trigger
    case 'SEND_EMAIL':
      return templateId ? says.send(templates.get(templateId) ?? says.template) : says.noTemplate
    case 'DELAY':
      return 'amount' in config ? says.delay(sayAmount(config)) : says.notYet
    case 'WAIT_FOR_EVENT':
      return config['eventName'] ? says.wait(text(config['eventName'])) : says.notYet
    case 'CONDITION':
      return sayCondition(config, tree)
    case 'UPDATE_CONTACT':
      return sayUpdate(config)
    case 'WEBHOOK':
      return config['url'] ? `${text(config['method']) || 'POST'} ${text(config['url'])}` : says.notYet
    case 'EXIT':
      return text(config['reason']) || says.exit
  }
}

export function sayAmount({ amount, unit }: Config): string {
  return t.workflows.amounts[text(unit)]?.(Number(amount)) ?? ''
}

function sayCondition(config: Config, tree: (tree: unknown) => string): string {
  const { field, operator, value } = config
  if (hasManyBranches(config)) return t.workflows.says.byValue(text(field))
  if (operator !== undefined) {
    const word = t.workflows.operators[text(operator)] ?? text(operator)
    return [text(field), word, value === undefined ? '' : String(value)].join(' ').trim()
  }
  const filter = 'groups' in config ? config : (config['filter'] ?? config['condition'])
  return filter === undefined ? t.workflows.says.notYet : tree(filter)
}

function sayUpdate({ updates, data, subscriptionAction }: Config): string {
  const fields = Object.keys((updates ?? data ?? {}) as object)
  const parts = [
    ...(fields.length > 0 ? [t.workflows.says.set(fields.join(', '))] : []),
    ...(subscriptionAction === 'subscribe' || subscriptionAction === 'unsubscribe'
      ? [t.workflows.subscription[subscriptionAction]]
      : []),
  ]
  return parts.join(', ') || t.workflows.says.notYet
}

/** What a way on is called: "Yes", "plan is pro", "Time runs out". Nothing for the only way. */
export function sayPort(step: Step, { branch, waitOutcome }: Port): string {
  if (waitOutcome) return t.workflows.outcomes[waitOutcome]
  if (branch === null) return ''
  if (branch === 'default' || !hasManyBranches(step.config)) return t.workflows.branches[branch] ?? branch
  return branchesOf(step.config).find(({ id }) => id === branch)?.name || branch
}

/** Names of all ways on, by the ids that lines have. */
export function sayBranches(graph: Graph): Map<string, string> {
  return new Map(
    inOrder(graph).flatMap(step =>
      portsOf(graph, step).map(port => [`${step.id}:${portKey(port)}`, sayPort(step, port)] as const),
    ),
  )
}
