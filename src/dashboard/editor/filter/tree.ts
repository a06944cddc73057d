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

/** The API's form: `logic` joins the groups, everything in a group has to hold. */
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

/** Deeper than anybody reads; the API takes ten. */
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

/** A tree out of an address; undefined for what is none. */
export function readTree(text: string | undefined): FilterTree | undefined {
  try {
    const tree = JSON.parse(text ?? '') as FilterTree
    // Whatever else is wrong with it, the server says.
    return toTree(toNode(tree))
  } catch {
    return undefined
  }
}

const filtersOf = ({ groups }: FilterTree): Filter[] =>
  groups.flatMap(({ filters, conditions }) => [...filters, ...(conditions ? filtersOf(conditions) : [])])

/** One that the API takes. */
export type WholeTree = Schemas['FilterTree']

/** Whether every condition says all that it has to: only then the API can be asked. */
export function isComplete(tree: FilterTree | undefined): tree is WholeTree {
  return tree !== undefined && filtersOf(tree).every(isWhole)
}

function isWhole({ field, operator, value, unit }: Filter): boolean {
  const needs = argumentsOf(operator)
  if (field === '' || field.endsWith('.') || operator === '') return false
  if (needs !== 'none' && (value === undefined || value === '')) return false
  return needs !== 'window' || unit !== undefined
}
