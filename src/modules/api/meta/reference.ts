// The OpenAPI document as people read it: sections of operations in the order in which one needs them, members of nested objects expanded,
// code in several languages. The plain page and the dashboard's are made from this. Pure.
import type { NamedSchemas, Schema } from '../../../http/openapi/schema'
import { type Member, memberOf, membersOf, typeOf } from './members'
import { type Language, languages, sampleOf } from './samples'

/** The parts of an OpenAPI document that are shown. */
export interface Described {
  info: { title: string; version: string; description: string }
  servers: Array<{ url: string }>
  tags: Array<{ name: string; description?: string }>
  paths: Record<string, Record<string, DescribedOperation>>
  components?: { schemas?: NamedSchemas }
}

type Content = Record<string, { schema: Schema; example?: unknown }>

interface DescribedOperation {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: Array<Record<string, string[]>>
  'x-waxwing-scopes'?: string[]
  parameters?: Array<{ name: string; in: string; required?: boolean; description?: string; schema: Schema }>
  requestBody?: { content: Content }
  responses: Record<string, { $ref?: string; description?: string; content?: Content }>
}

export interface Reference {
  title: string
  version: string
  description: string
  baseUrl: string
  sections: ReferenceSection[]
}

export interface ReferenceSection {
  tag: string
  description?: string
  operations: ReadOperation[]
}

export interface ReadOperation {
  id: string
  /** In capitals. */
  method: string
  path: string
  summary: string
  description?: string
  /** Any of these will do; those within one go together. */
  credentials: string[][]
  /** What a key with scopes needs to have; undefined where no such key is taken. */
  scopes?: string[]
  /** `path` is the name. */
  parameters: Array<Member & { place: string }>
  bodies: WireShape[]
  /** None where a key has no right, or the body is a file. */
  samples?: Record<Language, string>
  answers: Array<{ status: string; description: string } & Partial<WireShape>>
}

/** What goes over the wire: the members of an object, or the type of anything else. */
export interface WireShape {
  media: string
  members: Member[]
  type: string
  example?: unknown
}

/** Before the others of their section. */
const firstPaths = ['/v1/send', '/v1/send/batch', '/v1/track']

/** What an application calls comes first, then what it sends with and to whom; the rest as the document has it. */
const first = ['Public API', 'Emails', 'Templates', 'Contacts', 'Events', 'Domains', 'Campaigns', 'Segments']

export function referenceOf(document: Described): Reference {
  const { title, version, description } = document.info
  return { title, version, description, baseUrl: baseOf(document), sections: sectionsOf(document) }
}

const baseOf = ({ servers }: Described): string => servers[0]?.url ?? ''

/** Operations by their first tag. */
function sectionsOf(document: Described): ReferenceSection[] {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const sorted = operations.toSorted((a, b) => rank(firstPaths, a.path) - rank(firstPaths, b.path))
  const byTag = Map.groupBy(sorted, ({ operation }) => operation.tags?.[0] ?? 'Other')
  return [...byTag]
    .toSorted(([a], [b]) => rank(first, a) - rank(first, b))
    .map(([tag, found]) => ({
      tag,
      description: document.tags.find(({ name }) => name === tag)?.description,
      operations: found.map(({ path, method, operation }) =>
        operationOf(document, method.toUpperCase(), path, operation),
      ),
    }))
}

function rank(early: readonly string[], name: string): number {
  const at = early.indexOf(name)
  return at < 0 ? early.length : at
}

function operationOf(
  document: Described,
  method: string,
  path: string,
  operation: DescribedOperation,
): ReadOperation {
  const schemas = document.components?.schemas ?? {}
  const { operationId = `${method} ${path}`, summary = '', description, security = [] } = operation
  return {
    ...{ id: operationId, method, path, summary, description },
    credentials: security.map(option => Object.keys(option)),
    scopes: operation['x-waxwing-scopes'],
    parameters: (operation.parameters ?? []).map(
      ({ name, in: place, required, schema, description: said }) => ({
        // The document has it beside the schema, members have it in theirs.
        ...memberOf(name, said ? { ...schema, description: said } : schema, required === true, schemas),
        place,
      }),
    ),
    bodies: shapesOf(operation.requestBody?.content, schemas),
    samples: samplesOf(document, method, path, operation),
    answers: Object.entries(operation.responses)
      .filter(([, answer]) => !answer.$ref)
      .map(([status, { description: said = '', content }]) => ({
        ...{ status, description: said },
        // Errors all have one form.
        ...(Number(status) < 400 ? shapesOf(content, schemas)[0] : undefined),
      })),
  }
}

function shapesOf(content: Content = {}, schemas: NamedSchemas): WireShape[] {
  return Object.entries(content).map(([media, { schema, example }]) => ({
    media,
    members: membersOf(schema, schemas),
    type: typeOf(schema, schemas),
    example,
  }))
}

/** Code for what a key may call; people with a session have the dashboard. */
function samplesOf(
  document: Described,
  method: string,
  path: string,
  { security = [], requestBody }: DescribedOperation,
): ReadOperation['samples'] {
  const names = security.flatMap(option => Object.keys(option))
  const key = names.includes('secretKey') ? 'sk_…' : names.includes('publicKey') ? 'pk_…' : undefined
  const json = requestBody?.content['application/json']
  if (key === undefined || (requestBody && !json)) return undefined
  const request = { url: `${baseOf(document)}${path}`, method, key, body: json?.example }
  return Object.fromEntries(languages.map(language => [language, sampleOf(language, request)])) as Record<
    Language,
    string
  >
}
