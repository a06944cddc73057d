// An audience of several segments, or of every contact, without those of others. The API has one segment or a filter tree: these are trees of
// one certain form, which is recognized when it is read. Pure.
import type { Filter, FilterTree } from '../../editor/filter/tree'
import type { Audience } from './data'

/** Ids of segments. */
export interface Chosen {
  /** In at least one of these. An empty list means every contact. */
  include: readonly string[]
  /** And in none of these. */
  exclude: readonly string[]
}

const prefix = 'segment.'
const is = (id: string): Filter => ({ field: prefix + id, operator: 'memberOfSegment' })
const isNot = (id: string): Filter => ({ field: prefix + id, operator: 'notMemberOfSegment' })

type Who = Pick<Audience, 'audienceType' | 'segmentId' | 'audienceCondition'>

/** In the shortest form that the API has for it. An empty list means every contact. */
export function audienceOf({ include, exclude }: Chosen): Who {
  const [first] = include
  if (exclude.length === 0 && include.length < 2)
    return first === undefined ? plain('ALL', null) : plain('SEGMENT', first)
  return {
    audienceType: 'FILTERED',
    segmentId: null,
    audienceCondition: treeOf({ include, exclude }) as never,
  }
}

function plain(audienceType: 'ALL' | 'SEGMENT', segmentId: string | null): Who {
  return { audienceType, segmentId, audienceCondition: null as never }
}

function treeOf({ include, exclude }: Chosen): FilterTree {
  const anyOf: FilterTree = { logic: 'OR', groups: include.map(id => ({ filters: [is(id)] })) }
  if (exclude.length === 0) return anyOf
  const conditions = include.length > 0 ? { conditions: anyOf } : {}
  return { logic: 'AND', groups: [{ filters: exclude.map(isNot), ...conditions }] }
}

/** Undefined for a filter of any other form. */
export function chosenOf({ audienceType, segmentId, audienceCondition }: Who): Chosen | undefined {
  if (audienceType === 'ALL') return { include: [], exclude: [] }
  if (audienceType === 'SEGMENT') return { include: segmentId ? [segmentId] : [], exclude: [] }
  const tree = (audienceCondition ?? undefined) as FilterTree | undefined
  return tree && readTree(tree)
}

function readTree(tree: FilterTree): Chosen | undefined {
  if (tree.logic === 'OR') return tree.groups.length > 1 ? readIncluded(tree) : undefined
  const [group, ...others] = tree.groups
  if (!group || others.length > 0) return undefined
  const exclude = idsOf(group.filters, 'notMemberOfSegment')
  const included = group.conditions ? readIncluded(group.conditions) : { include: [], exclude: [] }
  return exclude && included && { ...included, exclude }
}

function readIncluded({ logic, groups }: FilterTree): Chosen | undefined {
  if (logic !== 'OR' || groups.some(group => group.conditions || group.filters.length !== 1)) return undefined
  const include = idsOf(
    groups.map(group => group.filters[0]!),
    'memberOfSegment',
  )
  return include && { include, exclude: [] }
}

function idsOf(filters: readonly Filter[], operator: string): string[] | undefined {
  const fits = filters.every(filter => filter.operator === operator && filter.field.startsWith(prefix))
  return fits && filters.length > 0 ? filters.map(({ field }) => field.slice(prefix.length)) : undefined
}
