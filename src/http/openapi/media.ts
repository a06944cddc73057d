// Answers that no schema describes, for `responses` in the `detail` of a route: pages, files, redirects.
import type { Schema } from './schema'
import type { Answer, MediaTypes } from './types'

const text: Schema = { type: 'string' }
const binary: Schema = { type: 'string', format: 'binary' }
const object: Schema = { type: 'object', additionalProperties: true }

export function answer(description: string, ...media: string[]): Answer & { description: string } {
  if (media.length === 0) return { description }
  const content: MediaTypes = Object.fromEntries(media.map(type => [type, { schema: schemaOf(type) }]))
  return { description, content }
}

function schemaOf(type: string): Schema {
  if (type === 'application/json') return object
  return type.startsWith('image/') ? binary : text
}

export function redirect(description: string): Answer & { description: string } {
  return { description, headers: { Location: { description: 'Where to continue', schema: text } } }
}

/** The body of a form that a handler reads by itself. */
export function formBody(
  properties: Record<string, Schema>,
  {
    required,
    isOptional = false,
    ...more
  }: { required?: string[]; isOptional?: boolean; additionalProperties?: true } = {},
) {
  const schema = { type: 'object' as const, properties, ...(required ? { required } : {}), ...more }
  return { required: !isOptional, content: { 'application/x-www-form-urlencoded': { schema } } }
}

/** A page behind a link. */
export const pageAnswers = {
  200: answer('The page', 'text/html'),
  404: answer('The link is not valid', 'text/html'),
}
