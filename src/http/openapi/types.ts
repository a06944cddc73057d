// The parts of an OpenAPI document that this application uses.
import type { Schema } from './schema'

export type MediaTypes = Record<string, { schema: Schema; example?: unknown }>

export interface Answer {
  $ref?: string
  description?: string
  headers?: Record<string, { description: string; schema: Schema }>
  content?: MediaTypes
}

export interface Parameter {
  name: string
  in: string
  required?: boolean
  description?: string
  schema: Schema
}

export interface Operation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Array<Record<string, string[]>>
  parameters?: Parameter[]
  requestBody?: { required?: boolean; description?: string; content: MediaTypes }
  responses: Record<string, Answer>
  'x-waxwing-addition'?: true
  /** What a key with scopes needs to have, all of them. */
  'x-waxwing-scopes'?: string[]
}

export type Paths = Record<string, Record<string, Operation>>

export interface OpenApiDocument {
  openapi: string
  info: {
    title: string
    version: string
    description: string
    license: { name: string; identifier: string }
  }
  servers: Array<{ url: string }>
  tags: Array<{ name: string; description: string }>
  paths: Paths
  webhooks: Paths
  components: Record<string, Record<string, unknown>>
}
