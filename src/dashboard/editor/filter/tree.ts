// The filter tree as the API knows it, and as it is built: groups of conditions and further groups, each joined by "all" or "any". Pure.
import type { Schemas } from '../../api/client'
import { argumentsOf } from './operators'

export type Logic = 'AND' | 'OR'
export type DurationUnit = 'days' | 'hours' | 'minutes'

export interface Filter {
  field: string
  operator: string
  value?: string | number | boolean | null
  unit?: DurationUnit
}

/** The API's form: `logic` joins the groups, and everything in a group has to match. */
export interface FilterTree {
  logic: Logic
  groups: FilterGroup[]
}

interface FilterGroup {
  filters: Filter[]
  conditions?: FilterTree | null
}

export interface Leaf {
  key: number
  filter: Filter
}

export interface Group {
  key: number
  logic: Logic
  items: FilterItem[]
}

export type FilterItem = Leaf | Group

export const isGroup = (item: FilterItem): item is Group => 'items' in item

/** Deeper than anybody can read; the API accepts ten. */
export const deepestGroup = 4

let lastKey = 0
const nextKey = (): number => ++lastKey

export const blankLeaf = (): Leaf => ({ key: nextKey(), filter: { field: '', operator: '' } })
export const blankGroup = (logic: Logic): Group => ({ key: nextKey(), logic, items: [blankLeaf()] })

export function toNode(tree: FilterTree | undefined): Group {
  if (!tree) return { key: nextKey(), logic: 'AND', items: [] }
  const { logic, groups } = tree
  const items = groups.flatMap((group): FilterItem[] => {
    const inner = itemsOf(group)
    return logic === 'AND' || inner.length === 1 ? inner : [{ key: nextKey(), logic: 'AND', items: inner }]
  })
  return { key: nextKey(), logic, items }
}

function itemsOf({ filters, conditions }: FilterGroup): FilterItem[] {
  const leaves = filters.map((filter): Leaf => ({ key: nextKey(), filter }))
  if (!conditions) return leaves
  const inner = toNode(conditions)
  return [...leaves, ...(inner.logic === 'AND' ? inner.items : [inner])]
}

/** Undefined for no condition at all. */
export function toTree({ logic, items }: Group): FilterTree | undefined {
  if (items.length === 0) return undefined
  const leaves = items.flatMap(item => (isGroup(item) ? [] : [item.filter]))
  const groups = items.filter(isGroup).flatMap(group => {
    const conditions = toTree(group)
    return conditions ? [{ filters: [], conditions }] : []
  })
  if (logic === 'OR') return { logic, groups: [...leaves.map(filter => ({ filters: [filter] })), ...groups] }
  return { logic, groups: leaves.length > 0 ? [{ filters: leaves }, ...groups] : groups }
}

/** Reads a tree from an address; undefined for anything else. */
export function readTree(text: string | undefined): FilterTree | undefined {
  try {
    const tree = JSON.parse(text ?? '') as FilterTree
    // The server reports whatever else is wrong with it.
    return toTree(toNode(tree))
  } catch {
    return undefined
  }
}

const filtersOf = ({ groups }: FilterTree): Filter[] =>
  groups.flatMap(({ filters, conditions }) => [...filters, ...(conditions ? filtersOf(conditions) : [])])

/** A tree that the API accepts. */
export type WholeTree = Schemas['FilterTree']

/** Whether every condition is complete: only then can the API be called. */
export function isComplete(tree: FilterTree | undefined): tree is WholeTree {
  return tree !== undefined && filtersOf(tree).every(isWhole)
}

function isWhole({ field, operator, value, unit }: Filter): boolean {
  const needs = argumentsOf(operator)
  if (field === '' || field.endsWith('.') || operator === '') return false
  if (needs !== 'none' && (value === undefined || value === '')) return false
  return needs !== 'window' || unit !== undefined
}
