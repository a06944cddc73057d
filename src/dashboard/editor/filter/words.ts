// A filter tree as a sentence, for whoever prefers words to boxes.
import { t } from '../../texts'
import { formatDate } from '../../ui/format'
import { activities, argumentsOf, type CampaignReaction, type Kind, kindOf } from './operators'
import type { DurationUnit, Filter, FilterTree } from './tree'
import type { Vocabulary } from './vocabulary'

/** What a field is called in a list. */
export function nameOfField(
  field: string,
  { segments, topics, campaigns }: Pick<Vocabulary, 'segments' | 'topics' | 'campaigns'>,
): string {
  const at = field.indexOf('.')
  const [family, name] = [field.slice(0, at), field.slice(at + 1)]
  if (family === 'segment') return segments.find(({ id }) => id === name)?.name ?? t.filter.goneSegment
  if (family === 'topic') return topics.find(({ id }) => id === name)?.name ?? t.topics.gone
  if (family === 'campaign') return campaigns.find(({ id }) => id === name)?.name ?? t.filter.someCampaign
  if (family === 'email' && activities.includes(name)) return t.filter.activities[name] ?? name
  return t.filter.fields[field] ?? name
}

export function wordOf(operator: string, kind: Kind): string {
  return t.filter.operators[kind][operator] ?? t.filter.otherOperators[operator] ?? operator
}

/** "plan is “pro” and (seats is more than 5 or order.placed happened)"; nothing for no condition. */
export function describeTree(tree: FilterTree | undefined, vocabulary: Vocabulary): string {
  return tree ? describe(tree, vocabulary, false) : ''
}

function describe({ logic, groups }: FilterTree, vocabulary: Vocabulary, isInner: boolean): string {
  const parts = groups.map(({ filters, conditions }) => {
    const all = filters.map(filter => describeFilter(filter, vocabulary))
    if (conditions) all.push(describe(conditions, vocabulary, filters.length > 0 || groups.length > 1))
    const joined = all.join(` ${t.filter.and} `)
    return logic === 'OR' && all.length > 1 ? `(${joined})` : joined
  })
  const sentence = parts.join(logic === 'AND' ? ` ${t.filter.and} ` : ` ${t.words.or} `)
  return isInner && parts.length > 1 ? `(${sentence})` : sentence
}

function describeFilter({ field, operator, value, unit }: Filter, vocabulary: Vocabulary): string {
  const kind = kindOf(field, vocabulary.types)
  const name = t.filter.inWords[field] ?? nameOfField(field, vocabulary)
  if (kind === 'segment') return t.filter.membership(name, operator === 'memberOfSegment')
  const isTrue = (String(value) === 'true') === (operator === 'equals')
  if (kind === 'subscribed') return t.filter.subscription(isTrue)
  if (kind === 'topic') return t.topics.wants(name, isTrue)
  if (kind === 'campaign') return t.filter.didWith[value as CampaignReaction]?.(name) ?? name
  const said = `${name} ${wordOf(operator, kind)}`
  const needs = argumentsOf(operator)
  if (needs === 'none') return said
  return `${said} ${needs === 'window' ? windowOf(value, unit) : shown(value, kind)}`
}

function windowOf(value: Filter['value'], unit: DurationUnit | undefined): string {
  return t.filter.windows[unit ?? 'days'](Number(value))
}

function shown(value: Filter['value'], kind: Kind): string {
  if (typeof value === 'boolean') return value ? t.filter.yes : t.filter.no
  if (kind === 'date' && typeof value === 'string' && !Number.isNaN(Date.parse(value)))
    return formatDate(value)
  return typeof value === 'string' ? t.filter.quoted(value) : String(value ?? '…')
}
