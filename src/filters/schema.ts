// The filter tree as the OpenAPI document shows it. The tree is read by hand (read.ts), because its faults are reported in sentences. Pure.
import { Type } from '@sinclair/typebox'
import { describedAs, namedSchema } from '../lib/described'
import { freeForm } from '../lib/free-form'
import { filterLimits, operators, units } from './read'

/** A list of types in one `type` is more than generators of clients understand. */
const text = { type: 'string', maxLength: filterLimits.valueLength }
const value = { anyOf: [text, ...['number', 'boolean', 'null'].map(type => ({ type }))] }

const filter = {
  title: 'Filter',
  type: 'object',
  required: ['field', 'operator'],
  properties: {
    field: {
      type: 'string',
      maxLength: filterLimits.fieldLength,
      description:
        'email, subscribed, createdAt, updatedAt, data.<key>, event.<name>, email.<activity>, segment.<id>, topic.<id> or campaign.<id>',
      examples: ['data.plan'],
    },
    operator: { title: 'FilterOperator', type: 'string', enum: operators },
    value: { ...value, description: 'What to compare with; not for exists, notExists and the like' },
    unit: { type: 'string', enum: units, description: 'Of within, olderThan and their like' },
  },
}

const group = {
  title: 'FilterGroup',
  type: 'object',
  description: 'Everything in a group has to hold',
  required: ['filters'],
  properties: {
    filters: { type: 'array', items: filter, maxItems: filterLimits.filters },
    conditions: { anyOf: [namedSchema('FilterTree'), { type: 'null' }] },
  },
}

/** For schemas of the document that hold a tree. */
export const filterTree = {
  title: 'FilterTree',
  type: 'object',
  description: 'Who is meant: `logic` joins the groups',
  required: ['logic', 'groups'],
  properties: {
    logic: { type: 'string', enum: ['AND', 'OR'] },
    groups: { type: 'array', items: group, minItems: 1, maxItems: filterLimits.groups },
  },
  examples: [
    { logic: 'AND', groups: [{ filters: [{ field: 'data.plan', operator: 'equals', value: 'pro' }] }] },
  ],
}

const nullableTree = { anyOf: [filterTree, { type: 'null' }] }

/** A tree in a request. Anything passes here, because it is read by hand. */
export const givenTree = Type.Optional(describedAs(Type.Unknown(), filterTree))

/** The same where null says that there is none. */
export const givenTreeOrNull = Type.Optional(describedAs(Type.Unknown(), nullableTree))

/** A tree, or null, in an answer. */
export const answeredTree = describedAs(Type.Union([freeForm, Type.Null()]), nullableTree)
