// An audience of several segments, topics and recipients of campaigns, or of every contact, without those of others. The API has one segment or a
// filter tree: these are trees of one certain form, which is recognized when it is read. Pure.
import { campaignReactions } from '../../editor/filter/operators'
import type { Filter, FilterTree } from '../../editor/filter/tree'
import type { Audience } from './data'

/** `segment.<id>`, `topic.<id>` or `campaign.<id>.<reaction>`; of the excluded, the first two. */
export type Choice = string

export interface Chosen {
  /** In at least one of these. An empty list means every contact. */
  include: readonly Choice[]
  /** And in none of these. */
  exclude: readonly Choice[]
}

export interface ChoiceParts {
  family: string
  id: string
  reaction: string | undefined
}

export function partsOf(choice: Choice): ChoiceParts {
  const [family = '', id = '', reaction] = choice.split('.')
  return { family, id, reaction }
}

function isIn(choice: Choice): Filter {
  const { family, id, reaction } = partsOf(choice)
  if (family === 'segment') return { field: choice, operator: 'memberOfSegment' }
  return { field: `${family}.${id}`, operator: 'equals', value: reaction ?? true }
}

function isNotIn(choice: Choice): Filter {
  return partsOf(choice).family === 'segment'
    ? { field: choice, operator: 'notMemberOfSegment' }
    : { field: choice, operator: 'equals', value: false }
}

type Who = Pick<Audience, 'audienceType' | 'segmentId' | 'audienceCondition'>

/** In the shortest form that the API has for it. An empty list means every contact. */
export function audienceOf(chosen: Chosen): Who {
  const [first] = chosen.include
  if (chosen.exclude.length === 0 && chosen.include.length < 2) {
    if (first === undefined) return plain('ALL', null)
    const { family, id } = partsOf(first)
    if (family === 'segment') return plain('SEGMENT', id)
  }
  return { audienceType: 'FILTERED', segmentId: null, audienceCondition: treeOf(chosen) as never }
}

function plain(audienceType: 'ALL' | 'SEGMENT', segmentId: string | null): Who {
  return { audienceType, segmentId, audienceCondition: null as never }
}

function treeOf({ include, exclude }: Chosen): FilterTree {
  if (exclude.length === 0 && include.length === 1)
    return { logic: 'AND', groups: [{ filters: include.map(isIn) }] }
  const anyOf: FilterTree = { logic: 'OR', groups: include.map(each => ({ filters: [isIn(each)] })) }
  if (exclude.length === 0) return anyOf
  const conditions = include.length > 0 ? { conditions: anyOf } : {}
  return { logic: 'AND', groups: [{ filters: exclude.map(isNotIn), ...conditions }] }
}

/**
 * An audience for which no segment is chosen yet, so that it has no recipients. What is excluded is kept
 * meanwhile. The server refuses it, as it does any such audience without a segment.
 */
export function unfinishedWithout(exclude: readonly Choice[]): Who {
  const kept = exclude.length > 0 ? treeOf({ include: [], exclude }) : null
  return { ...plain('SEGMENT', null), audienceCondition: kept as never }
}

/** Undefined for a filter of any other form. */
export function chosenOf({ audienceType, segmentId, audienceCondition }: Who): Chosen | undefined {
  if (audienceType === 'ALL') return { include: [], exclude: [] }
  const tree = (audienceCondition ?? undefined) as FilterTree | undefined
  if (audienceType === 'SEGMENT') {
    if (segmentId) return { include: [`segment.${segmentId}`], exclude: [] }
    return { include: [], exclude: (tree && readTree(tree)?.exclude) ?? [] }
  }
  return tree && readTree(tree)
}

function readTree(tree: FilterTree): Chosen | undefined {
  if (tree.logic === 'OR') return tree.groups.length > 1 ? readIncluded(tree) : undefined
  const [group, ...others] = tree.groups
  if (!group || others.length > 0) return undefined
  const single = group.filters.length === 1 && !group.conditions ? includedBy(group.filters[0]!) : undefined
  // A single segment has a form of its own.
  if (single && partsOf(single).family !== 'segment') return { include: [single], exclude: [] }
  const exclude = all(group.filters, excludedBy)
  const included = group.conditions ? readIncluded(group.conditions) : { include: [], exclude: [] }
  return exclude && included && { ...included, exclude }
}

function readIncluded({ logic, groups }: FilterTree): Chosen | undefined {
  if (logic !== 'OR' || groups.some(group => group.conditions || group.filters.length !== 1)) return undefined
  const include = all(
    groups.map(group => group.filters[0]!),
    includedBy,
  )
  return include && { include, exclude: [] }
}

function includedBy({ field, operator, value }: Filter): Choice | undefined {
  const { family } = partsOf(field)
  if (family === 'segment') return operator === 'memberOfSegment' ? field : undefined
  if (operator !== 'equals') return undefined
  if (family === 'topic') return value === true ? field : undefined
  const isReaction = campaignReactions.some(each => each === value)
  return family === 'campaign' && isReaction ? `${field}.${value}` : undefined
}

function excludedBy({ field, operator, value }: Filter): Choice | undefined {
  const { family } = partsOf(field)
  if (family === 'segment') return operator === 'notMemberOfSegment' ? field : undefined
  return family === 'topic' && operator === 'equals' && value === false ? field : undefined
}

/** Undefined if one of them is, and for none. */
function all(filters: readonly Filter[], read: (filter: Filter) => Choice | undefined): Choice[] | undefined {
  const found = filters.map(read)
  return found.length > 0 && found.every(each => each !== undefined) ? found : undefined
}
